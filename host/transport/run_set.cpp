// A set of words, kept as the fewest runs.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/run_set.hpp"

#include <algorithm>
#include <utility>

namespace ocs {
namespace {

Words end_of(const WordRun& run) { return run.first + run.count; }

}  // namespace

RunSet::RunSet(const std::vector<WordRun>& runs) {
  for (const WordRun& run : runs) add(run);
}

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

void RunSet::remove(WordRun run) {
  if (run.count.n <= 0) return;
  std::vector<WordRun> left;
  for (const WordRun& one : runs_) {
    const Words before = std::min(end_of(one), run.first), after = std::max(one.first, end_of(run));
    if (one.first < before) left.push_back({one.first, before - one.first});
    if (after < end_of(one)) left.push_back({after, end_of(one) - after});
  }
  runs_ = std::move(left);
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

std::vector<WordRun> words_of(const std::vector<WordRun>& runs, const std::vector<WordRun>& parts) {
  std::vector<WordRun> words;
  for (const WordRun& part : parts) {
    Words before;  // words of the runs so far
    for (const WordRun& run : runs) {
      const Words first = std::max(part.first, before), end = std::min(end_of(part), before + run.count);
      if (first < end) words.push_back({run.first + (first - before), end - first});
      before += run.count;
    }
  }
  return words;
}

std::string describe(const std::vector<WordRun>& runs) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(runs[i].first.n) + " to " + std::to_string(end_of(runs[i]).n - 1);
  if (runs.size() > most) text += " and " + std::to_string(runs.size() - most) + " more ranges";
  return text;
}

}  // namespace ocs
