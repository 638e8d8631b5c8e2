// What came of each of several jobs of a row, and the table of columns that says what each is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/results.hpp"
#include "host/core/units.hpp"
#include "testbed/results/rows/column.hpp"

namespace ocs {

/// One of several jobs. Times of the job itself count from its arrival.
struct JobEntry {
  std::int64_t job = 0, table = 0;     ///< by arrival, and its table [[job]]; both counted from 1
  std::string kind, workload, scheme;  ///< scheme: of synchronisation, the collective, or the choice of receivers
  std::int64_t workers = 0, nodes = 0, first_node = 0, iterations = 0;
  Picos arrival, end;  ///< of the run
  std::optional<double> slowdown;
  std::optional<Picos> pst_mean, pst_min, pst_max;
  std::optional<Picos> iteration_mean, iteration_p99, iteration_max;
  std::optional<Picos> blocked_mean, blocked_p99, blocked_max;
  std::optional<std::int64_t> updates;
  Bytes bytes_delivered;
  std::int64_t crc_errors = 0, sum_errors = 0, retransmissions = 0, words_retransmitted = 0;
  std::optional<double> accuracy, loss;
  std::optional<Picos> to_target;
  std::vector<CurveEntry> curve;  ///< no column: sinks keep it in their own way
};

using JobColumn = ColumnOf<JobEntry>;

/// All columns in their order. Names are never taken away or given another meaning.
std::span<const JobColumn> job_columns();

/// The entries as a ResultSink takes them.
std::vector<JobFields> to_fields(std::span<const JobEntry> jobs);

/// Prints a line for each job, the first `most` of them.
void print_jobs(std::ostream& out, std::span<const JobEntry> jobs, int width, std::size_t most = 20);

}  // namespace ocs
