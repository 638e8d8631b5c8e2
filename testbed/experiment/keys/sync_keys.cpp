// Fractions, deaths, and the settings that a scheme reads.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/keys/sync_keys.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs {
namespace {

constexpr std::uint32_t most = 1'000'000;
constexpr std::int64_t latest_death = 1'000'000'000'000'000'000;  // ps

/// A whole number of digits alone.
std::optional<std::uint32_t> digits(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> parse_fraction(std::string_view text) {
  const Error wrong(ErrorKind::input, "must be a fraction such as \"0.8\" or \"4/5\", with at most 6 decimals");
  const std::size_t slash = text.find('/'), point = text.find('.');
  std::optional<std::uint32_t> above, below = 1;
  if (slash != std::string_view::npos) {
    above = digits(text.substr(0, slash));
    below = digits(text.substr(slash + 1));
  } else if (point != std::string_view::npos) {
    const std::string_view decimals = text.substr(point + 1);
    if (decimals.empty() || decimals.size() > 6) throw wrong;
    below = 1;
    for (std::size_t k = 0; k < decimals.size(); ++k) *below *= 10;
    const auto whole = digits(text.substr(0, point)), part = digits(decimals);
    if (whole && part && *whole <= 1000) above = *whole * *below + *part;
  } else {
    above = digits(text);
  }
  if (!above || !below || *below == 0 || *below > most || *above > 1000 * most) throw wrong;
  const std::uint32_t common = std::gcd(*above, *below);
  return {*above / common, *below / common};
}

std::vector<NodeDeath> parse_deaths(std::string_view text) {
  std::vector<NodeDeath> deaths;
  if (trimmed(text).empty()) return deaths;
  for (const std::string_view one : comma_list(text)) {
    const std::size_t colon = one.find(':');
    const auto node = digits(trimmed(one.substr(0, std::min(colon, one.size()))));
    if (colon == std::string_view::npos || !node || *node >= max_ports)
      throw Error(ErrorKind::input, "must be nodes and when they die, \"3: 2 s, 5: 7 s\"");
    const std::int64_t at = parse_quantity(trimmed(one.substr(colon + 1)), Dimension::time);
    if (at < 0 || at > latest_death)
      throw Error(ErrorKind::input, "must be from 0 ps to " + to_text(latest_death, Dimension::time));
    const Node dying{static_cast<std::uint16_t>(*node)};
    if (std::any_of(deaths.begin(), deaths.end(), [&](const NodeDeath& d) { return d.node == dying; }))
      throw Error(ErrorKind::input, "must let node " + std::to_string(*node) + " die once");
    deaths.push_back({dying, Picos{at}});
  }
  return deaths;
}

std::string compute_text(const JobSettings& job) {
  std::string all;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) all += (all.empty() ? "" : "; ") + std::string(name) + " " + text;
  };
  add("published", job.published);
  add("trace", job.trace);
  add("factors", job.factors);
  add("jitter", job.jitter);
  add("stragglers", job.stragglers);
  if (job.compute_fixed.n > 0) add("fixed", to_text(job.compute_fixed.n, Dimension::time));
  return all;
}

std::string settings_text(const JobSettings& job) {
  const auto& text = scheme_of(job).text;
  return text == nullptr ? std::string() : text(job.sync_settings);
}

const SyncEntry& scheme_of(const JobSettings& job) { return job.own_sync ? *job.own_sync : find_scheme(job.sync); }

}  // namespace ocs
