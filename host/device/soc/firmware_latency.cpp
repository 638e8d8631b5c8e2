// Commands straight into the mailbox; events and answers tell when what was done.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/soc/firmware_latency.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "host/device/registers/register_switch_bus.hpp"
#include "host/device/soc/mailbox_frames.hpp"

namespace ocs {
namespace {

/// Longer than any command takes, with all that the firmware does about its events.
constexpr Cycles rest{400'000};

class Stopwatch {
 public:
  explicit Stopwatch(Device& device) : mailbox_(*device.mailbox()), clock_(device.clock()), bus_(device.bus()) {
    bus_.check(ocs_probe(&dev_, bus_.c()));
  }

  int ports() const { return dev_.ports; }
  std::uint64_t now() { return static_cast<std::uint64_t>(clock_.now().n); }

  FirmwareLatency time(ocs_mb_command command, int count, const std::vector<std::uint32_t>& payload) {
    FirmwareLatency latency{
        .command = mailbox_command_name(command), .count = count, .answer = Cycles{-1}, .commit = {}};
    const Cycles start = clock_.now();
    if (!mailbox_.post(mailbox_frame(command, ++sequence_, payload)))
      throw Error(ErrorKind::run, "the mailbox has no room for command " + latency.command);
    while (clock_.now() < start + rest) {
      clock_.run_until(start + rest);
      take_events(start, latency);
      take_answers(start, latency);
    }
    if (latency.answer.n < 0)
      throw Error(ErrorKind::run, "the firmware hasn't answered command " + latency.command + " for " +
                                      std::to_string(rest.n) + " cycles");
    return latency;
  }

 private:
  void take_events(Cycles start, FirmwareLatency& latency) {
    ocs_event event{};
    for (bus_.check(ocs_event_take(&dev_, now(), &event)); event.valid;
         bus_.check(ocs_event_take(&dev_, now(), &event)))
      if (event.class_ == OCS_CLASS_DEVICE && event.kind == OCS_COMMITTED)
        latency.commit = clock_.now() - Cycles{1} - start;
  }

  void take_answers(Cycles start, FirmwareLatency& latency) {
    MailboxFrame frame;
    while (mailbox_.take(frame)) {
      const MailboxAnswer answer = read_answer(frame);
      if (answer.alarm()) continue;
      if (answer.status != OCS_MB_OK)
        throw Error(ErrorKind::run, "the firmware refused command " + latency.command + ", " + told(answer));
      latency.answer = Cycles{static_cast<std::int64_t>(answer.cycle)} - start;
    }
  }

  Mailbox& mailbox_;
  FabricClock& clock_;
  DriverBus bus_;
  ocs_dev dev_{};
  std::uint32_t sequence_ = 0;
};

/// Outputs 0 to count - 1 get inputs, each the one `shift` further on; all others are left alone.
std::vector<std::uint32_t> map_of(int ports, int count, int shift) {
  std::vector<std::uint32_t> payload{0, 0};
  for (int o = 0; o < count; ++o)
    payload.push_back(static_cast<std::uint32_t>(o) << 16 | static_cast<std::uint32_t>((o + shift) % ports));
  return payload;
}

std::vector<std::uint32_t> dark(int ports) {
  std::vector<std::uint32_t> payload{0, 0};
  for (int o = 0; o < ports; ++o) payload.push_back(static_cast<std::uint32_t>(o) << 16 | OCS_DARK);
  return payload;
}

}  // namespace

std::vector<FirmwareLatency> measure_firmware(Device& device) {
  if (!device.mailbox())
    throw Error(ErrorKind::input, "this device has no firmware whose commands could be measured; \"soc\" has");
  Stopwatch watch(device);
  const int ports = watch.ports();
  std::vector<int> counts;
  for (int n = 1; n < ports; n *= 2) counts.push_back(n);
  counts.push_back(ports);
  std::vector<FirmwareLatency> all;
  const auto add = [&](FirmwareLatency latency) { all.push_back(std::move(latency)); };

  add(watch.time(OCS_MB_VERSION_READ, 1, {}));
  add(watch.time(OCS_MB_CONNECT, 1, {0, 0, 0u << 16 | 1u}));
  add(watch.time(OCS_MB_DISCONNECT, 1, {0, 0, 0}));
  for (const int n : counts) {
    add(watch.time(OCS_MB_MAP, n, map_of(ports, n, 1)));
    watch.time(OCS_MB_MAP, ports, dark(ports));
  }
  watch.time(OCS_MB_MAP, ports, map_of(ports, ports, 0));
  FirmwareLatency moved = watch.time(OCS_MB_MAP, ports, map_of(ports, ports, 1));
  moved.command += ", every circuit changed";
  add(std::move(moved));
  const std::uint64_t later = watch.now() + 100'000;
  std::vector<std::uint32_t> timed = map_of(ports, ports, 2);
  timed[0] = static_cast<std::uint32_t>(later);
  timed[1] = static_cast<std::uint32_t>(later >> 32);
  FirmwareLatency armed = watch.time(OCS_MB_MAP, ports, timed);
  armed.command += ", timed";
  armed.commit.reset();  // it is when it was asked for
  add(std::move(armed));
  add(watch.time(OCS_MB_BURST, 1, {0, 1, 0, 0, OCS_FULL_RATE}));
  add(watch.time(OCS_MB_COUNTERS, 1, {0}));
  for (const int n : counts) add(watch.time(OCS_MB_STATE, n, {0, static_cast<std::uint32_t>(n)}));
  std::vector<std::uint32_t> preset = map_of(ports, ports, 3 % ports);
  preset.erase(preset.begin());
  preset[0] = 0;
  add(watch.time(OCS_MB_PRESET_STORE, ports, preset));
  add(watch.time(OCS_MB_PRESET_RECALL, ports, {0, 0, 0}));
  add(watch.time(OCS_MB_FAULT_LOG, 1, {}));
  return all;
}

}  // namespace ocs
