// Loads and stores on mapped registers.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/board/mapped.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "host/device/board/window_driver.hpp"

namespace ocs {
namespace {

[[noreturn]] void fail_mapped(const std::string& where, const std::string& what) {
  throw Error(ErrorKind::run, where + " " + what + ": " + std::strerror(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int operator*() const { return number_; }

 private:
  int number_;
};

class UioInterrupt final : public InterruptLine {
 public:
  UioInterrupt(int descriptor, std::string where, bool arms)
      : descriptor_(descriptor), where_(std::move(where)), arms_(arms) {}

  void arm() override {
    constexpr std::uint32_t on = 1;
    if (!arms_ || ::write(descriptor_, &on, sizeof on) == static_cast<ssize_t>(sizeof on)) return;
    if (errno != ENOSYS) fail_mapped(where_, "doesn't arm its interrupt");
    arms_ = false;  // its driver needs none of this
  }

  void wait(std::chrono::nanoseconds patience) override {
    pollfd waits{descriptor_, POLLIN, 0};
    const timespec longest{static_cast<time_t>(patience.count() / 1'000'000'000),
                           static_cast<long>(patience.count() % 1'000'000'000)};
    const int ready = ::ppoll(&waits, 1, &longest, nullptr);
    if (ready < 0 && errno != EINTR) fail_mapped(where_, "can't be waited for");
    if (ready <= 0) return;
    std::uint32_t count = 0;
    const ssize_t got = ::read(descriptor_, &count, sizeof count);
    if (got < 0) fail_mapped(where_, "doesn't say its interrupts");
    if (got != static_cast<ssize_t>(sizeof count))
      throw Error(ErrorKind::run, where_ + " doesn't say its interrupts any more");
  }

 private:
  int descriptor_;
  std::string where_;
  bool arms_;
};

/// Aligned 32-bit loads and stores, each of which happens, in this order.
class MappedBus final : public RegisterBus {
 public:
  MappedBus(std::shared_ptr<Descriptor> file, std::string where, std::size_t length, std::size_t offset)
      : file_(std::move(file)), where_(std::move(where)), length_(length) {
    memory_ = ::mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_SHARED, **file_, 0);
    if (memory_ == MAP_FAILED) fail_mapped(where_, "can't be mapped");
    words_ = reinterpret_cast<volatile std::uint32_t*>(static_cast<std::byte*>(memory_) + offset);
  }
  ~MappedBus() override { ::munmap(memory_, length_); }
  MappedBus(const MappedBus&) = delete;
  MappedBus& operator=(const MappedBus&) = delete;

  std::uint32_t read(std::uint32_t address) override { return words_[index_of(address)]; }
  void write(std::uint32_t address, std::uint32_t value) override { words_[index_of(address)] = value; }

 private:
  std::size_t index_of(std::uint32_t address) const {
    if (address % 4 == 0 && address < window_bytes) return address / 4;
    throw AccessRefused(where_ + ": address " + std::to_string(address) + " isn't one of the register map");
  }

  std::shared_ptr<Descriptor> file_;
  std::string where_;
  std::size_t length_;
  void* memory_;
  volatile std::uint32_t* words_;
};

/// The interrupt of a UIO device, and the device with it.
class OwnedInterrupt final : public InterruptLine {
 public:
  OwnedInterrupt(std::shared_ptr<Descriptor> file, const std::string& where)
      : file_(std::move(file)), line_(make_uio_interrupt(**file_, where, true)) {}
  void arm() override { line_->arm(); }
  void wait(std::chrono::nanoseconds patience) override { line_->wait(patience); }

 private:
  std::shared_ptr<Descriptor> file_;
  std::unique_ptr<InterruptLine> line_;
};

std::uint64_t number_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string text;
  if (!(in >> text)) throw Error(ErrorKind::run, "\"" + file.string() + "\" can't be read");
  char* end = nullptr;
  errno = 0;
  const std::uint64_t number = std::strtoull(text.c_str(), &end, 0);
  if (errno != 0 || *end != '\0')
    throw Error(ErrorKind::run, "\"" + file.string() + "\" says \"" + text + "\", which is no number");
  return number;
}

void check_length(const std::string& where, std::uint64_t length) {
  if (length >= window_bytes) return;
  throw Error(ErrorKind::input, where + " has " + std::to_string(length) + " bytes, but a switch's registers take " +
                                    std::to_string(window_bytes));
}

/// A PCIe device answers only when it is enabled.
void check_enabled(const std::filesystem::path& resource) {
  const std::filesystem::path enable = resource.parent_path() / "enable";
  if (!resource.filename().string().starts_with("resource") || !std::filesystem::exists(enable)) return;
  if (number_in(enable) == 0)
    throw Error(ErrorKind::run, "the PCIe device of \"" + resource.string() + "\" isn't enabled; write 1 to \"" +
                                    enable.string() + "\" first");
}

}  // namespace

UioMap read_uio_map(const std::filesystem::path& sysfs, const std::string& name) {
  const std::filesystem::path map = sysfs / "class/uio" / name / "maps/map0";
  return {number_in(map / "size"), number_in(map / "offset")};
}

std::unique_ptr<InterruptLine> make_uio_interrupt(int descriptor, const std::string& where, bool arms) {
  return std::make_unique<UioInterrupt>(descriptor, where, arms);
}

std::unique_ptr<Device> make_mapped(const DeviceConfig& config) {
  const std::filesystem::path path = config.place;
  const std::string where = "mapped:" + config.place;
  if (config.place.empty())
    throw Error(ErrorKind::input, "device \"mapped\" needs what to map: \"mapped:/dev/uio0\", for instance");
  if (is_window_file(config.place)) return make_window_driver(config);
  auto file = std::make_shared<Descriptor>(::open(path.c_str(), O_RDWR | O_SYNC | O_CLOEXEC));
  if (**file < 0) {
    const std::string why = std::strerror(errno);
    throw Error(ErrorKind::input, where + " can't be opened: " + why);
  }
  struct stat status {};
  if (::fstat(**file, &status) != 0) fail_mapped(where, "can't be looked at");
  if (S_ISCHR(status.st_mode)) {
    const UioMap map = read_uio_map("/sys", path.filename().string());
    check_length(where, map.size);
    auto bus = std::make_unique<MappedBus>(file, where, map.offset + map.size, map.offset);
    return make_board(where, std::move(bus), std::make_unique<OwnedInterrupt>(file, where), config);
  }
  check_enabled(path);
  check_length(where, static_cast<std::uint64_t>(status.st_size));
  auto bus = std::make_unique<MappedBus>(file, where, window_bytes, 0);
  return make_board(where, std::move(bus), make_no_interrupt(std::chrono::microseconds(50)), config);
}

}  // namespace ocs
