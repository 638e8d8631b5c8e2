// One register program on several devices: who differs from whom, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/conformance/program.hpp"
#include "host/conformance/runner.hpp"
#include "host/rtl/waveform.hpp"
#include "testbed/regress/case_note.hpp"
#include "testbed/regress/outcome.hpp"
#include "testbed/regress/suite.hpp"

namespace ocs::regress {

/// A device, and how its clock moves.
struct Way {
  std::string device;
  bool time_warp = true;
  std::uint64_t stride_seed = 0;
  bool counted = false;  ///< with checks, and its coverage is counted

  std::string text() const;  ///< "verilated, unwarped"
};

/// What one of the ways did, or why it could not.
struct WayResult {
  std::optional<conformance::Observation> seen;
  std::string failure;
};
/// @param waveform records it, if it is not nullptr. @param note hears each access before it is made, if it is not
/// nullptr.
WayResult run_way(const Way& way, int ports, int fifo_depth, std::span<const conformance::Op> program,
                  rtl::Waveform* waveform = nullptr, CaseNote* note = nullptr);

/// Waveforms of programs that fail: one for each device that runs RTL.
class FailureWaves {
 public:
  /// @param folder gets DEVICE.fst and its views; empty: nothing is recorded.
  explicit FailureWaves(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Runs the program once more, and records 1000 cycles before and after the first event that differs, or all of it if
  /// no event does. A device has one waveform, the first. What goes wrong with it is said on the
  /// standard error.
  void record(const Way& way, int ports, int fifo_depth, std::span<const conformance::Op> program,
              const std::vector<conformance::LoggedEvent>& expected, const std::vector<conformance::LoggedEvent>& got);

 private:
  std::filesystem::path folder_;
  std::set<std::string> recorded_;  ///< devices
};

/// What a run observed, without the operations that brought it.
std::vector<conformance::LoggedEvent> events_of(const conformance::Observation& seen);

/// Differences that several ways share are said once: sentence() is of the first of them.
class Differences {
 public:
  /// @param sentence one line. @param detail as long as it is.
  void add(const Way& way, const std::string& sentence, const std::string& detail);
  bool empty() const { return groups_.empty(); }
  /// "verilated and verilated_fast: output 3 ..."; the other groups are in the log.
  Outcome outcome() const;

 private:
  struct Group {
    std::string sentence, detail;
    std::vector<Way> ways;
  };
  std::vector<Group> groups_;
};

/// Those of the table's sizes. @throws Error (input) for a file that isn't one of register programs.
std::vector<conformance::Case> read_programs(const std::filesystem::path& file, const CaseTable& table);

/// How `got` differs from `expected`, another device's; empty: it doesn't.
std::string sentence_of(int ports, std::span<const conformance::Op> program, const conformance::Observation& expected,
                        const conformance::Observation& got);

/// A device's ways; unwarped and counted only where the table says so.
std::vector<Way> ways_of(const std::string& device, const CaseTable& table, std::uint64_t stride_seed);

/// Whether the table has the coverage of this device counted.
bool is_counted(const std::string& device, const CaseTable& table);

}  // namespace ocs::regress
