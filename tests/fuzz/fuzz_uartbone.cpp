// links: ocs_device
// A board that answers any bytes: it is refused, or driven until it stops answering, always by a sentence.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "host/device/board/board.hpp"
#include "host/device/board/uart.hpp"
#include "host/device/switches.hpp"

namespace {

using namespace ocs;

class AnyAnswers final : public ByteLine {
 public:
  AnyAnswers(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}
  void send(std::span<const std::uint8_t>) override {}
  std::size_t receive(std::span<std::uint8_t> bytes, std::chrono::milliseconds) override {
    const std::size_t count = std::min(bytes.size(), bytes_.size());
    std::copy_n(bytes_.begin(), count, bytes.begin());
    bytes_ = bytes_.subspan(count);
    return count;
  }
  void forget_input() override {}

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  DeviceConfig config;
  config.ports = 4;
  try {
    const auto device = make_board("uart:any", make_uartbone(std::make_unique<AnyAnswers>(data, size), "uart:any"),
                                   make_no_interrupt(std::chrono::nanoseconds(0)), config);
    const auto plane = make_switch(*device, {});
    std::vector<Event> events;
    plane->commit({Cycles{10}, {{Output{1}, Input{2}}}});
    plane->start({Id{1}, Input{2}, Words{3}, Cycles{0}, true});
    for (int k = 0; k < 100; ++k) {
      plane->clock().run_until(Cycles{1000});
      plane->take_events(events);
    }
  } catch (const Error& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
  return 0;
}
