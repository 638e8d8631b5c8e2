// Random runs for RapidCheck: few workers, times that coincide often.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <algorithm>

#include "tests/sync/abstract_run.hpp"

namespace ocs::abstract {

/// In [low, high].
inline std::uint32_t pick(std::uint32_t low, std::uint32_t high) { return *rc::gen::inRange(low, high + 1); }

inline Input random_input(std::string_view scheme) {
  Input input{scheme, {}, {}, {}, {}};
  const std::size_t workers = pick(1, 6), iterations = pick(1, 12);
  const std::uint32_t longest = *rc::gen::element<std::uint32_t>(3, 100, 10'000);
  for (std::size_t w = 0; w < workers; ++w) {
    auto& times = input.compute.emplace_back();
    for (std::size_t k = 0; k < iterations; ++k) times.push_back(pick(1, longest));
  }
  input.net = {pick(0, 1) == 1, pick(0, 20), pick(0, 20), pick(0, 20), pick(0, 5)};
  return input;
}

/// Long enough for some rounds of the slowest, whatever its times.
inline std::int64_t some_rounds(const Input& input) {
  std::int64_t longest = 0;
  for (const auto& times : input.compute) longest = std::max(longest, *std::max_element(times.begin(), times.end()));
  return 60 * longest + 1000;
}

}  // namespace ocs::abstract
