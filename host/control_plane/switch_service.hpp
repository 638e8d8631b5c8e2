// The switch service: what all control planes ask of one switch. It keeps the wanted map, states and the last events.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/control_plane/switch_service_types.hpp"
#include "host/core/switch.hpp"

namespace ocs::serve {

/// Drives a switch alone, from the map that it has after a reset: no circuits. Not for several threads.
///
/// A circuit is *wanted* from when a change was accepted. It is set up unless its input or its output is switched off;
/// then it waits, and is set up when both are on again. A change is answered when the switch has taken it, not when
/// light has come: for that there are lights() and settled().
class SwitchService {
 public:
  /// @param plane outlives the service. @throws Error (run) as the switch does.
  explicit SwitchService(Switch& plane);

  int ports() const { return ports_; }
  Cycles now() const { return plane_.clock().now(); }
  Picos cycle() const { return plane_.clock().cycle(); }

  /// Makes a change as a whole, in one commit that disturbs no other circuit, or says why it can't be.
  /// @throws Error (run) when the switch fails.
  std::optional<Complaint> change(const Change& change);
  /// No circuits. @throws as change().
  std::optional<Complaint> clear() { return change({.remove = {}, .add = {}, .mode = Mode::overwrite}); }
  /// Switches ports off, or on again. @throws as change().
  std::optional<Complaint> switch_off(std::span<const Port> which, bool off);
  /// Injects a dead port, or takes it back: no light from input `port` nor to output `port`.
  std::optional<Complaint> set_dead(std::uint16_t port, bool dead);

  std::vector<CrossConnect> circuits() const;  ///< that are wanted, by input
  std::optional<Output> wanted(Input in) const { return by_input_[index(in)]; }
  std::optional<Input> wanted(Output out) const { return by_output_[index(out)]; }
  bool is_off(Port port) const { return off(port); }
  /// An input has the state of the output that it feeds.
  Light light(Port port) const;
  Light light(const CrossConnect& circuit) const { return light({.output = true, .number = index(circuit.out)}); }
  /// No output is on its way: none is TUNING, LOCKING or HELD.
  bool settled() const { return unsettled_ == 0; }
  int failed() const { return failed_; }  ///< outputs that have FAILED
  Counters counters(std::uint16_t port) { return plane_.counters(port); }
  /// The switch goes on, and its counters can be read. @throws as change().
  bool self_test();

  /// Lets the switch go on to `target`; nothing, if that is past. @throws Error (run) when the switch fails.
  void advance_to(Cycles target);

  /// The last events, at most 1024, oldest first.
  const std::deque<ServiceEvent>& events() const { return events_; }
  std::uint64_t last_event() const { return numbered_; }
  /// Those with numbers above `seen` that are still there.
  void events_since(std::uint64_t seen, const std::function<void(const ServiceEvent&)>& visit) const;
  std::uint64_t commits() const { return commits_; }

 private:
  using OutputMap = std::vector<std::optional<Input>>;
  using InputMap = std::vector<std::optional<Output>>;

  std::optional<Complaint> resulting(const Change& change, InputMap& by_input, OutputMap& by_output) const;
  std::optional<Complaint> carry_out();
  void wait_until_taken();
  void take();
  void apply(const Event& event);
  void note(ServiceEvent event);
  const std::bitset<max_ports>& off_side(bool output) const { return output ? off_outputs_ : off_inputs_; }
  bool off(Port port) const { return off_side(port.output)[port.number]; }

  Switch& plane_;
  std::uint16_t ports_;
  InputMap by_input_;    ///< wanted
  OutputMap by_output_;  ///< the same, seen from the outputs
  OutputMap set_;        ///< what the switch was told
  std::vector<EventKind> states_;
  int unsettled_ = 0, failed_ = 0;
  std::bitset<max_ports> off_inputs_, off_outputs_;
  std::vector<Event> fresh_;
  std::deque<ServiceEvent> events_;
  std::uint64_t numbered_ = 0, commits_ = 0;
};

}  // namespace ocs::serve
