// The table of changing bandwidth.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/bandwidth_trace.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "testbed/experiment/files/node_rates.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::string_view header = "ns,node,rate";
constexpr std::int64_t latest_ns = 1'000'000'000'000'000;
constexpr std::size_t most_bytes = std::size_t{16} * 1024 * 1024;

template <class T>
bool read_number(std::string_view text, T most, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0 && value <= most;
}

void read_rate(std::string_view text, BandwidthChange& change) {
  if (text.find("bit/s") != std::string_view::npos || text.find("b/s") != std::string_view::npos) {
    change.rate_bps = parse_quantity(text, Dimension::rate);
    return;
  }
  std::tie(change.num, change.den) = parse_fraction(text);
  if (change.num > change.den) throw Error(ErrorKind::input, "must be at most the fabric's rate");
}

bool stands_still(const BandwidthChange& change) { return change.den == 0 ? change.rate_bps == 0 : change.num == 0; }

/// A line without its place in the text.
struct Place {
  std::size_t line;
  bool still;
  std::int64_t ns;
};

}  // namespace

std::vector<BandwidthChange> parse_bandwidth_trace(std::string_view text, std::string_view origin) {
  std::vector<BandwidthChange> trace;
  std::map<std::uint16_t, Place> last;
  std::size_t number = 0;
  std::int64_t before = 0;
  const auto at = [&](std::size_t line) { return std::string(origin) + ":" + std::to_string(line) + ": "; };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string place = at(++number);
    const auto refuse = [&](const char* what, std::string_view found, const std::string& right) {
      std::string sentence = place;
      sentence.append(what).append(" is ").append(in_quotes(found)).append(", but ").append(right);
      throw Error(ErrorKind::input, sentence);
    };
    if (number == 1) {
      if (line != header) refuse("the first line", line, "must be \"" + std::string(header) + "\"");
      continue;
    }
    const auto cells = comma_list(line);
    if (cells.size() != 3) refuse("the line", line, "must have three values: ns, node, rate");
    std::int64_t ns = 0;
    BandwidthChange change;
    if (!read_number(cells[0], latest_ns, ns))
      refuse("the time", cells[0], "must be a whole number of ns up to " + std::to_string(latest_ns));
    if (ns < before)
      refuse("the time", cells[0], "must not go back: the line before it is of " + std::to_string(before) + " ns");
    if (!read_number<std::uint16_t>(cells[1], max_ports - 1, change.node))
      refuse("the node", cells[1], "must be a number from 0 to 255");
    try {
      read_rate(cells[2], change);
    } catch (const Error& error) {
      refuse("the rate", cells[2], std::string(error.what()) + R"(; rates are "25 Gbit/s", "0.25", "1/4" or "0")");
    }
    const auto [same, is_new] = last.try_emplace(change.node, Place{number, false, ns});
    if (!is_new && same->second.ns == ns)
      refuse("the node", cells[1],
             "must be named once in an instant; line " + std::to_string(same->second.line) + " does so too");
    same->second = {number, stands_still(change), ns};
    before = ns;
    change.at = Picos{ns * 1000};
    trace.push_back(change);
  }
  if (trace.empty())
    throw Error(ErrorKind::input, std::string(origin) + ": there is no rate in it; it must have one or more");
  for (const auto& [node, place] : last)
    if (place.still)
      throw Error(ErrorKind::input, at(place.line) + "the rate of node " + std::to_string(node) +
                                        " is 0 for ever, but must be followed by one above 0");
  return trace;
}

std::vector<BandwidthChange> load_bandwidth_trace(const std::filesystem::path& file) {
  return parse_bandwidth_trace(read_text_file(file, "bandwidth trace", most_bytes), file.string());
}

std::vector<RateChange> rate_changes(const std::vector<BandwidthChange>& trace, std::int64_t fabric_bps, int nodes,
                                     Picos cycle) {
  __extension__ using Wide = __int128;
  std::vector<RateChange> changes;
  for (const BandwidthChange& change : trace) {
    if (change.node >= nodes)
      throw Error(ErrorKind::input,
                  "must name nodes below " + std::to_string(nodes) + ", but names node " + std::to_string(change.node));
    Cycles word{0};
    if (!stands_still(change)) {
      const Wide share = Wide{fabric_bps} * change.num;
      if (change.den != 0 && share % change.den != 0)
        throw Error(ErrorKind::input, "must give every node a whole number of bit/s, but " +
                                          std::to_string(change.num) + "/" + std::to_string(change.den) + " of " +
                                          to_text(fabric_bps, Dimension::rate) + " isn't one");
      word = cycles_at(change.den == 0 ? change.rate_bps : static_cast<std::int64_t>(share / change.den), fabric_bps);
    }
    const RateChange next{to_cycles(change.at, cycle), change.node, word};
    const auto same = std::find_if(changes.rbegin(), changes.rend(),
                                   [&](const RateChange& c) { return c.at < next.at || c.port == next.port; });
    if (same != changes.rend() && same->at == next.at)
      same->word = next.word;
    else
      changes.push_back(next);
  }
  return changes;
}

}  // namespace ocs
