// Memory that the node processes of one host share.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include "host/transport/bytes.hpp"

namespace ocs {
namespace {

constexpr std::size_t file_bytes = SharedMemory::region_bytes * max_ports;

[[noreturn]] void refuse_memory(const std::string& doing) {
  throw Error(ErrorKind::run, "memory for node processes can't be " + doing + ": " + std::strerror(errno));
}

}  // namespace

std::array<std::byte, shared_reference_bytes> encode(const SharedReference& reference) {
  std::array<std::byte, shared_reference_bytes> bytes{};
  ByteWriter writer(bytes);
  writer(reference.buffer, reference.offset);
  return bytes;
}

SharedReference decode_reference(std::span<const std::byte> bytes) {
  SharedReference reference;
  ByteReader reader(bytes, "reference");
  reader(reference.buffer, reference.offset);
  reader.finish();
  return reference;
}

/// Regions are mapped when they are first needed.
struct SharedMemory::Mapping {
  explicit Mapping(int file) : descriptor(file) {}
  ~Mapping() {
    for (std::byte* region : regions)
      if (region) munmap(region, region_bytes);
    close(descriptor);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::byte* region(Node node) {
    std::byte*& found = regions.at(index(node));
    if (found) return found;
    void* at = mmap(nullptr, region_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor,
                    static_cast<off_t>(region_bytes * index(node)));
    if (at == MAP_FAILED) refuse_memory("mapped");
    return found = static_cast<std::byte*>(at);
  }
  std::atomic_ref<std::uint32_t> holders(Node node, std::size_t buffer) {
    return std::atomic_ref(reinterpret_cast<std::uint32_t*>(region(node))[buffer]);
  }

  const int descriptor;
  std::array<std::byte*, max_ports> regions{};
};

SharedMemory::SharedMemory() {
  const int file = memfd_create("lightloop payload", MFD_CLOEXEC);
  if (file < 0) refuse_memory("made");
  mapping_ = std::make_shared<Mapping>(file);
  if (ftruncate(file, static_cast<off_t>(file_bytes)) != 0) refuse_memory("made so large");
}

SharedMemory::SharedMemory(int descriptor) {
  struct stat about {};
  if (fstat(descriptor, &about) != 0) refuse_memory("opened");
  mapping_ = std::make_shared<Mapping>(descriptor);
  if (!S_ISREG(about.st_mode) || static_cast<std::size_t>(about.st_size) != file_bytes)
    throw Error(ErrorKind::run, "descriptor " + std::to_string(descriptor) + " is a file of " +
                                    std::to_string(about.st_size) + " bytes; a coordinator's shared memory has " +
                                    std::to_string(file_bytes));
}

int SharedMemory::descriptor() const { return mapping_->descriptor; }

void SharedMemory::cut(Node self, std::size_t bytes) {
  constexpr std::size_t page = 4096;
  self_ = self;
  bytes_ = (bytes + page - 1) / page * page;
  most_in_use_ = 0;
}

std::shared_ptr<std::byte[]> SharedMemory::take() {
  if (bytes_ == 0) throw Error(ErrorKind::internal, "a buffer was taken from shared memory that hasn't been cut");
  const std::size_t buffers = std::min(max_buffers, (region_bytes - control_bytes) / bytes_);
  for (std::size_t buffer = 0; buffer < buffers; ++buffer) {
    auto holders = mapping_->holders(self_, buffer);
    if (holders.load(std::memory_order_acquire) != 0) continue;
    most_in_use_ = std::max(most_in_use_, buffer + 1);  // all before it are in use
    holders.store(1, std::memory_order_relaxed);        // only the owner takes
    return {mapping_->region(self_) + control_bytes + buffer * bytes_,
            [mapping = mapping_, holders](std::byte*) { holders.fetch_sub(1, std::memory_order_release); }};
  }
  return nullptr;
}

std::optional<SharedReference> SharedMemory::lend(const Payload& payload) {
  if (bytes_ == 0) return std::nullopt;
  const auto at = reinterpret_cast<std::uintptr_t>(payload.data.get());
  const auto first = reinterpret_cast<std::uintptr_t>(mapping_->region(self_)) + control_bytes;
  if (at < first || at >= first + region_bytes - control_bytes) return std::nullopt;
  const auto buffer = static_cast<std::uint32_t>((at - first) / bytes_);
  mapping_->holders(self_, buffer).fetch_add(1, std::memory_order_relaxed);
  return SharedReference{buffer, control_bytes + (at - first)};
}

Payload SharedMemory::open(Node owner, const SharedReference& reference, std::size_t bytes) {
  if (reference.buffer >= max_buffers || reference.offset < control_bytes || reference.offset > region_bytes ||
      bytes > region_bytes - reference.offset)
    throw Malformed("node " + std::to_string(index(owner)) + " shares " + std::to_string(bytes) + " bytes from byte " +
                    std::to_string(reference.offset) + " in buffer " + std::to_string(reference.buffer) +
                    "; its memory has " + std::to_string(region_bytes) + " bytes in at most " +
                    std::to_string(max_buffers) + " buffers");
  auto holders = mapping_->holders(owner, reference.buffer);
  return {{mapping_->region(owner) + reference.offset,
           [mapping = mapping_, holders](const std::byte*) { holders.fetch_sub(1, std::memory_order_release); }},
          bytes};
}

}  // namespace ocs
