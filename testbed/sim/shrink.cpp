// Makes a failing scenario smaller.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/shrink.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ocs::sim {
namespace {

/// "job.workers=4" as "job.workers=3"; empty: it has no smaller value.
std::string smaller(const std::string& setting) {
  const std::size_t at = setting.find('=') + 1;
  const std::string key = setting.substr(0, at), value = setting.substr(at);
  if (key == "policy=" && value.starts_with('[')) return key + value.substr(1, value.find_first_of(",]") - 1);
  if (value.size() == 1 && value[0] > '1' && value[0] <= '9') return key + static_cast<char>(value[0] - 1);
  return "";
}

void without_each_fault(const Scenario& from, std::vector<Scenario>& to) {
  for (std::size_t k = 0; k < from.faults.size(); ++k) {
    to.push_back(from);
    to.back().faults.erase(to.back().faults.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

void with_smaller_settings(const Scenario& from, std::vector<Scenario>& to) {
  for (std::size_t k = 0; k < from.settings.size(); ++k) {
    if (from.settings[k].starts_with("nodes.transport=")) continue;
    to.push_back(from);
    to.back().settings.erase(to.back().settings.begin() + static_cast<std::ptrdiff_t>(k));
    if (std::string less = smaller(from.settings[k]); !less.empty()) {
      to.push_back(from);
      to.back().settings[k] = std::move(less);
    }
  }
}

void with_earlier_faults(const Scenario& from, std::vector<Scenario>& to) {
  const auto with = [&](std::size_t k, auto member, auto value) {
    to.push_back(from);
    to.back().faults[k].*member = value;
  };
  for (std::size_t k = 0; k < from.faults.size(); ++k) {
    const Fault& fault = from.faults[k];
    if (fault.start > 0) with(k, &Fault::start, fault.start - 1);
    if (fault.at > 1) with(k, &Fault::at, fault.at / 2);
    if (fault.at > 0) with(k, &Fault::at, fault.at - 1);
    if (fault.arg > 0) with(k, &Fault::arg, fault.arg / 2);
  }
}

std::vector<Scenario> smaller_ones(const Scenario& from) {
  std::vector<Scenario> to;
  without_each_fault(from, to);
  with_smaller_settings(from, to);
  with_earlier_faults(from, to);
  return to;
}

}  // namespace

std::string kind_of_violation(const std::string& violation) {
  return violation.substr(0, violation.find_first_of(":0123456789"));
}

Scenario shrink(Scenario failing, const Broken& broken, std::size_t most) {
  const std::string kind = kind_of_violation(broken(failing));
  for (bool any = true; any;) {
    any = false;
    for (Scenario& candidate : smaller_ones(failing)) {
      if (most-- == 0) return failing;
      if (kind_of_violation(broken(candidate)) != kind) continue;
      failing = std::move(candidate);
      any = true;
      break;
    }
  }
  return failing;
}

}  // namespace ocs::sim
