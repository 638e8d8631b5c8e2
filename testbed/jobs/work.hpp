// What arrives over time: coflows of a trace, or jobs that synchronise again and again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "host/core/ids.hpp"
#include "testbed/workloads/coflow_trace.hpp"

namespace ocs {

/// What a coflow carries from one port to another. Ordered by the ports.
struct CoflowPart {
  std::uint16_t from, to;  ///< apart
  Words words;             ///< 1 to 2^32 - 1
  friend auto operator<=>(const CoflowPart&, const CoflowPart&) = default;
};

/// One that arrives: `iterations` times computing, then coflow `push`, then coflow `pull`. A coflow without parts is
/// over at once. A trace's coflow is one push.
struct Work {
  std::int64_t number = 0;  ///< to be shown: the trace's, or the job's place
  std::int32_t priority = 0;
  Cycles arrival;
  std::vector<Cycles> compute{};  ///< of each iteration; a single time is that of each; none: 0
  int iterations = 1;
  std::vector<CoflowPart> push, pull;  ///< at most one a pair of ports
  bool payload = false;                ///< its words cross between nodes, too
  Cycles compute_of(std::size_t iteration) const {
    return compute.empty() ? Cycles{0} : compute[iteration % compute.size()];
  }
  Cycles compute_of_all() const;  ///< the sum over the iterations
  friend bool operator==(const Work& a, const Work& b) = default;
};

/// The nodes of works: the ports that those with payload use, or that all use. Ascending.
std::vector<Node> nodes_of(std::span<const Work> works, bool of_all);

/// Coflows with payload, the most: a transfer's name counts them.
inline constexpr std::int64_t most_payload_coflows = 1'000'000;

/// The coflows of a trace in cycles and words; arrivals are rounded up to cycles, flows to words.
/// @throws Error (input) for a flow of 2^32 words or more, or arrivals beyond 2^62 ps.
std::vector<Work> work_of(const CoflowTrace& trace, Picos cycle, Bytes word);

}  // namespace ocs
