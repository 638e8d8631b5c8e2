// Coflow traces: who sends how much to whom and when, read from the public benchmark's format, line by line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/ids.hpp"

namespace ocs {

/// One line of a trace.
struct TraceCoflow {
  struct Reducer {
    std::uint16_t port;
    Bytes bytes;  ///< from all mappers together; 1 MB is 10^6 bytes
    friend bool operator==(const Reducer&, const Reducer&) = default;
  };
  std::int64_t id;                     ///< as the trace numbers it
  Picos arrival;                       ///< whole ms
  std::vector<std::uint16_t> mappers;  ///< ports, in the order of the line, each once
  std::vector<Reducer> reducers;       ///< the same; at least one of each
  friend bool operator==(const TraceCoflow&, const TraceCoflow&) = default;
};

struct CoflowTrace {
  std::string name;                  ///< as the experiment names it
  int ports = 0;                     ///< 1 to 256
  std::vector<TraceCoflow> coflows;  ///< at least one, by arrival; those of one instant as in the file
  friend bool operator==(const CoflowTrace&, const CoflowTrace&) = default;
};

/// What one mapper sends to one reducer.
struct TraceFlow {
  std::uint16_t from, to;
  Bytes bytes;
};

/// Parses `PORTS COFLOWS`, then a line a coflow: `ID ARRIVAL_MS MAPPERS PORT... REDUCERS PORT:MB...`, one space between
/// fields, ports from 0, MB with up to six decimals; lines end in LF or CR LF.
/// At most a million coflows and 20 million flows. Source: github.com/coflow/coflow-benchmark.
/// @throws Error (input) that names file, line, the wrong value and what would be right.
CoflowTrace parse_coflow_trace(std::string_view text, std::string_view name, std::string_view origin);

/// Loads the file PATH of a name "coflow:PATH", relative to `base`. @throws Error (input): unreadable, or as above.
CoflowTrace load_coflow_trace(std::string_view name, const std::filesystem::path& base);

/// Whether a workload's name means a trace.
inline bool names_trace(std::string_view workload) { return workload.starts_with("coflow:"); }

/// Flows of a coflow in whole MB: of a reducer's MB, rounded up, each mapper sends the share rounded up and the last
/// one the rest, each at least 1 MB. What stays on its port is left out. By reducer, then mapper, as in the line.
std::vector<TraceFlow> flows_of(const TraceCoflow& coflow);

}  // namespace ocs
