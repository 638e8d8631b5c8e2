// The strict reader of coflow traces.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/workloads/coflow_trace.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <system_error>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{64} << 20;
constexpr std::int64_t megabyte = 1'000'000;
constexpr std::int64_t ps_per_ms = 1'000'000'000;
constexpr std::int64_t most_ms = 4'000'000'000;         // 46 days: within 2^62 ps
constexpr std::int64_t most_megabytes = 1'000'000'000;  // a petabyte
constexpr std::int64_t most_coflows = 1'000'000;
constexpr std::size_t most_flows = 20'000'000;  // memory: half a gigabyte

/// The fields of one line, one after the other.
class Line {
 public:
  Line(std::string_view text, std::string_view origin, std::size_t number)
      : rest_(text), origin_(origin), number_(number) {}

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw Error(ErrorKind::input, std::string(origin_) + ":" + std::to_string(number_) + ": " + sentence);
  }

  std::string_view field(const char* what) {
    if (ended_) refuse(std::string("the line ends where it must have ") + what);
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view text = rest_.substr(0, end);
    if (text.empty()) refuse(std::string("there must be one space between fields, but ") + what + " is empty");
    ended_ = end == rest_.size();
    rest_.remove_prefix(ended_ ? end : end + 1);
    return text;
  }

  std::int64_t number(const char* what, std::int64_t least, std::int64_t most) {
    return whole(field(what), what, least, most);
  }

  std::int64_t whole(std::string_view text, const char* what, std::int64_t least, std::int64_t most) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
      refuse(std::string(what) + " is " + in_quotes(text) + ", but must be a whole number from " +
             std::to_string(least) + " to " + std::to_string(most));
    return value;
  }

  void end() const {
    if (!ended_) refuse("the line goes on with " + in_quotes(rest_) + ", but must end after its last reducer");
  }

 private:
  std::string_view rest_, origin_;
  std::size_t number_;
  bool ended_ = false;
};

/// "48.5" is 48'500'000 bytes.
Bytes parse_megabytes(const Line& line, std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view decimals = text.substr(std::min(point + 1, text.size()));
  const bool digits = std::all_of(decimals.begin(), decimals.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || decimals.size() > 6 || (point < text.size() && decimals.empty()))
    line.refuse("a reducer's MB is " + in_quotes(text) +
                ", but must be a number such as 48 or 48.5, with up to six decimals");
  std::int64_t bytes = line.whole(text.substr(0, point), "a reducer's MB", 0, most_megabytes) * megabyte;
  std::int64_t place = megabyte;
  for (const char c : decimals) bytes += (c - '0') * (place /= 10);
  return {bytes};
}

std::uint16_t parse_port(const Line& line, std::string_view text, const char* what, int ports,
                         std::set<std::uint16_t>& seen) {
  const auto port = static_cast<std::uint16_t>(line.whole(text, what, 0, ports - 1));
  if (!seen.insert(port).second)
    line.refuse(std::string(what) + " is " + in_quotes(text) + " a second time, but each port may be named once");
  return port;
}

TraceCoflow parse_coflow(Line line, int ports) {
  TraceCoflow coflow{
      .id = line.number("the coflow's number", 0, most_ms), .arrival = {}, .mappers = {}, .reducers = {}};
  coflow.arrival = {line.number("the arrival in ms", 0, most_ms) * ps_per_ms};
  std::set<std::uint16_t> seen;
  for (std::int64_t left = line.number("the number of mappers", 1, ports); left > 0; --left)
    coflow.mappers.push_back(parse_port(line, line.field("a mapper's port"), "a mapper's port", ports, seen));
  seen.clear();
  for (std::int64_t left = line.number("the number of reducers", 1, ports); left > 0; --left) {
    const std::string_view text = line.field("a reducer");
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
      line.refuse("a reducer is " + in_quotes(text) + ", but must be PORT:MB, such as 140:48");
    const std::uint16_t port = parse_port(line, text.substr(0, colon), "a reducer's port", ports, seen);
    coflow.reducers.push_back({port, parse_megabytes(line, text.substr(colon + 1))});
  }
  line.end();
  return coflow;
}

}  // namespace

CoflowTrace parse_coflow_trace(std::string_view text, std::string_view name, std::string_view origin) {
  CoflowTrace trace{.name = std::string(name), .ports = 0, .coflows = {}};
  std::set<std::int64_t> ids;
  std::size_t number = 0, expected = 0, flows = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view content = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (content.ends_with('\r')) content.remove_suffix(1);
    Line line(content, origin, ++number);
    if (number == 1) {
      trace.ports = static_cast<int>(line.number("the number of ports", 1, max_ports));
      expected = static_cast<std::size_t>(line.number("the number of coflows", 1, most_coflows));
      line.end();
      continue;
    }
    if (trace.coflows.size() == expected)
      line.refuse("this is a coflow beyond the " + std::to_string(expected) + " that line 1 says");
    TraceCoflow coflow = parse_coflow(line, trace.ports);
    if ((flows += coflow.mappers.size() * coflow.reducers.size()) > most_flows)
      line.refuse("the coflows up to here have more than " + std::to_string(most_flows) + " flows, the most allowed");
    if (!ids.insert(coflow.id).second)
      line.refuse("the coflow's number is " + std::to_string(coflow.id) +
                  " a second time, but each must be listed once");
    if (!trace.coflows.empty() && coflow.arrival < trace.coflows.back().arrival)
      line.refuse("the coflow arrives before the one on the line above, but they must be in the order of arrival");
    trace.coflows.push_back(std::move(coflow));
  }
  if (number == 0 || trace.coflows.size() < expected)
    Line("", origin, number + 1)
        .refuse(number == 0 ? "the trace is empty, but must begin with the numbers of ports and coflows"
                            : "the trace ends after " + std::to_string(trace.coflows.size()) + " of the " +
                                  std::to_string(expected) + " coflows that line 1 says");
  return trace;
}

CoflowTrace load_coflow_trace(std::string_view name, const std::filesystem::path& base) {
  const std::filesystem::path file = base / std::filesystem::path(name.substr(name.find(':') + 1));
  return parse_coflow_trace(read_text_file(file, "coflow trace", max_file_bytes), name, file.string());
}

std::vector<TraceFlow> flows_of(const TraceCoflow& coflow) {
  std::vector<TraceFlow> flows;
  const auto mappers = static_cast<std::int64_t>(coflow.mappers.size());
  for (const TraceCoflow::Reducer& reducer : coflow.reducers) {
    const std::int64_t whole = divide_up(reducer.bytes.n, megabyte), share = divide_up(whole, mappers);
    for (const std::uint16_t mapper : coflow.mappers) {
      const bool last = mapper == coflow.mappers.back();
      const std::int64_t sent = last ? whole - share * (mappers - 1) : share;
      if (mapper != reducer.port)
        flows.push_back({mapper, reducer.port, Bytes{std::max<std::int64_t>(1, sent) * megabyte}});
    }
  }
  return flows;
}

}  // namespace ocs
