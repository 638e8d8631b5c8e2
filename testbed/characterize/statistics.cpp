// Sorted once; no floating point.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/statistics.hpp"

#include <algorithm>

namespace ocs::characterize {

Statistics statistics(std::vector<Picos> times) {
  std::sort(times.begin(), times.end());
  const auto rank = [&](std::size_t percent) { return times[(percent * times.size() + 99) / 100 - 1]; };
  return {.count = times.size(), .min = times.front(), .median = rank(50), .p99 = rank(99), .max = times.back()};
}

std::vector<Bin> histogram(const std::vector<Picos>& times, std::size_t bins) {
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  const std::int64_t span = (*most - *least).n;
  const std::int64_t width = divide_up(std::max<std::int64_t>(span, 1), static_cast<std::int64_t>(bins));
  const std::int64_t used = span == 0 ? 1 : divide_up(span, width);
  std::vector<Bin> all;
  all.reserve(static_cast<std::size_t>(used));
  for (std::int64_t k = 0; k < used; ++k)
    all.push_back({*least + Picos{k * width}, std::min(*least + Picos{(k + 1) * width}, *most), 0});
  for (const Picos time : times) ++all[static_cast<std::size_t>(std::min((time - *least).n / width, used - 1))].count;
  return all;
}

}  // namespace ocs::characterize
