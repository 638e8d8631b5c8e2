// Two clauses, each a list of times.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/receivers.hpp"

#include <array>
#include <bit>
#include <string>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "testbed/experiment/files/interval.hpp"
#include "testbed/experiment/quantity.hpp"

namespace ocs {
namespace {

[[noreturn]] void refuse_form() {
  refuse("must be what locking takes longer, \"warm for 20 us: 0 ns, 40 ns; cold: 1 us, 2 us, 4 us, 9 us\"");
}

/// What follows a word at the front of a text, if it stands there.
std::optional<std::string_view> after(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  return trimmed(text.substr(word.size()));
}

std::vector<Picos> parse_times(std::string_view text, const std::string& name) {
  std::vector<Picos> times;
  for (const std::string_view one : comma_list(text)) {
    if (times.size() == Receivers::points) refuse("must have at most 16 times for " + name + " receivers");
    times.push_back(time_of_run(one));
    if (times.size() > 1 && times.back() < times[times.size() - 2])
      refuse("must have times that never fall; of " + name + " receivers " + to_text(times.back().n, Dimension::time) +
             " comes after " + to_text(times[times.size() - 2].n, Dimension::time));
  }
  if (!std::has_single_bit(times.size()))
    refuse("must have 1, 2, 4, 8 or 16 times for " + name + " receivers; it has " + std::to_string(times.size()));
  return times;
}

void parse_warm(std::string_view text, ReceiverTimes& receivers) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  receivers.warm_time = time_of_run(trimmed(text.substr(0, colon)));
  if (colon < text.size()) receivers.warm = parse_times(text.substr(colon + 1), "warm");
}

std::array<Cycles, Receivers::points> points_of(const std::vector<Picos>& times, Picos cycle) {
  std::array<Cycles, Receivers::points> points{};
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Picos time = times[k * times.size() / points.size()];
    points[k] = cycles_of_register(time, cycle);
  }
  return points;
}

}  // namespace

std::optional<ReceiverTimes> parse_receivers(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  ReceiverTimes receivers{.warm_time = {}, .warm = {Picos{0}}, .cold = {}};
  if (const auto warm = after(text, "warm for ")) {
    const std::size_t end = warm->find(';');
    if (end == std::string_view::npos) refuse_form();
    parse_warm(trimmed(warm->substr(0, end)), receivers);
    text = trimmed(warm->substr(end + 1));
  }
  const auto cold = after(text, "cold:");
  if (!cold) refuse_form();
  receivers.cold = parse_times(*cold, "cold");
  return receivers;
}

std::string to_text(const ReceiverTimes& times) {
  const auto list = [](const std::vector<Picos>& all) {
    std::string out;
    for (const Picos time : all) out += (out.empty() ? "" : ", ") + to_text(time.n, Dimension::time);
    return out;
  };
  std::string cold = "cold: " + list(times.cold);
  if (times.warm_time.n == 0) return cold;
  return "warm for " + to_text(times.warm_time.n, Dimension::time) + ": " + list(times.warm) + "; " + cold;
}

Receivers receivers_in_cycles(const ReceiverTimes& times, Picos cycle) {
  Receivers out{.warm_time = to_cycles(times.warm_time, cycle),
                .warm = points_of(times.warm, cycle),
                .cold = points_of(times.cold, cycle)};
  if (out.warm_time.n > most_register_cycles)
    refuse("must keep receivers warm for at most 2^30 - 1 cycles, " +
           to_text(most_register_cycles * cycle.n, Dimension::time) + "; it says " +
           to_text(times.warm_time.n, Dimension::time));
  return out;
}

}  // namespace ocs
