// Resolves settings: defaults, unknown keys, axes, then every point on its own.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/experiment.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/arrivals.hpp"
#include "testbed/experiment/files/switch_profile.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/keys/learning_keys.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{1} << 20;

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const Key& key : experiment_keys()) names.emplace_back(key.name);
  return names;
}

void check_known(const Setting& setting, std::span<const std::string> known) {
  if (std::find(known.begin(), known.end(), setting.key) != known.end()) return;
  if (setting.key == "zip" || setting.key == "only" || setting.key == "skip")
    refuse(setting.origin, setting.key + " chooses rows and must stand in the experiment file");
  const bool table = std::any_of(known.begin(), known.end(),
                                 [&](const std::string& name) { return name.starts_with(setting.key + "."); });
  if (table && setting.items.empty()) return;  // a table in which nothing is said
  if (table) refuse(setting.origin, in_quotes(setting.key) + " is a value, but must be a table: [" + setting.key + "]");
  std::string like = nearest(setting.key, known);
  for (const std::string& name : known)  // the right key in no table or in the wrong one
    if (like.empty() && name.substr(name.find('.') + 1) == setting.key.substr(setting.key.rfind('.') + 1)) like = name;
  refuse(setting.origin,
         "unknown key " + in_quotes(setting.key) +
             (like.empty() ? ", but the keys are " + joined(known) : "; did you mean " + in_quotes(like) + "?"));
}

/// One setting a key, in the order of the keys.
std::vector<Setting> complete(std::span<const Setting> said) {
  const std::vector<std::string> known = key_names();
  for (const Setting& setting : said) check_known(setting, known);
  std::vector<Setting> all;
  for (const Key& key : experiment_keys()) {
    const auto found =
        std::find_if(said.begin(), said.end(), [&](const Setting& each) { return each.key == key.name; });
    if (found != said.end()) {
      if (found->list && !key.axis)
        refuse(found->origin, std::string(key.name) + " is a list, but must be a single value: it can't be an axis");
      if (found->items.empty())
        refuse(found->origin,
               std::string(key.name) + " is a table, but must be a value such as " + std::string(key.fallback));
      all.push_back(*found);
    } else {
      Setting setting = read_override(std::string(key.name) + "=" + std::string(key.fallback));
      setting.origin = "default";
      for (Setting::Item& item : setting.items) item.origin = "default";
      all.push_back(std::move(setting));
    }
  }
  return all;
}

void apply(const Key& key, const Setting::Item& item, const Names& names, Point& point) {
  try {
    key.apply(item.value, names, point);
  } catch (const Error& failure) {
    refuse(item.origin, std::string(key.name) + " is " + to_text(item.value) + ", but " + failure.what());
  }
}

void check_ports(const FabricSettings& fabric, const Names& names, const Origins& origins) {
  const std::string why = names.refuse_ports ? names.refuse_ports(fabric.device, fabric.ports, fabric.words_cross) : "";
  if (!why.empty())
    refuse(
        origin_of(origins, {"fabric.ports", "fabric.device"}),
        "fabric.ports is " + std::to_string(fabric.ports) + ", but for device " + in_quotes(fabric.device) + " " + why);
}

/// The rows that axes and tables make. Values are the same if a key makes the same of them: "1 us" and "1000 ns".
RowChoice choose_rows(const Experiment& experiment, const Names& names, std::size_t most_rows) {
  const auto same = [&](std::size_t key, const Setting::Item& wanted, const Setting::Item& item) {
    Point a, b;
    apply(experiment_keys()[key], wanted, names, a);
    apply(experiment_keys()[key], item, names, b);
    return a == b;
  };
  RowChoice rows(experiment.settings, experiment.choice, same);
  if (rows.rows() <= most_rows) return rows;
  const auto axis = std::find_if(experiment.settings.begin(), experiment.settings.end(),
                                 [](const Setting& setting) { return setting.items.size() > 1; });
  refuse(axis->origin, "the axes make " + std::to_string(rows.rows()) + " rows; more than " +
                           std::to_string(most_rows) + " must be asked for with --yes");
}

/// A program in place of the scheduler plans for a placement: of policies that place alike, the first stays, and of
/// those that nobody asked for, the first of all.
void leave_out_same_placements(Experiment& experiment) {
  const auto setting = [&](std::string_view key) -> Setting& {
    return *std::ranges::find(experiment.settings, key, &Setting::key);
  };
  const std::vector<Setting::Item>& programs = setting("scheduler").items;
  const bool all_outside = std::ranges::all_of(programs, [](const Setting::Item& item) {
    const auto* name = std::get_if<std::string>(&item.value);
    return name != nullptr && names_program(*name);
  });
  if (!all_outside) return;
  if (setting("policy").origin == "default") setting("policy").items.resize(1);
  std::map<std::tuple<std::string_view, std::string_view, bool>, std::string> first;
  std::erase_if(setting("policy").items, [&](const Setting::Item& item) {
    const auto* name = std::get_if<std::string>(&item.value);
    const auto policy = std::ranges::find(policies(), name == nullptr ? "" : *name, &Policy::name);
    if (policy == policies().end()) return false;  // refused when it is applied
    const auto [known, is_new] = first.emplace(std::tuple{policy->placer, policy->allocation, policy->any_node}, *name);
    if (!is_new && known->second != *name)
      experiment.left_out.push_back(item.origin + ": policy " + in_quotes(*name) +
                                    " makes no rows of its own: it places as " + in_quotes(known->second) +
                                    ", and scheduler " + to_text(programs.front().value) + " plans for both");
    return !is_new;
  });
}

/// Where collective.reconfigure says which circuits there are, no scheduler plans: policies that
/// nobody asked for make no rows.
void leave_out_unused_policies(Experiment& experiment) {
  const auto setting = [&](std::string_view key) -> Setting& {
    return *std::ranges::find(experiment.settings, key, &Setting::key);
  };
  const bool none_plans = std::ranges::none_of(setting("collective.reconfigure").items, [](const Setting::Item& item) {
    return item.value == Scalar{std::string("scheduler")};
  });
  if (none_plans && setting("policy").origin == "default") setting("policy").items.resize(1);
}

/// Loads each thing that a key names once.
template <class T>
class Loaded {
 public:
  Loaded(std::string key, const std::function<T(std::string_view)>& load) : key_(std::move(key)), load_(load) {}
  std::shared_ptr<const T> get(const std::string& name, const std::string& origin) {
    std::shared_ptr<const T>& kept = kept_[name];
    if (kept) return kept;
    try {
      if (!load_) throw Error(ErrorKind::input, "nothing of the kind is known here");
      kept = std::make_shared<const T>(load_(name));
    } catch (const Error& failure) {
      const std::string complaint = failure.what();
      refuse(origin, key_ + " is " + in_quotes(name) + (complaint.starts_with("must ") ? ", but " : ": ") + complaint);
    }
    return kept;
  }

 private:
  std::string key_;
  const std::function<T(std::string_view)>& load_;
  std::map<std::string, std::shared_ptr<const T>> kept_;
};

}  // namespace

int node_count(const JobSettings& job) {
  const bool servers = !job.colocated && job.collective == "none" && job.peers == "none";
  return job.workers + (servers ? job.servers : 0);
}

const Setting::Item& item_of(const Experiment& experiment, std::size_t row, std::size_t key) {
  return experiment.settings.at(key).items[experiment.rows.item(row, key)];
}

Experiment resolve(std::span<const Setting> said, const Names& names, const std::filesystem::path& origin,
                   std::size_t most_rows) {
  std::vector<Setting> keys;
  Experiment experiment;
  for (const Setting& setting : said) (chooses_rows(setting) ? experiment.choice : keys).push_back(setting);
  experiment.settings = complete(keys);
  if (experiment.choice.empty()) leave_out_same_placements(experiment), leave_out_unused_policies(experiment);
  experiment.rows = choose_rows(experiment, names, most_rows);
  const std::size_t rows = experiment.rows.rows();
  Loaded<Workload> workloads("job.workload", names.load_workload);
  Loaded<CoflowTrace> traces("job.workload", names.load_trace);
  Loaded<PhasedInput> phases("job.workload", names.load_phases);
  Loaded<Dataset> datasets("learning.data", names.load_dataset);
  Loaded<SwitchProfile> switches("fabric.switch", names.load_switch);
  const std::function<std::vector<Picos>(std::string_view)> load_charges = [&](std::string_view row) {
    if (!names.load_charges) throw Error(ErrorKind::input, "must come with --db FILE, the database of that row");
    PlanningSettings planning;
    read_charge(std::string(row), planning);
    return names.load_charges(planning.row);
  };
  Loaded<std::vector<Picos>> charges("charge_planning", load_charges);
  Loaded<DeviceConfig> looks("fabric.rate is \"device\", and fabric.device", names.look_at_device);
  Loaded<OutsideScheduler> schedulers("scheduler", names.load_scheduler);
  Loaded<std::vector<BandwidthChange>> bandwidth("nodes.rate_trace", names.load_bandwidth_trace);
  for (std::size_t row = 0; row < rows; ++row) {
    Point point;
    Origins origins;
    for (std::size_t k = 0; k < experiment.settings.size(); ++k) {
      const Setting::Item& item = item_of(experiment, row, k);
      apply(experiment_keys()[k], item, names, point);
      origins[experiment.settings[k].key] = item.origin;
    }
    if (point.name.empty()) point.name = origin.stem().string();
    if (point.fabric.rate_of_device)
      adopt_rate(point.fabric, *looks.get(point.fabric.device, origins["fabric.rate"]), origins);
    if (!point.fabric.switch_name.empty())
      use_switch(point.fabric, *switches.get(point.fabric.switch_name, origins["fabric.switch"]), origins);
    add_extra_tuning(point, origins);
    add_parking(point.fabric, origins);
    fit_fabric(point.fabric, origins);
    if (point.jobs_text.empty() && names_phases(point.job.workload_name))
      adopt_phases(point, phases.get(point.job.workload_name, origins["job.workload"]), origins);
    fit_fibres(point, origins);
    fit_outages(point.fabric, origins);
    fit_mirrors(point.fabric, origins);
    if (!point.nodes.rate_trace.empty())
      point.nodes.changes = bandwidth.get(point.nodes.rate_trace, origins["nodes.rate_trace"]);
    fit_rates(point, origins);
    fit_control(point, origins);
    if (!point.packets) check_ports(point.fabric, names, origins);
    const auto table = [&](const std::string& name) {
      return workloads.get(name, name == point.job.workload_name ? origin_of(origins, {"job.workload", "jobs"})
                                                                 : origin_of(origins, {"jobs", "job.workload"}));
    };
    if (names_trace(point.job.workload_name)) {
      point.trace = traces.get(point.job.workload_name, origins["job.workload"]);
      point.job.workload = trace_as_table(*point.trace);
    } else if (point.jobs_text.empty() && !point.phased) {
      point.job.workload = table(point.job.workload_name);
    }
    if (point.jobs_text.empty())
      fit_compute(point.job, point.seed, names, origins), fit_demand(point.job, names, origins);
    else
      read_jobs(point, origins, names, {table, [&](const std::string& folder) {
                                          return datasets.get(folder, origin_of(origins, {"jobs", "learning.data"}));
                                        }});
    if (names_outside_scheduler(point.planning.scheduler))
      point.planning.outside = schedulers.get(point.planning.scheduler, origins["scheduler"]);
    if (point.planning.charge == PlanningSettings::Charge::row)
      point.planning.replayed = charges.get(point.planning.charge_text, origins["charge_planning"]);
    if (point.jobs.empty()) fit_learning(point.job, origins);
    check_fit(point, origins);
    if (point.job.real_gradients && point.jobs.empty())
      point.job.learning.loaded = datasets.get(point.job.learning.folder, origins["learning.data"]);
    experiment.points.push_back(std::move(point));
  }
  return experiment;
}

Experiment load_experiment(const std::filesystem::path& file, std::span<const std::string> overrides,
                           const Names& names, std::size_t most_rows) {
  std::vector<Setting> settings = read_settings(read_text_file(file, "experiment file", max_file_bytes), file.string());
  std::vector<Setting> later;
  for (const std::string& each : overrides) later.push_back(read_override(each));
  apply_overrides(settings, later);
  return resolve(settings, names, file, most_rows);
}

}  // namespace ocs
