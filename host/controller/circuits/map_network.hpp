// A network whose user decides which circuits there are: maps are set as a whole, and a transfer
// crosses the circuit of its sender.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "host/controller/control_times.hpp"
#include "host/controller/plan_controller.hpp"
#include "host/core/network.hpp"

namespace ocs {

/// What sees a map network at work. None of it changes anything.
struct MapHooks {
  std::function<void(const Event&)> on_event{};      ///< every event of the switch, in its order
  std::function<void(const Carried&)> on_carried{};  ///< every burst that has ended, as a reservation from its start
};

/// How circuits differ from one another; control times say how their set-ups do.
struct MapRules {
  bool all_stop = false;              ///< as the switch was made with
  std::vector<Cycles> word_cycles{};  ///< that a word takes from or to each node; none: 1
};

/// One plane, by confirmation. What is asked for in cycle t acts in t + lead: a commit names what changes, and a burst
/// is gated, so its words wait until the circuit is up. Words on a circuit that is up begin 1 + lead + fibre cycles
/// after they were asked for, on a new one T + L + 1 + lead + fibre after the map was set; a delivery is a fibre late.
/// While an all-stop switch sets up circuits no word begins.
class MapNetwork final : public Network {
 public:
  /// @param plane all dark; driven by nobody else; outlives the network. @param times mode confirmed.
  /// @throws Error (input) if the switch wants commands ahead of their cycle, or if fibres differ
  MapNetwork(Switch& plane, const ControlTimes& times, MapHooks hooks = {}, MapRules rules = {});

  /// From now on: to[i] is the node that the light of node i reaches, -1: none. Acts before what is offered at the same
  /// instant. Nodes beyond its end are dark.
  void set(std::span<const std::int16_t> to);

  /// @throws Error (input) as the circuit network's. That its circuit isn't there is an error (internal) when it acts.
  void offer(Transfer transfer) override;
  /// @throws Error (internal): nobody aborts what has a circuit of its own
  void abort(Id transfer, Picos at) override;
  Picos next() override;
  /// Nothing is delivered before: later than next() where long bursts are under way.
  Picos quiet_until() const;
  Picos advance(Picos limit, std::vector<Delivery>& append) override;
  PortUse use(Node node) const override { return uses_.at(index(node)); }

  std::int64_t tunings() const { return tunings_; }  ///< outputs that were given another input
  std::int64_t bursts() const { return bursts_; }

 private:
  struct Running {
    Transfer transfer;
    Cycles start, begin;  ///< in which it was given to the switch; of its first word, at the earliest
    std::vector<WordRun> runs;
  };

  void act(Cycles now);
  void change(const std::vector<std::int16_t>& to, Cycles now);
  void start(Transfer transfer, Cycles now);
  void take(const Event& event);
  void show(const Running& one, const Event& done) const;
  Cycles word_of(std::size_t node) const {
    return node < rules_.word_cycles.size() ? rules_.word_cycles[node] : Cycles{1};
  }

  Switch& switch_;
  ControlTimes times_;
  MapHooks hooks_;
  MapRules rules_;
  Constants constants_;
  Picos cycle_;
  std::vector<std::int16_t> to_;                           ///< of each input, after what has acted
  std::vector<Cycles> up_;                                 ///< of each output: when words may pass
  std::multimap<Cycles, std::vector<std::int16_t>> maps_;  ///< by the cycle in which they act
  std::multimap<Cycles, Transfer> offered_;
  std::map<Id, Running> running_;
  std::deque<Delivery> on_fibre_;
  std::vector<PortUse> uses_;
  std::vector<Event> events_;
  Picos reached_{0};
  std::int64_t tunings_ = 0, bursts_ = 0;
};

}  // namespace ocs
