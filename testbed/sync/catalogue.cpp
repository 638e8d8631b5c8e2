// The synchronisation schemes that there are: one line each.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/catalogue.hpp"

#include <algorithm>

#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

constexpr auto own = ComputeStart::after_own_pull;
constexpr auto last = ComputeStart::after_last_pull;
constexpr auto steps = ComputeStart::local_steps;

constexpr std::string_view ssp_reads[] = {"s"};
constexpr std::string_view dssp_reads[] = {"s_lo", "s_up"};
constexpr std::string_view r2sp_reads[] = {"r",         "strict",      "batch",    "batch_min",
                                           "batch_max", "batch_every", "ema_shift"};
constexpr std::string_view p_of_n_reads[] = {"p", "k"};
constexpr std::string_view elastic_reads[] = {"ema_shift", "quota", "objective", "trend"};
constexpr std::string_view predictive_reads[] = {"ema_shift", "quota", "objective", "ahead"};

}  // namespace

std::span<const SyncEntry> sync_schemes() {
  static const SyncEntry entries[] = {
      {"bsp", "bulk synchronous, eager: who has pulled computes", own, make_bsp, {}, nullptr, true},
      {"bsp_phase",
       "bulk synchronous: push, barrier, pull; computing starts after the last pull",
       last,
       make_bsp,
       {},
       nullptr,
       true},
      {"asp", "asynchronous: nobody waits", own, make_asp},
      {"ssp", "stale synchronous: nobody is released more than s pushes ahead of the slowest", own, make_ssp, ssp_reads,
       ssp_text},
      {"dssp", "after DSSP: as ssp, but the fastest may run on where its wait gets shorter", own, make_dssp, dssp_reads,
       dssp_text},
      {"r2sp", "after R2SP: workers take turns, a gap apart", own, make_r2sp, r2sp_reads, r2sp_text},
      {"p_of_n", "a round takes the first p workers; late pushes are dropped", own, make_p_of_n, p_of_n_reads,
       p_of_n_text, false, true},
      {"elastic", "after ZipLine: quotas of pushes that end at nearly one moment", own, make_elastic, elastic_reads,
       elastic_text},
      {"predictive", "after Zeng et al.: local steps, synchronised at a predicted moment", steps, make_predictive,
       predictive_reads, predictive_text},
  };
  return entries;
}

const SyncEntry& find_scheme(std::string_view name) { return find(sync_schemes(), name, "synchronisation scheme"); }

bool reads(const SyncEntry& scheme, std::string_view setting) {
  return std::ranges::find(scheme.reads, setting) != scheme.reads.end();
}

std::uint32_t first_batch(const SyncEntry& scheme, const SyncSettings& settings) {
  return reads(scheme, "batch") ? settings.batch : 0;
}

}  // namespace ocs
