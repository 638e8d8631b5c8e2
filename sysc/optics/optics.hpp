// What happens to light between the fibres: how long each pair's mirrors move, and whether enough light arrives.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/units.hpp"
#include "sysc/module/switch_module.hpp"
#include "sysc/optics/settling.hpp"

namespace ocs::sysc {

/// The power budget; powers in dBm, losses in dB. Defaults are those of a 3D MEMS switch between 100 Gb/s transceivers
/// for 2 km, rounded: assumed, not of a product.
struct OpticsParameters {
  std::vector<Picos> tuning;          ///< one: of every pair; else ports * ports, at in * ports + out, as in a preset
  double launch_dbm = 0.0;            ///< into every input
  double insertion_loss_db = 2.0;     ///< of the best pair
  double loss_spread_db = 1.0;        ///< more of the worst: a pair's own, drawn from `seed`
  double sensitivity_dbm = -8.0;      ///< a receiver sees a loss of signal below
  double hysteresis_db = 0.5;         ///< and light again above sensitivity by as much
  double drift_db_per_s = 0.0;        ///< every pair's loss grows by up to as much, a pair's own part of it
  Picos drift_period{1'000'000'000};  ///< how often drift is looked at; at least a cycle
  double damping = 0.3, misaligned_db = 40.0;  ///< SettlingCurve
  double tuned_within_db = 0.5;                ///< tuned as SONiC-OCS says it
  std::uint64_t seed = 1;
};

/// Sits at a switch's socket `side`: writes each pair's tuning time into PAIR as simulation begins, and LOS of an input
/// while an output selects it whose receiver gets too little light. With constant parameters and enough light
/// everywhere that is all it ever does; with drift it looks every drift_period, and with a pair in the dark whenever
/// the switch has changed.
class Optics : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Optics> side{"side"};

  /// @param fabric whose `side` it will be bound to. @param shape of it.
  /// @throws ocs::Error (input): a parameter out of range, or not as many tuning times as pairs.
  Optics(const sc_core::sc_module_name& name, SwitchModule& fabric, const SwitchConfig& shape,
         OpticsParameters parameters);

  /// Loss of a pair that is tuned, at `since_start` of the simulation.
  double loss_db(std::size_t in, std::size_t out, Picos since_start) const;
  /// Power at output `out`'s receiver, `since_commit` after its mirrors were told to move to `in`.
  double power_dbm(std::size_t in, std::size_t out, Picos since_commit, Picos since_start) const;
  /// What PAIR says: the settling time in cycles, rounded up.
  std::uint32_t tuning_cycles(std::size_t in, std::size_t out) const;

 private:
  void begin();
  void drift();
  void follow();
  void judge_pairs(Picos since_start);
  std::uint32_t access(tlm::tlm_command command, std::uint32_t address, std::uint32_t value);
  std::uint32_t read(std::uint32_t address);
  void write(std::uint32_t address, std::uint32_t value);
  std::size_t pair(std::size_t in, std::size_t out) const { return in * shape_.ports + out; }
  Picos tuning(std::size_t in, std::size_t out) const;

  SwitchModule& fabric_;
  SwitchConfig shape_;
  OpticsParameters parameters_;
  SettlingCurve curve_;
  std::vector<double> own_loss_, own_drift_;  ///< of each pair, from 0 to 1
  std::vector<bool> dark_;                    ///< pairs with too little light
  bool any_dark_ = false;
  std::vector<bool> los_;  ///< as written
};

}  // namespace ocs::sysc
