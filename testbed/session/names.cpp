// Collects the names of devices, policies, schemes and so on.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/session/names.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <tuple>

#include "host/device/catalogue.hpp"
#include "host/rtl/store.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/files/demand_file.hpp"
#include "testbed/experiment/files/switch_profile.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/results/database/stored_rows.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs {
namespace {

/// Whether a workload is named by its size, as "4 MB" is.
bool is_size(std::string_view name) { return !name.empty() && name.front() >= '0' && name.front() <= '9'; }

template <class E>
std::vector<std::string> names_of(std::span<const E> catalogue) {
  std::vector<std::string> names;
  for (const E& entry : catalogue) names.emplace_back(entry.name);
  return names;
}

/// Why the compiled switch that a device needs can't be had; empty for devices that need none.
std::string refuse_ports(std::string_view device, int ports, bool words_cross) {
  const std::optional<rtl::Core> core = core_of(device, words_cross);
  if (!core) return {};
  rtl::Parameters parameters;
  parameters.ports = ports;
  parameters.core = *core;
  if (words_cross && device_traits(device).words_cross) parameters.lanes = 8;
  try {
    check(parameters);
    return rtl::Store(rtl::standard_places(), [](const std::string&) {}).unavailable(parameters);
  } catch (const Error& wrong) {
    return std::string("can't be had: ") + wrong.what();
  }
}

/// @param name "file:PATH", with a path relative to `base`.
std::filesystem::path file_of(std::string_view name, const std::filesystem::path& base) {
  constexpr std::string_view prefix = "file:";
  if (name.starts_with(prefix)) return base / name.substr(prefix.size());
  std::error_code failure;
  const bool there = std::filesystem::is_regular_file(base / name, failure);
  throw Error(ErrorKind::input,
              "must be \"file:PATH\"" + (there ? "; did you mean \"file:" + std::string(name) + "\"?" : std::string()));
}

}  // namespace

Names known_names(const Environment& environment, const std::filesystem::path& base, const std::string& database,
                  const ExecSettings& exec) {
  Names names;
  names.devices = names_of(devices());
  names.policies = names_of(policies());
  names.schedulers = names_of(schedulers());
  names.load_scheduler = [base, exec](std::string_view name) {
    const char* search = std::getenv("PATH");
    return load_outside_scheduler(name, base, search == nullptr ? "" : search, exec);
  };
  if (!database.empty())
    names.load_charges = [database](std::int64_t row) {
      StoredRows stored(database);
      std::vector<Picos> charges = charges_of_row(stored, row);
      warn_of_rows_without_checksum(stored);
      return charges;
    };
  names.sync = names_of(sync_schemes());
  names.payloads = {"full", "digest", "none"};
  names.transports = {"inproc", "ipc", "tcp"};
  names.load_workload = [tables = environment.data / "workloads", base](std::string_view name) {
    if (is_size(name)) return vector_of(name, {parse_quantity(name, Dimension::size)});
    return load_workload(name, tables, base);
  };
  names.load_trace = [base](std::string_view name) { return load_coflow_trace(name, base); };
  names.load_phases = [base](std::string_view name) { return load_phased_input(name, base); };
  names.load_switch = [presets = environment.switches, base](std::string_view name) {
    return load_switch_profile(name, presets, base);
  };
  names.look_at_device = [](std::string_view name) { return look_at_device(name); };
  // To ask starts Verilator, and rows ask alike.
  using Asked = std::tuple<std::string, int, bool>;
  names.refuse_ports = [answers = std::make_shared<std::map<Asked, std::string>>()](std::string_view device, int ports,
                                                                                    bool words_cross) {
    const auto [answer, first] = answers->try_emplace({std::string(device), ports, words_cross});
    if (first) answer->second = refuse_ports(device, ports, words_cross);
    return answer->second;
  };
  names.load_compute_trace = [base](std::string_view name) { return load_compute_trace(file_of(name, base)); };
  names.load_demand = [base](std::string_view path) { return load_demand_file(base / path); };
  names.path_of = [base](std::string_view path) { return (base / path).string(); };
  names.load_bandwidth_trace = [base](std::string_view name) { return load_bandwidth_trace(file_of(name, base)); };
  names.load_dataset = [](std::string_view folder) { return load_dataset(folder); };
  names.published_time = [table = environment.data / "workloads" / "compute_times.csv"](std::string_view model,
                                                                                        std::string_view device) {
    return published_time(model, device, table);
  };
  return names;
}

void warn_of_rows_without_checksum(const StoredRows& stored) {
  if (const std::string sentence = stored.warning(); !sentence.empty())
    std::cerr << "lightloop: warning: " + sentence + "\n";
}

std::vector<Picos> charges_of_row(StoredRows& stored, std::int64_t id) {
  const std::optional<std::string> charges = stored.charges(id);
  const std::string name = "row " + std::to_string(id) + " of \"" + stored.file() + "\"";
  if (!charges)
    throw Error(ErrorKind::input, name + " was charged nothing for planning; a row with charge_planning is needed");
  try {
    return charges_from_text(*charges);
  } catch (const Error& wrong) {
    throw Error(ErrorKind::input, name + " holds planning_charges that lightloop doesn't write: it " + wrong.what());
  }
}

std::string name_in_errors(const Experiment& experiment, std::size_t row) {
  return "row " + std::to_string(row + 1) + " (" + experiment.points[row].policy + "): ";
}

}  // namespace ocs
