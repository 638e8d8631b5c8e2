// The system of a simulated `lightloop serve`: event loop, streams, timers, passwords, the log, all in virtual time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "host/control_plane/net/server_platform.hpp"
#include "testbed/apps/serve/service.hpp"
#include "testbed/sim/disk.hpp"
#include "testbed/sim/serve/links.hpp"

namespace ocs::sim {

/// What is due in a server. Of several things that are, the seed decides which comes first.
class EventQueue {
 public:
  EventQueue(World& world, Process& owner, std::uint64_t seed) : world_(world), owner_(owner), draw_(seed) {}
  void post(std::function<void()> what);
  void run_one_for(Nanos longest);

 private:
  World& world_;
  Process& owner_;
  Draw draw_;
  std::vector<std::function<void()>> due_;
  std::uint64_t at_once_ = 0;  ///< things done since time has passed
  Nanos since_{0};
};

/// The server's end of a link.
class ServerEnd final : public serve::ClientStream {
 public:
  ServerEnd(Links& links, EventQueue& queue, LinkPointer link, std::size_t& longest_write);
  ~ServerEnd() override { ServerEnd::close(); }
  ServerEnd(const ServerEnd&) = delete;
  ServerEnd& operator=(const ServerEnd&) = delete;

  bool encrypts() const override { return false; }
  bool is_open() const override { return open_; }
  void async_open(Done done) override { done({}); }
  void async_read_some(std::span<char> into, Moved done) override;
  void async_write(std::string_view bytes, Moved done) override;
  void async_part(Done done) override { done({}); }
  Client look() override;
  void close() override;

  // ---- for the links ----
  void has_bytes();
  void has_place();
  void was_reset();

 private:
  void end_read(boost::system::error_code error, std::size_t size);
  void end_write(boost::system::error_code error);

  Links& links_;
  EventQueue& queue_;
  LinkPointer link_;
  std::size_t& longest_write_;
  bool open_ = true;
  std::span<char> into_{};
  std::string_view from_{};
  std::size_t written_ = 0;
  Moved read_{}, write_{};  ///< while one is under way
};

/// What a service is given, in a process of its own.
class SimulatedSystem final : public ServiceSystem, public serve::ServerPlatform {
 public:
  SimulatedSystem(Links& links, Process& owner, std::uint64_t seed, Disk& disk, const bool& end_wanted);
  ~SimulatedSystem() override;

  serve::ServerPlatform& platform() override { return *this; }
  void run_one_for(std::chrono::nanoseconds longest) override { queue_->run_one_for(longest); }
  bool end_wanted() const override { return end_wanted_; }
  std::time_t time_of_day() const override;
  serve::AccessLog open_log(const std::string& file) override;

  Clock::time_point now() const override;
  std::unique_ptr<serve::Door> listen(const std::string& address, std::uint16_t port,
                                      boost::asio::ssl::context* tls) override;
  std::unique_ptr<serve::Timer> make_timer() override;
  std::unique_ptr<serve::PasswordJudge> make_judge(serve::Logins logins) override;

  /// From now on, a look at the clock takes so long: the machine is slow.
  Nanos slow_by{0};
  std::size_t longest_write() const { return longest_write_; }  ///< bytes of answers that were sent at once

 private:
  Links& links_;
  World& world_;
  Draw draw_;
  Process& owner_;
  Disk& disk_;
  const bool& end_wanted_;
  std::shared_ptr<EventQueue> queue_;
  std::size_t longest_write_ = 0;
};

/// The TCP port of a dialect in a simulation, and the way back.
std::uint16_t port_of(serve::Dialect dialect);

}  // namespace ocs::sim
