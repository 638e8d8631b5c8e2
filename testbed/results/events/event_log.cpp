// Events as numbers and as text, and the comparison of two logs.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/events/event_log.hpp"

#include <algorithm>
#include <limits>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr std::array<const char*, 11> kind_names = {"idle", "tuning",     "locking",   "up",      "held",   "failed",
                                                    "run",  "burst_done", "committed", "refused", "wrapped"};

std::string words_of(const WordRun& words) {
  if (words.count.n == 0) return "no words";
  return "words " + std::to_string(words.first.n) + " to " + std::to_string(words.first.n + words.count.n - 1);
}

}  // namespace

EventNumbers numbers_of(const Event& event) {
  return {event.at.n,          index(event.plane), index(event.kind), event.port, std::int64_t{index(event.burst)},
          event.words.first.n, event.words.count.n};
}

Event event_of(const EventNumbers& numbers) {
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max(), ids = 0xffff'ffff;
  constexpr EventNumbers most = {longest, 0xff, kind_names.size() - 1, max_ports - 1, ids, ids, ids};
  constexpr std::array<const char*, 7> names = {"at", "plane", "kind", "port", "burst", "first", "words"};
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (numbers[k] < 0 || numbers[k] > most[k])
      throw Error(ErrorKind::input, std::string("a kept event has ") + names[k] + " = " + std::to_string(numbers[k]) +
                                        ", but must have 0 to " + std::to_string(most[k]));
  return {.at = Cycles{numbers[0]},
          .plane = static_cast<Plane>(numbers[1]),
          .kind = static_cast<EventKind>(numbers[2]),
          .port = static_cast<std::uint16_t>(numbers[3]),
          .burst = static_cast<Id>(numbers[4]),
          .words = {Words{numbers[5]}, Words{numbers[6]}}};
}

std::span<const EventKind> event_kinds() {
  static const std::array<EventKind, kind_names.size()> kinds = [] {
    std::array<EventKind, kind_names.size()> all{};
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<EventKind>(k);
    return all;
  }();
  return kinds;
}

std::string_view name_of(EventKind kind) { return kind_names.at(index(kind)); }

std::string to_text(const Event& event) {
  const std::string port = std::to_string(event.port), burst = std::to_string(index(event.burst));
  std::string text = "cycle " + std::to_string(event.at.n) + "  ";
  if (index(event.plane) != 0) text += "plane " + std::to_string(index(event.plane)) + " ";
  switch (event.kind) {
    case EventKind::run:
      return text + "output " + port + " passed " + words_of(event.words) + " of burst " + burst;
    case EventKind::burst_done:
      return text + "input " + port + " ended burst " + burst + " after " + std::to_string(event.words.count.n) +
             (event.words.count.n == 1 ? " word" : " words");
    case EventKind::committed:
    case EventKind::refused:
    case EventKind::wrapped:
      return text + "source " + port + " " + kind_names[index(event.kind)];
    default:
      return text + "output " + port + " " + kind_names[index(event.kind)];
  }
}

void LogComparison::add(const Event& event) {
  const std::size_t number = count_++;
  if (differs_ || (number < kept_.size() && numbers_of(kept_[number]) == numbers_of(event))) return;
  differs_ = true;
  first_ = number;
  instead_.push_back(event);
}

bool LogComparison::finish() {
  if (!differs_ && count_ < kept_.size()) {
    differs_ = true;
    first_ = count_;
  }
  return !differs_;
}

std::string LogComparison::report() const {
  const auto line = [](const char* whose, std::size_t number, const std::string& text) {
    const std::string n = std::to_string(number);
    return std::string("  ") + whose + std::string(10 - std::min<std::size_t>(10, n.size()), ' ') + n + "  " + text +
           "\n";
  };
  std::string text = "first difference: event " + std::to_string(first_) + " of " + std::to_string(kept_.size()) +
                     " then and " + std::to_string(count_) + " now\n";
  for (std::size_t k = first_ - std::min(first_, shown_before); k < first_; ++k)
    text += line("    ", k, to_text(kept_[k]));
  text += line("then", first_, first_ < kept_.size() ? to_text(kept_[first_]) : "(the log has ended)");
  return text + line("now ", first_, instead_.empty() ? "(the log has ended)" : to_text(instead_.front()));
}

}  // namespace ocs
