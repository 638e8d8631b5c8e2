// Names of verdicts, causes, and outcomes as bytes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/outcome.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

constexpr std::array<std::string_view, 5> verdict_names{"passed", "failed", "flaky", "broken", "timed out"};

}  // namespace

std::string_view name_of(Verdict verdict) { return verdict_names.at(static_cast<std::size_t>(verdict)); }

Verdict verdict_named(std::string_view name) {
  for (std::size_t k = 0; k < verdict_names.size(); ++k)
    if (verdict_names.at(k) == name) return static_cast<Verdict>(k);
  refuse(in_quotes(name) + " is not a verdict");
}

std::string cause_of(std::string_view sentence) {
  std::string out;
  bool quoted = false;
  for (const char c : sentence) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    const bool digit = c >= '0' && c <= '9';
    if (!digit)
      out += c;
    else if (out.empty() || out.back() != '#')
      out += '#';
  }
  return out;
}

std::string to_bytes(const Outcome& outcome) {
  nlohmann::json measures = nlohmann::json::array();
  for (const Measure& each : outcome.measures) measures.push_back({each.row, each.column, each.value});
  return nlohmann::json{{"verdict", static_cast<int>(outcome.verdict)},
                        {"sentence", outcome.sentence},
                        {"cause", outcome.cause},
                        {"log", outcome.log},
                        {"program", outcome.program},
                        {"seconds", outcome.seconds},
                        {"measures", measures}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Outcome outcome_from_bytes(std::string_view bytes) {
  const nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
  if (!json.is_object()) throw Error(ErrorKind::internal, "a message of a case ends too early");
  Outcome outcome;
  outcome.verdict = static_cast<Verdict>(json.at("verdict").get<int>());
  outcome.sentence = json.at("sentence").get<std::string>();
  outcome.cause = json.at("cause").get<std::string>();
  outcome.log = json.at("log").get<std::string>();
  outcome.program = json.at("program").get<std::string>();
  outcome.seconds = json.at("seconds").get<double>();
  for (const auto& each : json.at("measures"))
    outcome.measures.push_back(
        {each.at(0).get<std::int64_t>(), each.at(1).get<std::string>(), each.at(2).get<double>()});
  return outcome;
}

}  // namespace ocs::regress
