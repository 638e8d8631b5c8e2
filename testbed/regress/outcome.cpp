// Names of verdicts, causes, and outcomes as bytes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/outcome.hpp"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

constexpr std::array<std::string_view, 5> verdict_names{"passed", "failed", "flaky", "broken", "timed out"};

[[noreturn]] void damaged() { throw Error(ErrorKind::internal, "a message of a case ends too early"); }

/// "KIND FILE COUNT NAME" in lines: a case has tens of thousands of points, and an object for each takes long.
std::string counts_text(const rtl::CoverCounts& counts) {
  std::string out;
  for (const auto& [point, count] : counts) {
    out.append(rtl::name_of(point.kind)).append(1, '\t').append(point.file).append(1, '\t');
    out.append(std::to_string(count)).append(1, '\t').append(point.name).append(1, '\n');
  }
  return out;
}

/// Takes what stands before the next `end`.
std::string_view cut(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) damaged();
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at + 1);
  return part;
}

rtl::CoverCounts counts_in(std::string_view text) {
  rtl::CoverCounts counts;
  while (!text.empty()) {
    rtl::CoverPoint point;
    point.kind = rtl::point_kind_named(cut(text, '\t'));
    point.file = cut(text, '\t');
    const std::string_view digits = cut(text, '\t');
    std::uint64_t count = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), count);
    point.name = cut(text, '\n');
    counts.emplace_hint(counts.end(), std::move(point), count);
  }
  return counts;
}

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
  std::size_t depth = 0;
  for (const char c : sentence) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[') {
      if (depth == 0 && out.ends_with(' ')) out.pop_back();
      ++depth;
    }
    if (depth != 0) {
      if (c == ')' || c == ']') --depth;
      continue;
    }
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
                        {"measures", measures},
                        {"counts", counts_text(outcome.counts)}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Outcome outcome_from_bytes(std::string_view bytes) {
  const nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
  if (!json.is_object()) damaged();
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
  outcome.counts = counts_in(json.at("counts").get_ref<const std::string&>());
  return outcome;
}

}  // namespace ocs::regress
