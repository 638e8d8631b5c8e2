// A circuit network on a device, with everything that it says kept.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/controller/circuits/circuit_network.hpp"
#include "host/controller/event_hash.hpp"
#include "host/core/device.hpp"

namespace ocs::test {

struct RigConfig {
  std::string device = "model", scheduler = "sunflow";
  int ports = 4;
  std::int64_t tuning = 0, locking = 0;  // cycles
  bool all_stop = false, multicast = false;
  bool time_warp = true;
  std::uint64_t stride_seed = 0;
  ControlTimes control{};  // but for tuning and locking
  std::vector<Outage> outages{};
  std::vector<MirrorChange> mirror_changes{};
  std::int64_t jitter = 0;  // cycles
  Neighbours neighbours{};
  std::optional<LightLevel> light{};
  std::uint32_t seed = 0;  // of jitter
  bool online = false;
  bool paper = false;  // in place of the device's switch
};

/// Words of 64 bytes, cycles of 5120 ps.
class Rig {
 public:
  explicit Rig(const RigConfig& config, std::unique_ptr<Scheduler> own = nullptr);

  /// @param ready in cycles.
  void offer(std::uint32_t id, std::uint16_t from, std::vector<std::uint16_t> to, std::int64_t words,
             std::int64_t ready = 0);

  /// Words that were lost once.
  void offer_again(std::uint32_t id, std::uint16_t from, std::uint16_t to, std::int64_t words, std::int64_t ready);

  /// All up to the end, or the next instant's.
  std::vector<Delivery> deliver_all();
  std::vector<Delivery> deliver_next();

  std::int64_t now() { return plane->clock().now().n; }

  std::unique_ptr<Device> device;
  std::unique_ptr<Switch> plane;
  std::unique_ptr<Scheduler> scheduler;
  std::vector<Problem> problems;
  std::vector<Event> events;
  std::vector<Carried> carried;
  EventHash hash;
  std::unique_ptr<CircuitNetwork> network;
};

inline constexpr std::int64_t cycle_ps = 5120;

/// "at 31: 7 to 2 [0+10] final", at in cycles.
std::string text_of(const Delivery& delivery);
std::vector<std::string> texts_of(const std::vector<Delivery>& deliveries);

/// "flow 7: 5 11 21", the executed start, up and end.
std::string text_of(const Carried& carried);

/// The order of the flows, one after the other on an otherwise idle switch, in `parts` reservations each.
class OneByOne final : public Scheduler {
 public:
  explicit OneByOne(std::int64_t parts = 1) : parts_(parts) {}
  Plan plan(const Problem& problem) const override;

 private:
  std::int64_t parts_;
};

}  // namespace ocs::test
