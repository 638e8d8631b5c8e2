// Integers to little-endian bytes and back: the two archives that every wire layout is described with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/core/units.hpp"
#include "host/transport/wire.hpp"

namespace ocs {

template <class T>
concept WireInteger = std::integral<T> && !std::same_as<T, bool>;
template <class T>
concept WireEnum = std::is_enum_v<T>;

/// Writes into a span of fixed size; the caller made it large enough.
class ByteWriter {
 public:
  explicit ByteWriter(std::span<std::byte> to) : to_(to) {}
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }

 private:
  template <WireInteger T>
  void put(T value) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) to_[i] = static_cast<std::byte>((bits >> (8 * i)) & 0xff);
    to_ = to_.subspan(sizeof(T));
  }
  std::span<std::byte> to_;
};

/// Appends to a vector. Types other than integers, enums, counts and vectors say how they are laid out in a function
/// visit(archive, value), the same for both archives.
class ByteAppender {
 public:
  /// @param to bytes that come before
  explicit ByteAppender(std::vector<std::byte> to = {}) : to_(std::move(to)) {}
  /// All bytes. The appender is spent.
  std::vector<std::byte> take() {
    hand_on();
    return std::move(to_);
  }
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }

 private:
  template <WireInteger T>
  void put(T value) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(value);
    if (staged_.size() - used_ < sizeof(T)) hand_on();
    std::byte* const bytes = staged_.data() + used_;
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<std::byte>((bits >> (8 * i)) & 0xff);
    used_ += sizeof(T);
  }
  template <WireEnum T>
  void put(T value) {
    put(static_cast<std::underlying_type_t<T>>(value));
  }
  template <class Unit>
  void put(Count<Unit> value) {
    put(value.n);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    for (const char c : text) put(c);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) put(value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(std::uint8_t{value.has_value()});
    if (value) put(*value);
  }
  template <class T>
  requires requires(ByteAppender& a, const T& v) { visit(a, v); }
  void put(const T& value) { visit(*this, value); }
  void hand_on() {
    to_.insert(to_.end(), staged_.begin(), staged_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ = 0;
  }
  std::vector<std::byte> to_;
  std::array<std::byte, 128> staged_;  ///< most messages have less: they take memory once
  std::size_t used_ = 0;               ///< of it
};

/// Reads what the others wrote. @throws Malformed when bytes are missing or, at finish(), left over.
class ByteReader {
 public:
  /// @param what outlives the reader
  ByteReader(std::span<const std::byte> from, std::string_view what) : from_(from), what_(what) {}
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  void finish() const {
    if (!from_.empty())
      throw Malformed(std::string(what_) + " fields have " + std::to_string(from_.size()) + " bytes too many");
  }

 private:
  template <WireInteger T>
  void get(T& value) {
    need(sizeof(T));
    std::make_unsigned_t<T> bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bits = static_cast<std::make_unsigned_t<T>>(bits | (static_cast<std::make_unsigned_t<T>>(from_[i]) << (8 * i)));
    value = static_cast<T>(bits);
    from_ = from_.subspan(sizeof(T));
  }
  template <WireEnum T>
  void get(T& value) {
    std::underlying_type_t<T> number{};
    get(number);
    value = static_cast<T>(number);
  }
  template <class Unit>
  void get(Count<Unit>& value) {
    get(value.n);
  }
  void get(std::string& text) {
    std::uint32_t size = 0;
    get(size);
    need(size);
    text.resize(size);
    for (char& c : text) get(c);
  }
  template <class T>
  void get(std::vector<T>& values) {
    std::uint32_t size = 0;
    get(size);
    need(size);  // an element takes at least one byte: a wrong size can't ask for more memory than the message had
    values.resize(size);
    for (T& value : values) get(value);
  }
  template <class T>
  void get(std::optional<T>& value) {
    std::uint8_t there = 0;
    get(there);
    if (there > 1)
      throw Malformed(std::string(what_) + ": " + std::to_string(there) +
                      " says whether a value is there; it should be 0 or 1");
    value.reset();
    if (there == 1) get(value.emplace());
  }
  template <class T>
  requires requires(ByteReader& a, T& v) { visit(a, v); }
  void get(T& value) { visit(*this, value); }
  void need(std::size_t bytes) const {
    if (from_.size() < bytes)
      throw Malformed(std::string(what_) + " fields end " + std::to_string(bytes - from_.size()) + " bytes too early");
  }
  std::span<const std::byte> from_;
  std::string_view what_;
};

}  // namespace ocs
