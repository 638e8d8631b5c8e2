// Few wait, so they are looked through.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/login_queue.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>

namespace ocs::serve {

/// How often `network` has tried before, this try not counted.
std::uint64_t LoginQueue::tries_of(const std::string& network, Clock::time_point now) {
  if (networks_.size() >= most_networks && !networks_.contains(network))
    networks_.erase(std::min_element(networks_.begin(), networks_.end(),
                                     [](const auto& a, const auto& b) { return a.second.last < b.second.last; }));
  Network& known = networks_[network];
  if (now - known.last > remembered) known.tries = 0;
  known.last = now;
  return known.tries++;
}

std::optional<std::uint64_t> LoginQueue::add(std::uint64_t id, const std::string& network, Clock::time_point now) {
  const Waiting added{.tries = tries_of(network, now), .order = order_++, .id = id};
  const auto same = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& one) { return one.id == id; });
  if (same != waiting_.end()) {
    if (added.before(*same)) *same = added;
    return std::nullopt;
  }
  waiting_.push_back(added);
  if (waiting_.size() <= most_waiting) return std::nullopt;
  const auto last = std::max_element(waiting_.begin(), waiting_.end(),
                                     [](const Waiting& a, const Waiting& b) { return a.before(b); });
  const std::uint64_t gone = last->id;
  waiting_.erase(last);
  return gone;
}

std::optional<std::uint64_t> LoginQueue::take() {
  const auto first = std::min_element(waiting_.begin(), waiting_.end(),
                                      [](const Waiting& a, const Waiting& b) { return a.before(b); });
  if (first == waiting_.end()) return std::nullopt;
  const std::uint64_t id = first->id;
  waiting_.erase(first);
  return id;
}

std::string network_of(const std::string& address) {
  namespace ip = boost::asio::ip;
  boost::system::error_code none;
  const ip::address parsed = ip::make_address(address, none);
  if (none || parsed.is_v4()) return address;
  if (parsed.to_v6().is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, parsed.to_v6()).to_string();
  ip::address_v6::bytes_type bytes = parsed.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return ip::address_v6(bytes).to_string();
}

}  // namespace ocs::serve
