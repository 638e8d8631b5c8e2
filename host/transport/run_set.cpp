// A set of words, kept as the fewest runs.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/run_set.hpp"

#include <algorithm>

namespace ocs {
namespace {

Words end_of(const WordRun& run) { return run.first + run.count; }

}  // namespace

void RunSet::add(WordRun run) {
  if (run.count.n <= 0) return;
  auto first = std::find_if(runs_.begin(), runs_.end(), [&](const WordRun& r) { return end_of(r) >= run.first; });
  auto last = first;
  for (; last != runs_.end() && last->first <= end_of(run); ++last) {
    const Words end = std::max(end_of(*last), end_of(run));
    run.first = std::min(run.first, last->first);
    run.count = end - run.first;
  }
  runs_.insert(runs_.erase(first, last), run);
}

bool RunSet::covers(WordRun run) const {
  if (run.count.n <= 0) return true;
  return std::any_of(runs_.begin(), runs_.end(),
                     [&](const WordRun& r) { return r.first <= run.first && end_of(run) <= end_of(r); });
}

std::vector<WordRun> RunSet::within(WordRun range) const {
  std::vector<WordRun> found;
  for (const WordRun& run : runs_) {
    const Words first = std::max(run.first, range.first), end = std::min(end_of(run), end_of(range));
    if (first < end) found.push_back({first, end - first});
  }
  return found;
}

std::vector<WordRun> RunSet::missing(WordRun range) const {
  std::vector<WordRun> gaps;
  Words at = range.first;
  for (const WordRun& run : within(range)) {
    if (at < run.first) gaps.push_back({at, run.first - at});
    at = end_of(run);
  }
  if (at < end_of(range)) gaps.push_back({at, end_of(range) - at});
  return gaps;
}

}  // namespace ocs
