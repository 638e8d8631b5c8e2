// Reads tables [[job]]: a job says what it has of its own, and is as [job] in everything else.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "host/core/error.hpp"
#include "host/scheduler/splitmix.hpp"
#include "host/toml/toml.hpp"
#include "testbed/experiment/arrivals.hpp"
#include "testbed/experiment/keys/key_kinds.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_jobs = 100'000;
constexpr std::int64_t most_time = std::int64_t{1} << 60;  // ps
constexpr std::int64_t most_compute = 1'000'000'000'000'000;

/// Keys of a table that aren't keys of [job], and some of [job] that are checked here.
const std::vector<std::string>& own_keys() {
  static const std::vector<std::string> keys = {"arrival",    "count",    "every",   "gaps",    "priority",
                                                "first_node", "workload", "workers", "servers", "colocated",
                                                "iterations", "compute",  "payload"};
  return keys;
}

/// Tables of keys that each job may have for itself.
constexpr std::string_view tables_of_a_job[] = {"job.",  "collective.", "compute.", "learning.",
                                                "load.", "peers.",      "sync."};

/// How a table names a key of the experiment: those of [job] without "job."; empty: a job has no such key.
std::string name_in_table(std::string_view key) {
  for (const std::string_view table : tables_of_a_job)
    if (key.starts_with(table)) return std::string(table == "job." ? key.substr(table.size()) : key);
  return {};
}

const Key* key_of(const std::string& name) {
  for (const Key& key : experiment_keys())
    if (name_in_table(key.name) == name) return &key;
  return nullptr;
}

std::vector<std::string> all_keys() {
  std::vector<std::string> all = own_keys();
  for (const Key& key : experiment_keys())
    if (const std::string name = name_in_table(key.name);
        !name.empty() && std::find(all.begin(), all.end(), name) == all.end())
      all.push_back(name);
  return all;
}

std::optional<Scalar> scalar_of(const toml::node& node) {
  if (const auto* truth = node.as_boolean()) return truth->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  return std::nullopt;
}

/// What makes a job the kind that it is.
std::string kind_text(const JobSettings& job) {
  if (job.peers != "none") return "job.peers " + in_quotes(job.peers);
  return job.collective == "none" ? "servers" : "job.collective " + in_quotes(job.collective);
}

/// One table [[job]].
class JobTable {
 public:
  JobTable(const toml::table& table, std::size_t number, const std::string& origin)
      : number_(number), who_("job " + std::to_string(number)), origin_(origin) {
    collect(table, "");
  }

  std::size_t number() const { return number_; }
  const std::string& who() const { return who_; }
  bool says(const std::string& key) const { return values_.contains(key); }
  [[noreturn]] void wrong(const std::string& key, const std::string& complaint) const {
    refuse(origin_, who_ + ": " + key + " " + complaint);
  }
  std::int64_t whole(const char* key, std::int64_t fallback, std::int64_t least, std::int64_t most) const {
    const Scalar* value = get(key);
    if (value == nullptr) return fallback;
    const auto* number = std::get_if<std::int64_t>(value);
    if (number == nullptr || *number < least || *number > most)
      wrong(key, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return *number;
  }
  std::string text(const char* key, const std::string& fallback) const {
    const Scalar* value = get(key);
    if (value == nullptr) return fallback;
    const auto* words = std::get_if<std::string>(value);
    if (words == nullptr) wrong(key, "must be text in quotes");
    return *words;
  }
  bool truth(const char* key, bool fallback) const {
    const Scalar* value = get(key);
    if (value == nullptr) return fallback;
    const auto* flag = std::get_if<bool>(value);
    if (flag == nullptr) wrong(key, "must be true or false, without quotes");
    return *flag;
  }
  Picos time(const char* key, Picos fallback, std::int64_t most) const {
    if (get(key) == nullptr) return fallback;
    const std::string words = text(key, "");
    try {
      const std::int64_t amount = parse_quantity(words, Dimension::time);
      if (amount >= 0 && amount <= most) return {amount};
    } catch (const Error& failure) {
      wrong(key, "is " + in_quotes(words) + ", but " + failure.what());
    }
    wrong(key, "is " + in_quotes(words) + ", but must be from 0 ns to " + to_text(most, Dimension::time));
  }

  /// What the table says of the experiment's other keys.
  void apply_others(const Names& names, Point& alone) const {
    for (const auto& [name, value] : values_) {
      if (std::find(own_keys().begin(), own_keys().end(), name) != own_keys().end()) continue;
      try {
        key_of(name)->apply(value, names, alone);
      } catch (const Error& failure) {
        wrong(name, "is " + to_text(value) + ", but " + failure.what());
      }
    }
  }

  /// Refuses keys of another kind of job.
  void check_kind(const Point& alone) const {
    const JobKind kind = kind_of(alone.job);
    const auto entry = std::ranges::find(job_kinds(), kind, &JobKindEntry::kind);
    for (const auto& [name, value] : values_)
      if (const Key* key = key_of(name); key != nullptr && !has_key(kind, key->name))
        wrong(name, "is unknown there: it is no key of a job with " + kind_text(alone.job) +
                        "; `lightloop list keys --for " + std::string(entry->name) + "` has those");
  }

 private:
  const Scalar* get(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }

  void collect(const toml::table& table, const std::string& prefix) {
    for (const auto& [name, node] : table) {
      const std::string key = prefix + std::string(name.str());
      if (const toml::table* inner = node.as_table()) {
        collect(*inner, key + ".");
        continue;
      }
      const std::vector<std::string> known = all_keys();
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        const std::string like = nearest(key, known);
        refuse(origin_,
               who_ + " has the unknown key " + in_quotes(key) +
                   (like.empty() ? ", but the keys are " + joined(known) : "; did you mean " + in_quotes(like) + "?"));
      }
      const std::optional<Scalar> value = scalar_of(node);
      if (!value) wrong(key, "must be one value, text, a number, true or false: it can't be an axis");
      values_.emplace(key, *value);
    }
  }

  std::map<std::string, Scalar> values_;
  std::size_t number_;
  std::string who_;
  const std::string& origin_;
};

void read_plain(const JobTable& table, const LoadedTables& loaded, JobSettings& job) {
  job.workload_name = table.text("workload", job.workload_name);
  if (names_trace(job.workload_name) || names_phases(job.workload_name))
    table.wrong("workload",
                "is " + in_quotes(job.workload_name) +
                    ", but must be a table: `lightloop list workloads`, \"file:PATH\", or a size such as \"4 MB\"");
  job.workload = loaded.workload(job.workload_name);
  job.workers = static_cast<int>(table.whole("workers", job.workers, 1, 255));
  job.servers = static_cast<int>(table.whole("servers", job.servers, 1, 255));
  job.colocated = table.truth("colocated", job.colocated);
  job.iterations = static_cast<int>(table.whole("iterations", job.iterations, 1, 1'000'000));
  job.compute = table.time("compute", job.compute, most_compute);
  job.payload = table.text("payload", job.payload);
  if (job.payload != "full" && job.payload != "digest" && job.payload != "none")
    table.wrong("payload", "is " + in_quotes(job.payload) + ", but must be full, digest or none");
}

/// What [job] says of keys that the kind of job doesn't have is not for this one.
void forget_other_kinds(const Names& names, Point& alone) {
  const JobKind kind = kind_of(alone.job);
  for (const Key& key : experiment_keys())
    if (!name_in_table(key.name).empty() && !has_key(kind, key.name))
      key.apply(read_override(std::string(key.name) + "=" + std::string(key.fallback)).items.front().value, names,
                alone);
}

/// The job that a table says, as it arrives first.
ArrivingJob read_job(const JobTable& table, const Point& point, const Names& names, const LoadedTables& loaded) {
  ArrivingJob one{.arrival = table.time("arrival", {}, most_time),
                  .priority = static_cast<std::int32_t>(table.whole("priority", 0, -1'000'000, 1'000'000)),
                  .first_node = static_cast<int>(table.whole("first_node", 0, 0, 255)),
                  .table = table.number(),
                  .job = {}};
  Point alone = point;
  alone.jobs.clear();
  read_plain(table, loaded, alone.job);
  table.apply_others(names, alone);
  table.check_kind(alone);
  forget_other_kinds(names, alone);
  one.job = std::move(alone.job);
  if (table.says("compute") && !(one.job.trace.empty() && one.job.published.empty()))
    table.wrong("compute", "can't be said with compute.trace or compute.published, which say the times of all jobs");
  return one;
}

void add_copies(const JobTable& table, ArrivingJob one, Point& point) {
  const std::int64_t count = table.whole("count", 1, 1, most_jobs);
  const Picos every = table.time("every", {}, most_time / count);
  const std::string gaps = table.text("gaps", "equal");
  if (gaps != "equal" && gaps != "drawn") table.wrong("gaps", "is " + in_quotes(gaps) + ", but must be equal or drawn");
  if (gaps == "drawn") point.gaps_drawn = true;
  std::uint64_t state = point.seed + point.jobs.size();
  for (std::int64_t k = 0; k < count; ++k) {
    if (static_cast<std::int64_t>(point.jobs.size()) == most_jobs)
      table.wrong("count", "makes more than " + std::to_string(most_jobs) + " jobs, the most allowed");
    one.first_node %= point.fabric.ports;
    point.jobs.push_back(one);
    one.first_node += node_count(one.job);
    const auto twice = static_cast<std::uint64_t>(every.n) * 2 + 1;
    one.arrival += gaps == "equal" ? every : Picos{static_cast<std::int64_t>(splitmix64(state) % twice)};
  }
}

/// All tables of the jobs as one.
std::shared_ptr<const Workload> together(const std::vector<ArrivingJob>& jobs) {
  Workload all{.name = "jobs", .tensors = {}, .total = {}};
  std::set<std::string> names;
  for (const ArrivingJob& job : jobs) {
    if (!names.insert(job.job.workload_name).second) continue;
    all.tensors.insert(all.tensors.end(), job.job.workload->tensors.begin(), job.job.workload->tensors.end());
    all.total += job.job.workload->total;
  }
  return std::make_shared<const Workload>(std::move(all));
}

toml::table parsed_jobs(const Point& point, const std::string& origin) {
  try {
    return parse_toml("jobs = " + point.jobs_text);
  } catch (const toml::parse_error& failure) {
    refuse(origin, "jobs is " + in_quotes(point.jobs_text) +
                       ", but must be a list of tables: " + in_quotes(failure.description()));
  }
}

}  // namespace

void read_jobs(Point& point, const Origins& origins, const Names& names, const LoadedTables& loaded) {
  const std::string origin = origin_of(origins, {"jobs"});
  if (names_phases(point.job.workload_name))
    refuse(origin, "there are jobs, and job.workload is " + in_quotes(point.job.workload_name) +
                       ", but a row must have either");
  if (point.trace) refuse(origin, "there are jobs and a trace of coflows, but a row must have either");
  const toml::table parsed = parsed_jobs(point, origin);
  const toml::array* list = parsed.size() == 1 ? parsed.get("jobs")->as_array() : nullptr;
  if (list == nullptr || list->empty() || !list->is_array_of_tables())
    refuse(origin, "jobs is " + in_quotes(point.jobs_text) + ", but must be a list of tables, or tables [[job]]");
  point.said_by_all_jobs = all_keys();
  for (std::size_t k = 0; k < list->size(); ++k) {
    const JobTable table(*list->get(k)->as_table(), k + 1, origin);
    std::erase_if(point.said_by_all_jobs, [&](const std::string& key) { return !table.says(key); });
    ArrivingJob one = read_job(table, point, names, loaded);
    fit_compute(one.job, point.seed, names, origins);
    fit_demand(one.job, names, origins);
    try {
      fit_learning(one.job, origins);
    } catch (const Error& failure) {
      refuse(origin, table.who() + ": " + failure.what());
    }
    if (one.job.real_gradients) one.job.learning.loaded = loaded.dataset(one.job.learning.folder);
    add_copies(table, std::move(one), point);
  }
  std::stable_sort(point.jobs.begin(), point.jobs.end(),
                   [](const ArrivingJob& a, const ArrivingJob& b) { return a.arrival < b.arrival; });
  point.whole_jobs =
      std::any_of(point.jobs.begin(), point.jobs.end(), [](const ArrivingJob& one) { return !is_coflows(one.job); });
  point.job.workload = together(point.jobs);
}

}  // namespace ocs
