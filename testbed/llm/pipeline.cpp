// Passes begin as soon as what they wait for is there.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/llm/pipeline.hpp"

#include <algorithm>

namespace ocs {
namespace {

std::vector<StagePass> order_of_stage(std::size_t stage, std::size_t stages, std::int64_t microbatches) {
  const std::int64_t ahead = std::min<std::int64_t>(static_cast<std::int64_t>(stages - 1 - stage), microbatches);
  std::vector<StagePass> order;
  order.reserve(static_cast<std::size_t>(2 * microbatches));
  for (std::int64_t m = 0; m < ahead; ++m) order.push_back({stage, m, false, {}, {}});
  for (std::int64_t m = 0; m < microbatches; ++m) {
    if (m + ahead < microbatches) order.push_back({stage, m + ahead, false, {}, {}});
    order.push_back({stage, m, true, {}, {}});
  }
  return order;
}

}  // namespace

std::vector<StagePass> one_forward_one_backward(std::span<const PassTimes> stages, std::int64_t microbatches) {
  constexpr Picos unknown{-1};
  const std::size_t count = stages.size(), each = static_cast<std::size_t>(microbatches);
  std::vector<std::vector<StagePass>> orders;
  orders.reserve(count);
  for (std::size_t s = 0; s < count; ++s) orders.push_back(order_of_stage(s, count, microbatches));
  std::vector<std::vector<Picos>> forward(count, std::vector<Picos>(each, unknown)), backward = forward;
  const auto ready = [&](const StagePass& pass) {
    const auto m = static_cast<std::size_t>(pass.microbatch);
    if (pass.backward) return pass.stage + 1 < count ? backward[pass.stage + 1][m] : forward[pass.stage][m];
    return pass.stage > 0 ? forward[pass.stage - 1][m] : Picos{0};
  };
  std::vector<std::size_t> done(count, 0);
  std::vector<Picos> free_at(count, Picos{0});
  for (bool moves = true; moves;) {
    moves = false;
    for (std::size_t s = 0; s < count; ++s)
      while (done[s] < orders[s].size() && ready(orders[s][done[s]]) != unknown) {
        StagePass& pass = orders[s][done[s]++];
        pass.start = std::max(free_at[s], ready(pass));
        pass.end = free_at[s] = pass.start + (pass.backward ? stages[s].backward : stages[s].forward);
        (pass.backward ? backward : forward)[s][static_cast<std::size_t>(pass.microbatch)] = pass.end;
        moves = true;
      }
  }
  std::vector<StagePass> all;
  for (const auto& order : orders) all.insert(all.end(), order.begin(), order.end());
  return all;
}

}  // namespace ocs
