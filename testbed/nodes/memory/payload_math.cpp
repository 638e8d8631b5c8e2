// The arithmetic on payload. The CRC is ISA-L's, which chooses the instructions that the processor has at run time; the
// loops here are compiled for several instruction sets and chosen in the same way.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/memory/payload_math.hpp"

#include <isa-l/crc.h>

#include <algorithm>
#include <cstring>

namespace ocs {
namespace {

// The resolvers of the clones run before a sanitizer is ready.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define OCS_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default"), optimize("O3")))
#else
#define OCS_CLONES
#endif

OCS_CLONES void scale(const float* base, float weight, float* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = base[i] * weight;
}

OCS_CLONES void add(const std::byte* in, float* sum, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    float value;
    std::memcpy(&value, in + i * sizeof value, sizeof value);
    sum[i] += value;
  }
}

OCS_CLONES std::uint32_t count_differences(const float* base, float weight, const std::byte* in, std::size_t n) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    float value;
    std::memcpy(&value, in + i * sizeof value, sizeof value);
    count += value != base[i] * weight ? 1u : 0u;
  }
  return count;
}

#undef OCS_CLONES

/// A CRC-32C in the making.
class RunningCrc {
 public:
  RunningCrc() = default;
  /// Goes on after bytes of this CRC.
  explicit RunningCrc(std::uint32_t ahead) : crc_(~ahead) {}
  void add(std::span<const std::byte> bytes) {
    auto* data = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(bytes.data()));  // ISA-L only reads
    crc_ = crc32_iscsi(data, static_cast<int>(bytes.size()), crc_);
  }
  std::uint32_t value() const { return ~crc_; }

 private:
  std::uint32_t crc_ = 0xffffffff;
};

// CRC-32C as arithmetic on polynomials over GF(2), modulo the Castagnoli polynomial; bit 31 is the coefficient of x^0.
constexpr std::uint32_t castagnoli = 0x82F63B78;

constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (std::uint32_t bit = 0x80000000; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) sum ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? castagnoli : 0);
  }
  return sum;
}

/// x^(8 n): what n more bytes multiply a CRC by.
std::uint32_t power_of_bytes(std::size_t n) {
  std::uint32_t power = 0x80000000, square = 0x00800000;  // x^0, x^8
  for (; n != 0; n >>= 1, square = product(square, square))
    if ((n & 1) != 0) power = product(power, square);
  return power;
}

/// The CRC of joined bytes: `ahead` is the CRC of the first ones, `behind` that of the last n bytes.
std::uint32_t joined_crc(std::uint32_t ahead, std::uint32_t behind, std::size_t n) {
  return product(power_of_bytes(n), ahead) ^ behind;
}

/// Calls work(offset, size) for each tile of n elements.
template <class F>
void for_each_tile(std::size_t n, F&& work) {
  for (std::size_t at = 0; at < n; at += tile_elements) work(at, std::min(tile_elements, n - at));
}

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

}  // namespace

Pattern::Pattern(std::uint64_t seed) : seed_(seed), base_(period + tile_elements) {
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < period; ++i) base_[i] = static_cast<float>(splitmix64(state) >> 56);
  std::copy_n(base_.begin(), tile_elements, base_.begin() + period);
  RunningCrc crc;
  for (std::size_t i = 0; i <= period; i += crc_step) {
    crcs_.push_back(crc.value());
    crc.add(std::as_bytes(std::span(base_).subspan(i, crc_step)));
  }
}

std::uint32_t Pattern::crc_of_first(std::size_t elements) const {
  RunningCrc crc(crcs_[elements / crc_step]);
  crc.add(std::as_bytes(std::span(base_).first(elements).subspan(elements / crc_step * crc_step)));
  return crc.value();
}

const float* Pattern::at(std::uint32_t iteration, Node server, std::size_t first) const {
  std::uint64_t state = seed_ ^ (std::uint64_t{iteration} << 16) ^ index(server);
  const std::size_t shift = splitmix64(state) % period;
  return base_.data() + (first + shift) % period;
}

std::uint32_t make_payload(const PatternSlice& slice, float weight, std::span<float> out) {
  RunningCrc crc;
  for_each_tile(out.size(), [&](std::size_t at, std::size_t n) {
    scale(slice.pattern.at(slice.iteration, slice.server, slice.first + at), weight, out.data() + at, n);
    crc.add(std::as_bytes(out.subspan(at, n)));
  });
  return crc.value();
}

std::uint32_t pattern_crc(const PatternSlice& slice, std::size_t elements) {
  const Pattern& pattern = slice.pattern;
  constexpr std::size_t period = Pattern::period;
  const auto first = static_cast<std::size_t>(pattern.at(slice.iteration, slice.server, slice.first) - pattern.begin());
  // The first elements of a CRC that begins at `first` are those of the base without what is ahead of them.
  const std::size_t head = std::min(elements, period - first);
  std::uint32_t crc = joined_crc(pattern.crc_of_first(first), pattern.crc_of_first(first + head), head * sizeof(float));
  const std::size_t left = (elements - head) % period;
  // One more whole period makes `factor` * crc + `sum` of a CRC; doubled again and again that is what 2^k of them make.
  std::uint32_t factor = power_of_bytes(period * sizeof(float)), sum = pattern.crc_of_first(period);
  for (std::size_t periods = (elements - head) / period; periods != 0; periods >>= 1) {
    if ((periods & 1) != 0) crc = product(factor, crc) ^ sum;
    sum ^= product(factor, sum);
    factor = product(factor, factor);
  }
  return joined_crc(crc, pattern.crc_of_first(left), left * sizeof(float));
}

std::uint32_t add_payload(std::span<const std::byte> in, float* sum, bool first) {
  RunningCrc crc;
  for_each_tile(in.size() / sizeof(float), [&](std::size_t at, std::size_t n) {
    const auto tile = in.subspan(at * sizeof(float), n * sizeof(float));
    crc.add(tile);
    if (first)
      std::memcpy(sum + at, tile.data(), tile.size());
    else
      add(tile.data(), sum + at, n);
  });
  return crc.value();
}

Checked check_payload(const PatternSlice& slice, float weight, std::span<const std::byte> in) {
  RunningCrc crc;
  std::size_t differences = 0;
  for_each_tile(in.size() / sizeof(float), [&](std::size_t at, std::size_t n) {
    const auto tile = in.subspan(at * sizeof(float), n * sizeof(float));
    crc.add(tile);
    const float* base = slice.pattern.at(slice.iteration, slice.server, slice.first + at);
    differences += count_differences(base, weight, tile.data(), n);
  });
  return {crc.value(), differences};
}

std::uint32_t crc32c(std::span<const std::byte> bytes) {
  RunningCrc crc;
  crc.add(bytes);
  return crc.value();
}

}  // namespace ocs
