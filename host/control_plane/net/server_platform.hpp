// What a server needs of the system: a clock, timers, sockets, and a place where passwords are judged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "host/control_plane/net/logins.hpp"

namespace boost::asio::ssl {
class context;  // NOLINT(readability-identifier-naming)
}

namespace ocs::serve {

/// The server's end of one connection. One read and one write at a time; each ends with a call of `done` from the event
/// loop, with an error if the stream was closed meanwhile. Until then what `done` holds stays alive.
class ClientStream {
 public:
  using Done = std::function<void(boost::system::error_code)>;
  using Moved = std::function<void(boost::system::error_code, std::size_t bytes)>;
  virtual ~ClientStream() = default;

  virtual bool encrypts() const = 0;
  virtual bool is_open() const = 0;
  /// Agrees with the client on keys; without TLS there is nothing to do, and `done` is called at once.
  virtual void async_open(Done done) = 0;
  virtual void async_read_some(std::span<char> into, Moved done) = 0;
  /// All of `bytes`, which stay where they are until then.
  virtual void async_write(std::string_view bytes, Moved done) = 0;
  /// Says that nothing more comes, and waits for the client to say so. Only of one that encrypts.
  virtual void async_part(Done done) = 0;

  enum class Client : std::uint8_t { there, ended, gone };
  /// What became of a client that isn't read from. ended: it sends no more, but may still listen.
  virtual Client look() = 0;
  virtual void close() = 0;
};

/// A listening socket.
class Door {
 public:
  using Admit = std::function<void(boost::system::error_code, std::unique_ptr<ClientStream>, std::string address)>;
  virtual ~Door() = default;
  /// Waits for the next client. connection_aborted: it has left already.
  virtual void async_accept(Admit done) = 0;
  virtual std::uint16_t port() const = 0;
  virtual void close() = 0;
};

class Timer {
 public:
  virtual ~Timer() = default;
  virtual void async_wait(std::chrono::nanoseconds time, ClientStream::Done done) = 0;
  virtual void cancel() = 0;  ///< `done` is called with an error
};

/// Judges passwords beside the event loop, one at a time. Its end waits for the one that is being judged.
class PasswordJudge {
 public:
  virtual ~PasswordJudge() = default;
  /// @param done called from the event loop
  virtual void judge(std::string user, std::string password, std::function<void(Role)> done) = 0;
};

/// The system of this machine (AsioPlatform), or that of a simulation.
class ServerPlatform {
 public:
  using Clock = std::chrono::steady_clock;
  virtual ~ServerPlatform() = default;

  virtual Clock::time_point now() const = 0;
  /// @param port 0: the system chooses. @param tls none: what is said isn't encrypted; it outlives the door's streams.
  /// @throws Error (input): the address isn't one. boost::system::system_error: it can't be listened on.
  virtual std::unique_ptr<Door> listen(const std::string& address, std::uint16_t port,
                                       boost::asio::ssl::context* tls) = 0;
  virtual std::unique_ptr<Timer> make_timer() = 0;
  /// @throws Error (run): no thread is left for it.
  virtual std::unique_ptr<PasswordJudge> make_judge(Logins logins) = 0;
};

}  // namespace ocs::serve
