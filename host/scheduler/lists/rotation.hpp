// Rotation: in slot k, input number a sends to output number a + k. Work-conserving, or slot by slot as rotor switches.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/scheduler/demand.hpp"

namespace ocs {

/// The ports that rotate, in rotating order: with L = the longer length, slot k = 0 .. L-1 joins ins[a] to
/// outs[(a + k) mod L] where that exists. Both empty: the ports in use, ascending.
struct RotationPorts {
  std::vector<Input> ins;
  std::vector<Output> outs;
};

/// List scheduling in the order (slot, a): all circuits that end at an instant are freed together,
/// then the list is scanned once. With equal lengths n inputs and M other outputs take max(n, M) *
/// (delta + length), which is optimal; all-to-all among N nodes takes (N - 1) * (delta + length).
/// Source: the round-robin matchings of rotor switches (Mellette et al., "RotorNet", SIGCOMM 2017),
/// made work-conserving here.
class RotationList : public Scheduler {
 public:
  explicit RotationList(RotationPorts ports = {}) : ports_(std::move(ports)) {}
  /// @throws Error (input) as read_demand(), or if a flow's port does not rotate.
  Plan plan(const Problem& problem) const override;

 private:
  RotationPorts ports_;
};

/// The slots in turn, blind to what is established: a slot sets all its circuits up anew and lasts delta plus its
/// longest flow; a slot without flows is skipped. Holds on an all-stop switch too: where set-ups differ, all circuits of
/// a slot are up with the last one there. Source: as RotationList.
class RotationAllstop : public Scheduler {
 public:
  explicit RotationAllstop(RotationPorts ports = {}) : ports_(std::move(ports)) {}
  /// @throws Error (input) as RotationList.
  Plan plan(const Problem& problem) const override;

 private:
  RotationPorts ports_;
};

/// RotationList over the ports in use, of a demand that has been read.
Plan plan_rotation_list(const Demand& demand, const RotationPorts& ports = {});

}  // namespace ocs
