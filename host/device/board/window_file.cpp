// Locks say who is there; semaphores wake.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/board/window_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr std::size_t length = sizeof(WindowFile);

[[noreturn]] void refuse_file(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input, "register file \"" + path + "\" " + what);
}

[[noreturn]] void fail_file(const std::string& path, const char* what) {
  throw Error(ErrorKind::run, "register file \"" + path + "\" " + what + ": " + std::strerror(errno));
}

/// A lock for writing on one byte.
struct flock lock_of(std::int64_t byte) {
  struct flock wanted {};
  wanted.l_type = F_WRLCK;
  wanted.l_whence = SEEK_SET;
  wanted.l_start = byte;
  wanted.l_len = 1;
  return wanted;
}

/// It goes with the descriptor, also when its process is killed.
bool lock(int descriptor, std::int64_t byte) {
  struct flock wanted = lock_of(byte);
  return ::fcntl(descriptor, F_OFD_SETLK, &wanted) == 0;
}

bool is_locked(int descriptor, std::int64_t byte) {
  struct flock asked = lock_of(byte);
  return ::fcntl(descriptor, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
}

std::int64_t size_of(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : -1;
}

/// Read, not mapped: nothing that is shorter may be touched in memory.
bool begins_right(int descriptor) {
  std::uint64_t magic = 0;
  return ::pread(descriptor, &magic, sizeof magic, 0) == static_cast<ssize_t>(sizeof magic) &&
         magic == WindowFile::right_magic;
}

}  // namespace

WindowMapping::WindowMapping(int descriptor, std::string path, bool serves)
    : descriptor_(descriptor), path_(std::move(path)), serves_(serves) {}

WindowMapping::~WindowMapping() {
  if (file_) ::munmap(file_, length);
  if (serves_ && file_) ::unlink(path_.c_str());
  ::close(descriptor_);
}

std::unique_ptr<WindowMapping> WindowMapping::make(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) fail_file(path, "can't be made");
  std::unique_ptr<WindowMapping> made(new WindowMapping(descriptor, path, true));
  const std::int64_t size = size_of(descriptor);
  if (size < 0 || (size > 0 && !begins_right(descriptor)))
    refuse_file(path, "exists and is something else; nothing in it was changed");
  if (!lock(descriptor, WindowFile::server_byte)) refuse_file(path, "is served by another program already");
  if (::ftruncate(descriptor, 0) != 0 || ::ftruncate(descriptor, static_cast<off_t>(length)) != 0)
    fail_file(path, "can't be made long enough");
  void* const memory = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) fail_file(path, "can't be mapped");
  made->file_ = new (memory) WindowFile{};
  WindowFile& file = made->file();
  if (::sem_init(&file.for_server, 1, 0) != 0 || ::sem_init(&file.for_driver, 1, 0) != 0)
    fail_file(path, "can't hold a semaphore");
  file.version = WindowFile::right_version;
  return made;
}

std::unique_ptr<WindowMapping> WindowMapping::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) fail_file(path, "can't be opened");
  std::unique_ptr<WindowMapping> made(new WindowMapping(descriptor, path, false));
  if (!begins_right(descriptor)) refuse_file(path, "isn't one of `lightloop serve --registers`");
  if (const std::int64_t size = size_of(descriptor); size != static_cast<std::int64_t>(length))
    refuse_file(path, "has " + std::to_string(size) + " bytes, but should have " + std::to_string(length) +
                          ": it was cut, or another version of lightloop serves it");
  if (!made->served()) refuse_file(path, "is served by nobody: its server has ended");
  if (!lock(descriptor, WindowFile::driver_byte)) refuse_file(path, "is driven by another program already");
  void* const memory = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) fail_file(path, "can't be mapped");
  made->file_ = static_cast<WindowFile*>(memory);
  if (made->file().version != WindowFile::right_version)
    refuse_file(path, "is of version " + std::to_string(made->file().version) + ", but must be of version " +
                          std::to_string(WindowFile::right_version));
  return made;
}

bool WindowMapping::served() const { return is_locked(descriptor_, WindowFile::server_byte); }

void WindowMapping::wait(sem_t& semaphore, std::chrono::microseconds patience, int looks) {
  for (int k = 0; k < looks; ++k) {
    if (::sem_trywait(&semaphore) == 0) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  timespec until{};
  ::clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += patience.count() % 1'000'000 * 1000;
  until.tv_sec += patience.count() / 1'000'000 + until.tv_nsec / 1'000'000'000;
  until.tv_nsec %= 1'000'000'000;
  ::sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until);
}

}  // namespace ocs
