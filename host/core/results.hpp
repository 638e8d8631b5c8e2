// Where result rows go.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "host/core/switch.hpp"

namespace ocs {

using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void row(std::span<const std::pair<std::string, Value>>) = 0;  ///< on return the row survives kill -9
  virtual void events(std::span<const Event>) = 0;  ///< buffered; dropped with its row if the run fails
};

}  // namespace ocs
