// Small data sets made here, files packed as those from outside are, and the real one where it is installed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "testbed/learning/dataset.hpp"

namespace ocs {

/// One gzip member.
inline std::vector<std::byte> gzip(const std::vector<std::uint8_t>& bytes) {
  z_stream stream{};
  constexpr int as_gzip = 16 + MAX_WBITS, memory_level = 8;
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, as_gzip, memory_level, Z_DEFAULT_STRATEGY);
  std::vector<std::byte> packed(deflateBound(&stream, bytes.size()));
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// IDX of unsigned bytes, not packed.
inline std::vector<std::uint8_t> idx(const std::vector<std::uint32_t>& shape, const std::vector<std::uint8_t>& values) {
  std::vector<std::uint8_t> bytes{0, 0, 8, static_cast<std::uint8_t>(shape.size())};
  for (const std::uint32_t length : shape)
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(length >> shift));
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

/// Where the real data set is: what the environment says in LIGHTLOOP_DATASET, or where its package puts it.
inline std::filesystem::path dataset_folder() {
  const char* said = std::getenv("LIGHTLOOP_DATASET");
  return said != nullptr ? said : usual_dataset_folder;
}

inline bool dataset_is_there() { return std::filesystem::exists(dataset_folder() / "train-images-idx3-ubyte.gz"); }

/// For tests that need it, as their first line.
#define NEEDS_DATASET()    \
  if (!dataset_is_there()) \
  GTEST_SKIP() << "no Fashion-MNIST in " << dataset_folder() << ": install the package dataset-fashion-mnist"

}  // namespace ocs
