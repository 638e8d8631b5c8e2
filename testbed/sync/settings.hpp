// What the synchronisation schemes can be told.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ocs {

/// What a super-step's end is chosen by, of the workers' last ends before it: how far apart they
/// are, or the sum of the waits.
enum class Objective : std::uint8_t { range, total };

/// The name that experiment files use.
constexpr std::string_view name_of(Objective objective) { return objective == Objective::range ? "range" : "total"; }

/// Parameters of all schemes; each reads its own and refuses what is out of range when it is made.
struct SyncSettings {
  std::uint32_t s = 1;                 ///< ssp: pushes by which a worker may be ahead, 0..1e6
  std::uint32_t s_lo = 1, s_up = 4;    /**< dssp: 0 <= s_lo <= s_up <= 1e6 */
  std::uint32_t r_num = 4, r_den = 5;  ///< r2sp: r = r_num / r_den in [0, 1], r_den 1..1e6
  bool strict = false;                 ///< r2sp: pushes are applied in the order of the grants
  std::uint32_t batch = 0;             ///< r2sp: samples a step at the start; 0: batches are fixed
  std::uint32_t batch_min = 1, batch_max = 65536, batch_every = 10;  ///< r2sp: bounds; grants between two changes
  std::uint32_t ema_shift = 2;             ///< r2sp, elastic, predictive: e += (x - e) >> ema_shift, 0..16
  std::uint32_t p = 1;                     ///< p_of_n: members that a round needs, 1..workers
  std::optional<std::uint32_t> k = 4;      ///< p_of_n: rounds that a worker may miss in a row; none: any number
  std::uint32_t most_quota = 15;           ///< elastic, predictive: R, ends that are predicted for each worker, 1..256
  Objective objective = Objective::range;  ///< elastic, predictive
  bool trend = false;                      ///< elastic: lengths of intervals are predicted to go on as they change
  std::uint32_t ahead = 4;                 ///< predictive: steps past a push that isn't answered, 1..64
  friend bool operator==(const SyncSettings&, const SyncSettings&) = default;
};

}  // namespace ocs
