// One pass a coflow: lists of waiting pairs at each port, and a queue of the instants at which ports become free.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/coflows/sunflow_inter.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "host/scheduler/coflows/port_table.hpp"

namespace ocs {
namespace {

constexpr std::uint32_t no_coflow = ~std::uint32_t{0};
constexpr std::int64_t endless = PortTable::endless;

/// Ports are numbered: inputs, then outputs.
class InterRun {
 public:
  explicit InterRun(const CoflowDemand& demand)
      : demand_(demand),
        ports_(static_cast<std::size_t>(demand.ports)),
        table_(2 * ports_),
        first_(2 * ports_, no_coflow),
        own_(2 * ports_),
        next_in_(demand.pairs.size(), no_coflow),
        next_out_(next_in_),
        left_(demand.pairs.size()) {
    for (const BusyCircuit& busy : demand.busy) {
      table_[busy.in].note({demand.origin, busy.until, busy.out});
      table_[ports_ + busy.out].note({demand.origin, busy.until, busy.in});
    }
    for (PortTable& table : table_) table.merge_noted();
    for (std::size_t in = 0; in < ports_; ++in) {
      if (demand.up[in] < 0) continue;
      const auto out = static_cast<std::uint16_t>(demand.up[in]);
      own_[in].up = out;
      own_[ports_ + out].up = static_cast<std::int32_t>(in);
    }
  }

  Plan run() {
    // Nobody looks further ahead than the longest flow of those that come after it.
    std::vector<std::int64_t> ahead(demand_.coflows.size(), 0);
    for (std::size_t c = ahead.size(); c-- > 1;) {
      std::int64_t longest = 0;
      for (std::uint32_t p = demand_.coflows[c].first; p < demand_.coflows[c].last; ++p)
        longest = std::max(longest, demand_.pairs[p].length + demand_.set_up(demand_.pairs[p]));
      ahead[c - 1] = std::min(ahead[c] + longest, endless / 4);
    }
    std::int64_t horizon = demand_.horizon;
    for (std::size_t c = 0; c < demand_.coflows.size(); ++c) {
      const std::int64_t until = horizon == endless ? endless : std::min(horizon, endless / 2) + ahead[c];
      const std::int64_t end = serve(demand_.coflows[c], until);
      if (horizon != endless) horizon = std::min(horizon, end);
    }
    if (demand_.horizon != endless)
      std::erase_if(plan_.list, [&](const Reservation& r) { return r.start.n >= horizon; });
    plan_.bound = {demand_.horizon == endless ? demand_.bound : 0};
    return std::move(plan_);
  }

 private:
  struct Own {
    bool taken = false;
    std::int32_t up = -1;  ///< joined to at the origin
    std::int64_t end = 0;  ///< of the last circuit in this pass
    std::int32_t peer = -1;
  };
  struct Wake {
    std::int64_t at;
    std::uint32_t order;   ///< of the table: the port; of the coflow: ports, then its starts
    std::uint32_t number;  ///< port or pair
    bool operator>(const Wake& other) const { return std::tie(at, order) > std::tie(other.at, other.order); }
  };

  std::size_t in_port(std::uint32_t pair) const { return demand_.pairs[pair].in; }
  std::size_t out_port(std::uint32_t pair) const { return ports_ + demand_.pairs[pair].out; }

  /// @returns when its last flow ends; endless if it doesn't until the horizon.
  std::int64_t serve(const CoflowShare& coflow, std::int64_t until) {
    begin(coflow);
    for (std::uint32_t p = coflow.first; p < coflow.last; ++p) try_start(p, demand_.origin);
    while (waiting_ > 0 && !wakes_.empty() && wakes_.top().at <= until) {
      const Wake wake = wakes_.top();
      wakes_.pop();
      if (wake.order < 2 * ports_)
        woken_by_table(wake.number, wake.at);
      else
        woken_by_own(wake.number, wake.at);
    }
    for (const std::size_t port : used_) table_[port].merge_noted();
    return waiting_ > 0 ? endless : end_;
  }

  void begin(const CoflowShare& coflow) {
    for (const std::size_t port : used_) {
      first_[port] = no_coflow;
      own_[port].taken = false;
      own_[port].end = 0;
      own_[port].peer = -1;
    }
    used_.clear();
    wakes_ = {};
    end_ = 0;
    started_ = static_cast<std::uint32_t>(2 * ports_);
    waiting_ = coflow.last - coflow.first;
    for (std::uint32_t p = coflow.last; p-- > coflow.first;) {
      left_[p] = {demand_.pairs[p].length, demand_.pairs[p].first_part, 0};
      for (const std::size_t port : {in_port(p), out_port(p)})
        if (first_[port] == no_coflow) used_.push_back(port);
      next_in_[p] = first_[in_port(p)];
      next_out_[p] = first_[out_port(p)];
      first_[in_port(p)] = first_[out_port(p)] = p;
    }
    for (const std::size_t port : used_) {
      table_[port].rewind();
      table_[port].move_to(demand_.origin);
      expect_end(port);
    }
  }

  void expect_end(std::size_t port) {
    const std::int64_t end = table_[port].next_end();
    if (end != endless) wakes_.push({end, static_cast<std::uint32_t>(port), static_cast<std::uint32_t>(port)});
  }

  /// A reservation of others has ended.
  void woken_by_table(std::uint32_t port, std::int64_t now) {
    table_[port].move_to(now);
    expect_end(port);
    const std::uint32_t pair = first_startable(port, now);
    if (pair != no_coflow) try_start(pair, now);
  }

  /// The coflow's own circuit has ended: one scan of the flows at its ports, in their order.
  void woken_by_own(std::uint32_t ended, std::int64_t now) {
    const std::size_t in = in_port(ended), out = out_port(ended);
    own_[in].taken = own_[out].taken = false;
    for (;;) {
      const std::uint32_t pair = std::min(first_startable(in, now), first_startable(out, now));
      if (pair == no_coflow) return;
      try_start(pair, now);
    }
  }

  bool free(std::size_t port, std::int64_t now) {
    if (own_[port].taken) return false;
    table_[port].move_to(now);
    return table_[port].free(now);
  }

  std::uint32_t first_startable(std::size_t port, std::int64_t now) {
    if (!free(port, now)) return no_coflow;
    std::vector<std::uint32_t>& next = port < ports_ ? next_in_ : next_out_;
    std::uint32_t* link = &first_[port];
    while (*link != no_coflow) {
      const std::uint32_t p = *link;
      if (left_[p].length == 0) {  // done: out of the list
        *link = next[p];
        continue;
      }
      if (room(p, now) > 0) return p;
      link = &next[p];
    }
    return no_coflow;
  }

  /// How many ticks of its data could flow if the pair started now.
  std::int64_t room(std::uint32_t pair, std::int64_t now) {
    const std::size_t in = in_port(pair), out = out_port(pair);
    if (!free(in, now) || !free(out, now)) return 0;
    const std::int64_t next = std::min(table_[in].next_start(), table_[out].next_start());
    const std::int64_t length = left_[pair].length;
    if (next == endless) return length;
    return std::min(length, next - now - set_up(pair, now));
  }

  /// Whether what was last at the port, until just now, led to `peer`.
  bool led_to(std::size_t port, std::uint16_t peer, std::int64_t now) const {
    const PortTable::Interval* last = table_[port].last();
    const Own& own = own_[port];
    if (last == nullptr && own.peer < 0) return own.up == peer && now == demand_.origin;
    if (own.peer >= 0 && (last == nullptr || own.end > last->start)) return own.peer == peer && own.end == now;
    return last->peer == peer && last->end == now;
  }

  std::int64_t set_up(std::uint32_t pair, std::int64_t now) const {
    const PairDemand& p = demand_.pairs[pair];
    const bool established = led_to(in_port(pair), p.out, now) && led_to(out_port(pair), p.in, now);
    return established ? std::min(demand_.reuse, demand_.set_up(p)) : demand_.set_up(p);
  }

  void try_start(std::uint32_t pair, std::int64_t now) {
    const std::int64_t length = room(pair, now);
    if (length <= 0) return;
    const PairDemand& p = demand_.pairs[pair];
    std::int64_t start = now, up = now + set_up(pair, now);
    const std::int64_t end = up + length;
    Outputs outs;
    outs.set(p.out);
    Left& left = left_[pair];
    left.length -= length;
    while (up < end) {
      const Demand::Part& part = demand_.parts[left.part];
      const std::int64_t piece = std::min(end - up, part.length - left.offset);
      plan_.list.push_back({part.flow, Plane{0}, Input{p.in}, outs, {start}, {up}, {up + piece}, {left.offset}});
      start = up = up + piece;
      left.offset += piece;
      if (left.offset < part.length) continue;
      ++left.part;
      left.offset = 0;
    }
    if (left.length == 0) --waiting_;
    end_ = std::max(end_, end);
    for (const auto& [port, peer] : {std::pair{in_port(pair), p.out}, std::pair{out_port(pair), p.in}}) {
      table_[port].note({now, end, peer});
      own_[port].taken = true;
      own_[port].end = end;
      own_[port].peer = peer;
    }
    wakes_.push({end, started_++, pair});
  }

  struct Left {
    std::int64_t length;  ///< of all its parts
    std::uint32_t part;   ///< of Demand::parts: the first that isn't done
    std::int64_t offset;  ///< in it
  };

  const CoflowDemand& demand_;
  std::size_t ports_;
  std::vector<PortTable> table_;      ///< what runs, and what coflows before have reserved
  std::vector<std::uint32_t> first_;  ///< waiting pairs at a port, ascending
  std::vector<Own> own_;
  std::vector<std::uint32_t> next_in_, next_out_;
  std::vector<Left> left_;
  std::vector<std::size_t> used_;  ///< ports of the coflow
  std::priority_queue<Wake, std::vector<Wake>, std::greater<>> wakes_;
  std::uint32_t started_ = 0, waiting_ = 0;
  std::int64_t end_ = 0;
  Plan plan_;
};

}  // namespace

Plan SunflowInter::plan(const Problem& problem) const {
  return InterRun(read_coflows(problem, "sunflow_inter", sharing_)).run();
}

}  // namespace ocs
