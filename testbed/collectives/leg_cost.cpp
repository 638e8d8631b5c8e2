// The end of a leg's last burst: direct, or step after step, hop after hop.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/leg_cost.hpp"

#include <algorithm>

namespace ocs {

std::optional<LegOnMap> LegOnMap::of(const Leg& leg, const PortMap& map, const SwitchTimes& times) {
  LegOnMap one(leg, map, times);
  one.direct_ = std::all_of(leg.transfers.begin(), leg.transfers.end(), [&](const LegTransfer& pair) {
    return map[pair.sender] == static_cast<std::int16_t>(pair.receiver);
  });
  if (!one.direct_ && !one.relays()) return std::nullopt;
  return one;
}

bool LegOnMap::relays() {
  for (const auto& step : leg_.steps) {
    std::vector<std::int64_t>& longest = hops_.emplace_back();
    for (const LegTransfer& message : step) {
      std::size_t hop = 0;
      for (std::int16_t at = static_cast<std::int16_t>(message.sender); at != message.receiver; ++hop) {
        const auto from = static_cast<std::size_t>(at);
        at = map_[from];
        if (at < 0 || hop == map_.size()) return false;
        if (hop == longest.size()) longest.push_back(0);
        longest[hop] = std::max(longest[hop], message.words.n * times_.word(from, static_cast<std::size_t>(at)));
      }
    }
  }
  after_.assign(hops_.size() + 1, 0);
  for (std::size_t step = hops_.size(); step-- > 0;) {
    after_[step] = after_[step + 1];
    for (const std::int64_t longest : hops_[step]) after_[step] += times_.alpha + longest;
  }
  return true;
}

std::size_t LegOnMap::longest_way() const {
  std::size_t longest = 1;
  for (const auto& hops : hops_) longest = std::max(longest, hops.size());
  return longest;
}

LegCost LegOnMap::cost(const PortMap& old) const {
  LegCost cost;
  for (std::size_t input = 0; input < map_.size(); ++input) cost.tunings += changed(old, input) ? 1 : 0;
  const std::int64_t all = cost.tunings == 0 ? 0 : all_up(old);
  cost.cycles = std::max(all, direct_ ? end_direct(old, all) : end_relayed(old, all));
  return cost;
}

std::int64_t LegOnMap::tuning(const PortMap& old) const {
  std::int64_t longest = 0;
  for (std::size_t input = 0; input < map_.size(); ++input)
    if (changed(old, input)) longest = std::max(longest, delta(input));
  return longest;
}

std::int64_t LegOnMap::all_up(const PortMap& old) const { return tuning(old) + (times_.preset ? 0 : leg_.gap); }

std::int64_t LegOnMap::up(const PortMap& old, std::size_t input, std::int64_t all) const {
  if (times_.all_stop) return all;
  return changed(old, input) ? delta(input) + (times_.preset ? 0 : leg_.gap) : 0;
}

std::int64_t LegOnMap::latest_start(const PortMap& old) const {
  const std::int64_t asked = leg_.gap + times_.alpha, all = tuning(old) == 0 ? 0 : all_up(old);
  std::int64_t begin = asked;
  for (const LegTransfer& pair : leg_.transfers) begin = std::max(begin, up(old, pair.sender, all));
  return begin - asked;
}

std::int64_t LegOnMap::end_direct(const PortMap& old, std::int64_t all) const {
  const std::int64_t asked = leg_.gap + times_.alpha;
  std::int64_t begin = asked, end = 0, most = 0;
  for (const LegTransfer& pair : leg_.transfers) {
    const std::int64_t from = std::max(asked, up(old, pair.sender, all));
    const std::int64_t length = pair.words.n * times_.word(pair.sender, pair.receiver);
    begin = std::max(begin, from);
    most = std::max(most, length);
    end = std::max(end, from + length);
  }
  // Bursts that stream begin together: else a rank would pass on what hasn't come.
  return leg_.steps.size() > 1 ? begin + most : end;
}

/// Message by message until everything that is used is up; the rest is known.
std::int64_t LegOnMap::end_relayed(const PortMap& old, std::int64_t all) const {
  std::int64_t t = leg_.gap;
  for (std::size_t step = 0; step < hops_.size(); ++step) {
    if (t + times_.alpha >= all) return t + after_[step];
    std::vector<std::int16_t> at;
    for (const LegTransfer& message : leg_.steps[step]) at.push_back(static_cast<std::int16_t>(message.sender));
    for (std::size_t hop = 0; hop < hops_[step].size(); ++hop)
      t = t + times_.alpha >= all ? t + times_.alpha + hops_[step][hop] : end_of_hop(old, all, leg_.steps[step], at, t);
  }
  return t;
}

std::int64_t LegOnMap::end_of_hop(const PortMap& old, std::int64_t all, std::span<const LegTransfer> step,
                                  std::vector<std::int16_t>& at, std::int64_t t) const {
  std::int64_t end = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (at[k] == static_cast<std::int16_t>(step[k].receiver)) continue;
    const auto input = static_cast<std::size_t>(at[k]);
    const std::int64_t length = step[k].words.n * times_.word(input, static_cast<std::size_t>(map_[input]));
    end = std::max(end, std::max(t + times_.alpha, up(old, input, all)) + length);
    at[k] = map_[input];
  }
  return end;
}

}  // namespace ocs
