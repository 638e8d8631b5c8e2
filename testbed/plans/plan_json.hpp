// Problems and plans as JSON, and back. docs/plans.md says what each field is, docs/*.schema.json which are allowed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "host/core/policy.hpp"

namespace ocs {

using Json = nlohmann::ordered_json;

/// Numbers of outside plans are at most this, so that no sum of a few of them leaves 64 bits.
inline constexpr std::int64_t largest_tick = std::int64_t{1} << 60;

Json to_json(const Problem& problem);
Json to_json(const Flow& flow);
Json to_json(const Reservation& reservation);

/// Every number is within its range and every port below max_ports; nothing else is checked: that is check_plan()'s.
/// Fields that these don't know are left alone.
/// @param where names the text and the place in it, for messages: "plan.json: plans[0].push.problem".
/// @throws Error (input): a field is missing, of another type or out of range; BrokenRule (port_range) for a port.
Problem problem_from_json(const Json& json, const std::string& where);

/// @param json an object with "reservations", and "bound" if it is said. Never Plan::best_effort.
Plan plan_from_json(const Json& json, const std::string& where);

/// A list of reservations.
std::vector<Reservation> reservations_from_json(const Json& json, const std::string& where);

/// JSON of outside text. @throws Error (input) that says where it ends to be JSON.
Json parse_json(std::string_view text, const std::string& where);

/// Fields of one JSON object, each checked as it is read.
class Fields {
 public:
  /// @throws Error (input) if it is no object.
  Fields(const Json& json, const std::string& where);

  const Json* find(const char* name) const;  ///< nullptr: it isn't there, or null
  const Json& at(const char* name) const;
  const Json& list(const char* name) const;
  std::string place(const char* name) const { return where_ + "." + name; }

  std::int64_t whole(const char* name, std::int64_t least, std::int64_t most) const;
  std::int64_t whole(const char* name, std::int64_t least, std::int64_t most, std::int64_t otherwise) const;
  bool truth(const char* name, bool otherwise) const;
  std::string text(const char* name, const std::string& otherwise) const;

  Ticks ticks(const char* name) const { return {whole(name, 0, largest_tick)}; }
  Ticks ticks(const char* name, Ticks otherwise) const { return {whole(name, 0, largest_tick, otherwise.n)}; }
  std::uint16_t port(const char* name) const;
  /// Reads "out", a number, or "outs", a list of at least one; exactly one of the two is there.
  Outputs outputs() const;

 private:
  const Json& json_;
  std::string where_;
};

}  // namespace ocs
