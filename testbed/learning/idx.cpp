// Unpacks as it goes, so that a header is checked before what it promises is made.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/learning/idx.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "host/core/error.hpp"

namespace ocs {
namespace {

/// One gzip member, unpacked piece by piece.
class Unpacker {
 public:
  Unpacker(std::span<const std::byte> gzip, const std::string& origin) : origin_(origin) {
    constexpr int gzip_only = 16;
    if (gzip.size() > std::numeric_limits<uInt>::max()) refuse("is larger than 4 GB");
    if (inflateInit2(&stream_, gzip_only + MAX_WBITS) != Z_OK)
      throw Error(ErrorKind::run, "zlib couldn't begin to unpack");
    // zlib only reads what it is given, although its pointer is not const.
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(gzip.data()));
    stream_.avail_in = static_cast<uInt>(gzip.size());
  }
  ~Unpacker() { inflateEnd(&stream_); }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Fills `out` as far as there is something. @returns how much
  std::size_t read(std::span<std::uint8_t> out) {
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0 && !ended_) {
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END)
        ended_ = true;
      else if (result == Z_BUF_ERROR || (result == Z_OK && stream_.avail_in == 0 && stream_.avail_out > 0))
        refuse("ends within its packed data");
      else if (result != Z_OK)
        refuse("is no gzip file, or a damaged one");
    }
    return out.size() - stream_.avail_out;
  }

  /// @throws if there is more in the member, or behind it
  void end() {
    std::array<std::uint8_t, 1> more{};
    if (read(more) > 0) refuse("has more bytes than its header says");
    if (stream_.avail_in > 0) refuse("has " + std::to_string(stream_.avail_in) + " bytes behind its packed data");
  }

  [[noreturn]] void refuse(const std::string& what) const { throw Error(ErrorKind::input, origin_ + ": it " + what); }

 private:
  const std::string& origin_;
  z_stream stream_{};
  bool ended_ = false;
};

std::uint32_t big_endian(const std::array<std::uint8_t, 4>& b) {
  return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | std::uint32_t{b[3]};
}

std::array<std::uint8_t, 4> four(Unpacker& in) {
  std::array<std::uint8_t, 4> bytes{};
  if (in.read(bytes) < bytes.size()) in.refuse("ends within its header");
  return bytes;
}

}  // namespace

IdxArray read_idx(std::span<const std::byte> gzip, const std::string& origin) {
  Unpacker in(gzip, origin);
  const auto magic = four(in);
  constexpr std::uint8_t unsigned_bytes = 8, most_dimensions = 4;
  if (magic[0] != 0 || magic[1] != 0 || magic[2] != unsigned_bytes || magic[3] < 1 || magic[3] > most_dimensions)
    in.refuse("begins with " + std::to_string(big_endian(magic)) +
              ", but must begin with 2049 to 2052: IDX of unsigned bytes in 1 to 4 dimensions");
  IdxArray array;
  std::size_t size = 1;
  for (std::uint8_t d = 0; d < magic[3]; ++d) {
    array.shape.push_back(big_endian(four(in)));
    const std::uint32_t length = array.shape.back();
    if (length == 0 || length > max_idx_values / size)
      in.refuse("says that dimension " + std::to_string(d) + " has " + std::to_string(length) +
                " elements; it must have at least one, and all together at most " + std::to_string(max_idx_values));
    size *= length;
  }
  constexpr std::size_t piece = std::size_t{1} << 20;  // memory grows with what comes, not with what is promised
  while (array.values.size() < size) {
    const std::size_t at = array.values.size();
    array.values.resize(std::min(size, at + std::max(piece, at)));
    const std::size_t wanted = array.values.size() - at;
    if (const std::size_t got = in.read({array.values.data() + at, wanted}); got < wanted)
      in.refuse("has " + std::to_string(at + got) + " values, but its header says " + std::to_string(size));
  }
  in.end();
  return array;
}

}  // namespace ocs
