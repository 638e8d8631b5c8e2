// Lists the fields of a row once; a field that is missing here doesn't compile.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/rows/row_wire.hpp"

#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/core/error.hpp"

namespace ocs {
namespace {

/// Structured bindings name all fields of a struct, or there is an error of the compiler.
template <class Visit>
void visit(CurveEntry& entry, Visit&& all) {
  auto& [updates, at, loss, accuracy] = entry;
  all(updates, at, loss, accuracy);
}

template <class Visit>
void visit(ArrivalResults& results, Visit&& all) {
  auto& [jobs, coflows, makespan, cct_mean, cct_p95, cct_p99, cct_max, slowdown_mean, slowdown_p95, slowdown_p99,
         iteration_mean, plans, late, off_plan, by_coflow] = results;
  all(jobs, coflows, makespan, cct_mean, cct_p95, cct_p99, cct_max, slowdown_mean, slowdown_p95, slowdown_p99,
      iteration_mean, plans, late, off_plan, by_coflow);
}

template <class Visit>
void visit(JobEntry& entry, Visit&& all) {
  auto& [job, table, kind, workload, scheme, workers, nodes, first_node, iterations, arrival, end, slowdown, pst_mean,
         pst_min, pst_max, iteration_mean, iteration_p99, iteration_max, blocked_mean, blocked_p99, blocked_max,
         updates, bytes_delivered, crc_errors, sum_errors, retransmissions, words_retransmitted, accuracy, loss,
         to_target, curve] = entry;
  all(job, table, kind, workload, scheme, workers, nodes, first_node, iterations, arrival, end, slowdown, pst_mean,
      pst_min, pst_max, iteration_mean, iteration_p99, iteration_max, blocked_mean, blocked_p99, blocked_max, updates,
      bytes_delivered, crc_errors, sum_errors, retransmissions, words_retransmitted, accuracy, loss, to_target, curve);
}

template <class Visit>
void visit(SchemeResults& results, Visit&& all) {
  auto& [updates, dropped, steps, iteration_mean, iteration_p99, iteration_max, iteration_last, blocked_mean,
         blocked_p99, blocked_max, staleness_mean, staleness_p99, staleness_max, clock_gap, left, intervals, waits] =
      results;
  all(updates, dropped, steps, iteration_mean, iteration_p99, iteration_max, iteration_last, blocked_mean, blocked_p99,
      blocked_max, staleness_mean, staleness_p99, staleness_max, clock_gap, left, intervals, waits);
}

template <class Visit>
void visit(CommandResults& results, Visit&& all) {
  auto& [count, late, mean, median, p99, max, histogram] = results;
  all(count, late, mean, median, p99, max, histogram);
}

template <class Visit>
void visit(LoadResults& results, Visit&& all) {
  auto& [keys, maps, moved, bytes_moved, migrating, refused] = results;
  all(keys, maps, moved, bytes_moved, migrating, refused);
}

template <class Visit>
void visit(LearningResults& results, Visit&& all) {
  auto& [curve, accuracy, loss, to_target, updates_to_target, samples] = results;
  all(curve, accuracy, loss, to_target, updates_to_target, samples);
}

template <class Visit>
void visit(ShownSetting& setting, Visit&& all) {
  auto& [key, value, axis] = setting;
  all(key, value, axis);
}

template <class Visit>
void visit(RequestedTimes& times, Visit&& all) {
  auto& [tuning, locking, guard, lead, fibre, clock_spread] = times;
  all(tuning, locking, guard, lead, fibre, clock_spread);
}

template <class Visit>
void visit(SerialProgramming& programming, Visit&& all) {
  auto& [time, lanes] = programming;
  all(time, lanes);
}

template <class Visit>
void visit(UnsteadyMirrors& mirrors, Visit&& all) {
  auto& [jitter, faults, receivers] = mirrors;
  all(jitter, faults, receivers);
}

template <class Visit>
void visit(DriftingClocks& clocks, Visit&& all) {
  auto& [ppm, sync] = clocks;
  all(ppm, sync);
}

template <class Visit>
void visit(Row& row, Visit&& all) {
  auto& [settings, requested, network, name, policy, scheduler, placer, device, switch_name, workload, sync, payload,
         transport, version, seed, workers, servers, iterations, ports, rate_bps, cycle, tuning, locking, delta,
         compute, programming, mirrors, clocks, neighbours, light, extra_fibre, word, workload_bytes, time_warp,
         fidelity, words_compared, control, clock_offset, node_rates, rate_trace, extra_tuning, outages, guard, lead,
         fibre, clock_spread, control_latency, retransmit, colocated, all_stop, allocation, charge_planning,
         reproducible, pst_mean, pst_min, pst_max, bound, lp_bound, pst_pipelined, pipelined_bound, planning,
         planning_charges, reconfigurations, dark_port_cycles, words_passed, words_lost, words_unrouted,
         words_misrouted, words_shown, guard_misses, retransmissions, words_retransmitted, crc_errors, sum_errors,
         bytes_delivered, bytes_local, cycles, sim_time, sync_time, wall_time_s, peak_rss, edges, events, messages,
         event_log_hash, node_compute, node_communication, node_dark, node_waiting, port_up, port_tuning, port_locking,
         port_held, port_idle, planes, arrivals, jobs, sync_settings, deaths, compute_model, duration, fusion, slice,
         overlap, priorities, collective, slices, eager, schemes, commands, gradients, learning_settings, learning,
         server_load, load_settings, load, pst_over_psscheduler, error] = row;
  all(settings, requested, network, name, policy, scheduler, placer, device, switch_name, workload, sync, payload,
      transport, version, seed, workers, servers, iterations, ports, rate_bps, cycle, tuning, locking, delta, compute,
      programming, mirrors, clocks, neighbours, light, extra_fibre, word, workload_bytes, time_warp, fidelity,
      words_compared, control, clock_offset, node_rates, rate_trace, extra_tuning, outages, guard, lead, fibre,
      clock_spread, control_latency, retransmit, colocated, all_stop, allocation, charge_planning, reproducible,
      pst_mean, pst_min, pst_max, bound, lp_bound, pst_pipelined, pipelined_bound, planning, planning_charges,
      reconfigurations, dark_port_cycles, words_passed, words_lost, words_unrouted, words_misrouted, words_shown,
      guard_misses, retransmissions, words_retransmitted, crc_errors, sum_errors, bytes_delivered, bytes_local, cycles,
      sim_time, sync_time, wall_time_s, peak_rss, edges, events, messages, event_log_hash, node_compute,
      node_communication, node_dark, node_waiting, port_up, port_tuning, port_locking, port_held, port_idle, planes,
      arrivals, jobs, sync_settings, deaths, compute_model, duration, fusion, slice, overlap, priorities, collective,
      slices, eager, schemes, commands, gradients, learning_settings, learning, server_load, load_settings, load,
      pst_over_psscheduler, error);
}

class FieldWriter {
 public:
  template <class... T>
  void operator()(T&... values) {
    (add(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  requires std::is_arithmetic_v<T>
  void add(T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class Unit>
  void add(Count<Unit>& count) {
    add(count.n);
  }
  void add(std::string& text) {
    std::size_t size = text.size();
    add(size);
    bytes_ += text;
  }
  template <class T>
  void add(std::optional<T>& value) {
    bool there = value.has_value();
    add(there);
    if (value) add(*value);
  }
  template <class T>
  void add(std::vector<T>& list) {
    std::size_t size = list.size();
    add(size);
    for (T& item : list) add(item);
  }
  template <class A, class B>
  void add(std::pair<A, B>& two) {
    add(two.first);
    add(two.second);
  }
  template <class T>
  requires std::is_class_v<T>
  void add(T& fields) { visit(fields, *this); }

  std::string bytes_;
};

class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : bytes_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  bool done() const { return bytes_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) throw Error(ErrorKind::internal, "a row from another process ends too early");
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void get(T& value) { std::memcpy(&value, take(sizeof value).data(), sizeof value); }
  template <class Unit>
  void get(Count<Unit>& count) {
    get(count.n);
  }
  std::size_t size() {
    std::size_t size = 0;
    get(size);
    if (size > bytes_.size()) throw Error(ErrorKind::internal, "a row from another process ends too early");
    return size;
  }
  void get(std::string& text) { text = take(size()); }
  template <class T>
  void get(std::optional<T>& value) {
    bool there = false;
    get(there);
    value.reset();
    if (there) get(value.emplace());
  }
  template <class T>
  void get(std::vector<T>& list) {
    list.resize(size());
    for (T& item : list) get(item);
  }
  template <class A, class B>
  void get(std::pair<A, B>& two) {
    get(two.first);
    get(two.second);
  }
  template <class T>
  requires std::is_class_v<T>
  void get(T& fields) { visit(fields, *this); }

  std::string_view bytes_;
};

}  // namespace

std::string to_bytes(const Row& row) {
  Row copy = row;  // one list of fields serves both ways
  FieldWriter writer;
  visit(copy, writer);
  return writer.take();
}

Row row_from_bytes(std::string_view bytes) {
  Row row;
  FieldReader reader(bytes);
  visit(row, reader);
  if (!reader.done()) throw Error(ErrorKind::internal, "a row from another process goes on too long");
  return row;
}

}  // namespace ocs
