// Splits demand over planes: whole flows, the longest first, or every flow cut alike.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

enum class SplitRule : std::uint8_t {
  longest,  ///< longest processing time first: each whole flow to the plane where the heavier of its ports ends
            ///< lightest
  equal,    ///< every flow in as many parts as there are planes, of equal words; the last takes the rest
};

/// What one flow is, for the split.
struct SplitFlow {
  std::uint16_t from, to;
  Words words;
};

struct PlaneShare {
  std::size_t flow;  ///< its place in what was split
  Words first, words;
};

/// Knows what each plane's ports still have to do. After Spectra (longest processing time over parallel optical
/// switches), with set-ups charged; ties: the lighter other port, then the lower plane; of equally long flows the
/// earlier one first.
class PlaneSplit {
 public:
  /// @param set_up of a circuit, in words that could be sent meanwhile.
  PlaneSplit(int planes, int ports, SplitRule rule, Words set_up);

  /// Returns what each plane carries, in the order of the flows. It counts as load until done().
  std::vector<std::vector<PlaneShare>> split(const std::vector<SplitFlow>& flows);
  /// The plane has carried so many words of one share.
  void done(std::size_t plane, const SplitFlow& flow, Words words);

 private:
  std::size_t lightest(const SplitFlow& flow) const;
  void load(std::size_t plane, const SplitFlow& flow, std::int64_t cost);
  std::int64_t& at(std::size_t plane, std::size_t port) { return load_[plane * 2 * ports_ + port]; }

  std::size_t planes_, ports_;
  SplitRule rule_;
  Words set_up_;
  std::vector<std::int64_t> load_;  ///< at (plane, input or ports + output)
};

}  // namespace ocs
