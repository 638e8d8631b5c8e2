// links: ocs_experiment_file
// Reads any bytes as an experiment file, and what follows a zero byte as arguments of --set: every point is possible,
// or one readable sentence says why not.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/experiment/experiment.hpp"
#include "tests/fuzz/names.hpp"

namespace {

using namespace ocs;

bool fits(const JobSettings& job, int ports) {
  return job.workers > 0 && job.servers > 0 && node_count(job) <= ports && job.iterations > 0;
}

/// Where several jobs come, what they say together is a job that does not run.
bool jobs_fit(const Point& point) {
  if (!point.arrivals()) return fits(point.job, point.fabric.ports);
  return std::ranges::all_of(point.jobs, [&](const ArrivingJob& one) { return fits(one.job, point.fabric.ports); });
}

void check(const Point& point) {
  const FabricSettings& fabric = point.fabric;
  constexpr std::int64_t delays = std::int64_t{1} << 30;
  const bool possible =
      fabric.cycle.n > 0 && fabric.cycle.n * fabric.rate_bps == fabric.word.n * 8'000'000'000'000 &&
      fabric.tuning_cycles.n * fabric.cycle.n >= fabric.tuning.n && fabric.tuning_cycles.n < delays &&
      fabric.locking_cycles.n * fabric.cycle.n >= fabric.locking.n && fabric.locking_cycles.n < delays &&
      fabric.program_cycles.n < delays && fabric.program_cycles.n * fabric.cycle.n >= fabric.program_time.n &&
      fabric.jitter_cycles.n < delays && (fabric.jitter_cycles.n & (fabric.jitter_cycles.n + 1)) == 0 &&
      fabric.receivers.has_value() == fabric.receiver_times.has_value() &&
      (!fabric.receivers || (fabric.receivers->longest().n < delays && fabric.receivers->warm_time.n < delays &&
                             std::ranges::is_sorted(fabric.receivers->cold))) &&
      fabric.neighbours.disturbed.n < delays && (fabric.neighbour_times.park.n == 0 || !fabric.disturbs()) &&
      (fabric.ports > 32 || (fabric.neighbours.distances >> (fabric.ports - 1)) == 0) &&
      (!fabric.rings() || (fabric.light->ring > fabric.light->lost && fabric.light->ring.n < delays)) &&
      fabric.light.has_value() == fabric.light_levels.has_value() &&
      (fabric.tuning_cycles + fabric.longest_programming()).n < delays * 4 && fabric.ports <= 256 && jobs_fit(point);
  if (!possible) std::abort();
}

void resolve_all(std::string_view text) {
  const std::size_t file_end = std::min(text.find('\0'), text.size());
  std::vector<Setting> settings = read_settings(text.substr(0, file_end), "fuzz.toml");
  for (std::size_t at = file_end; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at + 1), text.size());
    const Setting later = read_override(text.substr(at + 1, end - at - 1));
    apply_overrides(settings, {&later, 1});
    at = end;
  }
  const Experiment experiment = resolve(settings, fuzz_names(), "fuzz.toml");
  if (experiment.points.empty()) std::abort();
  std::for_each(experiment.points.begin(), experiment.points.end(), check);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    resolve_all({reinterpret_cast<const char*>(data), size});
  } catch (const ocs::Error& error) {
    const std::string_view sentence = error.what();
    if (error.exit_code() != 2) std::abort();
    if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
  }
  return 0;
}
