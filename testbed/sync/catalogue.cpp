// The synchronisation schemes that there are: one line each.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/catalogue.hpp"

#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

constexpr auto own = ComputeStart::after_own_pull;
constexpr auto last = ComputeStart::after_last_pull;
constexpr auto steps = ComputeStart::local_steps;

constexpr SyncEntry entries[] = {
    {"bsp", "bulk synchronous, eager: who has pulled computes", own, make_bsp},
    {"bsp_phase", "bulk synchronous: push, barrier, pull; computing starts after the last pull", last, make_bsp},
    {"asp", "asynchronous: nobody waits", own, make_asp},
    {"ssp", "stale synchronous: nobody is released more than s pushes ahead of the slowest", own, make_ssp},
    {"dssp", "after DSSP: as ssp, but the fastest may run on where its wait gets shorter", own, make_dssp},
    {"r2sp", "after R2SP: workers take turns, a gap apart", own, make_r2sp},
    {"p_of_n", "a round takes the first p workers; late pushes are dropped", own, make_p_of_n, true},
    {"elastic", "after ZipLine: quotas of pushes that end at nearly one moment", own, make_elastic},
    {"predictive", "after Zeng et al.: local steps, synchronised at a predicted moment", steps, make_predictive},
};

}  // namespace

std::span<const SyncEntry> sync_schemes() { return entries; }

}  // namespace ocs
