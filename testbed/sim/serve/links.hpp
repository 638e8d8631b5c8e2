// Simulated TCP between a server and its clients: pieces that take time, buffers that fill, and the faults of both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/control_plane/server_context.hpp"
#include "testbed/sim/fault.hpp"
#include "testbed/sim/world.hpp"

namespace ocs::sim {

class ServerEnd;
class Links;

/// Bytes one way. What is sent is `held` until the other end has read it.
struct Way {
  std::string arrived{};
  std::size_t held = 0;
  Nanos last{0};       ///< arrival of what was sent last
  bool ended = false;  ///< the end has arrived: nothing more comes
};

/// One connection.
struct Link {
  std::uint64_t number = 0;
  serve::Dialect dialect{};
  std::string address{};
  Way to_server{}, to_client{};
  std::string unsent{};          ///< of the client: there is no place for it yet
  bool sends_end = false;        ///< the client has closed its end
  bool end_sent = false;         ///< and that is under way
  bool broken = false;           ///< reset: neither end has anything of it
  bool lost = false;             ///< the client has gone without a word
  bool admitted = false;         ///< the server has accepted it
  bool excused = false;          ///< a fault has met it
  Nanos deaf_until{0};           ///< the client reads nothing
  ServerEnd* server = nullptr;   ///< while it is open
  Process* client = nullptr;     ///< is woken by what arrives; none: a stranger that waits for nothing
  std::function<void()> done{};  ///< a stranger's: all that it had to say is sent

  /// For the client: nothing more comes, and nothing that it sends arrives.
  bool is_over() const { return broken || lost || (to_client.ended && to_client.arrived.empty()); }
};
using LinkPointer = std::shared_ptr<Link>;

/// A listening socket, as the links see it.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void come(LinkPointer link) = 0;
};

struct LinkSettings {
  std::size_t buffer = 4096;  ///< bytes that an end sends before the other one has read them
  std::size_t piece = 1400;   ///< the largest
};

/// All connections to one server, over all of its starts.
class Links {
 public:
  struct Hooks {
    std::function<void(const Fault&, const LinkPointer& link)> strike;  ///< a fault meets a piece of the link
    std::function<void(const LinkPointer& link)> admitted;              ///< the server has accepted it, or closed it
  };
  Links(World& world, std::uint64_t seed, LinkSettings settings, Hooks hooks)
      : world_(world), draw_(seed), settings_(settings), hooks_(std::move(hooks)) {}

  World& world() { return world_; }
  void begin(std::vector<Fault> faults);          ///< a start of the server
  std::uint64_t pieces() const { return sent_; }  ///< of this start
  std::uint64_t hit() const { return hit_; }      ///< faults that met a piece

  // ---- the client's end ----
  LinkPointer connect(serve::Dialect dialect, std::string address, Process* client);
  void send(const LinkPointer& link, std::string_view bytes);
  /// What has arrived.
  std::string take(const LinkPointer& link);
  void close(const LinkPointer& link);
  /// The client has gone without a word; the server isn't told.
  void vanish(const LinkPointer& link);
  /// Both ends learn it at once.
  void reset(const LinkPointer& link);
  /// Nothing to or from that address arrives for so long.
  void part(const std::string& address, Nanos time) { apart_[address] = world_.now() + time; }

  // ---- the server's end ----
  void listen(serve::Dialect dialect, Listener* door) { doors_[static_cast<std::size_t>(dialect)] = door; }
  bool listens(serve::Dialect dialect, const Listener* door) const {
    return doors_[static_cast<std::size_t>(dialect)] == door;
  }
  /// @return how many of `bytes` there was place for
  std::size_t send_to_client(const LinkPointer& link, std::string_view bytes);
  void end_to_client(const LinkPointer& link);  ///< closes the server's end
  void was_admitted(const LinkPointer& link) { hooks_.admitted(link); }
  void has_read(const LinkPointer& link);  ///< the server has read: there is place again
  /// Links whose server's end is open.
  std::size_t open() const;
  std::size_t open(serve::Dialect dialect, const std::string& address) const;
  std::size_t open(serve::Dialect dialect) const;
  void excuse_all();   ///< the server is about to go
  void server_gone();  ///< it has been killed, or has ended

 private:
  struct Piece {
    LinkPointer link;
    bool to_server;
    std::string bytes;
    bool end;
  };
  void pump(const LinkPointer& link);
  void carry(Piece piece);
  void arrive(Piece& piece);
  void wake(const LinkPointer& link);

  World& world_;
  Draw draw_;
  LinkSettings settings_;
  Hooks hooks_;
  std::vector<Fault> faults_;
  std::array<Listener*, serve::dialect_names.size()> doors_{};
  std::vector<LinkPointer> links_;
  std::map<std::string, Nanos> apart_;
  std::uint64_t sent_ = 0, hit_ = 0, numbers_ = 0;
};

}  // namespace ocs::sim
