// Stopwatch, shift, and the text of charges.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/planning_charge.hpp"

#include <charconv>
#include <chrono>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/plans/outside_scheduler.hpp"

namespace ocs {
namespace {

constexpr std::string_view row_prefix = "row:";
constexpr std::int64_t longest_charge = 1000'000'000'000'000;  // ps, 1000 s
constexpr std::size_t most_charges = 10'000'000;

/// The number that `text` begins with; it is taken off.
std::int64_t number(std::string_view& text, std::int64_t most) {
  std::int64_t value = -1;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || value < 0 || value > most)
    refuse("must hold numbers from 0 to " + std::to_string(most));
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

ChargedScheduler::ChargedScheduler(const Scheduler& inner, const Point& point, std::function<Picos()> wall)
    : inner_(inner), settings_(point.planning), cycle_(point.fabric.cycle), wall_(std::move(wall)) {
  if (settings_.outside && settings_.outside->plan) settings_.charge = PlanningSettings::Charge::none;
}

Picos ChargedScheduler::steady_wall() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() * 1000};
}

Wide replayed_time(const PlanningSettings& planning) {
  Wide sum = 0;
  if (planning.replayed)
    for (const Picos charge : *planning.replayed) sum += charge.n;
  return sum;
}

Plan ChargedScheduler::plan(const Problem& problem) const {
  if (settings_.charge == PlanningSettings::Charge::none) return inner_.plan(problem);
  const bool measured = settings_.charge == PlanningSettings::Charge::measured;
  const Picos begun = measured ? wall_() : Picos{};
  Plan plan = inner_.plan(problem);
  const Cycles by = charge(measured ? wall_() - begun : Picos{});
  charged_.push_back(by);
  delay(plan, by);
  return plan;
}

void delay(Plan& plan, Cycles by) {
  for (Reservation& r : plan.list)
    for (Ticks* time : {&r.start, &r.up, &r.end}) *time += Ticks{by.n};
}

Cycles ChargedScheduler::charge(Picos took) const {
  if (settings_.charge == PlanningSettings::Charge::measured) return to_cycles(took, cycle_);
  if (settings_.charge == PlanningSettings::Charge::fixed) return to_cycles(settings_.fixed, cycle_);
  if (charged_.size() >= settings_.replayed->size())
    throw Error(ErrorKind::run, "charge_planning is \"" + settings_.charge_text + "\", but that row had " +
                                    std::to_string(settings_.replayed->size()) +
                                    " plans, and this one needs more: it must be the same experiment");
  return to_cycles((*settings_.replayed)[charged_.size()], cycle_);
}

void read_charge(const std::string& text, PlanningSettings& planning) {
  using Charge = PlanningSettings::Charge;
  planning.charge_text = text;
  planning.charge = text == "none" ? Charge::none : text == "measured" ? Charge::measured : Charge::fixed;
  if (text.starts_with(row_prefix)) {
    planning.charge = Charge::row;
    std::string_view digits = std::string_view(text).substr(row_prefix.size());
    if (!digits.empty()) planning.row = number(digits, std::int64_t{1} << 62);
    if (planning.row < 1 || !digits.empty()) refuse("must be \"row:ID\" with a row_id of the database, from 1");
  }
  if (planning.charge != Charge::fixed) return;
  try {
    planning.fixed = {parse_quantity(text, Dimension::time)};
  } catch (const Error&) {
    refuse("must be \"none\", \"measured\", \"row:ID\" or a time such as \"250 us\"");
  }
  if (planning.fixed.n < 0 || planning.fixed.n > longest_charge) refuse("must be from 0 ps to 1000 s");
}

std::string charges_text(const std::vector<Cycles>& charges, Picos cycle) {
  std::string text;
  for (std::size_t first = 0; first < charges.size();) {
    std::size_t next = first;
    while (next < charges.size() && charges[next] == charges[first]) ++next;
    text += (text.empty() ? "" : " ") + std::to_string(to_picos(charges[first], cycle).n);
    if (next - first > 1) text += "*" + std::to_string(next - first);
    first = next;
  }
  return text;
}

std::vector<Picos> charges_from_text(std::string_view text) {
  std::vector<Picos> charges;
  while (!text.empty()) {
    const Picos charge{number(text, longest_charge)};
    std::size_t count = 1;
    if (text.starts_with('*')) {
      text.remove_prefix(1);
      count = static_cast<std::size_t>(number(text, static_cast<std::int64_t>(most_charges)));
    }
    if (!text.empty() && text.front() != ' ') refuse("must hold lengths between blanks");
    if (!text.empty()) text.remove_prefix(1);
    if (charges.size() + count > most_charges) refuse("must hold at most " + std::to_string(most_charges) + " lengths");
    charges.insert(charges.end(), count, charge);
  }
  return charges;
}

}  // namespace ocs
