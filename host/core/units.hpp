// Integer counts with a unit in the type: instants, lengths and sizes that cannot be mixed by accident.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace ocs {

/// An instant or a length in one unit. There is no implicit way from one unit to another.
template <class Unit>
struct Count {
  std::int64_t n = 0;

  friend constexpr auto operator<=>(Count, Count) = default;
  friend constexpr Count operator+(Count a, Count b) { return {a.n + b.n}; }
  friend constexpr Count operator-(Count a, Count b) { return {a.n - b.n}; }
  friend constexpr Count operator*(Count a, std::int64_t k) { return {a.n * k}; }
  constexpr Count& operator+=(Count b) {
    n += b.n;
    return *this;
  }
  constexpr Count& operator-=(Count b) {
    n -= b.n;
    return *this;
  }
};

using Cycles = Count<struct CyclesUnit>;  ///< of one device clock
using Picos = Count<struct PicosUnit>;    ///< picoseconds: everything outside a device
using Ticks = Count<struct TicksUnit>;    ///< schedulers and schemes: one integer unit that the caller picks
using Bytes = Count<struct BytesUnit>;
using Words = Count<struct WordsUnit>;  ///< what the fastest port moves in one cycle

/// Later than every instant.
template <class C>
inline constexpr C never{std::numeric_limits<std::int64_t>::max()};

/// a / b rounded up; a >= 0, b > 0.
constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// Exact: the instant at which cycle `at` begins. `never` stays `never`.
constexpr Picos to_picos(Cycles at, Picos cycle) { return at == never<Cycles> ? never<Picos> : Picos{at.n * cycle.n}; }

/// The cycle in which an action stamped `at` reaches the fabric: rounded up. `never` stays `never`.
constexpr Cycles to_cycles(Picos at, Picos cycle) {
  return at == never<Picos> ? never<Cycles> : Cycles{divide_up(at.n, cycle.n)};
}

/// Words that `size` bytes occupy: rounded up, the last one may be short.
constexpr Words to_words(Bytes size, std::int64_t word_bytes) { return {divide_up(size.n, word_bytes)}; }

}  // namespace ocs
