// What was found, as text and as files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "testbed/characterize/judge.hpp"
#include "testbed/characterize/power.hpp"
#include "testbed/characterize/set_up.hpp"
#include "testbed/characterize/statistics.hpp"

namespace ocs::characterize {

/// Sums up the set-ups that came up; `failed`: how many did not.
struct Summary {
  std::optional<Statistics> tuning, locking, together;  ///< none: nothing came up
  std::vector<Bin> bins;                                ///< of together
  std::size_t failed = 0;
  std::optional<MeasuredPower> power;  ///< none: the switch reads none, or there was no light
};

Summary summarize(const Findings& findings);

/// Tables and a histogram for people. @param verdict may be null.
std::string text(const Findings& findings, const Summary& summary, const Verdict* verdict);

/// The sentence for a verdict with something outside: it names the worst.
std::string complaint(const Findings& findings, const Verdict& verdict);

/// One object: subject, ports, cycle_ps, statistics, programming (null: all at once),
/// receivers (null: all lock alike), neighbours (null: none was looked for), histogram, against, set_ups.
std::string to_json(const Findings& findings, const Summary& summary, const Verdict* verdict);

/// A line each: output, input, from, at_ps, tuning_ps, locking_ps, together_ps, up, limit_ps, outside. What isn't known
/// is left empty.
std::string to_csv(const Findings& findings, const Verdict* verdict);

/// JUnit: a test case each; without verdict one fails that never came up.
std::string to_junit(const Findings& findings, const Verdict* verdict);

/// An SVG: for each pair the median of tuning + locking in colour, and the histogram; of a log without inputs the
/// histogram alone. @param name_of_file for the title.
std::string to_svg(const Findings& findings, const Summary& summary);

/// A profile for `fabric.switch = "file:..."`: the median of each pair's set-ups. A switch emulated with it at the same
/// cycle time has the same tuning and locking, to the cycle, if locking depends on the output alone, as it does here;
/// what a pair's locking has beyond the least of its output is added to its tuning, unless the findings have receivers:
/// then the profile has them, as it has neighbours that are disturbed.
/// @throws Error (input): the findings have no inputs; Error (run): a pair never came up.
std::string to_profile(const Findings& findings, const std::string& version);

}  // namespace ocs::characterize
