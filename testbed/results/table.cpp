// Aligns result rows: the policy and what varies on the left, what was measured on the right.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/table.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "testbed/results/human.hpp"

namespace ocs {
namespace {

/// One thing to show of a row.
struct Cell {
  const char* heading;
  std::string (*text)(const Row&);
};

bool packets(const Row& row) { return row.network == "packet"; }

bool timetable(const Row& row) { return row.control == "timetable"; }

/// "0 ns +- 20 ns": offsets and spread.
std::string clocks(const Row& row) {
  return row.clock_offset + (row.clock_spread.n == 0 ? "" : " +- " + human_time(row.clock_spread));
}

// Shown in the heading when all rows agree, in columns where they differ. Empty: nothing to say.
constexpr Cell asked[] = {
    {"network", [](const Row& r) { return packets(r) ? r.network : std::string(); }},
    {"device", [](const Row& r) { return r.device; }},
    {"ports", [](const Row& r) { return std::to_string(r.ports); }},
    {"rate", [](const Row& r) { return human_rate(r.rate_bps); }},
    {"word", [](const Row& r) { return std::to_string(r.word.n) + " B"; }},
    {"tuning", [](const Row& r) { return packets(r) ? std::string() : human_time(r.tuning); }},
    {"locking", [](const Row& r) { return packets(r) ? std::string() : human_time(r.locking); }},
    {"planes", [](const Row& r) { return r.planes == 1 ? std::string() : std::to_string(r.planes); }},
    {"fibre", [](const Row& r) { return r.fibre.n == 0 ? std::string() : human_time(r.fibre); }},
    {"control", [](const Row& r) { return r.control; }},
    {"guard", [](const Row& r) { return timetable(r) ? human_time(r.guard) : std::string(); }},
    {"clocks", [](const Row& r) { return timetable(r) ? clocks(r) : std::string(); }},
    {"lead", [](const Row& r) { return r.lead.n == 0 ? std::string() : human_time(r.lead); }},
    {"time warp", [](const Row& r) { return std::string(packets(r)    ? ""
                                                        : r.time_warp ? "on"
                                                                      : "off"); }},
    {"workload", [](const Row& r) { return r.workload; }},
    {"workers", [](const Row& r) { return std::to_string(r.workers); }},
    {"servers", [](const Row& r) { return std::to_string(r.servers); }},
    {"sync", [](const Row& r) { return r.sync; }},
    {"settings", [](const Row& r) { return r.sync_settings; }},
    {"duration", [](const Row& r) { return r.duration.n == 0 ? std::string() : human_time(r.duration); }},
    {"times", [](const Row& r) { return r.compute_model; }},
    {"deaths", [](const Row& r) { return r.deaths; }},
    {"collective", [](const Row& r) { return r.collective == "none" ? std::string() : r.collective; }},
    {"server load", [](const Row& r) { return r.server_load == "placed" ? std::string() : r.server_load; }},
    {"load", [](const Row& r) { return r.load_settings; }},
    {"rate trace", [](const Row& r) { return r.rate_trace; }},
    {"fusion", [](const Row& r) { return r.fusion.n == 0 ? std::string() : std::to_string(r.fusion.n) + " B"; }},
    {"slice", [](const Row& r) { return r.slice.n == 0 ? std::string() : std::to_string(r.slice.n) + " B"; }},
    {"overlap", [](const Row& r) { return r.overlap == "none" ? std::string() : r.overlap; }},
    {"priorities", [](const Row& r) { return r.priorities == "none" ? std::string() : r.priorities; }},
    {"iterations", [](const Row& r) { return std::to_string(r.iterations); }},
    {"compute", [](const Row& r) { return human_time(r.compute); }},
    {"payload", [](const Row& r) { return r.payload; }},
    {"transport", [](const Row& r) { return r.transport; }},
    {"seed", [](const Row& r) { return std::to_string(r.seed); }},
};

// Three tables, so that each fits a window.
constexpr Cell times[] = {
    {"PST mean", [](const Row& r) { return human_time(r.pst_mean); }},
    {"min", [](const Row& r) { return human_time(r.pst_min); }},
    {"max", [](const Row& r) { return human_time(r.pst_max); }},
    {"x bound", [](const Row& r) { return human_ratio(r.pst_over_bound()); }},
    {"x psscheduler",
     [](const Row& r) { return r.pst_over_psscheduler ? human_ratio(*r.pst_over_psscheduler) : std::string("-"); }},
    {"circuits", [](const Row& r) { return human_count(r.reconfigurations); }},
    {"dark", [](const Row& r) { return human_percent(r.dark_share()); }},
};

// Of a job without phases.
constexpr Cell iterations[] = {
    {"iteration mean", [](const Row& r) { return human_time(r.schemes->iteration_mean); }},
    {"99 %", [](const Row& r) { return human_time(r.schemes->iteration_p99); }},
    {"blocked mean", [](const Row& r) { return human_time(r.schemes->blocked_mean); }},
    {"99 %", [](const Row& r) { return human_time(r.schemes->blocked_p99); }},
    {"updates", [](const Row& r) { return human_count(r.schemes->updates); }},
    {"dropped", [](const Row& r) { return human_count(r.schemes->dropped); }},
    {"staleness", [](const Row& r) { return human_ratio(r.schemes->staleness_mean); }},
    {"max", [](const Row& r) { return human_count(r.schemes->staleness_max); }},
    {"clock gap", [](const Row& r) { return human_count(r.schemes->clock_gap); }},
    {"circuits", [](const Row& r) { return human_count(r.reconfigurations); }},
    {"dark", [](const Row& r) { return human_percent(r.dark_share()); }},
};

constexpr Cell arrivals[] = {
    {"CCT mean", [](const Row& r) { return human_time(r.arrivals->cct_mean); }},
    {"95 %", [](const Row& r) { return human_time(r.arrivals->cct_p95); }},
    {"99 %", [](const Row& r) { return human_time(r.arrivals->cct_p99); }},
    {"makespan", [](const Row& r) { return human_time(r.arrivals->makespan); }},
    {"slowdown", [](const Row& r) { return human_ratio(r.arrivals->slowdown_mean); }},
    {"95 %", [](const Row& r) { return human_ratio(r.arrivals->slowdown_p95); }},
    {"99 %", [](const Row& r) { return human_ratio(r.arrivals->slowdown_p99); }},
    {"off plan", [](const Row& r) { return human_count(r.arrivals->off_plan); }},
};

/// Of simulated time, for each edge that was evaluated.
std::string cycles_per_edge(const Row& row) {
  return row.edges == 0 ? std::string("-")
                        : human_ratio(static_cast<double>(row.cycles.n) / static_cast<double>(row.edges));
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
  return all > 0 ? human_percent(static_cast<double>(port_cycles.n) / all) : std::string("-");
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

std::string padded(const std::string& text, std::size_t width, bool left) {
  const std::string space(width - std::min(width, text.size()), ' ');
  return left ? text + space : space + text;
}

void print_columns(std::ostream& out, std::span<const Row> rows, std::span<const Cell> left,
                   std::span<const Cell> right) {
  std::vector<Cell> cells(left.begin(), left.end());
  cells.insert(cells.end(), right.begin(), right.end());
  std::vector<std::string> lines(rows.size() + 1);
  for (const Cell& cell : cells) {
    const bool first = &cell == &cells.front();
    std::size_t width = std::string(cell.heading).size();
    for (const Row& row : rows) width = std::max(width, cell.text(row).size());
    const std::string gap = first ? "" : "  ";
    lines[0] += gap + padded(cell.heading, width, first);
    for (std::size_t k = 0; k < rows.size(); ++k) lines[k + 1] += gap + padded(cell.text(rows[k]), width, first);
  }
  out << '\n';
  for (const std::string& line : lines) out << line << '\n';
}

}  // namespace

void print_table(std::ostream& out, std::span<const Row> given) {
  if (given.empty()) return;
  std::vector<Row> rows(given.begin(), given.end());
  for (Row& row : rows)
    if (!row.pst_over_psscheduler) compare_with_psscheduler(row, given);  // here a later row serves as well
  std::vector<Cell> varied = {{"policy", [](const Row& r) { return r.policy; }}};
  constexpr std::size_t heading_width = 100;
  std::string line = rows.front().name + ":";
  for (const Cell& cell : asked) {
    const std::string first = cell.text(rows.front());
    if (!std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return cell.text(row) == first; })) {
      varied.push_back(cell);
      continue;
    }
    if (first.empty()) continue;
    const std::string item = std::string(cell.heading) + " " + first;
    if (line.size() + item.size() > heading_width) {
      out << line << ",\n";
      line.clear();
    }
    line += (line.empty() ? "  " : line.ends_with(':') ? " " : ", ") + item;
  }
  out << line << '\n';
  std::vector<Row> came, eager, single;
  for (const Row& row : rows) (row.arrivals ? came : row.eager ? eager : single).push_back(row);
  if (!came.empty()) print_columns(out, came, varied, arrivals);
  if (!eager.empty()) print_columns(out, eager, varied, iterations);
  if (!single.empty()) {
    print_columns(out, single, varied, times);
    std::erase_if(single, [](const Row& row) { return row.planes > 1; });
    if (!single.empty()) print_columns(out, single, varied, shares);
  }
  print_columns(out, rows, varied, transport);
}

}  // namespace ocs
