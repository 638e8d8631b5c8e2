// One scan over all ends; the earliest of the latest ends only ever moves forward.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/moment.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"

namespace ocs {
namespace {

struct End {
  Ticks at;
  std::size_t worker;
  std::uint32_t number;  ///< 1, 2 ... of its worker
};

std::vector<End> in_order(const std::vector<std::vector<Ticks>>& ends) {
  std::vector<End> all;
  for (std::size_t w = 0; w < ends.size(); ++w) {
    if (ends[w].empty()) throw Error(ErrorKind::internal, "worker " + std::to_string(w) + " has no predicted end");
    for (std::uint32_t k = 0; k < ends[w].size(); ++k) all.push_back({ends[w][k], w, k + 1});
  }
  if (all.empty()) throw Error(ErrorKind::internal, "there is no worker whose ends could meet");
  std::sort(all.begin(), all.end(), [](const End& a, const End& b) {
    return std::tie(a.at, a.worker, a.number) < std::tie(b.at, b.worker, b.number);
  });
  return all;
}

}  // namespace

Moment choose_moment(const std::vector<std::vector<Ticks>>& ends, Objective objective) {
  const std::vector<End> all = in_order(ends);
  std::vector<std::uint32_t> quota(ends.size());
  std::size_t have_one = 0, earliest = 0;
  Wide sum_of_latest = 0;
  std::optional<Wide> least;
  Moment best;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [at, w, number] = all[i];
    if (quota[w] == 0) ++have_one;
    sum_of_latest += at.n - (quota[w] == 0 ? 0 : ends[w][quota[w] - 1].n);
    quota[w] = number;
    if (have_one < ends.size() || (i + 1 < all.size() && all[i + 1].at == at)) continue;
    while (quota[all[earliest].worker] != all[earliest].number) ++earliest;
    const Wide cost = objective == Objective::range ? Wide{at.n} - all[earliest].at.n
                                                    : Wide{at.n} * static_cast<Wide>(ends.size()) - sum_of_latest;
    if (least && cost >= *least) continue;
    least = cost;
    best = {at, quota};
  }
  return best;
}

}  // namespace ocs
