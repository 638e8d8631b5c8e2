// Prints how long the main job's payload takes (ResNet-50, 12 workers, 4 servers) with a network that costs nothing.
// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "testbed/coordinator/job.hpp"
#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/small_job.hpp"

namespace {

constexpr std::int64_t resnet50_bytes = 102'228'128;

/// usage: bench_payload [mode] [chunk KiB] [workers] [servers] [iterations] [advance us] [colocate]
int number(int argc, char** argv, int position, int otherwise) {
  return argc > position ? std::atoi(argv[position]) : otherwise;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  ocs::JobSpec spec;
  spec.payload = ocs::payload_mode(argc > 1 ? argv[1] : "full");
  spec.chunk.n = number(argc, argv, 2, 0) * 1024;
  const int workers = number(argc, argv, 3, 12), servers = number(argc, argv, 4, 4);
  spec.iterations = number(argc, argv, 5, 2);
  const std::chrono::microseconds effort{number(argc, argv, 6, 0)};
  const bool colocate = number(argc, argv, 7, 0) != 0;
  spec.ports = workers + servers;
  spec.placement = ocs::place_evenly(spec.blocks, servers, resnet50_bytes / servers);
  for (int w = 0; w < workers; ++w)
    spec.workers.push_back(ocs::Node{static_cast<std::uint16_t>(colocate ? w : servers + w)});
  spec.compute = ocs::Picos{100'000'000'000};
  for (int repeat = 0; repeat < 5; ++repeat) {
    ocs::FakeNetwork network(spec.word_bytes, ocs::Picos{10'000'000'000});
    if (effort.count() > 0)
      network.set_effort([&] {
        for (const auto end = Clock::now() + effort; Clock::now() < end;) {
        }
      });
    const double cpu = cpu_seconds();
    const auto start = Clock::now();
    const ocs::JobResult result = ocs::run_job(spec, network);
    const double wall = std::chrono::duration<double>(Clock::now() - start).count();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::cout << ocs::name_of(spec.payload) << ": " << wall * 1e3 << " ms wall, " << (cpu_seconds() - cpu) * 1e3
              << " ms processor, " << result.chunks << " chunks, " << result.messages << " control messages, "
              << static_cast<double>(result.bytes_delivered.n) / 1e9 << " GB, " << usage.ru_maxrss / 1024
              << " MiB at most, errors " << result.crc_errors + result.sum_errors << ", context switches "
              << usage.ru_nvcsw + usage.ru_nivcsw << "\n";
  }
}
