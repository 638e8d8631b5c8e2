// Who sends how much to whom in an all_to_all that isn't even.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "testbed/collectives/collective.hpp"

namespace ocs {

/// What `collective.demand` says.
struct DemandRule {
  enum class Kind : std::uint8_t {
    equal,  ///< each rank's buffer is cut into equal blocks
    zipf,   ///< ranks differ in popularity: the n-th most popular one has the share n^(-value / 4)
    gini,   ///< shares of the ranks have the Gini coefficient value / 1000
    top_k,  ///< each rank sends equal blocks to `value` others, which are drawn for it
    flows,  ///< the sum of drawn permutations: `value` large ones, `small` small ones
    file,
  } kind = Kind::equal;
  std::int64_t value = 0;
  std::string file{};
  std::int64_t small = 0, large_milli = 0;  ///< of `flows`; what the large ones have of each buffer, in thousandths
  friend bool operator==(const DemandRule&, const DemandRule&) = default;
};

/// "equal", "zipf:0.75", "gini:0.3", "top_k:2", "flows:4,12,0.7", "file:PATH". @throws Error (input), half a sentence: "must be ..."
DemandRule parse_demand(std::string_view text);

/// Words from each rank to each, of a buffer of `words` at each rank. Which rank is popular is drawn, alike for all
/// senders; a rank's share for itself stays with it. Of flows each rank sends one of every permutation, and receives one,
/// so all send and receive `words`; flows of one pair are added. Integers only: the same on every machine.
/// @param rule neither `equal` nor `file` @throws Error (input), half a sentence, for a value that so few ranks can't
/// have
DemandMatrix drawn_demand(const DemandRule& rule, std::uint32_t ranks, std::int64_t words, std::uint64_t seed);

}  // namespace ocs
