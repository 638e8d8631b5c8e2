// Round numbers for axes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbed/gantt/draw.hpp"

namespace ocs {

AxisTicks axis_ticks(Picos length, int most) {
  const std::int64_t least = std::max<std::int64_t>(1, divide_up(std::max<std::int64_t>(1, length.n), most));
  std::int64_t step = 1;
  for (int k = 0; step < least; ++k) step = step / (k % 3 == 1 ? 2 : 1) * (k % 3 == 1 ? 5 : 2);  // 1, 2, 5, 10, ...
  struct Unit {
    const char* name;
    std::int64_t ps;
  };
  constexpr Unit units[] = {
      {"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"us", 1'000'000}, {"ns", 1000}, {"ps", 1}};
  for (const Unit& unit : units)
    if (step * 10 >= unit.ps) return {.step = {step}, .unit = unit.name, .unit_ps = unit.ps};
  return {.step = {step}, .unit = "ps", .unit_ps = 1};
}

std::string AxisTicks::text(Picos at) const {
  std::string digits = std::to_string(at.n / unit_ps);
  const std::int64_t rest = at.n % unit_ps * 10 / unit_ps;  // a step is at least a tenth of the unit
  return rest == 0 ? digits : digits + "." + std::to_string(rest);
}

}  // namespace ocs
