// Names, makers and texts for tests on every device.
// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/every_device.hpp"

#include <algorithm>
#include <array>

#include "host/device/catalogue.hpp"
#include "host/device/model/model.hpp"
#include "tests/board/served_device.hpp"

namespace ocs::test {

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const auto& entry : devices())
    if (entry.name != "soc" && entry.name != "uart")  // registers are the firmware's; a line needs its board
      names.emplace_back(entry.name);
  return names;
}

std::string test_name(std::string device) {
  std::replace(device.begin(), device.end(), '-', '_');
  return device;
}

bool may_be_several(const std::string& device) { return !device.starts_with("sysc"); }

std::unique_ptr<Device> make_device(const std::string& name, const DeviceConfig& config) {
  if (name == "mapped") return through_a_file(make_model(config), config);
  return make(devices(), name, "device", config);
}

std::string text_of(const Event& event) {
  constexpr std::array kinds{"idle", "tuning",     "locking",   "up",      "held",   "failed",
                             "run",  "burst_done", "committed", "refused", "wrapped"};
  std::string text = std::to_string(event.at.n) + " " + kinds.at(static_cast<std::size_t>(event.kind)) + " " +
                     std::to_string(event.port);
  if (event.kind == EventKind::run || event.kind == EventKind::burst_done)
    text += " burst " + std::to_string(index(event.burst)) + " words " + std::to_string(event.words.first.n) + "+" +
            std::to_string(event.words.count.n);
  return text;
}

std::vector<std::string> run_to(Switch& plane, Cycles limit) {
  std::vector<Event> events;
  while (plane.clock().now() < limit) {
    plane.clock().run_until(limit);
    plane.take_events(events);
  }
  std::vector<std::string> texts;
  for (const Event& event : events) texts.push_back(text_of(event));
  return texts;
}

}  // namespace ocs::test
