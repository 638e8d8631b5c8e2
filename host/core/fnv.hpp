// The hash by which logs and tables are compared: one number, the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace ocs {

/// FNV-1a, 64 bit. Source: Fowler, Noll, Vo; draft-eastlake-fnv.
class Fnv1a {
 public:
  void add(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }
  /// The lowest `bytes` bytes of `value`, little-endian.
  void add(std::uint64_t value, int bytes) {
    for (int k = 0; k < bytes; ++k) add(static_cast<std::uint8_t>(value >> (8 * k)));
  }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<std::uint8_t>(c));
  }
  std::uint64_t value() const { return value_; }  ///< 0xcbf29ce484222325 of nothing
  /// 16 hexadecimal digits.
  std::string hex() const {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016" PRIx64, value_);
    return text.data();
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace ocs
