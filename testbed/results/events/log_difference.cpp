// Matching by kind and port.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/events/log_difference.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "testbed/results/events/event_log.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

using Key = std::tuple<Plane, EventKind, std::uint16_t>;

Key key_of(const Event& event) {
  return {event.plane, event.kind, event.kind > EventKind::burst_done ? std::uint16_t{0} : event.port};
}

bool larger(Picos a, Picos b) { return std::abs(a.n) > std::abs(b.n); }

std::string padded_cell(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string signed_time(Picos shift) {
  if (shift.n == 0) return "0";
  return (shift.n < 0 ? "-" : "+") + human_time(Picos{std::abs(shift.n)});
}

void say_missing(std::string& text, const std::vector<Event>& events, const char* which) {
  if (events.empty()) return;
  text += std::to_string(events.size()) + " only in the " + which + " log, first: " + to_text(events.front()) + "\n";
}

}  // namespace

bool LogDifference::same() const {
  return only_first.empty() && only_second.empty() && other_words == 0 && !first_shift;
}

Picos LogDifference::size_quantile(std::int64_t ppm) const {
  if (shifts.empty()) return {};
  std::vector<std::int64_t> sizes;
  sizes.reserve(shifts.size());
  for (const Picos shift : shifts) sizes.push_back(std::abs(shift.n));
  const auto count = static_cast<std::int64_t>(sizes.size());
  const auto rank = static_cast<std::ptrdiff_t>(std::max<std::int64_t>(1, divide_up(ppm * count, 1'000'000)));
  std::nth_element(sizes.begin(), sizes.begin() + (rank - 1), sizes.end());
  return {sizes[static_cast<std::size_t>(rank - 1)]};
}

LogDifference difference_of(std::span<const Event> first, Picos first_cycle, std::span<const Event> second,
                            Picos second_cycle) {
  LogDifference result;
  std::map<Key, std::vector<const Event*>> waiting;
  for (const Event& event : second) waiting[key_of(event)].push_back(&event);
  std::map<Key, std::size_t> taken;
  for (const Event& event : first) {
    const Key key = key_of(event);
    const auto found = waiting.find(key);
    const std::size_t number = taken[key]++;
    if (found == waiting.end() || number >= found->second.size()) {
      result.only_first.push_back(event);
      continue;
    }
    const Event& other = *found->second[number];
    const Picos shift = to_picos(other.at, second_cycle) - to_picos(event.at, first_cycle);
    LogDifference::Shifts& of_kind = result.kinds[event.kind];
    ++of_kind.events;
    of_kind.sum += shift;
    if (larger(shift, of_kind.largest)) of_kind.largest = shift;
    result.shifts.push_back(shift);
    if (event.words.first != other.words.first || event.words.count != other.words.count) ++result.other_words;
    if (shift.n == 0) continue;
    ++of_kind.shifted;
    if (!result.first_shift) result.first_shift = {event, other};
  }
  for (const Event& event : second) {
    std::size_t& left = taken[key_of(event)];
    if (left > 0)
      --left;
    else
      result.only_second.push_back(event);
  }
  std::sort(result.shifts.begin(), result.shifts.end());
  return result;
}

std::string to_text(const LogDifference& difference) {
  std::string text = "event        in both  shifted     mean shift  largest shift\n";
  for (const auto& [kind, shifts] : difference.kinds) {
    std::string name(name_of(kind));
    name.resize(11, ' ');
    text += name + padded_cell(human_count(shifts.events), 9) + padded_cell(human_count(shifts.shifted), 9) +
            padded_cell(signed_time(Picos{shifts.sum.n / shifts.events}), 15) +
            padded_cell(signed_time(shifts.largest), 15) + "\n";
  }
  if (difference.shifts.empty())
    text += "size of shifts: -, since no event is in both\n";
  else
    text += "size of shifts: half of all events up to " + human_time(difference.size_quantile(500'000)) +
            ", 99 % up to " + human_time(difference.size_quantile(990'000)) + ", all up to " +
            human_time(difference.size_quantile(1'000'000)) + "\n";
  if (difference.other_words > 0) text += std::to_string(difference.other_words) + " runs or bursts of other words\n";
  say_missing(text, difference.only_first, "first");
  say_missing(text, difference.only_second, "second");
  if (const auto& parted = difference.first_shift)
    text += "first difference in time:\n  first   " + to_text(parted->first) + "\n  second  " +
            to_text(parted->second) + "\n";
  return text;
}

}  // namespace ocs
