// Which of many logins is judged next: a password takes a tenth of a second, and strangers send many wrong ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ocs::serve {

/// The login from the network with the fewest tries of late goes first; of several such, the last
/// one to come, so that a flood of new networks holds up nobody who comes after it. Holds little,
/// whatever comes. No thread, no clock of its own.
class LoginQueue {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t most_waiting = 64, most_networks = 4096;
  static constexpr std::chrono::minutes remembered{10};  ///< tries of a network, after its last one

  /// A try from `network` is to wait as `id`, or, if `id` waits already, joins it: it then waits as the better of both.
  /// @return the id that has to give way, perhaps this one, when too many wait.
  std::optional<std::uint64_t> add(std::uint64_t id, const std::string& network, Clock::time_point now);
  /// The next to be judged; it waits no more.
  std::optional<std::uint64_t> take();
  /// A password from there was right: its tries are forgotten.
  void forgive(const std::string& network) { networks_.erase(network); }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  struct Network {
    std::uint64_t tries = 0;
    Clock::time_point last{};
  };
  struct Waiting {
    std::uint64_t tries = 0, order = 0, id = 0;
    /// Whether this one is judged before the other.
    bool before(const Waiting& other) const { return tries != other.tries ? tries < other.tries : order > other.order; }
  };
  std::uint64_t tries_of(const std::string& network, Clock::time_point now);

  std::map<std::string, Network> networks_;
  std::vector<Waiting> waiting_;
  std::uint64_t order_ = 0;
};

/// What one owner can choose addresses from: an IPv4 address, or the first 64 bits of an IPv6 address.
std::string network_of(const std::string& address);

}  // namespace ocs::serve
