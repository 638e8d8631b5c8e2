// Runs one case in this process, or in programs that it starts, and judges it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "testbed/regress/case_note.hpp"
#include "testbed/regress/outcome.hpp"
#include "testbed/regress/suite.hpp"

namespace ocs::regress {

/// Where a case runs.
struct Place {
  std::filesystem::path lightloop;  ///< the program, which runs experiments
  std::filesystem::path folder;     ///< empty and its own: logs and files of programs; made when one is needed
  std::filesystem::path waves{};    ///< gets waveforms of register programs that fail; empty: none are written
  CaseNote* note = nullptr;         ///< hears what the case does; nullptr: nobody does

  void say(const std::string& text) const {
    if (note != nullptr) note->say(text);
  }
};

/// Names the RTL of a case to this process, and to programs that it starts, as long as it exists.
class RtlOfCase {
 public:
  /// @param folder empty: that of the program, or of who has started it.
  explicit RtlOfCase(const std::filesystem::path& folder);
  ~RtlOfCase();
  RtlOfCase(const RtlOfCase&) = delete;
  RtlOfCase& operator=(const RtlOfCase&) = delete;

 private:
  bool named_;
  std::optional<std::string> before_;
};

/// Makes everything that compiles a switch on demand, so that no case does: devices of programs and of random
/// programs. @throws Error.
void prepare_devices(const Suite& suite, const std::vector<Case>& cases);

/// Never throws: what goes wrong is an outcome.
Outcome run_case(const Suite& suite, const Case& one, const Place& place);

/// The program of a random case as it is drawn, for one that did not live to say it: a file of tests/goldens/switch
/// without expectations.
std::string drawn_program(const CaseTable& table, const Case& one);

/// The shrunk program of a random case that failed. @param text a file of tests/goldens/switch. @param waves as in Place.
Outcome run_kept_program(const CaseTable& table, const Case& one, const std::string& text, const std::string& origin,
                         const std::filesystem::path& waves);

// The kinds, one file each. All but the commands throw Error for what can't be judged.
Outcome run_program_case(const CaseTable& table, const Case& one, const Place& place);
Outcome run_random_case(const CaseTable& table, const Case& one, const Place& place);
Outcome run_experiment_case(const CaseTable& table, const Case& one, const Place& place);
Outcome run_command_case(const CaseTable& table, const Case& one, const Suite& suite, const Place& place);

}  // namespace ocs::regress
