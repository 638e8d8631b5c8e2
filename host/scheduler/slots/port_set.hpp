// A set of ports that finds its largest member quickly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "host/core/ids.hpp"

namespace ocs {

class PortSet {
 public:
  static PortSet all() {
    PortSet set;
    set.words_.fill(~std::uint64_t{0});
    return set;
  }

  void insert(std::size_t port) { words_[port / 64] |= std::uint64_t{1} << (port % 64); }
  void erase(std::size_t port) { words_[port / 64] &= ~(std::uint64_t{1} << (port % 64)); }
  bool contains(std::size_t port) const { return (words_[port / 64] >> (port % 64) & 1) != 0; }

  /// The largest member; max_ports if there is none.
  std::size_t largest() const {
    for (std::size_t w = words_.size(); w-- > 0;)
      if (words_[w] != 0) return 64 * w + 63 - static_cast<std::size_t>(std::countl_zero(words_[w]));
    return max_ports;
  }

  friend PortSet operator&(PortSet a, const PortSet& b) {
    for (std::size_t w = 0; w < a.words_.size(); ++w) a.words_[w] &= b.words_[w];
    return a;
  }
  friend PortSet operator|(PortSet a, const PortSet& b) {
    for (std::size_t w = 0; w < a.words_.size(); ++w) a.words_[w] |= b.words_[w];
    return a;
  }
  /// What is in `a` and not in `b`.
  friend PortSet operator-(PortSet a, const PortSet& b) {
    for (std::size_t w = 0; w < a.words_.size(); ++w) a.words_[w] &= ~b.words_[w];
    return a;
  }

 private:
  std::array<std::uint64_t, max_ports / 64> words_{};
};

}  // namespace ocs
