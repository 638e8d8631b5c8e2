// links: ocs_learning
// Reads any bytes as an IDX file, packed or, so that headers are reached, packed here: an array that keeps its
// promises, or one readable sentence.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/learning/idx.hpp"

namespace {

/// A gzip member that holds the bytes as they are (one stored block), with a checksum.
std::vector<std::byte> stored(std::span<const std::byte> bytes) {
  std::vector<std::byte> packed;
  const auto put = [&](std::uint32_t value, int count) {
    for (int k = 0; k < count; ++k) packed.push_back(static_cast<std::byte>(value >> (8 * k)));
  };
  put(0x00088b1f, 4), put(0, 4), put(0xff00, 2);
  const auto size = static_cast<std::uint32_t>(bytes.size());
  put(1, 1), put(size, 2), put(~size, 2);
  packed.insert(packed.end(), bytes.begin(), bytes.end());
  std::uint32_t crc = 0xffffffff;
  for (const std::byte byte : bytes) {
    crc ^= std::to_integer<std::uint32_t>(byte);
    for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
  }
  put(~crc, 4), put(size, 4);
  return packed;
}

void read(std::span<const std::byte> bytes) {
  try {
    const ocs::IdxArray array = ocs::read_idx(bytes, "fuzz.gz");
    std::size_t size = 1;
    for (const std::uint32_t length : array.shape) size *= length;
    if (array.shape.empty() || array.shape.size() > 4 || size == 0 || size != array.values.size()) std::abort();
  } catch (const ocs::Error& error) {
    const std::string_view sentence = error.what();
    if (error.exit_code() != 2 || !sentence.starts_with("fuzz.gz: it ")) std::abort();
    if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  read(bytes);
  if (size < 0x10000) read(stored(bytes));
  return 0;
}
