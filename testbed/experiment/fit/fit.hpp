// How an experiment fits the hardware: delays in cycles, nodes on ports, sizes in the device's counters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "host/core/policy.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// Where each key's value was said.
using Origins = std::map<std::string, std::string>;

/// The place of the first of `keys` that was said; "default" if none was.
std::string origin_of(const Origins& origins, std::initializer_list<const char*> keys);

/// Mirrors that are parked before they move: every tuning takes so much longer. Once, before fit_fabric().
void add_parking(FabricSettings& fabric, const Origins& origins);

/// Sets cycle, tuning_cycles, locking_cycles, fibre_cycles, receivers, neighbours and light. @throws Error (input): word / rate is no
/// whole number of ps that CYCLE_PS can show (with the nearest rates that are), or a delay needs 2^30 cycles or more.
void fit_fabric(FabricSettings& fabric, const Origins& origins);

/// Adds what circuits to each node tune longer, before the fabric is fitted. @throws Error (input): more values than
/// nodes, or more than 1000 s.
void add_extra_tuning(Point& point, const Origins& origins);
/// Sets fibres, and fibre_cycles anew. @throws Error (input): more times than nodes, or too long a fibre.
void fit_fibres(Point& point, const Origins& origins);

/// Sets the cycles of outages. @throws Error (input): no such port, an end that doesn't come after its start, two
/// outages of a port that overlap, or that touch.
void fit_outages(FabricSettings& fabric, const Origins& origins);

/// Sets the cycles of jitter and of mirrors' faults. @throws Error (input): jitter isn't 2^m - 1 cycles, and what
/// mirror_changes() refuses.
void fit_mirrors(FabricSettings& fabric, const Origins& origins);

/// Sets what a word takes from or to each node, at first and later. @throws Error (input): the switch can't keep to a
/// rate, or there are more rates than nodes.
void fit_rates(Point& point, const Origins& origins);

/// Sets the cycles of guard, lead and clock offsets, once the fabric has been fitted. @throws Error (input): one of
/// them needs 2^30 cycles or more, or there are more offsets than nodes.
void fit_control(Point& point, const Origins& origins);

/// Checks what holds between keys: nodes fit the ports, servers the blocks, words and time the
/// counters. @throws Error (input).
void check_fit(const Point& point, const Origins& origins);

/// The part of check_fit() that is about the job. @throws Error (input).
void check_job(const Point& point, const Origins& origins);

/// Whether workers go on one by one: there are no phases of all pushes and all pulls, and so no PST.
bool is_eager(const JobSettings& job);

/// Sets a job's compute model from what its keys and the tables say. @throws Error (input): no such time, a
/// worker that does not exist, or too few workers in the trace.
void fit_compute(JobSettings& job, std::uint64_t seed, const Names& names, const Origins& origins);

/// Loads the matrix that collective.demand names. @throws Error (input).
void fit_demand(JobSettings& job, const Names& names, const Origins& origins);

/// @throws Error (input) if nodes.deaths names a node that does not exist.
void check_deaths(const Point& point, const Origins& origins);

/// Checks the settings of the synchronisation scheme, and what it asks of others. @throws Error (input).
void check_sync(const Point& point, const Origins& origins);

/// Takes rate and word from a device. @throws Error (input) if its rate isn't a whole number of bit/s.
void adopt_rate(FabricSettings& fabric, const DeviceConfig& device, const Origins& origins);

/// Rates with a whole cycle time next to `rate_bps`: the largest below and the smallest above, where there are any.
std::vector<std::int64_t> nearest_rates(std::int64_t rate_bps, Bytes word);

/// What `after` exceeds `before` by, in millionths of `before`, rounded up; 0 if `before` is 0.
std::int64_t excess_ppm(std::int64_t before, std::int64_t after);

/// What `length` grows by when it is rounded up to cycles, in millionths of itself, rounded up; 0 for length 0.
std::int64_t rounding_ppm(Picos length, Picos cycle);

/// The largest word, at most the present one, whose cycle rounds each delay up by at most 1 %; 0 B if there is none.
/// If the present one is a multiple of a parameter's 4 bytes, so is that one.
Bytes word_for_one_percent(const FabricSettings& fabric);

/// The job's parameters in blocks, by the policy's allocation for its number of servers. @throws Error (input).
std::vector<Block> job_blocks(const JobSettings& job, std::string_view policy);

/// `blocks`, each rounded up to whole words.
std::vector<Block> padded(std::vector<Block> blocks, Bytes word);

Bytes total(const std::vector<Block>& blocks);

}  // namespace ocs
