// What the ranks of a collective hold, and what becomes of it step by step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "testbed/collectives/collective.hpp"
#include "testbed/nodes/node_job.hpp"
#include "testbed/nodes/payload_math.hpp"

namespace ocs {

/// Rank w begins an iteration with the pattern times Pattern::weight(w), so the sum is the pattern times weight_of_all,
/// exactly. full: every number is there, sent with a CRC, added and in the end compared. digest: of each block the
/// weight, and the CRC of the pattern times it.
class Peers {
 public:
  /// @param sizes words of each block
  Peers(const Collective& collective, std::vector<Words> sizes, std::int64_t word_bytes, PayloadMode mode,
        std::uint64_t seed);

  void begin(std::uint32_t iteration);
  /// Carries out steps [first, last], which the network has carried.
  void steps(std::uint32_t first, std::uint32_t last);
  /// Compares all with the sums.
  void finish();

  std::int64_t crc_errors = 0, sum_errors = 0;

 private:
  struct Sent {
    const CollectiveStep* step;
    std::uint32_t block;
    std::vector<float> numbers;
    std::int64_t weight;
    std::uint32_t crc32c;
  };
  std::vector<float>& numbers(std::uint32_t rank, std::uint32_t block);
  PatternSlice slice(std::uint32_t block) const;
  std::size_t elements(std::uint32_t block) const;
  std::uint32_t crc_of(std::uint32_t block, std::int64_t weight);
  Sent send(const CollectiveStep& step, std::uint32_t block);
  void receive(const Sent& sent);

  const Collective& collective_;
  std::vector<Words> sizes_;
  std::vector<std::size_t> firsts_;  ///< element of each block
  std::int64_t word_bytes_;
  PayloadMode mode_;
  Pattern pattern_;
  std::uint32_t iteration_ = 0;
  std::vector<std::vector<float>> numbers_;  ///< of each rank's blocks; full
  std::vector<std::int64_t> weights_;        ///< the same; digest
};

}  // namespace ocs
