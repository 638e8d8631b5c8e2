// Why something took as long as it did: the chain of what waited for what, back from its end, without gaps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/why/history.hpp"

namespace ocs {

enum class Cause : std::uint8_t {
  compute,
  communication,  ///< words cross
  dark,           ///< mirrors move, a receiver locks, or an all-stop switch holds
  turn,           ///< its ports are free, and its turn in the plan hasn't come
  planning,       ///< the plan is being made
  control,        ///< lead, fibre, guard, and until something is heard
  gate,           ///< nothing moves for it: the scheme holds it back
  arrival,        ///< its job hasn't come
};
inline constexpr std::array<std::string_view, 8> cause_names = {"compute",  "communication", "dark", "turn in the plan",
                                                                "planning", "control",       "gate", "arrival"};

struct Link {
  Cause cause;
  Picos from, to;
  std::string what;
  std::string behind;  ///< the port for whose sake others waited for it: "output 4"; empty: nobody did
};

/// What is explained.
struct Span {
  std::optional<std::uint16_t> worker;  ///< none: the whole run
  std::uint32_t iteration = 0;
  Picos from, to;
};

/// Iterations of each worker: from when it begins to compute to when it does so again, the last one to the last
/// delivery to it. A run in which nobody computes is one span.
std::vector<Span> spans_of(const History& history);
Span whole_run(const History& history);
/// The longest of spans_of(); of equally long ones the first.
Span longest_span(const History& history);

/// Links ascending; each begins where the one before ends, and together they are the span.
std::vector<Link> chain_of(const History& history, const Span& span);

struct Blocking {
  Picos time;
  std::int64_t transfers = 0;
};
struct Totals {
  std::array<Picos, cause_names.size()> causes{};
  std::array<std::int64_t, cause_names.size()> links{};  ///< so many of each cause
  std::map<std::string, Blocking> ports;                 ///< by name of the port
};
Totals totals_of(const std::vector<Link>& links);

}  // namespace ocs
