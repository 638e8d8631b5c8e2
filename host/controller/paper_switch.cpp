// When a circuit is lit and when a burst ends is known as soon as they are asked for.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/paper_switch.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr int of_commit = 0, of_state = 1, of_run = 2, of_end = 3;

[[noreturn]] void not_on_paper(const std::string& what) {
  throw Error(ErrorKind::internal, "a switch on paper has no " + what);
}

}  // namespace

PaperSwitch::PaperSwitch(int ports, std::int64_t word_bytes, Picos cycle, ControlTimes times)
    : ports_(static_cast<std::size_t>(ports)),
      word_bytes_(word_bytes),
      cycle_(cycle),
      times_(std::move(times)),
      selected_(ports_),
      lit_(ports_),
      outputs_(ports_),
      running_(ports_) {}

Constants PaperSwitch::constants() {
  return {.ports = static_cast<int>(ports_),
          .word_bytes = static_cast<int>(word_bytes_),
          .multicast = true,
          .all_stop = false,
          .cycle_exact = true,
          .min_lead = Cycles{0}};
}

Counters PaperSwitch::counters(std::uint16_t) { not_on_paper("counters"); }

std::optional<Refusal> PaperSwitch::repeat(std::span<const Commit>, Cycles) { not_on_paper("tables"); }

std::optional<Refusal> PaperSwitch::set_dead(std::uint16_t, bool) { not_on_paper("faults"); }

void PaperSwitch::enter(std::uint16_t output, EventKind state, Cycles at) {
  put(of_state, {.at = at, .plane = {}, .kind = state, .port = output});
}

std::optional<Refusal> PaperSwitch::commit(const Commit& commit) {
  if (commit.at != now_) not_on_paper("timed commits");
  const Cycles then = now_ + Cycles{1};
  std::vector<Select> changes;
  std::copy_if(commit.change.begin(), commit.change.end(), std::back_inserter(changes),
               [&](const Select& change) { return selected_.at(index(change.out)) != change.in; });
  std::sort(changes.begin(), changes.end(), [](const Select& a, const Select& b) { return a.out < b.out; });
  for (std::size_t rank = 0; rank < changes.size(); ++rank) {
    const Select& change = changes[rank];
    const std::uint16_t o = index(change.out);
    std::optional<Input>& selected = selected_[o];
    if (selected) {
      if (const auto& last = running_[index(*selected)]; last && last->end > then)
        not_on_paper("commit of a circuit that carries a burst");
      outputs_[index(*selected)].reset(o);
      events_.erase(Place{lit_[o], of_state, o});  // it was not lit yet
    }
    selected = change.in;
    if (!change.in) {
      enter(o, EventKind::idle, then);
      continue;
    }
    const Cycles dark =
        times_.light(*change.in, Outputs{}.set(o), static_cast<int>(ports_)) + times_.programming_of(rank);
    outputs_[index(*change.in)].set(o);
    lit_[o] = then + dark;
    if (dark.n > 0) enter(o, EventKind::tuning, then);
    enter(o, EventKind::up, lit_[o]);
  }
  if (times_.mode == ControlMode::timetable) put(of_commit, {.at = then, .plane = {}, .kind = EventKind::committed});
  return std::nullopt;
}

/// Replaces an event of the same kind at the same port in the same cycle.
void PaperSwitch::put(int of, const Event& event) { events_.insert_or_assign(Place{event.at, of, event.port}, event); }

/// What of a burst that ends then is seen. @param words that it has sent
void PaperSwitch::end(const Running& running, Words words) {
  Event event{.at = running.end,
              .plane = {},
              .kind = EventKind::run,
              .port = {},
              .burst = running.burst.id,
              .words = {Words{0}, words}};
  if (words.n > 0)
    for_each_output(outputs_[index(running.burst.in)], [&](std::uint16_t out) {
      event.port = out;
      put(of_run, event);
    });
  event.kind = EventKind::burst_done;
  event.port = index(running.burst.in);
  put(of_end, event);
}

void PaperSwitch::forget(const Running& running) {
  for_each_output(outputs_[index(running.burst.in)], [&](std::uint16_t o) {
    events_.erase(Place{running.end, of_run, o});
  });
  events_.erase(Place{running.end, of_end, index(running.burst.in)});
}

std::optional<Refusal> PaperSwitch::start(const Burst& burst) {
  const std::uint16_t in = index(burst.in);
  std::optional<Running>& running = running_.at(in);
  if (outputs_[in].none()) not_on_paper("burst without a circuit");
  if (running && running->end > now_) not_on_paper("second burst on an input");
  Cycles first = std::max(burst.not_before, now_ + Cycles{1});
  for_each_output(outputs_[in], [&](std::uint16_t o) {
    if (!burst.gated && lit_[o] > first) not_on_paper("words that are lost");
    first = std::max(first, lit_[o]);
  });
  running = Running{burst, first, first + Cycles{burst.length.n * burst.word.n}};
  end(*running, burst.length);
  return std::nullopt;
}

/// The words of the present cycle still pass.
std::optional<Refusal> PaperSwitch::stop(Id burst) {
  const auto found = std::find_if(running_.begin(), running_.end(), [&](const std::optional<Running>& one) {
    return one && one->burst.id == burst && one->end > now_;
  });
  if (found == running_.end()) not_on_paper("burst " + std::to_string(index(burst)));
  Running& running = **found;
  forget(running);
  const std::int64_t passed = (now_ + Cycles{1} - running.first).n / running.burst.word.n;
  running.end = std::min(running.end, now_ + Cycles{1});
  end(running, Words{std::clamp<std::int64_t>(passed, 0, running.burst.length.n)});
  return std::nullopt;
}

Cycles PaperSwitch::run_until(Cycles limit) {
  const Cycles first = events_.empty() ? never<Cycles> : events_.begin()->first.at;
  return now_ = std::max(now_, std::min(limit, first));
}

void PaperSwitch::take_events(std::vector<Event>& append) {
  while (!events_.empty() && events_.begin()->first.at <= now_) {
    append.push_back(events_.begin()->second);
    events_.erase(events_.begin());
  }
}

}  // namespace ocs
