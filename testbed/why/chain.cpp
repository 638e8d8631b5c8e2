// A walk back in time over indices of what ended when.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/why/chain.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace ocs {
namespace {

constexpr std::uint16_t any_node = 0xffff;

/// Numbers by an instant.
class ByTime {
 public:
  void add(Picos at, std::size_t number) { list_.emplace_back(at, number); }
  void sort() { std::sort(list_.begin(), list_.end()); }
  /// The last at `at` or before it.
  std::optional<std::size_t> until(Picos at) const {
    const auto after = std::upper_bound(list_.begin(), list_.end(), std::pair{at, std::size_t(-1)});
    if (after == list_.begin()) return std::nullopt;
    return std::prev(after)->second;
  }

 private:
  std::vector<std::pair<Picos, std::size_t>> list_;
};

class Walk {
 public:
  Walk(const History& history, const Span& span);
  std::vector<Link> links();

 private:
  /// What ended, and when: a delivery or computing.
  struct Ended {
    Picos at{-1};
    std::optional<std::size_t> moved, computing;
  };
  /// What is to be explained next.
  struct Next {
    std::optional<std::size_t> moved, circuit, computing;
    std::uint16_t node = any_node;  ///< of nothing in particular: what happened there at `at`
    std::uint32_t owner = 0;
  };

  void link(Cause cause, Picos from, std::string what, std::string behind = {});
  Next of_moved(std::size_t number);
  Next of_circuit(std::size_t number, std::size_t moved, const std::string& behind);
  Next waits(std::size_t number, std::size_t moved);
  Next of_computing(std::size_t number);
  Next of_instant(const Next& next);
  /// The longest that a command and its effect may take.
  Picos command_time() const { return history_.shape.cycle * (2 * history_.shape.fibre.longest().n + 2); }
  void quiet(Picos from, Cause cause, const std::string& node);
  template <class List, class Inside, class Outside>
  void backwards(const List& list, Picos from, Inside&& inside, Outside&& outside);
  Ended ended(Picos at, std::uint16_t node) const;
  std::optional<std::size_t> circuit_of(const Moved& moved) const;
  std::optional<std::size_t> carried_by(const CircuitUse& circuit) const;
  std::optional<std::size_t> blocker(std::size_t number) const;
  void free_time(Picos from, const std::string& what);
  void set_up(const CircuitUse& circuit, const Moved& moved, const std::string& behind);

  const History& history_;
  Span span_;
  Picos at_;  ///< all after it is explained
  std::vector<Link> links_;
  ByTime deliveries_, computed_;
  std::map<std::uint16_t, ByTime> deliveries_to_, computed_on_;
  std::map<std::pair<std::uint8_t, std::uint16_t>, ByTime> inputs_, outputs_;  ///< circuits, by plane and port
  std::map<std::pair<std::uint16_t, std::uint16_t>, ByTime> between_, moved_between_;
  std::vector<DarkTime> dark_;  ///< of a policy's maps: when any output is dark, ascending, apart from each other
  std::set<std::size_t> seen_;  ///< circuits: each is explained once
  std::string behind_;          ///< of the circuit that is explained next
};

std::vector<DarkTime> dark_anywhere(const History& history) {
  std::vector<DarkTime> all, apart;
  for (const auto& [output, list] : history.dark) all.insert(all.end(), list.begin(), list.end());
  std::ranges::sort(all, {}, &DarkTime::from);
  for (const DarkTime& one : all) {
    if (apart.empty() || apart.back().to < one.from)
      apart.push_back(one);
    else
      apart.back().to = std::max(apart.back().to, one.to);
  }
  return apart;
}

Walk::Walk(const History& history, const Span& span) : history_(history), span_(span), at_(span.to) {
  for (std::size_t k = 0; k < history.moved.size(); ++k) {
    const Moved& moved = history.moved[k];
    deliveries_.add(moved.delivered, k);
    deliveries_to_[moved.to].add(moved.delivered, k);
    moved_between_[{moved.from, moved.to}].add(moved.delivered, k);
  }
  for (std::size_t k = 0; k < history.computing.size(); ++k) {
    computed_.add(history.computing[k].to, k);
    computed_on_[history.computing[k].node].add(history.computing[k].to, k);
  }
  for (std::size_t k = 0; k < history.circuits.size(); ++k) {
    const CircuitUse& circuit = history.circuits[k];
    inputs_[{circuit.plane, circuit.in}].add(circuit.end, k);
    for_each_output(circuit.outs, [&](std::uint16_t out) {
      outputs_[{circuit.plane, out}].add(circuit.end, k);
      between_[{circuit.in, out}].add(circuit.end, k);
    });
  }
  deliveries_.sort();
  computed_.sort();
  for (auto* each : {&deliveries_to_, &computed_on_})
    for (auto& [node, list] : *each) list.sort();
  for (auto* each : {&inputs_, &outputs_})
    for (auto& [port, list] : *each) list.sort();
  for (auto* each : {&between_, &moved_between_})
    for (auto& [pair, list] : *each) list.sort();
  if (history.shape.maps) dark_ = dark_anywhere(history);
}

void Walk::link(Cause cause, Picos from, std::string what, std::string behind) {
  from = std::max(from, span_.from);
  if (from >= at_) return;
  links_.push_back({cause, from, at_, std::move(what), std::move(behind)});
  at_ = from;
}

std::optional<std::size_t> Walk::circuit_of(const Moved& moved) const {
  const auto list = between_.find({moved.from, moved.to});
  if (list == between_.end()) return std::nullopt;
  const auto found =
      list->second.until(moved.delivered - to_picos(history_.shape.fibre.of(moved.to), history_.shape.cycle));
  if (!found || history_.circuits[*found].end <= moved.ready) return std::nullopt;
  return found;
}

/// The transfer that the end of the circuit delivered.
std::optional<std::size_t> Walk::carried_by(const CircuitUse& circuit) const {
  std::optional<std::size_t> found;
  for_each_output(circuit.outs, [&](std::uint16_t out) {
    const auto list = moved_between_.find({circuit.in, out});
    if (list == moved_between_.end()) return;
    const Picos at = circuit.end + to_picos(history_.shape.fibre.of(out), history_.shape.cycle);
    if (const auto one = list->second.until(at); one && history_.moved[*one].delivered == at) found = one;
  });
  return found;
}

Walk::Next Walk::of_moved(std::size_t number) {
  const Moved& moved = history_.moved[number];
  if (const auto circuit = circuit_of(moved); circuit && !seen_.contains(*circuit))
    return of_circuit(*circuit, number, {});
  const bool known = moved.began != never<Picos> && moved.began > moved.ready;
  if (history_.shape.packets && known) link(Cause::communication, moved.began, moved.name);
  if (history_.shape.packets && known) link(Cause::turn, moved.ready, moved.name);
  link(history_.shape.packets ? Cause::communication : Cause::control, moved.ready, moved.name);
  return {.moved = {}, .circuit = {}, .computing = {}, .node = moved.from, .owner = moved.owner};
}

/// Dark time of the circuit's output, and what of its set-up is neither dark nor data.
void Walk::set_up(const CircuitUse& circuit, const Moved& moved, const std::string& behind) {
  const std::string what =
      moved.name + ": input " + std::to_string(circuit.in) + " to output " + std::to_string(moved.to);
  if (const auto found = history_.dark.find({circuit.plane, moved.to}); found != history_.dark.end()) {
    const auto& list = found->second;
    auto one = std::lower_bound(list.begin(), list.end(), at_, [](const DarkTime& a, Picos t) { return a.from < t; });
    while (one != list.begin() && std::prev(one)->to > circuit.start) {
      --one;
      link(Cause::control, std::max(one->to, circuit.start), what, behind);
      link(Cause::dark, std::max(one->from, circuit.start), what, behind);
    }
  }
  link(Cause::control, circuit.start, what, behind);
}

Walk::Next Walk::of_circuit(std::size_t number, std::size_t carried, const std::string& behind) {
  seen_.insert(number);
  const CircuitUse& circuit = history_.circuits[number];
  const Moved& moved = history_.moved[carried];
  link(Cause::control, circuit.end, moved.name, behind);
  link(Cause::communication, circuit.up, moved.name, behind);
  set_up(circuit, moved, behind);
  return waits(number, carried);
}

/// The circuit that had one of its ports last before it.
std::optional<std::size_t> Walk::blocker(std::size_t number) const {
  const CircuitUse& circuit = history_.circuits[number];
  std::optional<std::size_t> last;
  const auto look = [&](const auto& lists, std::uint16_t port) {
    const auto list = lists.find({circuit.plane, port});
    if (list == lists.end()) return;
    const auto found = list->second.until(circuit.start);
    if (found && *found != number && (!last || history_.circuits[*last].end < history_.circuits[*found].end))
      last = found;
  };
  look(inputs_, circuit.in);
  for_each_output(circuit.outs, [&](std::uint16_t out) { look(outputs_, out); });
  return last;
}

/// Nobody had its ports: a plan was being made, a word had to come through a fibre, or others came first.
void Walk::free_time(Picos from, const std::string& what) {
  const Picos cycle = history_.shape.cycle;
  const auto after =
      std::upper_bound(history_.plans.begin(), history_.plans.end(), at_,
                       [&](Picos t, const WatchedPlan& plan) { return t < to_picos(plan.asked, cycle); });
  if (after != history_.plans.begin()) {
    const WatchedPlan& plan = *std::prev(after);
    const Picos asked = to_picos(plan.asked, cycle), ready = asked + to_picos(plan.charged, cycle);
    link(Cause::turn, std::max(from, ready), what);
    link(Cause::planning, std::max(from, asked), what);
  }
  link(at_ - from <= command_time() ? Cause::control : Cause::turn, from, what);
}

Walk::Next Walk::waits(std::size_t number, std::size_t carried) {
  const CircuitUse& circuit = history_.circuits[number];
  const Moved& moved = history_.moved[carried];
  const Next offer{.moved = {}, .circuit = {}, .computing = {}, .node = moved.from, .owner = moved.owner};
  if (at_ <= moved.ready) return offer;
  const auto before = blocker(number);
  if (!before || history_.circuits[*before].end <= moved.ready || seen_.contains(*before)) {
    free_time(moved.ready, moved.name);
    return offer;
  }
  const CircuitUse& held = history_.circuits[*before];
  free_time(held.end, moved.name);
  const auto other = carried_by(held);
  if (!other) {  // a part of a transfer, or one that was cut
    link(Cause::communication, held.up, "a part of a transfer", "input " + std::to_string(held.in));
    link(Cause::dark, held.start, "a part of a transfer", "input " + std::to_string(held.in));
    seen_.insert(*before);
    free_time(moved.ready, moved.name);
    return offer;
  }
  behind_ = held.in == circuit.in ? "input " + std::to_string(held.in)
                                  : "output " + std::to_string(history_.moved[*other].to);
  return {.moved = other, .circuit = before, .computing = {}, .node = any_node, .owner = moved.owner};
}

Walk::Next Walk::of_computing(std::size_t number) {
  const Computing& one = history_.computing[number];
  link(Cause::compute, one.from,
       "node " + std::to_string(one.node) + " computes, iteration " + std::to_string(one.iteration));
  return {.moved = {}, .circuit = {}, .computing = {}, .node = one.node, .owner = 0};
}

/// What ended last until then, on the node if anything did at that very instant, else anywhere.
Walk::Ended Walk::ended(Picos at, std::uint16_t node) const {
  Ended last;
  const auto look = [&](const ByTime& deliveries, const ByTime& computed) {
    if (const auto one = computed.until(at);
        one && history_.computing[*one].to > last.at && history_.computing[*one].from < history_.computing[*one].to)
      last = {history_.computing[*one].to, {}, one};
    if (const auto one = deliveries.until(at); one && history_.moved[*one].delivered > last.at)
      last = {history_.moved[*one].delivered, one, {}};
  };
  static const ByTime none;
  const auto of = [&](const auto& lists) -> const ByTime& {
    const auto found = lists.find(node);
    return found == lists.end() ? none : found->second;
  };
  look(of(deliveries_to_), of(computed_on_));
  if (last.at != at) look(deliveries_, computed_);
  return last;
}

Walk::Next Walk::of_instant(const Next& next) {
  const Ended last = ended(at_, next.node);
  const std::string node = "node " + std::to_string(next.node);
  if (last.at < Picos{0}) {
    quiet(span_.from, history_.computing.empty() ? Cause::arrival : Cause::gate, node);
    return {};
  }
  const Picos heard = history_.shape.control_latency * 3;
  const bool by_jobs = history_.computing.empty();
  const bool own = last.moved && history_.moved[*last.moved].owner == next.owner;
  Cause gap = at_ - last.at <= heard ? Cause::control : Cause::gate;
  if (by_jobs && gap == Cause::gate) gap = own ? Cause::compute : Cause::arrival;
  quiet(last.at, gap, node);
  return {.moved = last.moved, .circuit = {}, .computing = last.computing, .node = any_node, .owner = next.owner};
}

/// Nothing ended for so long: phases had computing between them, a policy's map was being set up, or there was `cause`.
void Walk::quiet(Picos from, Cause cause, const std::string& node) {
  const Picos shortest = command_time();
  const auto others = [&](Picos since) {
    backwards(
        dark_, since, [&](const DarkTime& one) { link(Cause::dark, std::max(one.from, since), "a map is set up"); },
        [&](Picos back_to) {
          link(at_ - back_to <= shortest && !dark_.empty() ? Cause::control : cause, back_to, node);
        });
  };
  backwards(
      history_.between, from,
      [&](const Between& one) {
        link(Cause::compute, std::max(one.from, from),
             "computing between phases, iteration " + std::to_string(one.iteration));
      },
      others);
}

/// Intervals of an ascending list back to `from`: in each what is inside(), and before and after each what is outside().
template <class List, class Inside, class Outside>
void Walk::backwards(const List& list, Picos from, Inside&& inside, Outside&& outside) {
  auto one = std::upper_bound(list.begin(), list.end(), at_, [](Picos t, const auto& each) { return t <= each.from; });
  while (one != list.begin() && std::prev(one)->to > from) {
    --one;
    if (one->to < at_) outside(one->to);
    inside(*one);
  }
  outside(from);
}

std::vector<Link> Walk::links() {
  Next next{.moved = {}, .circuit = {}, .computing = {}, .node = span_.worker.value_or(any_node), .owner = 0};
  const std::size_t most = 4 * (history_.moved.size() + history_.circuits.size() + history_.computing.size()) + 4;
  for (std::size_t k = 0; k < most && at_ > span_.from; ++k) {
    if (next.circuit)
      next = of_circuit(*next.circuit, *next.moved, std::exchange(behind_, {}));
    else if (next.moved)
      next = of_moved(*next.moved);
    else if (next.computing)
      next = of_computing(*next.computing);
    else
      next = of_instant(next);
  }
  link(Cause::gate, span_.from, "nothing that is known");
  std::reverse(links_.begin(), links_.end());
  return std::move(links_);
}

}  // namespace

Span whole_run(const History& history) {
  Span run{.worker = {}, .iteration = 0, .from = Picos{0}, .to = Picos{0}};
  for (const Moved& moved : history.moved) run.to = std::max(run.to, moved.delivered);
  for (const Computing& one : history.computing) run.to = std::max(run.to, one.to);
  return run;
}

std::vector<Span> spans_of(const History& history) {
  std::map<std::uint16_t, std::map<Picos, std::uint32_t>> starts;  // of an iteration, the first
  std::map<std::uint16_t, std::set<std::uint32_t>> known;
  for (const Computing& one : history.computing)
    if (known[one.node].insert(one.iteration).second) starts[one.node].emplace(one.from, one.iteration);
  std::map<std::uint16_t, Picos> last;
  for (const Moved& moved : history.moved) last[moved.to] = std::max(last[moved.to], moved.delivered);
  std::vector<Span> spans;
  for (const auto& [node, list] : starts)
    for (auto one = list.begin(); one != list.end(); ++one) {
      const auto next = std::next(one);
      const Picos to = next == list.end() ? last[node] : next->first;
      if (to > one->first) spans.push_back({node, one->second, one->first, to});
    }
  if (spans.empty()) spans.push_back(whole_run(history));
  return spans;
}

Span longest_span(const History& history) {
  const std::vector<Span> spans = spans_of(history);
  return std::ranges::max(spans, {}, [](const Span& span) { return span.to - span.from; });
}

std::vector<Link> chain_of(const History& history, const Span& span) { return Walk(history, span).links(); }

Totals totals_of(const std::vector<Link>& links) {
  Totals totals;
  std::string before;
  for (const Link& link : links) {
    const auto cause = static_cast<std::size_t>(link.cause);
    totals.causes[cause] += link.to - link.from;
    ++totals.links[cause];
    if (!link.behind.empty()) {
      Blocking& port = totals.ports[link.behind];
      port.time += link.to - link.from;
      const std::string transfer = link.what.substr(0, link.what.find(':'));
      if (transfer != before) ++port.transfers;
      before = transfer;
    }
  }
  return totals;
}

}  // namespace ocs
