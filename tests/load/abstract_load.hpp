// Training with parameter servers as a formula, iteration by iteration: what server load costs and
// what moving it brings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "testbed/load/load_balancer.hpp"

namespace ocs::abstract {

enum class LoadPolicy {
  fixed,     ///< the start map for equal rates
  adaptive,  ///< knows the rates of an iteration after it
  oracle,    ///< a start map for each iteration's own rates, without any migration to pay
};

struct LoadInput {
  std::vector<Bytes> keys;
  std::int64_t workers;
  std::vector<std::vector<std::int64_t>> rates;  ///< of each iteration: of each server, bit/s
  std::int64_t compute_ns;
  LoadPolicy policy;
  LoadSettings settings;
  std::int64_t nominal_bps = 0;  ///< with which averages begin; 0: the highest rate of all
};

struct LoadOutput {
  std::vector<std::int64_t> starts_ns;      ///< of each iteration: behind the migration before it
  std::vector<std::int64_t> iterations_ns;  ///< compute + 2 * workers * longest wire time of a server
  std::int64_t total_ns = 0;                ///< with the migrations
  std::int64_t bytes_moved = 0;
  LoadMap map;
};

/// A migration is paid at the rates of the iteration before it, also after
/// the last one.
LoadOutput run_load(const LoadInput& input);

/// One slow server, the next one every `hold` iterations.
std::vector<std::vector<std::int64_t>> moving_slow_server(std::size_t servers, std::size_t iterations,
                                                          std::int64_t nominal_bps, std::int64_t slow_bps,
                                                          std::size_t hold);

}  // namespace ocs::abstract
