// What the tests of the experiment file share: names that can be named, and the sentence of an expected error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/experiment/files/switch_profile.hpp"
#include "tests/common/places.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::test {

/// Names of a lightloop with few things in it; the tables are the real ones.
inline Names few_names() {
  Names names;
  names.devices = {"model", "verilated"};
  names.policies = {"psscheduler", "psscheduler_dedicated", "sunflow", "hlf"};
  names.schedulers = {"sunflow_inter", "sunflow_fair"};
  names.sync = {"bsp_phase"};
  names.payloads = {"full", "digest", "none"};
  names.transports = {"inproc"};
  names.load_switch = [](std::string_view name) {
    return load_switch_profile(name, ocs::test::source_dir() + "/host/switches", ocs::test::source_dir());
  };
  names.load_workload = [](std::string_view name) {
    return load_workload(name, ocs::test::source_dir() + "/testbed/workloads", ocs::test::source_dir());
  };
  return names;
}

/// The experiment that a file "x.toml" with this text means.
inline Experiment resolved(std::string_view text, const std::vector<std::string>& overrides = {}) {
  std::vector<Setting> settings = read_settings(text, "x.toml");
  std::vector<Setting> later;
  for (const std::string& each : overrides) later.push_back(read_override(each));
  apply_overrides(settings, later);
  return resolve(settings, few_names(), "x.toml");
}

}  // namespace ocs::test
