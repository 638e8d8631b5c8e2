// A set of words, kept as the fewest runs: which parts of a transfer have arrived.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "host/core/ids.hpp"

namespace ocs {

class RunSet {
 public:
  RunSet() = default;
  explicit RunSet(const std::vector<WordRun>& runs);

  void add(WordRun run);     ///< count >= 0; may overlap what is there
  void remove(WordRun run);  ///< count >= 0
  bool covers(WordRun run) const;
  std::vector<WordRun> within(WordRun range) const;   ///< what of `range` is in the set, ascending
  std::vector<WordRun> missing(WordRun range) const;  ///< what of `range` isn't
  const std::vector<WordRun>& runs() const { return runs_; }
  bool empty() const { return runs_.empty(); }

 private:
  std::vector<WordRun> runs_;  ///< ascending, with gaps between them
};

/// Which words are the words `parts` of the runs, laid one behind the other.
std::vector<WordRun> words_of(const std::vector<WordRun>& runs, const std::vector<WordRun>& parts);

/// "3 to 9, 12 to 12", the last words included; many are cut short.
std::string describe(const std::vector<WordRun>& runs);

}  // namespace ocs
