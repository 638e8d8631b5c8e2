// Reads options one by one, then checks what they ask of each other.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/llm/llm_settings.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <system_error>

#include "host/core/error.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::size_t max_times_bytes = std::size_t{1} << 20;
constexpr std::int64_t most_tokens = 1 << 24;

[[noreturn]] void refuse_llm(const std::string& sentence) { throw Error(ErrorKind::input, sentence); }

/// As find(), for a name of any bytes.
template <class E>
const E& named(std::span<const E> catalogue, std::string_view name, std::string_view what) {
  std::string known;
  for (const E& entry : catalogue) {
    if (entry.name == name) return entry;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  refuse_llm("unknown " + std::string(what) + " " + in_quotes(name) + "; known: " + known);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::int64_t option_count(std::string_view name, std::string_view text, std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> value = whole_number(text);
  if (!value || *value < least || *value > most)
    refuse_llm("must have " + std::string(name) + " from " + std::to_string(least) + " to " + std::to_string(most) +
               ", not " + in_quotes(text));
  return *value;
}

/// A decimal number in thousandths.
std::int64_t option_milli(std::string_view name, std::string_view text, std::int64_t least, std::int64_t most) {
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  std::string part(point < text.size() ? text.substr(point + 1) : "");
  const bool plain = !digits.empty() && part.size() <= 3 && (point == text.size() || !part.empty()) &&
                     (digits + part).find_first_not_of("0123456789") == std::string::npos;
  part.resize(3, '0');
  const std::optional<std::int64_t> value = plain ? whole_number(digits + part) : std::nullopt;
  if (!value || *value < least || *value > most)
    refuse_llm("must have " + std::string(name) + " as a number with at most three decimals within its limits (" +
               std::to_string(least) + " to " + std::to_string(most) + " thousandths), not " + in_quotes(text));
  return *value;
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

LlmDimension dimension_of(std::string_view option, std::string_view name) {
  if (name == "tp") return LlmDimension::tp;
  if (name == "dp") return LlmDimension::dp;
  if (name == "pp") return LlmDimension::pp;
  refuse_llm("must have " + std::string(option) + " of tp, dp and pp, joined by -, not " + in_quotes(name));
}

void read_order(std::string_view text, LlmSettings& to) {
  const std::vector<std::string_view> names = parts_of(text, "-");
  std::set<LlmDimension> seen;
  for (std::size_t k = 0; k < names.size() && k < 3; ++k) seen.insert(to.order[k] = dimension_of("order", names[k]));
  if (names.size() != 3 || seen.size() != 3)
    refuse_llm("must have order as each of tp, dp and pp once, such as tp-dp-pp");
}

void read_inside(std::string_view text, LlmSettings& to) {
  to.inside = {};
  if (text == "none") return;
  for (const std::string_view name : parts_of(text, "-"))
    to.inside[static_cast<std::size_t>(dimension_of("inside", name))] = true;
}

std::string algorithm_name(std::string_view text) { return std::string(named(collectives(), text, "algorithm").name); }

void read_data(std::string_view text, LlmSettings& to) {
  if (text != "all_reduce" && text != "reduce_scatter")
    refuse_llm("must have data all_reduce or reduce_scatter, not " + in_quotes(text));
  to.sharded = text == "reduce_scatter";
}

struct Option {
  std::string_view name;
  void (*read)(std::string_view text, LlmSettings& to);
};

constexpr std::int64_t most_ranks = 65536;

constexpr Option options[] = {
    {"dp", [](std::string_view v, LlmSettings& to) { to.dp = option_count("dp", v, 1, most_ranks); }},
    {"tp", [](std::string_view v, LlmSettings& to) { to.tp = option_count("tp", v, 1, most_ranks); }},
    {"pp", [](std::string_view v, LlmSettings& to) { to.pp = option_count("pp", v, 1, 256); }},
    {"ep", [](std::string_view v, LlmSettings& to) { to.ep = option_count("ep", v, 1, 256); }},
    {"batch", [](std::string_view v, LlmSettings& to) { to.batch = option_count("batch", v, 1, 4096); }},
    {"micro", [](std::string_view v, LlmSettings& to) { to.micro = option_count("micro", v, 1, 4096); }},
    {"seq", [](std::string_view v, LlmSettings& to) { to.seq = option_count("seq", v, 1, 1 << 20); }},
    {"data", read_data},
    {"order", read_order},
    {"inside", read_inside},
    {"activation_bytes",
     [](std::string_view v, LlmSettings& to) { to.activation_bytes = option_count("activation_bytes", v, 1, 8); }},
    {"gradient_bytes",
     [](std::string_view v, LlmSettings& to) { to.gradient_bytes = option_count("gradient_bytes", v, 1, 8); }},
    {"tflops",
     [](std::string_view v, LlmSettings& to) { to.tflops_milli = option_milli("tflops", v, 1, 1'000'000'000); }},
    {"mfu", [](std::string_view v, LlmSettings& to) { to.mfu_milli = option_milli("mfu", v, 1, 1000); }},
    {"inside_gbps",
     [](std::string_view v, LlmSettings& to) { to.inside_gbps = option_count("inside_gbps", v, 0, 1'000'000); }},
    {"gini", [](std::string_view v, LlmSettings& to) { to.gini_milli = option_milli("gini", v, 0, 900); }},
    {"tp_algorithm", [](std::string_view v, LlmSettings& to) { to.tp_algorithm = algorithm_name(v); }},
    {"dp_algorithm", [](std::string_view v, LlmSettings& to) { to.dp_algorithm = algorithm_name(v); }},
    {"ep_algorithm", [](std::string_view v, LlmSettings& to) { to.ep_algorithm = algorithm_name(v); }},
    {"times", [](std::string_view v, LlmSettings& to) { to.times_file = v; }},
};

void read_option(std::string_view part, LlmSettings& to, std::set<std::string_view>& seen) {
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos) refuse_llm("must have options NAME=VALUE after \"?\", not " + in_quotes(part));
  const std::string_view name = part.substr(0, equals);
  if (!seen.insert(name).second) refuse_llm("must have " + std::string(name) + " once");
  named(std::span<const Option>(options), name, "option of llm:").read(part.substr(equals + 1), to);
}

void check_divides(std::string_view what, std::int64_t whole, std::string_view by, std::int64_t part) {
  if (whole % part != 0)
    refuse_llm("must have " + std::string(by) + " that divides the " + std::to_string(whole) + " " + std::string(what) +
               ", not " + std::to_string(part));
}

void check_lists(const LlmSettings& one) {
  const auto list = [](CollectiveKind kind, const std::string& algorithm, std::int64_t ranks) {
    if (ranks > 1) make_collective(kind, algorithm, static_cast<int>(std::min<std::int64_t>(ranks, 1000)));
  };
  list(CollectiveKind::all_reduce, one.tp_algorithm, one.crossing(LlmDimension::tp));
  list(CollectiveKind::all_to_all, one.ep_algorithm, one.is_inside(LlmDimension::dp) ? 1 : one.ep);
  const std::int64_t dp = one.crossing(LlmDimension::dp);
  for (const std::int64_t ranks : {dp, one.ep > 1 ? dp / one.ep : 1})
    if (one.sharded) {
      list(CollectiveKind::reduce_scatter, one.dp_algorithm, ranks);
      list(CollectiveKind::all_gather, one.dp_algorithm, ranks);
    } else {
      list(CollectiveKind::all_reduce, one.dp_algorithm, ranks);
    }
}

void check_llm(const LlmSettings& one) {
  check_divides("layers", one.model.layers, "pp", one.pp);
  check_divides("attention heads", one.model.heads, "tp", one.tp);
  check_divides("sequences of batch", one.batch, "micro", one.micro);
  check_divides("replicas of dp", one.dp, "ep", one.ep);
  if (one.ep > 1 && one.model.experts == 1)
    refuse_llm("must have ep=1: " + std::string(one.model.name) + " has no experts");
  check_divides("experts", one.model.experts, "ep", one.ep);
  if (one.gini_milli > 0 && one.model.experts == 1)
    refuse_llm("must have gini=0: " + std::string(one.model.name) + " has no experts");
  if (one.micro * one.seq > most_tokens)
    refuse_llm("must have at most " + std::to_string(most_tokens) + " tokens in a microbatch (micro times seq), not " +
               std::to_string(one.micro * one.seq));
  if (one.nodes() < 2)
    refuse_llm("must have 2 nodes or more, but dp, tp and pp leave " + std::to_string(one.nodes()) +
               " outside of nodes (option inside)");
}

std::int64_t picos_of(std::string_view text, const std::string& place, std::string_view column) {
  const std::optional<std::int64_t> value = whole_number(text);
  if (!value || *value < 1 || *value > longest_pass)
    refuse_llm(place + ": " + std::string(column) + " is " + in_quotes(text) +
               ", but must be a whole number of picoseconds from 1 to 10^15");
  return *value;
}

}  // namespace

std::int64_t LlmSettings::size_of(LlmDimension which) const {
  return which == LlmDimension::tp ? tp : which == LlmDimension::dp ? dp : pp;
}

std::int64_t LlmSettings::nodes() const {
  return crossing(LlmDimension::tp) * crossing(LlmDimension::dp) * crossing(LlmDimension::pp);
}

LlmSettings parse_llm(std::string_view name) {
  const std::string_view rest = name.substr(llm_prefix.size());
  const std::size_t question = std::min(rest.find('?'), rest.size());
  LlmSettings one;
  one.model = named(llm_models(), rest.substr(0, question), "language model");
  std::set<std::string_view> seen;
  if (question < rest.size())
    for (const std::string_view part : parts_of(rest.substr(question + 1), ",&")) read_option(part, one, seen);
  check_llm(one);
  return one;
}

std::vector<LlmSettings::StageTimes> parse_stage_times(std::string_view text, std::string_view origin,
                                                       std::int64_t stages) {
  std::vector<LlmSettings::StageTimes> times;
  std::vector<std::string_view> lines = parts_of(text, "\n");
  if (lines.back().empty()) lines.pop_back();
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::string_view line = lines[k];
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string place = std::string(origin) + ":" + std::to_string(k + 1);
    if (k == 0) {
      if (line != "stage,forward_ps,backward_ps")
        refuse_llm(place + ": the first line is " + in_quotes(line) + ", but must be \"stage,forward_ps,backward_ps\"");
      continue;
    }
    const std::vector<std::string_view> fields = parts_of(line, ",");
    if (fields.size() != 3 || whole_number(fields[0]) != static_cast<std::int64_t>(k - 1))
      refuse_llm(place + ": the line is " + in_quotes(line) + ", but must be the times of stage " +
                 std::to_string(k - 1) + ": stage,forward_ps,backward_ps");
    times.push_back({{picos_of(fields[1], place, "forward_ps")}, {picos_of(fields[2], place, "backward_ps")}});
  }
  if (static_cast<std::int64_t>(times.size()) != stages)
    refuse_llm(std::string(origin) + " has times of " + std::to_string(times.size()) +
               " stages, but must have those of " + std::to_string(stages) + ", which is pp");
  return times;
}

LlmSettings load_llm(std::string_view name, const std::filesystem::path& base) {
  LlmSettings one = parse_llm(name);
  if (one.nodes() <= 256) check_lists(one);  // more are refused for the ports
  if (one.times_file.empty()) return one;
  const std::string file = (base / one.times_file).string();
  one.times = parse_stage_times(read_text_file(file, "table of stage times", max_times_bytes), file, one.pp);
  return one;
}

}  // namespace ocs
