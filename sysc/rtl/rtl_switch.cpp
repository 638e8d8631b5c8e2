// Picks the size of the RTL that was built.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/rtl/rtl_switch.hpp"

#include "host/core/error.hpp"
#include "rtl_sizes.hpp"
#include "sysc/module/tlm_switch.hpp"

namespace ocs::sysc {
namespace {

const RtlSize* find(std::size_t ports, std::size_t fifo_depth) {
  for (const RtlSize& size : rtl_table)
    if (size.ports == ports && size.fifo_depth == fifo_depth) return &size;
  return nullptr;
}

}  // namespace

std::unique_ptr<Body> make_rtl_body(const SwitchConfig& config) {
  check_config(config);
  if (const RtlSize* size = find(config.ports, config.fifo_depth)) return size->make(config);
  throw Error(ErrorKind::input, "device \"sysc-rtl\" isn't built for " + std::to_string(config.ports) +
                                    " ports and a FIFO of " + std::to_string(config.fifo_depth) +
                                    " records; with that FIFO there are " + rtl_sizes(config.fifo_depth) +
                                    " ports (CMake variable LIGHTLOOP_SYSC_SIZES), and device \"sysc\" takes any");
}

bool rtl_available(std::size_t ports, std::size_t fifo_depth) { return find(ports, fifo_depth) != nullptr; }

std::string rtl_sizes(std::size_t fifo_depth) {
  std::string list;
  for (const RtlSize& size : rtl_table)
    if (size.fifo_depth == fifo_depth) list += (list.empty() ? "" : ", ") + std::to_string(size.ports);
  return list.empty() ? "none" : list;
}

}  // namespace ocs::sysc
