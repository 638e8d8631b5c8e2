// How long workers compute: a time, slower and faster workers, jitter, stragglers that come and go, or a trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// Random numbers are a function of seed, worker and iteration alone, in whole numbers: the same on every machine.
struct ComputeModel {
  enum class Jitter : std::uint8_t { none, uniform, normal, exponential };
  static constexpr std::int64_t million = 1'000'000;

  Picos base;                                                 ///< of a worker that is neither fast nor slow
  std::vector<std::pair<std::size_t, std::int64_t>> factors;  ///< of workers: in millionths; others have a million
  Jitter jitter = Jitter::none;
  std::int64_t spread = 0;  ///< millionths: half-width, standard deviation, or mean of what is added
  std::int64_t chance = 0;  ///< millionths: of an iteration that takes `straggling` times as long
  std::int64_t straggling = million;
  std::vector<std::vector<Picos>> trace;  ///< instead of `base`, of each worker, used cyclically; empty: none
  std::uint64_t seed = 0;

  /// Of a worker's iteration: (base or trace) * factor * jitter * straggling, each product rounded down; at least 0, at
  /// most 2^62. Normal: the sum of twelve uniform draws, never below a hundredth of the time.
  Picos time(std::size_t worker, std::uint32_t iteration) const;

  /// Whether workers or iterations may differ.
  bool varies() const { return !factors.empty() || jitter != Jitter::none || chance > 0 || !trace.empty(); }
  friend bool operator==(const ComputeModel&, const ComputeModel&) = default;
};

/// "0: 3, 4: 0.5": workers, counted from 0, and by which factor they take longer; each once, 0 to 1000000 with at most
/// 6 decimals. @throws Error (input) with half a sentence: "must be ..."
std::vector<std::pair<std::size_t, std::int64_t>> parse_factors(std::string_view text);

/// "", "uniform 10 %", "normal 5 %", "exponential 20 %": sets jitter and spread. @throws Error (input), half a sentence
void parse_jitter(std::string_view text, ComputeModel& model);

/// "", "5 % x 5": sets chance and straggling. @throws Error (input) with half a sentence
void parse_stragglers(std::string_view text, ComputeModel& model);

/// A table of times: header `worker,ns`, then at least one row; workers are 0, 1, ..., each with one row or more, in
/// the order of its iterations. @throws Error (input) that names file, line, the wrong value and what would be right.
std::vector<std::vector<Picos>> parse_compute_trace(std::string_view text, std::string_view origin);
std::vector<std::vector<Picos>> load_compute_trace(const std::filesystem::path& file);

/// The time of one iteration in the published table, `text` being "K80/32": device and batch. Of rows that say that
/// they include communication, none. @throws Error (input): no such row (with those of the model), or a wrong table.
Picos published_time(std::string_view model, std::string_view text, const std::filesystem::path& table);

}  // namespace ocs
