// Lengths are tried by descending upper bound of their ratio, until that falls below the best ratio found.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/slots/eclipse.hpp"

#include <algorithm>
#include <tuple>

#include "host/core/wide.hpp"
#include "host/scheduler/slots/heaviest_matching.hpp"

namespace ocs {
namespace {

constexpr std::size_t all_lengths = 64;

/// Carried in time: both below 2^63, as the whole demand is.
struct Ratio {
  std::int64_t carried, time;
  std::int64_t length;
  friend bool operator<(const Ratio& a, const Ratio& b) {
    const Wide left = Wide{a.carried} * b.time, right = Wide{b.carried} * a.time;
    return std::tie(left, a.length) < std::tie(right, b.length);
  }
};

std::vector<std::int64_t> lengths_to_try(const std::vector<Square::Entry>& entries) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(entries.size());
  for (const Square::Entry& entry : entries) lengths.push_back(entry.length);
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  if (lengths.size() <= all_lengths) return lengths;
  std::vector<std::int64_t> some;
  for (const std::int64_t length : lengths)
    if (some.empty() || length - some.back() > some.back() / 8) some.push_back(length);
  return some;
}

/// No matching carries more within `length`: a port has one circuit.
std::int64_t most_carried(const std::vector<std::int64_t>& in_most, const std::vector<std::int64_t>& out_most,
                          std::int64_t length) {
  Wide in = 0, out = 0;
  for (const std::int64_t most : in_most) in += std::min(most, length);
  for (const std::int64_t most : out_most) out += std::min(most, length);
  return static_cast<std::int64_t>(std::min(in, out));
}

class Greedy {
 public:
  explicit Greedy(const Demand& demand) : demand_(demand), set_up_(demand.longest_set_up()), left_(demand.ports) {
    for (const PairDemand& pair : demand.pairs) left_.at(pair.in, pair.out) = pair.length;
  }

  std::vector<Slot> run() {
    std::vector<Slot> slots;
    for (auto entries = left_.entries(); !entries.empty(); entries = left_.entries()) {
      slots.push_back(next(entries));
      for (const Pair& pair : slots.back().pairs) {
        std::int64_t& left = left_.at(pair.in, pair.out);
        left -= std::min(left, slots.back().length);
      }
    }
    return slots;
  }

 private:
  Slot next(const std::vector<Square::Entry>& entries) const {
    const auto ports = static_cast<std::size_t>(demand_.ports);
    std::vector<std::int64_t> in_most(ports, 0), out_most(ports, 0);
    for (const Square::Entry& entry : entries) {
      in_most[entry.in] = std::max(in_most[entry.in], entry.length);
      out_most[entry.out] = std::max(out_most[entry.out], entry.length);
    }
    std::vector<Ratio> bounds;
    for (const std::int64_t length : lengths_to_try(entries))
      bounds.push_back({most_carried(in_most, out_most, length), length + set_up_, length});
    std::sort(bounds.begin(), bounds.end(), [](const Ratio& a, const Ratio& b) { return b < a; });
    Ratio best{0, 1, 0};
    Slot slot{0, {}};
    for (const Ratio& bound : bounds) {
      if (!(best < bound)) break;
      Square capped(demand_.ports);
      for (const Square::Entry& entry : entries) capped.at(entry.in, entry.out) = std::min(entry.length, bound.length);
      Matching matching = heaviest_matching(capped);
      Ratio ratio{0, bound.time, bound.length};
      for (const Pair& pair : matching) ratio.carried += capped.at(pair.in, pair.out);
      if (best < ratio) {
        best = ratio;
        slot = {bound.length, std::move(matching)};
      }
    }
    return slot;
  }

  const Demand& demand_;
  std::int64_t set_up_;
  Square left_;
};

}  // namespace

std::vector<Slot> eclipse(const Demand& demand) { return Greedy(demand).run(); }

}  // namespace ocs
