// Clauses of a level, of a detector and of ringing.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/light.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "testbed/experiment/files/interval.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr int most_more = 32767;  // hundredths
constexpr int most_rings = 255;

[[noreturn]] void refuse_light() {
  refuse(
      "must be the light at outputs, \"-3 dBm less 2.5 dB, lost below -14 dBm for 2 us, back at -13.5 dBm for 10 us; "
      "rings 2 times for 1 us after 5 us\"");
}

/// Takes a word from the front of a text, if it stands there.
bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text = trimmed(text.substr(word.size()));
  return true;
}

/// What stands before a word, and takes both from the front of a text; all of it where the word isn't there.
std::string_view text_until(std::string_view& text, std::string_view word) {
  const std::size_t at = text.find(word);
  const std::string_view before = trimmed(text.substr(0, at));
  text = at == std::string_view::npos ? std::string_view{} : trimmed(text.substr(at + word.size()));
  return before;
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.size() <= 4 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

int number_of(std::string_view digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// A number with up to four digits on either side of its point.
struct Decimal {
  bool negative;
  std::string_view whole, part;

  bool has_hundredths_at_most() const { return part.size() <= 2; }
  int hundredths() const {
    const int size = 100 * number_of(whole) + number_of(part) * (part.size() == 1 ? 10 : 1);
    return negative ? -size : size;
  }
};

std::optional<Decimal> decimal_of(std::string_view text) {
  const bool negative = take_word(text, "-");
  const std::size_t point = std::min(text.find('.'), text.size());
  const Decimal decimal{negative, text.substr(0, point), point < text.size() ? text.substr(point + 1) : "0"};
  if (!all_digits(decimal.whole) || !all_digits(decimal.part)) return std::nullopt;
  return decimal;
}

/// "-13.5 dBm" in hundredths, exactly.
int hundredths(std::string_view text, std::string_view unit, int least, int most) {
  const std::string_view value = trimmed(text);
  if (!value.ends_with(unit)) refuse_light();
  const std::optional<Decimal> decimal = decimal_of(trimmed(value.substr(0, value.size() - unit.size())));
  if (!decimal) refuse_light();
  if (!decimal->has_hundredths_at_most()) refuse("must have hundredths of a dB at most; it has " + in_quotes(value));
  const int level = decimal->hundredths();
  if (level < least || level > most)
    refuse("must have " + std::string(unit == "dBm" ? "levels" : "a loss") + " from " + hundredths_text(least) +
           " to " + hundredths_text(most) + " " + std::string(unit) + "; it has " + in_quotes(trimmed(text)));
  return level;
}

int level(std::string_view text) { return hundredths(text, "dBm", least_light, most_light); }

/// "-14 dBm for 2 us"
void parse_detected(std::string_view text, int& at, Picos& time) {
  at = level(text_until(text, " for "));
  if (!text.empty()) time = time_of_run(text);
}

void parse_rings(std::string_view text, LightLevels& light) {
  if (!take_word(text, "rings ")) refuse_light();
  light.rings = 1;
  if (!take_word(text, "for ")) {
    const std::string_view times = text_until(text, " times for ");
    if (!all_digits(times)) refuse_light();
    light.rings = number_of(times);
    if (light.rings < 1 || light.rings > most_rings)
      refuse("must ring 1 to " + std::to_string(most_rings) + " times; it has " + in_quotes(times));
  }
  light.ring = time_of_run(text_until(text, " after "));
  if (light.ring.n == 0) refuse("must ring for more than 0 s");
  if (!text.empty()) light.ring_after = time_of_run(text);
}

void parse_levels(std::string_view text, LightLevels& light) {
  std::vector<std::string_view> clauses = comma_list(text);
  std::string_view first = clauses.front();
  light.laser = level(text_until(first, " less "));
  if (!first.empty()) light.loss = hundredths(first, "dB", 0, most_loss);
  clauses.erase(clauses.begin());
  if (clauses.empty()) return;
  if (clauses.size() > 2 || !take_word(clauses.front(), "lost below ")) refuse_light();
  light.detected = true;
  parse_detected(clauses.front(), light.lost_below, light.lost_for);
  light.back_at = light.lost_below;
  if (clauses.size() == 1) return;
  if (!take_word(clauses.back(), "back at ")) refuse_light();
  parse_detected(clauses.back(), light.back_at, light.back_for);
  if (light.back_at < light.lost_below || light.back_at - light.lost_below > most_more)
    refuse("must have light back at what it is lost below, or at up to " + hundredths_text(most_more) +
           " dB more; it has " + dbm_text(light.back_at) + " and " + dbm_text(light.lost_below));
}

/// The first port with the greatest of some numbers; 0 where there is no list.
std::size_t port_of_greatest(const std::vector<int>& of_each) {
  return static_cast<std::size_t>(std::ranges::max_element(of_each) - of_each.begin());
}

std::size_t port_of_least(const std::vector<int>& of_each) {
  return static_cast<std::size_t>(std::ranges::min_element(of_each) - of_each.begin());
}

void check_margin(const LightLevels& levels) {
  const int power = weakest_pair(levels).power;
  const std::string weakest = "must have light to spare: " + weakest_text(levels) + " are below ";
  const bool by_port = levels.by_port();
  if (power < levels.lost_below)
    refuse(weakest + dbm_text(levels.lost_below) +
           (by_port ? ", and that circuit would never be up" : ", and no circuit would ever be up"));
  if (power < levels.back_at)
    refuse(weakest + dbm_text(levels.back_at) +
           (by_port ? ", and that circuit would not be up again once it has lost its light"
                    : ", and no circuit that has lost its light would be up again"));
}

}  // namespace

std::string hundredths_text(int value) {
  const int whole = std::abs(value) / 100, part = std::abs(value) % 100;
  std::string text = (value < 0 ? "-" : "") + std::to_string(whole);
  if (part == 0) return text;
  text += '.';
  text += static_cast<char>('0' + part / 10);
  if (part % 10 != 0) text += static_cast<char>('0' + part % 10);
  return text;
}

std::string dbm_text(int hundredths) { return hundredths_text(hundredths) + " dBm"; }

std::optional<int> hundredths_of(std::string_view decimal) {
  const std::optional<Decimal> found = decimal_of(decimal);
  return found && found->has_hundredths_at_most() ? std::optional(found->hundredths()) : std::nullopt;
}

WeakestPair weakest_pair(const LightLevels& levels) {
  WeakestPair pair{.in = port_of_least(levels.lasers), .out = port_of_greatest(levels.losses)};
  pair.power = (levels.lasers.empty() ? levels.laser : levels.lasers[pair.in]) -
               (levels.losses.empty() ? levels.loss : levels.losses[pair.out]);
  return pair;
}

std::string weakest_text(const LightLevels& levels) {
  const WeakestPair pair = weakest_pair(levels);
  return dbm_text(pair.power) + " at output" +
         (levels.by_port() ? " " + std::to_string(pair.out) + " from input " + std::to_string(pair.in) : "s");
}

std::optional<LightLevels> parse_light(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  LightLevels light;
  const std::size_t end = std::min(text.find(';'), text.size());
  parse_levels(trimmed(text.substr(0, end)), light);
  if (end < text.size()) {
    parse_rings(trimmed(text.substr(end + 1)), light);
    if (!light.detected) refuse("must say below which level light is lost if mirrors ring");
  }
  return light;
}

LightLevel light_in_cycles(const LightLevels& levels, Picos cycle) {
  LightLevel light{.laser = levels.laser,
                   .loss = levels.loss,
                   .lasers = levels.lasers,
                   .losses = levels.losses,
                   .detected = levels.detected,
                   .threshold = levels.lost_below,
                   .hysteresis = levels.back_at - levels.lost_below,
                   .lost = cycles_of_register(levels.lost_for, cycle),
                   .back = cycles_of_register(levels.back_for, cycle),
                   .ring_after = cycles_of_register(levels.ring_after, cycle),
                   .ring = cycles_of_register(levels.ring, cycle),
                   .rings = levels.rings};
  if (light.detected) check_margin(levels);
  if (light.any_ring() && light.ring <= light.lost)
    refuse("must ring for longer than light is missing before its loss is reported, " +
           to_text(to_picos(light.lost, cycle).n, Dimension::time) + "; it rings for " +
           to_text(to_picos(light.ring, cycle).n, Dimension::time));
  return light;
}

}  // namespace ocs
