// Bandwidth that changes: a table of instants, nodes and their ports' rates from then on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "host/controller/transfers/port_rates.hpp"

namespace ocs {

/// The port of `node` has a rate from `at` on: bit/s, or a share num / den of the fabric's.
struct BandwidthChange {
  Picos at;
  std::uint16_t node = 0;
  std::int64_t rate_bps = 0;
  std::uint32_t num = 0, den = 0;  ///< den 0: it is rate_bps
  friend bool operator==(const BandwidthChange&, const BandwidthChange&) = default;
};

/// Header `ns,node,rate`, then at least one line: an instant, never before that of the line above; a node, at most once
/// an instant; and a rate "25 Gbit/s", a share of fabric.rate "0.25" or "1/4", or "0": the port carries nothing, until
/// a later line lets it carry something again. @throws Error (input) that names file, line, the wrong value and what
/// would be right.
std::vector<BandwidthChange> parse_bandwidth_trace(std::string_view text, std::string_view origin);
std::vector<BandwidthChange> load_bandwidth_trace(const std::filesystem::path& file);

/// The same in cycles: instants rounded up, so that of two of a node that fall into one cycle the later one counts.
/// @throws Error (input) with half a sentence: it names a node that there isn't, or a rate that isn't the fabric's over
/// a divisor of 40000.
std::vector<RateChange> rate_changes(const std::vector<BandwidthChange>& trace, std::int64_t fabric_bps, int nodes,
                                     Picos cycle);

}  // namespace ocs
