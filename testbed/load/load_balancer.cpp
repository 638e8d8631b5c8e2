// Averages of rates, hysteresis, versions.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/load/load_balancer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"

namespace ocs {
namespace {

constexpr std::uint32_t most_shift = 16;
constexpr std::int64_t bits_per_s = 8'000'000'000'000;  // of a byte in a picosecond

LoadSettings checked(const LoadSettings& settings) {
  if (settings.ema_shift > most_shift)
    throw Error(ErrorKind::input, "the moving average's shift is " + std::to_string(settings.ema_shift) +
                                      "; it should be 0 to " + std::to_string(most_shift));
  if (settings.hysteresis_den == 0 || settings.hysteresis_num < settings.hysteresis_den)
    throw Error(ErrorKind::input, "the hysteresis is " + std::to_string(settings.hysteresis_num) + "/" +
                                      std::to_string(settings.hysteresis_den) + "; it should be 1 or more");
  return settings;
}

}  // namespace

RateMonitor::RateMonitor(std::size_t servers, std::int64_t nominal_bps, std::uint32_t ema_shift)
    : rates_(servers, nominal_bps), shift_(ema_shift) {}

void RateMonitor::saw(std::size_t server, const PortUse& use) {
  if (use.busy.n <= 0 || use.bytes.n <= 0) return;
  saw_rate(server, static_cast<std::int64_t>(Wide{use.bytes.n} * bits_per_s / use.busy.n));
}

void RateMonitor::saw_rate(std::size_t server, std::int64_t rate_bps) {
  std::int64_t& rate = rates_.at(server);
  rate = std::max<std::int64_t>(rate + ((rate_bps - rate) >> shift_), 1);
}

LoadBalancer::LoadBalancer(std::vector<Bytes> keys, std::size_t servers, std::int64_t nominal_bps,
                           const LoadSettings& settings, Colocation colocation)
    : keys_(std::move(keys)),
      settings_(checked(settings)),
      colocation_(std::move(colocation)),
      monitor_(servers, nominal_bps, settings.ema_shift) {
  map_.owner = start_map({keys_, monitor_.rates(), &colocation_});
}

std::optional<Remap> LoadBalancer::decide() {
  if (!settings_.adaptive) return std::nullopt;
  const LoadProblem problem{keys_, monitor_.rates(), &colocation_};
  Redistribution better = redistribute(problem, map_.owner, settings_.budget);
  if (!worth_it(problem, map_.owner, better.owner, settings_.hysteresis_num, settings_.hysteresis_den))
    return std::nullopt;
  map_ = {map_.version + 1, std::move(better.owner)};
  return Remap{map_, std::move(better.moves), better.moved};
}

}  // namespace ocs
