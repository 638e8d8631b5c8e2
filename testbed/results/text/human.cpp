// Rounds numbers to what a reader wants of them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/text/human.hpp"

#include <cmath>
#include <cstdio>

namespace ocs {
namespace {

/// Four digits: fewer decimals for larger numbers.
std::string four_digits(double number) {
  const double size = std::fabs(number);
  const int decimals = size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, number);
  return text;
}

}  // namespace

std::string human_time(double seconds) {
  if (seconds == 0) return "0 s";
  constexpr const char* units[] = {"s", "ms", "us", "ns", "ps"};
  std::size_t k = 0;
  while (k + 1 < std::size(units) && std::fabs(seconds) < 0.9999995) {
    seconds *= 1000;
    ++k;
  }
  return four_digits(seconds) + " " + units[k];
}

std::string human_time(Picos length) { return human_time(static_cast<double>(length.n) * 1e-12); }

std::string human_count(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > sign + 3;) text.insert(at -= 3, ",");
  return text;
}

std::string counted(std::int64_t number, const std::string& thing) {
  return human_count(number) + " " + thing + (number == 1 ? "" : "s");
}

std::string human_ratio(double ratio) {
  return std::fabs(ratio) < 9999.5 ? four_digits(ratio) : human_count(std::llround(std::fmin(ratio, 1e18)));
}

std::string human_percent(double share) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f %%", share * 100);
  return text;
}

}  // namespace ocs
