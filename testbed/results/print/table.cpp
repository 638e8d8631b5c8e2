// The tables of a run: a comparison of all rows, then the details of each kind.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/print/table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "testbed/results/print/comparison.hpp"
#include "testbed/results/text/columns.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

const std::string nothing = "-";

/// One thing to show of a row.
struct Cell {
  const char* heading;
  std::string (*text)(const Row&);
};

bool packets(const Row& row) { return row.network == "packet"; }

std::string circuits(const Row& row) { return packets(row) ? nothing : human_count(row.reconfigurations); }

std::string dark(const Row& row) { return packets(row) ? nothing : human_percent(row.dark_share()); }

/// Quantiles and means of samples. Without a sample there is none.
std::string time_of(Picos time, std::int64_t samples) { return samples > 0 ? human_time(time) : nothing; }

std::string cct(const Row& row, Picos time) {
  return row.arrivals->by_coflow ? time_of(time, row.arrivals->coflows) : nothing;
}

/// Of a job that moves nothing when it is alone, there is none.
std::string slowdown(double factor) { return factor > 0 ? human_ratio(factor) : nothing; }

// Of a job with phases.
constexpr Cell times[] = {
    {"PST min", [](const Row& r) { return human_time(r.pst_min); }},
    {"max", [](const Row& r) { return human_time(r.pst_max); }},
    {"circuits", circuits},
    {"dark", dark},
};

// Of a job without phases.
constexpr Cell iterations[] = {
    {"iteration 99 %", [](const Row& r) { return time_of(r.schemes->iteration_p99, r.schemes->intervals); }},
    {"blocked mean", [](const Row& r) { return time_of(r.schemes->blocked_mean, r.schemes->waits); }},
    {"99 %", [](const Row& r) { return time_of(r.schemes->blocked_p99, r.schemes->waits); }},
    {"updates", [](const Row& r) { return human_count(r.schemes->updates); }},
    {"dropped", [](const Row& r) { return human_count(r.schemes->dropped); }},
    {"staleness",
     [](const Row& r) { return r.schemes->updates > 0 ? human_ratio(r.schemes->staleness_mean) : nothing; }},
    {"max", [](const Row& r) { return r.schemes->updates > 0 ? human_count(r.schemes->staleness_max) : nothing; }},
    {"clock gap", [](const Row& r) { return human_count(r.schemes->clock_gap); }},
    {"circuits", circuits},
    {"dark", dark},
};

constexpr Cell arrivals[] = {
    {"CCT 95 %", [](const Row& r) { return cct(r, r.arrivals->cct_p95); }},
    {"99 %", [](const Row& r) { return cct(r, r.arrivals->cct_p99); }},
    {"makespan", [](const Row& r) { return human_time(r.arrivals->makespan); }},
    {"slowdown", [](const Row& r) { return slowdown(r.arrivals->slowdown_mean); }},
    {"95 %", [](const Row& r) { return slowdown(r.arrivals->slowdown_p95); }},
    {"99 %", [](const Row& r) { return slowdown(r.arrivals->slowdown_p99); }},
    {"off plan", [](const Row& r) { return r.arrivals->by_coflow ? human_count(r.arrivals->off_plan) : nothing; }},
};

/// Of simulated time, for each edge that was evaluated.
std::string cycles_per_edge(const Row& row) {
  return row.edges == 0 ? nothing : human_ratio(static_cast<double>(row.cycles.n) / static_cast<double>(row.edges));
}

constexpr Cell transport[] = {
    {"words passed", [](const Row& r) { return human_count(r.words_passed); }},
    {"words lost", [](const Row& r) { return human_count(r.words_lost + r.words_unrouted); }},
    {"sent again", [](const Row& r) { return human_count(r.words_retransmitted); }},
    {"CRC errors", [](const Row& r) { return human_count(r.crc_errors); }},
    {"simulated", [](const Row& r) { return human_time(r.sim_time); }},
    {"cycles/edge", cycles_per_edge},
    {"wall", [](const Row& r) { return human_time(r.wall_time_s); }},
    {"x real time", [](const Row& r) { return human_ratio(r.realtime_ratio()); }},
};

std::string port_share(const Row& row, Cycles port_cycles) {
  const double all = static_cast<double>(row.cycles.n) * row.ports;
  return all > 0 ? human_percent(static_cast<double>(port_cycles.n) / all) : nothing;
}

// Where the time goes: of a worker, then of the switch's outputs.
constexpr Cell shares[] = {
    {"compute", [](const Row& r) { return human_time(r.node_compute); }},
    {"communication", [](const Row& r) { return human_time(r.node_communication); }},
    {"dark", [](const Row& r) { return human_time(r.node_dark); }},
    {"waiting", [](const Row& r) { return human_time(r.node_waiting); }},
    {"ports up", [](const Row& r) { return port_share(r, r.port_up); }},
    {"tuning", [](const Row& r) { return port_share(r, r.port_tuning); }},
    {"locking", [](const Row& r) { return port_share(r, r.port_locking); }},
    {"idle", [](const Row& r) { return port_share(r, r.port_idle); }},
};

/// Keys of the tables that every experiment has are shown without their table.
std::string heading_of(const std::string& key) {
  if (key == "control.mode") return "control";
  for (const char* table : {"fabric.", "job.", "control.", "collective."})
    if (key.starts_with(table)) return key.substr(std::string(table).size());
  return key;
}

/// Columns of the policy, unless it is one and something else varies, and of each axis. Long values have numbers there,
/// and stand in `legend` once.
class SweptColumns {
 public:
  explicit SweptColumns(std::span<const Row> rows) {
    for (const ShownSetting& setting : rows.front().settings)
      if (setting.axis) axes_.push_back(setting.key);
    for (const std::string& key : axes_) number_long_values(rows, key);
    const std::string& policy = rows.front().policy;
    has_policy_ = axes_.empty() || axes_ == std::vector<std::string>{"seed"} ||
                  std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.policy != policy; });
  }

  std::vector<TextColumn> of(std::span<const Row* const> rows, bool with_seed) const {
    std::vector<TextColumn> columns;
    if (has_policy_) {
      columns.push_back({"policy", {}});
      for (const Row* row : rows) columns.front().cells.push_back(row->policy);
    }
    for (const std::string& key : axes_) {
      if (key == "seed" && !with_seed) continue;
      TextColumn& column = columns.emplace_back(TextColumn{heading_of(key), {}});
      for (const Row* row : rows) column.cells.push_back(shown(key, value_of(*row, key)));
    }
    return columns;
  }

  bool has_policy() const { return has_policy_; }

  struct Legend {
    std::string heading;
    std::vector<std::string> items;
  };
  const std::vector<Legend>& legend() const { return legend_; }

 private:
  static constexpr std::size_t longest = 20;
  struct Numbered {
    std::string key, value, text;
  };

  void number_long_values(std::span<const Row> rows, const std::string& key) {
    std::vector<std::string> values;
    for (const Row& row : rows) {
      const std::string value = value_of(row, key);
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
    if (std::none_of(values.begin(), values.end(), [](const std::string& v) { return v.size() > longest; })) return;
    std::vector<std::string> items;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::string number = "#" + std::to_string(k + 1);
      numbered_.push_back({key, values[k], number});
      items.push_back(number + " \"" + values[k] + "\"");
    }
    legend_.push_back({heading_of(key), items});
  }

  std::string shown(const std::string& key, const std::string& value) const {
    for (const Numbered& each : numbered_)
      if (each.key == key && each.value == value) return each.text;
    return value.empty() ? nothing : value;
  }

  std::vector<std::string> axes_;
  bool has_policy_ = true;
  std::vector<Legend> legend_;
  std::vector<Numbered> numbered_;
};

void print_heading(std::ostream& out, std::span<const Row> rows, const SweptColumns& swept, int width) {
  constexpr std::size_t longest = 60;
  std::vector<ShownSetting> constant;
  for (const Row& row : rows)
    for (const ShownSetting& setting : row.settings) {
      const auto known = std::find_if(constant.begin(), constant.end(),
                                      [&](const ShownSetting& each) { return each.key == setting.key; });
      if (!setting.axis && known == constant.end()) constant.push_back(setting);
    }
  std::vector<std::string> items;
  if (!swept.has_policy()) items.push_back("policy " + rows.front().policy);
  for (const ShownSetting& setting : constant) {
    const std::string value =
        setting.value.size() > longest ? setting.value.substr(0, longest - 3) + "..." : setting.value;
    items.push_back(heading_of(setting.key) + " " + (value.empty() ? nothing : value));
  }
  print_list(out, rows.front().name, items, width);
  for (const SweptColumns::Legend& legend : swept.legend()) print_list(out, "  " + legend.heading, legend.items, width);
}

using Formatted = std::string (*)(double);

/// What the first table can show, in its order.
struct Headline {
  std::string heading;
  Measure measure;
  Formatted text;
  bool ratio;  ///< to the baseline
};

const Headline headlines[] = {
    {"iteration", iteration_s, [](double v) { return human_time(v); }, true},
    {"PST mean", pst_s, [](double v) { return human_time(v); }, true},
    {"x bound", pst_over_bound, human_ratio, false},
    {"CCT mean", cct_s, [](double v) { return human_time(v); }, true},
    {"accuracy", accuracy, [](double v) { return human_percent(v); }, false},
    {"loss", loss, human_ratio, false},
    {"to target", time_to_target_s, [](double v) { return human_time(v); }, true},
};

// Behind the iteration where jobs with servers stand beside collectives, whose details are in a table of their own.
const Headline set_ups[] = {
    {"circuits", circuits_set_up, [](double v) { return human_count(std::llround(v)); }, false},
    {"dark time", dark_time_s, [](double v) { return human_time(v); }, false},
};

bool has_alternatives(std::span<const Row> rows) {
  const auto has_servers = [](const Row& row) { return row.collective == "none"; };
  return std::any_of(rows.begin(), rows.end(), has_servers) && !std::all_of(rows.begin(), rows.end(), has_servers);
}

TextColumn column_of(const std::string& heading, std::size_t lines,
                     const std::function<std::string(std::size_t)>& text) {
  TextColumn column{heading, {}};
  for (std::size_t k = 0; k < lines; ++k) column.cells.push_back(text(k));
  return column;
}

/// The mean, the half-width where several seeds were run, and the ratio to the baseline.
void add_headline(std::vector<TextColumn>& columns, const Headline& shown, const Comparison& comparison,
                  const TableOptions& options) {
  const std::size_t lines = comparison.lines().size();
  std::vector<Estimate> estimates;
  for (const ComparedLine& line : comparison.lines()) estimates.push_back(line.estimate(shown.measure));
  const auto missing = [&](const ComparedLine& line) {
    const bool target = shown.measure == time_to_target_s && line.estimate(accuracy).n > 0;
    return target ? std::string("not reached") : nothing;
  };
  columns.push_back(column_of(shown.heading, lines, [&](std::size_t k) {
    const Estimate& estimate = estimates[k];
    if (estimate.n == 0) return missing(comparison.lines()[k]);
    const std::size_t all = comparison.lines()[k].rows.size();
    const bool some = static_cast<std::size_t>(estimate.n) < all;
    return shown.text(estimate.mean) + (some ? " (" + std::to_string(estimate.n) + ")" : "");
  }));
  if (shown.measure == pst_over_bound) return;
  if (comparison.several_seeds())
    columns.push_back(column_of("+- 95 %", lines, [&](std::size_t k) {
      return estimates[k].half_width ? shown.text(*estimates[k].half_width) : nothing;
    }));
  if (!shown.ratio || !options.baseline) return;
  columns.push_back(column_of("x " + options.baseline->value, lines, [&](std::size_t k) {
    const std::optional<double> ratio = comparison.ratio(k, shown.measure);
    return ratio ? human_ratio(*ratio) : nothing;
  }));
}

void print_comparison(std::ostream& out, std::span<const Row> rows, const SweptColumns& swept,
                      const TableOptions& options) {
  const Comparison comparison(rows, options.earlier, options.baseline);
  std::vector<const Row*> first;
  for (const ComparedLine& line : comparison.lines()) first.push_back(line.rows.front());
  std::vector<TextColumn> left = swept.of(first, !comparison.several_seeds()), right;
  if (comparison.several_seeds())
    left.push_back(
        column_of("n", first.size(), [&](std::size_t k) { return std::to_string(comparison.lines()[k].rows.size()); }));
  std::vector<Headline> all(std::begin(headlines), std::end(headlines));
  if (has_alternatives(rows)) all.insert(all.begin() + 1, std::begin(set_ups), std::end(set_ups));
  for (const Headline& shown : all) add_headline(right, shown, comparison, options);
  print_columns(out, left, right, options.width);
}

void print_cells(std::ostream& out, const std::vector<const Row*>& rows, const SweptColumns& swept,
                 std::span<const Cell> cells, int width) {
  if (rows.empty()) return;
  std::vector<TextColumn> right;
  for (const Cell& cell : cells)
    right.push_back(column_of(cell.heading, rows.size(), [&](std::size_t k) { return cell.text(*rows[k]); }));
  print_columns(out, swept.of(rows, true), right, width);
}

}  // namespace

std::string headline_text(const Row& row) {
  std::string text;
  for (const Headline& shown : headlines) {
    const std::optional<double> value = shown.measure(row);
    if (!value || shown.heading == "x bound") continue;
    const std::string name = shown.heading.ends_with(" mean") ? shown.heading.substr(0, 3) : shown.heading;
    text += (text.empty() ? "" : ", ") + name + " " + shown.text(*value);
  }
  return text;
}

void print_table(std::ostream& out, std::span<const Row> rows, const TableOptions& options) {
  if (rows.empty()) return;
  const SweptColumns swept(rows);
  print_heading(out, rows, swept, options.width);
  print_comparison(out, rows, swept, options);
  std::vector<const Row*> all, came, eager, phases, one_plane;
  for (const Row& row : rows) {
    all.push_back(&row);
    (row.arrivals ? came : row.eager ? eager : phases).push_back(&row);
    if (!row.arrivals && !row.eager && row.planes == 1) one_plane.push_back(&row);
  }
  print_cells(out, came, swept, arrivals, options.width);
  print_cells(out, eager, swept, iterations, options.width);
  print_cells(out, phases, swept, times, options.width);
  print_cells(out, one_plane, swept, shares, options.width);
  print_cells(out, all, swept, transport, options.width);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows.size() > 1 && !rows[k].jobs.empty()) out << "\njobs of row " << k + 1 << ":";
    print_jobs(out, rows[k].jobs, options.width);
  }
}

}  // namespace ocs
