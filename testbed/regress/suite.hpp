// A regression suite: the file, its tables, and the cases that they stand for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbed/regress/expectation.hpp"

namespace ocs::regress {

enum class CaseKind : std::uint8_t {
  programs,    ///< register programs with expectations, each on each device
  random,      ///< random register programs: all devices must do the same
  experiment,  ///< `lightloop run`, and what its rows must be
  command,     ///< any command; it may write JUnit
};
std::string_view name_of(CaseKind kind);

/// Seeds of random programs: those from `first` on, one by one, or as many as are drawn for the night.
struct Seeds {
  std::vector<std::uint64_t> fixed;
  std::uint64_t drawn = 0;  ///< drawn for the night, beside the fixed ones
};

/// Where a key of a table stands, for messages.
struct Said {
  std::uint32_t line = 0;
  std::string text;  ///< of a value that is text: as written
};

/// A table [[case]] of the suite.
struct CaseTable {
  std::string name;
  CaseKind kind = CaseKind::command;
  std::chrono::milliseconds timeout{};
  std::int64_t retries = 0;
  std::int64_t memory_bytes = 0;  ///< of one process; 0: an equal share of the limit
  std::vector<std::string> devices;
  std::vector<int> ports;                 ///< random; programs: only those of these sizes, empty: all
  int fifo_depth = 0;                     ///< the same; programs: 0, any
  int steps = 100;                        ///< random
  bool unwarped = false;                  ///< random, programs: without time-warp, too
  bool coverage = false;                  ///< random, programs: device verilated runs with checks and counts
  std::filesystem::path rtl;              ///< RTL of the user's own, a folder; empty: the program's
  Seeds seeds;                            ///< random
  std::filesystem::path folder;           ///< programs
  std::filesystem::path experiment;       ///< experiment
  std::vector<std::string> overrides;     ///< experiment: KEY=VALUE
  std::vector<Expectation> expectations;  ///< experiment
  bool equal_hashes = false;              ///< experiment: over the devices
  std::filesystem::path golden;           ///< experiment: a CSV of rows; empty: none
  std::vector<std::string> command;       ///< command: program and arguments
  std::string junit;                      ///< command: the file that it writes; empty: none
  /// Each combination is a case of its own. Of experiments the names are keys, of commands marks {NAME}.
  std::vector<std::pair<std::string, std::vector<std::string>>> matrix;
  std::map<std::string, Said> said;
};

struct Suite {
  std::string name;
  std::filesystem::path file;                 ///< absolute
  std::string text;                           ///< as read
  std::filesystem::path coverage_exclusions;  ///< file of points that are left out of the coverage; empty: none
  std::vector<CaseTable> tables;
};

/// One thing that passes or fails. Its name is unique in the suite.
struct Case {
  std::string name;
  std::size_t table = 0;
  std::string device;                                       ///< programs
  std::filesystem::path program;                            ///< programs: the file
  int ports = 0;                                            ///< random
  std::uint64_t seed = 0;                                   ///< random
  std::vector<std::pair<std::string, std::string>> matrix;  ///< experiment, command
};

/// @param file where relative paths begin. @throws Error (input) with place and one sentence.
Suite parse_suite(std::string_view text, const std::filesystem::path& file);
/// @throws Error (input): also if it can't be read, or names what isn't there.
Suite read_suite(const std::filesystem::path& file);

/// The table that counts coverage first, or nullptr. All that count run the same RTL.
const CaseTable* counting_table(const Suite& suite);

/// How many seeds have to be drawn.
std::uint64_t drawn_seeds(const Suite& suite);

/// All cases, in the order of the suite. @param drawn as many as drawn_seeds() says.
/// @throws Error (input): a folder without programs, two cases of one name.
std::vector<Case> expand(const Suite& suite, const std::vector<std::uint64_t>& drawn);

}  // namespace ocs::regress
