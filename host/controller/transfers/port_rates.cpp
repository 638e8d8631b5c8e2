// Rates that change at given cycles.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/transfers/port_rates.hpp"

#include <algorithm>
#include <string>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr std::int64_t full_rate = 40000;  // of an engine: RATE, words in 40000 cycles

void require(bool right, const RateChange& change, const std::string& sentence) {
  if (!right)
    throw Error(ErrorKind::input, "the rate of port " + std::to_string(change.port) + " from cycle " +
                                      std::to_string(change.at.n) + " on " + sentence);
}

}  // namespace

PortRates::PortRates(WordCycles first, const std::vector<RateChange>& changes) : first_(std::move(first)) {
  for (const RateChange& change : changes) {
    const std::int64_t word = change.word.n;
    require(&change == &changes.front() || (&change - 1)->at <= change.at, change,
            "is named behind a later one; changes should be ascending");
    require(word >= 0 && (word == 0 || full_rate % word == 0), change,
            "is a word in " + std::to_string(word) + " cycles; it should be a divisor of 40000, or 0 for none");
    if (changes_.size() <= change.port) changes_.resize(change.port + std::size_t{1});
    auto& all = changes_[change.port];
    require(all.empty() || all.back().first < change.at, change, "is named twice");
    all.emplace_back(change.at, change.word);
  }
  for (std::size_t port = 0; port < changes_.size(); ++port)
    if (const auto& all = changes_[port]; !all.empty())
      require(all.back().second.n != 0, {all.back().first, static_cast<std::uint16_t>(port), {}},
              "is 0 for ever; a later one should let it carry something again");
}

Cycles PortRates::word(std::uint16_t port, Cycles at) const {
  if (port < changes_.size()) {
    const auto& all = changes_[port];
    const auto later =
        std::upper_bound(all.begin(), all.end(), at, [](Cycles t, const auto& change) { return t < change.first; });
    if (later != all.begin()) return std::prev(later)->second;
  }
  return first_.empty() ? Cycles{1} : first_.at(port);
}

Cycles PortRates::carries(std::uint16_t port, Cycles at) const {
  if (word(port, at).n > 0) return at;
  const auto& all = changes_[port];
  return std::find_if(all.begin(), all.end(),
                      [&](const auto& change) { return change.first > at && change.second.n > 0; })
      ->first;
}

Cycles PortRates::both_carry(std::uint16_t a, std::uint16_t b, Cycles at) const {
  for (;;) {
    const Cycles then = std::max(carries(a, at), carries(b, at));
    if (then == at) return at;
    at = then;
  }
}

}  // namespace ocs
