// Register programs and what they expect, as values; reading and writing them as JSON (format: tests/goldens/switch).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "host/conformance/registers.hpp"

namespace ocs::conformance {

/// One operation. All but the advances happen on bus edges and cost no fabric time.
struct Op {
  enum class Kind : std::uint8_t { write, read, advance, advance_irq, pop, drain } kind = Kind::pop;
  const Register* reg = nullptr;         ///< write, read
  std::array<std::uint32_t, 2> index{};  ///< write, read: as many as the register has
  std::uint64_t value = 0;  ///< write: the value (a circuit: its input); advance: cycles; advance_irq: limit
  bool valid = true;        ///< write of a circuit: false is no circuit
  /// Of a register of 64 bits: both words, or one alone.
  enum class Part : std::uint8_t { whole, low, high } part = Part::whole;
  /// write: all bytes; or, of each word, the bytes that these bits name, by one access, without what a field's register
  /// has in its other bits.
  std::uint8_t strobes = all_bytes;

  static constexpr std::uint8_t all_bytes = 0xF;

  friend bool operator==(const Op&, const Op&) = default;
};

/// One entry of the event log (section 10 of the contract).
struct LoggedEvent {
  std::uint64_t stamp = 0;
  std::uint32_t cls = 0, port = 0, kind = 0;
  std::uint32_t tag = 0;  ///< of a commit

  friend auto operator<=>(const LoggedEvent&, const LoggedEvent&) = default;
};

/// counters[k]: those called counter_names[k], one for each port or a single one.
using Counters = std::vector<std::vector<std::uint64_t>>;

struct Expectation {
  std::uint64_t time = 0;
  std::vector<LoggedEvent> events;
  std::vector<nlohmann::json> reads;  ///< a number, {"input": i}, a segment, an event, null or "refused"
  Counters counters;
};

struct Case {
  std::string name, rule;
  int ports = 0, fifo_depth = 0;
  std::vector<Op> program;
  Expectation expect;
};

/// Cycles that one advance may ask for, and the largest limit.
inline constexpr std::uint64_t max_advance = std::uint64_t{1} << 53;

/// The case, or the list of cases, in `text`.
/// @param origin names the text in messages. @throws Error (input) with origin and place for anything that isn't one.
std::vector<Case> parse_cases(std::string_view text, const std::string& origin);

/// A file's cases, or the sentence that says why it has none.
struct ProgramFile {
  std::string name;  ///< below the folder
  std::vector<Case> cases;
  std::string problem;
};

/// Every *.json below `folder`, sorted by name. Never throws: a folder that can't be read, or one without a program,
/// is a file with a problem.
std::vector<ProgramFile> load_programs(const std::filesystem::path& folder);

nlohmann::json to_json(const Op& op);
nlohmann::json to_json(const LoggedEvent& event);
/// A whole case, so that a program found elsewhere can be kept as a file.
std::string to_text(const Case& program);

}  // namespace ocs::conformance
