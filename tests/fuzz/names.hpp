// What can be named in a fuzzed experiment: few things, and one small table of tensors whatever its name is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "testbed/experiment/experiment.hpp"

namespace ocs {

inline Names fuzz_names() {
  Names names;
  names.devices = {"model", "verilated"};
  names.policies = {"psscheduler", "psscheduler_dedicated", "sunflow", "hlf"};
  names.sync = {"bsp_phase"};
  names.payloads = {"full", "digest", "none"};
  names.transports = {"inproc"};
  names.load_workload = [](std::string_view name) {
    constexpr std::string_view table =
        "index,name,shape,elements,bytes\n0,a,1000x1000,1000000,4000000\n1,b,17,17,68\n2,c,1,1,4\n";
    return parse_workload(table, name, "table");
  };
  return names;
}

}  // namespace ocs
