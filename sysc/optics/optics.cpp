// Pairs' losses, what receivers see, and the registers that tell the switch.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/optics/optics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>

#include "host/core/error.hpp"
#include "ocs_regs.h"
#include "sysc/module/register_access.hpp"

namespace ocs::sysc {
namespace {

constexpr std::int64_t most_tuning = (std::int64_t{1} << 30) - 1;  // cycles that PAIR holds
constexpr std::size_t row_of_pairs = 256;

std::uint32_t entry(std::size_t first, std::size_t number) { return static_cast<std::uint32_t>(first + 4 * number); }

Picos now() { return {static_cast<std::int64_t>(sc_core::sc_time_stamp().value())}; }

[[noreturn]] void refuse_optics(const std::string& sentence) { throw Error(ErrorKind::input, "optics: " + sentence); }

void check(const OpticsParameters& parameters, const SwitchConfig& shape) {
  const std::size_t pairs = shape.ports * shape.ports, times = parameters.tuning.size();
  if (times != 1 && times != pairs)
    refuse_optics("there are " + std::to_string(times) + " tuning times, but there must be 1, or " +
                  std::to_string(pairs) + ", one a pair");
  const auto cycle = static_cast<std::int64_t>(shape.cycle.value());
  for (const Picos tuning : parameters.tuning)
    if (tuning.n < 0 || divide_up(tuning.n, cycle) > most_tuning)
      refuse_optics("a tuning time is " + std::to_string(tuning.n) + " ps, but must be from 0 to " +
                    std::to_string(most_tuning) + " cycles");
  if (parameters.drift_period.n < cycle)
    refuse_optics("drift_period is " + std::to_string(parameters.drift_period.n) + " ps, but must be at least a cycle");
  for (const double value : {parameters.launch_dbm, parameters.insertion_loss_db, parameters.loss_spread_db,
                             parameters.sensitivity_dbm, parameters.hysteresis_db, parameters.drift_db_per_s})
    if (!std::isfinite(value) || std::abs(value) > 1e6)
      refuse_optics("a power, loss or drift is " + std::to_string(value) + ", but must be from -1e6 to 1e6");
}

}  // namespace

Optics::Optics(const sc_core::sc_module_name& name, SwitchModule& fabric, const SwitchConfig& shape,
               OpticsParameters parameters)
    : sc_module(name),
      fabric_(fabric),
      shape_(shape),
      parameters_(std::move(parameters)),
      curve_(parameters_.damping, parameters_.misaligned_db, parameters_.tuned_within_db),
      dark_(shape.ports * shape.ports),
      los_(shape.ports) {
  check(parameters_, shape_);
  std::mt19937_64 random(parameters_.seed);
  const auto part = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (std::size_t k = 0; k < dark_.size(); ++k) {
    own_loss_.push_back(part());
    own_drift_.push_back(part());
  }
  SC_HAS_PROCESS(Optics);
  SC_METHOD(begin);
  SC_METHOD(drift);
  SC_METHOD(follow);
  dont_initialize();
  sensitive << fabric_.changed();
}

Picos Optics::tuning(std::size_t in, std::size_t out) const {
  return parameters_.tuning.size() == 1 ? parameters_.tuning[0] : parameters_.tuning[pair(in, out)];
}

std::uint32_t Optics::tuning_cycles(std::size_t in, std::size_t out) const {
  return static_cast<std::uint32_t>(divide_up(tuning(in, out).n, static_cast<std::int64_t>(shape_.cycle.value())));
}

double Optics::loss_db(std::size_t in, std::size_t out, Picos since_start) const {
  const double seconds = static_cast<double>(since_start.n) * 1e-12;
  return parameters_.insertion_loss_db + parameters_.loss_spread_db * own_loss_[pair(in, out)] +
         parameters_.drift_db_per_s * own_drift_[pair(in, out)] * seconds;
}

double Optics::power_dbm(std::size_t in, std::size_t out, Picos since_commit, Picos since_start) const {
  const Picos whole = tuning(in, out);
  const double time = whole.n == 0 ? 1.0 : static_cast<double>(since_commit.n) / static_cast<double>(whole.n);
  return parameters_.launch_dbm - loss_db(in, out, since_start) - curve_.loss_db(time);
}

/// A pair goes dark below the sensitivity and comes back above it by the hysteresis.
void Optics::judge_pairs(Picos since_start) {
  any_dark_ = false;
  for (std::size_t in = 0; in < shape_.ports; ++in)
    for (std::size_t out = 0; out < shape_.ports; ++out) {
      const std::size_t k = pair(in, out);
      const double needed = parameters_.sensitivity_dbm + (dark_[k] ? parameters_.hysteresis_db : 0.0);
      dark_[k] = parameters_.launch_dbm - loss_db(in, out, since_start) < needed;
      any_dark_ = any_dark_ || dark_[k];
    }
}

void Optics::begin() {
  for (std::size_t out = 0; out < shape_.ports; ++out)
    for (std::size_t in = 0; in < shape_.ports; ++in)
      write(entry(offsetof(ocs_regs_t, PAIR), out * row_of_pairs + in), tuning_cycles(in, out));
}

void Optics::drift() {
  judge_pairs(now());
  follow();
  if (parameters_.drift_db_per_s == 0.0) return;
  next_trigger(sc_core::sc_time::from_value(static_cast<std::uint64_t>(parameters_.drift_period.n)));
}

/// LOS of each input as the map of the present cycle makes it.
void Optics::follow() {
  const bool told = std::find(los_.begin(), los_.end(), true) != los_.end();
  if (!any_dark_ && !told) return;
  std::vector<bool> los(shape_.ports);
  for (std::size_t out = 0; out < shape_.ports; ++out) {
    const std::uint32_t active = read(entry(offsetof(ocs_regs_t, port.ACTIVE), out));
    const std::size_t in = active & OCS_REGS__PORT__ACTIVEX__INPUT_bm;
    if ((active & OCS_REGS__PORT__ACTIVEX__VALID_bm) != 0 && dark_[pair(in, out)]) los[in] = true;
  }
  for (std::size_t in = 0; in < shape_.ports; ++in) {
    if (los[in] == los_[in]) continue;
    const std::uint32_t address = entry(offsetof(ocs_regs_t, port.FAULT), in);
    const std::uint32_t others = read(address) & ~std::uint32_t{OCS_REGS__PORT__FAULTX__LOS_bm};
    write(address, others | (los[in] ? OCS_REGS__PORT__FAULTX__LOS_bm : 0U));
  }
  los_ = std::move(los);
}

std::uint32_t Optics::access(tlm::tlm_command command, std::uint32_t address, std::uint32_t value) {
  const auto response = access_register(side, command, address, value);
  if (response != tlm::TLM_OK_RESPONSE)
    throw Error(ErrorKind::run, "optics: the switch refuses address " + std::to_string(address) + " (TLM response " +
                                    std::to_string(response) + ")");
  return value;
}

std::uint32_t Optics::read(std::uint32_t address) { return access(tlm::TLM_READ_COMMAND, address, 0); }
void Optics::write(std::uint32_t address, std::uint32_t value) { access(tlm::TLM_WRITE_COMMAND, address, value); }

}  // namespace ocs::sysc
