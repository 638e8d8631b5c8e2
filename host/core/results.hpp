// Where result rows go.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "host/core/switch.hpp"
#include "host/core/units.hpp"

namespace ocs {

using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

/// A point of a row's curve of learning: of the model after so many updates, which it was from `at` on.
struct CurveEntry {
  std::int64_t updates = 0;
  Picos at{};
  double loss = 0, accuracy = 0;
};

/// One of several jobs of a row.
struct JobFields {
  std::vector<std::pair<std::string, Value>> fields;
  std::vector<CurveEntry> curve;
};

class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void row(std::span<const std::pair<std::string, Value>>) = 0;  ///< on return the row survives kill -9
  virtual void curve(std::span<const CurveEntry>) {}                     ///< of the next row: buffered as events are
  virtual void jobs(std::span<const JobFields>) {}                       ///< of the next row, if it has several
  virtual void events(std::span<const Event>) = 0;  ///< buffered; dropped with its row if the run fails
};

}  // namespace ocs
