// Products in whole numbers; draws by hashing.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/workloads/compute_model.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "host/core/wide.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::int64_t million = ComputeModel::million;
constexpr std::int64_t longest = std::int64_t{1} << 62;
constexpr std::size_t max_trace_bytes = std::size_t{1} << 24;

/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
std::uint64_t next(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::int64_t scaled(std::int64_t time, std::int64_t millionths) {
  const Wide product = Wide{time} * millionths / million;
  return product > longest ? longest : static_cast<std::int64_t>(product);
}

/// An exponential draw of mean 1, in millionths, by comparisons alone (von Neumann 1951): a whole part that counts
/// rejected rounds, and the first number of a round whose falling run has odd length.
std::int64_t exponential(std::uint64_t& state) {
  for (std::int64_t whole = 0;; ++whole) {
    const std::uint64_t first = next(state) >> 32;
    std::uint64_t last = first;
    bool odd = true;
    for (std::uint64_t other = next(state) >> 32; other < last; other = next(state) >> 32) {
      last = other;
      odd = !odd;
    }
    if (odd) return whole * million + static_cast<std::int64_t>((first * million) >> 32);
  }
}

/// The jitter in millionths of the time.
std::int64_t jitter_of(const ComputeModel& model, std::uint64_t& state) {
  switch (model.jitter) {
    case ComputeModel::Jitter::none:
      break;
    case ComputeModel::Jitter::uniform: {
      const auto width = static_cast<std::uint64_t>(2 * model.spread + 1);
      return million - model.spread + static_cast<std::int64_t>(((next(state) >> 32) * width) >> 32);
    }
    case ComputeModel::Jitter::normal: {
      std::int64_t sum = -6 * (std::int64_t{1} << 32);
      for (int k = 0; k < 12; ++k) sum += static_cast<std::int64_t>(next(state) >> 32);
      return std::max(million / 100, million + static_cast<std::int64_t>((Wide{sum} * model.spread) >> 32));
    }
    case ComputeModel::Jitter::exponential:
      return million + scaled(model.spread, exponential(state));
  }
  return million;
}

/// A decimal number without sign, in millionths.
std::optional<std::int64_t> millionths(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  std::string decimals(text.substr(std::min(point + 1, text.size())));
  if (digits.empty() || digits.size() > 7 || decimals.size() > 6 || (point < text.size() && decimals.empty()))
    return std::nullopt;
  decimals.resize(6, '0');
  digits += decimals;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.front() == '-') return std::nullopt;
  return value;
}

/// "5 %" in millionths, up to 100 %.
std::optional<std::int64_t> percent(std::string_view text) {
  text = trimmed(text);
  if (!text.ends_with('%')) return std::nullopt;
  const auto value = millionths(trimmed(text.substr(0, text.size() - 1)));
  return value && *value <= 100 * million ? std::optional(*value / 100) : std::nullopt;
}

}  // namespace

Picos ComputeModel::time(std::size_t worker, std::uint32_t iteration) const {
  std::int64_t time = base.n;
  if (!trace.empty()) {
    const std::vector<Picos>& times = trace.at(worker);
    time = times[iteration % times.size()].n;
  }
  for (const auto& [who, factor] : factors)
    if (who == worker) time = scaled(time, factor);
  if (jitter == Jitter::none && chance == 0) return Picos{time};
  std::uint64_t state = seed;
  state = next(state) ^ worker;
  state = next(state) ^ iteration;
  time = scaled(time, jitter_of(*this, state));
  if (chance > 0 && static_cast<std::int64_t>(((next(state) >> 32) * million) >> 32) < chance)
    time = scaled(time, straggling);
  return Picos{time};
}

std::vector<std::pair<std::size_t, std::int64_t>> parse_factors(std::string_view text) {
  std::vector<std::pair<std::size_t, std::int64_t>> factors;
  while (!trimmed(text).empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view one = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t colon = std::min(one.find(':'), one.size());
    const auto worker = millionths(trimmed(one.substr(0, colon)));
    const auto factor = millionths(trimmed(one.substr(std::min(colon + 1, one.size()))));
    if (!worker || !factor || *worker % million != 0 || *worker >= 256 * million)
      throw Error(ErrorKind::input, "must be workers, counted from 0, and factors of their times, \"0: 3, 4: 0.5\"");
    const auto who = static_cast<std::size_t>(*worker / million);
    if (std::any_of(factors.begin(), factors.end(), [&](const auto& other) { return other.first == who; }))
      throw Error(ErrorKind::input, "must name worker " + std::to_string(who) + " once");
    factors.emplace_back(who, *factor);
  }
  return factors;
}

void parse_jitter(std::string_view text, ComputeModel& model) {
  using Jitter = ComputeModel::Jitter;
  text = trimmed(text);
  model.jitter = Jitter::none;
  model.spread = 0;
  if (text.empty()) return;
  const std::size_t blank = std::min(text.find(' '), text.size());
  const std::string_view name = text.substr(0, blank);
  const auto spread = percent(text.substr(blank));
  model.jitter = name == "uniform"       ? Jitter::uniform
                 : name == "normal"      ? Jitter::normal
                 : name == "exponential" ? Jitter::exponential
                                         : Jitter::none;
  if (!spread || model.jitter == Jitter::none)
    throw Error(ErrorKind::input,
                "must be \"uniform 10 %\", \"normal 10 %\" or \"exponential 10 %\", with up to 100 %, or empty");
  model.spread = *spread;
}

void parse_stragglers(std::string_view text, ComputeModel& model) {
  model.chance = 0;
  model.straggling = million;
  if (trimmed(text).empty()) return;
  const std::size_t times = std::min(text.find('x'), text.size());
  const auto chance = percent(text.substr(0, times));
  const auto factor = millionths(trimmed(text.substr(std::min(times + 1, text.size()))));
  if (!chance || !factor)
    throw Error(ErrorKind::input, "must be the share of iterations that take longer and their factor, \"5 % x 5\"");
  model.chance = *chance;
  model.straggling = *factor;
}

std::vector<std::vector<Picos>> parse_compute_trace(std::string_view text, std::string_view origin) {
  constexpr std::string_view header = "worker,ns";
  constexpr std::int64_t most_ns = 1'000'000'000'000;  // 1000 s
  std::vector<std::vector<Picos>> trace;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string place = std::string(origin) + ":" + std::to_string(++number) + ": ";
    if (number == 1) {
      if (line != header)
        throw Error(ErrorKind::input,
                    place + "the first line is " + in_quotes(line) + ", but must be \"" + std::string(header) + "\"");
      continue;
    }
    const std::size_t comma = std::min(line.find(','), line.size());
    const std::string_view whom = line.substr(0, comma), how_long = line.substr(std::min(comma + 1, line.size()));
    std::size_t worker = 0;
    std::int64_t ns = -1;
    const auto who = std::from_chars(whom.data(), whom.data() + whom.size(), worker);
    const auto time = std::from_chars(how_long.data(), how_long.data() + how_long.size(), ns);
    if (who.ec != std::errc{} || who.ptr != whom.data() + whom.size() ||
        worker > std::min<std::size_t>(trace.size(), 255))
      throw Error(ErrorKind::input, place + "the worker is " + in_quotes(whom) + ", but must be a number up to " +
                                        std::to_string(std::min<std::size_t>(trace.size(), 255)) +
                                        ": workers come in their order, from 0");
    if (time.ec != std::errc{} || time.ptr != how_long.data() + how_long.size() || ns < 0 || ns > most_ns)
      throw Error(ErrorKind::input, place + "the time is " + in_quotes(how_long) +
                                        ", but must be a whole number of ns up to " + std::to_string(most_ns));
    if (worker == trace.size()) trace.emplace_back();
    trace[worker].push_back(Picos{ns * 1000});
  }
  if (trace.empty())
    throw Error(ErrorKind::input, std::string(origin) + ": there is no time in it; it must have one or more");
  return trace;
}

std::vector<std::vector<Picos>> load_compute_trace(const std::filesystem::path& file) {
  return parse_compute_trace(read_text_file(file, "trace of compute times", max_trace_bytes), file.string());
}

Picos published_time(std::string_view model, std::string_view text, const std::filesystem::path& table) {
  const std::string all = read_text_file(table, "table of compute times", max_trace_bytes);
  std::string known;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string_view line = std::string_view(all).substr(at, end - at);
    at = end + 1;
    std::array<std::string_view, 4> cells;
    std::size_t from = 0, k = 0;
    for (; k < cells.size(); ++k) {
      const std::size_t comma = line.find(',', from);
      if (comma == std::string_view::npos) break;
      cells[k] = line.substr(from, comma - from);
      from = comma + 1;
    }
    if (k < cells.size() || cells[0] != model || line.find("INCLUDES COMMUNICATION") != std::string_view::npos)
      continue;
    const std::string name = std::string(cells[1]) + "/" + std::string(cells[2]);
    const auto seconds = millionths(cells[3]);
    if (name == text && seconds) return Picos{*seconds * million};
    if (seconds && known.find(name) == std::string::npos) known += (known.empty() ? "" : ", ") + name;
  }
  throw Error(ErrorKind::input, "must be one of the published times of " + in_quotes(model) +
                                    ", as DEVICE/BATCH: " + (known.empty() ? "there are none" : known));
}

}  // namespace ocs
