// Extrapolates, and rounds to what a reader wants.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/text/time_left.hpp"

#include <cmath>

namespace ocs {
namespace {

constexpr double least_passed = 1, least_share = 1e-3, minute = 60, hour = 3600, most = 1e9;

std::string digits(double number) { return std::to_string(std::llround(number)); }

std::string rounded(double seconds) {
  if (seconds < 1) return "1 s";
  if (seconds < minute - 0.5) return digits(seconds) + " s";
  if (seconds < hour - minute / 2) return digits(seconds / minute) + " min";
  const double minutes = std::round(seconds / minute);
  return digits(std::floor(minutes / minute)) + " h " + digits(std::fmod(minutes, minute)) + " min";
}

}  // namespace

std::string time_left_text(double done, double all, double passed) {
  if (passed < least_passed || done < all * least_share || done >= all) return {};
  const double left = passed * (all - done) / done;
  return left > most ? std::string() : "about " + rounded(left) + " left";
}

}  // namespace ocs
