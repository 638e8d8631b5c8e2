// What a table of columns says of each: name, type, unit, meaning, in which rows it has a value, and how that is taken.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "host/core/results.hpp"
#include "testbed/results/rows/job_kind.hpp"

namespace ocs {

/// What a run has, beside its kind of job, that decides which columns have a value.
enum class RunFeature : std::uint8_t {
  phases,
  circuits,
  one_plane,
  fixed_rates,
  placed,
  owned_keys,
  real_gradients,
  coflows,
  whole_jobs,
  exact_switch,
  wall_clock,
  charged,
  serial,
  unsteady,
  timetable,
  drift,
  far,
  neighbours,
  light,
  failure
};

/// A bit for each feature.
using RunFeatures = unsigned;

template <class... Features>
constexpr RunFeatures feature_set(Features... features) {
  return ((1U << static_cast<unsigned>(features)) | ...);
}

/// The rows in which a column has a value: those of these kinds of job whose run has all of these features.
struct Presence {
  JobKinds kinds = all_job_kinds;
  RunFeatures features = 0;
  bool or_null = false;    ///< some of them have none; the meaning says which
  bool requested = false;  ///< known before the run: a row that failed has it, too

  constexpr bool everywhere() const { return kinds == all_job_kinds && features == 0 && !or_null; }
  constexpr bool in(JobKind kind, RunFeatures run) const {
    return (kinds & kind_set(kind)) != 0 && (features & ~run) == 0 &&
           (requested || (run & feature_set(RunFeature::failure)) == 0);
  }
};

/// "servers, collective, peers: with real gradients; or null", "all kinds"
std::string presence_text(const Presence& presence);

template <class Measured>
struct ColumnValue {
  Presence presence;
  Value (*take)(const Measured&);
  Value operator()(const Measured& measured) const { return take(measured); }
};

enum class ColumnType : std::uint8_t { whole, real, text };

/// "integer", "number" or "text"
std::string_view name_of(ColumnType type);

/// One column: name in JSON and SQLite, type there, unit (empty: none), what it is, and how it is taken.
template <class Measured>
struct ColumnOf {
  using Type = ColumnType;
  std::string_view name;
  Type type;
  std::string_view unit;
  std::string_view meaning;
  ColumnValue<Measured> value;
};

/// A member of a row as its sinks take it: strong types as their numbers, nothing as null.
template <class T>
Value column_value(const T& member) {
  if constexpr (requires { member.has_value(); })
    return member ? column_value(*member) : Value{std::monostate{}};
  else if constexpr (requires { member.n; })
    return member.n;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::int64_t>(member);
  else
    return member;
}

}  // namespace ocs
