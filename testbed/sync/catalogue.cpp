// The synchronisation schemes that there are: one line each.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/catalogue.hpp"

#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

constexpr auto own = ComputeStart::after_own_pull;
constexpr auto last = ComputeStart::after_last_pull;

constexpr SyncEntry entries[] = {
    {"bsp", "bulk synchronous, eager: who has pulled computes", own, make_bsp, false},
    {"bsp_phase", "bulk synchronous: push, barrier, pull; computing starts after the last pull", last, make_bsp, true},
    {"asp", "asynchronous: nobody waits", own, make_asp, false},
    {"ssp", "stale synchronous: nobody is released more than s pushes ahead of the slowest", own, make_ssp, false},
    {"dssp", "after DSSP: as ssp, but the fastest may run on where its wait gets shorter", own, make_dssp, false},
    {"r2sp", "after R2SP: workers take turns, a gap apart", own, make_r2sp, false},
    {"p_of_n", "a round takes the first p workers; late pushes are dropped", own, make_p_of_n, false},
    {"elastic", "after ZipLine: quotas of pushes that end at nearly one moment", own, make_elastic, false},
    {"predictive", "after Zeng et al.: local steps, synchronised at a predicted moment", own, make_predictive, false},
};

}  // namespace

std::span<const SyncEntry> sync_schemes() { return entries; }

std::string refuse_sync(std::string_view name) {
  const SyncEntry& entry = find(sync_schemes(), name, "synchronisation scheme");
  if (entry.in_jobs) return {};
  std::string runs;
  for (const SyncEntry& each : entries)
    if (each.in_jobs) runs += (runs.empty() ? "" : ", ") + std::string(each.name);
  return "no job can run this scheme yet; jobs run " + runs;
}

}  // namespace ocs
