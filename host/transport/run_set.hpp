// A set of words, kept as the fewest runs: which parts of a transfer have arrived.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/core/ids.hpp"

namespace ocs {

class RunSet {
 public:
  void add(WordRun run);  ///< count >= 0; may overlap what is there
  bool covers(WordRun run) const;
  std::vector<WordRun> within(WordRun range) const;   ///< what of `range` is in the set, ascending
  std::vector<WordRun> missing(WordRun range) const;  ///< what of `range` isn't
  const std::vector<WordRun>& runs() const { return runs_; }

 private:
  std::vector<WordRun> runs_;  ///< ascending, with gaps between them
};

}  // namespace ocs
