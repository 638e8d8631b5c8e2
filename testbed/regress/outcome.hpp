// What came of a case.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/rtl/coverage_counts.hpp"

namespace ocs::regress {

enum class Verdict : std::uint8_t {
  passed,
  failed,  ///< the subject does something else than it should
  flaky,   ///< it failed, and passed when it was repeated
  broken,  ///< it could not be judged: wrong input, a program that is missing, a crash
  timed_out,
};
std::string_view name_of(Verdict verdict);
/// @throws Error (input) for any other text.
Verdict verdict_named(std::string_view name);

/// A number that a case measured.
struct Measure {
  std::int64_t row = 0;  ///< of the experiment, from 1
  std::string column;
  double value = 0;
};

struct Outcome {
  Verdict verdict = Verdict::passed;
  std::string sentence{};  ///< why it did not pass, in one line
  std::string cause{};     ///< equal for failures that have the same cause; empty: made of the sentence
  std::string log{};       ///< whatever helps to understand it
  std::string program{};   ///< of random programs: the shrunk one, as a file of tests/goldens/switch
  double seconds = 0;
  std::vector<Measure> measures{};
  rtl::CoverCounts counts{};  ///< what it has reached of the RTL; empty: nothing was counted
};

/// The sentence without its numbers and without what is in quotes or brackets: failures that share it share a bucket.
std::string cause_of(std::string_view sentence);

/// Between processes of the same program. @throws Error (internal) from_bytes(): it ends too early.
std::string to_bytes(const Outcome& outcome);
Outcome outcome_from_bytes(std::string_view bytes);

}  // namespace ocs::regress
