// Sorted when asked.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/board/command_times.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace ocs {
namespace {

/// Powers of two of ns, in the largest unit of which it is at least one.
std::string bound_text(std::int64_t ns) {
  constexpr std::array<const char*, 4> units{"ns", "us", "ms", "s"};
  std::size_t unit = 0;
  double value = static_cast<double>(ns);
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  std::string text = std::to_string(value);
  text.erase(text.find('.') + 4);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + " " + units[unit];
}

}  // namespace

void CommandTimes::add(Cycles took, bool late) {
  took_.push_back(std::max(took, Cycles{0}));
  if (late) ++late_;
}

Cycles CommandTimes::quantile(std::int64_t ppm) const {
  if (took_.empty()) return {};
  std::vector<Cycles> sorted = took_;
  const std::int64_t rank = std::max<std::int64_t>(1, divide_up(ppm * count(), 1'000'000));
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

Cycles CommandTimes::mean() const {
  if (took_.empty()) return {};
  Cycles sum{};
  for (const Cycles one : took_) sum += one;
  return {sum.n / count()};
}

std::string CommandTimes::histogram(Picos cycle) const {
  std::map<std::int64_t, std::int64_t> classes;  // by upper bound, ns
  for (const Cycles one : took_) {
    const std::int64_t ns = divide_up(to_picos(one, cycle).n, 1000);
    std::int64_t bound = 1;
    while (bound < ns) bound *= 2;
    ++classes[bound];
  }
  std::string text;
  for (const auto& [bound, commands] : classes)
    text += (text.empty() ? "<= " : ", <= ") + bound_text(bound) + ": " + std::to_string(commands);
  return text;
}

}  // namespace ocs
