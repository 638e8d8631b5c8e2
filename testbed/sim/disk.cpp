// A simulated disk under SQLite.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/disk.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace ocs::sim {
namespace {

constexpr const char* vfs_name = "simulated";
constexpr std::size_t sector = 512;

Disk* disk = nullptr;  // SQLite's callbacks get nothing else; there is one at a time

struct OpenFile {
  sqlite3_file base;
  std::shared_ptr<Disk::File>* file;
  std::string* temporary;  ///< removed when it is closed
  std::uint64_t who, start;
  bool read_only;
};

std::uint64_t last_opened = 0;

OpenFile& of(sqlite3_file* file) { return *reinterpret_cast<OpenFile*>(file); }
Disk::File& bytes_of(sqlite3_file* file) { return **of(file).file; }
bool dead(sqlite3_file* file) { return disk->dead() || of(file).start != disk->start(); }

int close_file(sqlite3_file* file) {
  OpenFile& open = of(file);
  Disk::File& held = **open.file;
  held.locks.erase(open.who);
  for (auto& lock : held.shared_locks) lock.erase(open.who);
  if (open.temporary != nullptr) disk->remove(*open.temporary);
  delete open.temporary;
  delete open.file;
  disk->count_open(-1);
  return SQLITE_OK;
}
int read_file(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  if (dead(file)) return SQLITE_IOERR_READ;
  const auto& bytes = bytes_of(file).bytes;
  const auto from = std::min(static_cast<std::size_t>(offset), bytes.size());
  const auto there = std::min(static_cast<std::size_t>(size), bytes.size() - from);
  if (there > 0) std::memcpy(to, bytes.data() + from, there);
  std::memset(static_cast<char*>(to) + there, 0, static_cast<std::size_t>(size) - there);
  return there == static_cast<std::size_t>(size) ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}
int write_file(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  if (dead(file) || of(file).read_only) return SQLITE_IOERR_WRITE;
  return disk->write(bytes_of(file), from, static_cast<std::size_t>(size), static_cast<std::size_t>(offset));
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (dead(file) || of(file).read_only) return SQLITE_IOERR_TRUNCATE;
  return disk->truncate(bytes_of(file), static_cast<std::size_t>(size));
}
int sync_file(sqlite3_file* file, int) { return dead(file) ? SQLITE_IOERR_FSYNC : disk->sync(bytes_of(file)); }
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(bytes_of(file).bytes.size());
  return SQLITE_OK;
}

/// As sqlite3.h has them: shared, reserved (one writer, others read), exclusive. A system locks for a writer only what is
/// open to be written to: so a reader that closes it doesn't move the write-ahead log into the database.
int lock_file(sqlite3_file* file, int level) {
  if (of(file).read_only && level >= SQLITE_LOCK_RESERVED) return SQLITE_IOERR_LOCK;
  auto& locks = bytes_of(file).locks;
  for (const auto& [who, held] : locks) {
    if (who == of(file).who) continue;
    if (held >= SQLITE_LOCK_PENDING || (level >= SQLITE_LOCK_RESERVED && held >= SQLITE_LOCK_RESERVED) ||
        (level == SQLITE_LOCK_EXCLUSIVE && held >= SQLITE_LOCK_SHARED))
      return SQLITE_BUSY;
  }
  int& mine = locks[of(file).who];
  mine = std::max(mine, level);
  return SQLITE_OK;
}
int unlock_file(sqlite3_file* file, int level) {
  int& mine = bytes_of(file).locks[of(file).who];
  mine = std::min(mine, level);
  return SQLITE_OK;
}
int is_reserved(sqlite3_file* file, int* result) {
  *result = 0;
  for (const auto& [who, held] : bytes_of(file).locks)
    if (held >= SQLITE_LOCK_RESERVED) *result = 1;
  return SQLITE_OK;
}
int control_file(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
int sector_size(sqlite3_file*) { return sector; }
int characteristics(sqlite3_file*) { return 0; }

int map_shared(sqlite3_file* file, int region, int, int extend, void volatile** to) {
  auto& shared = bytes_of(file).shared;
  const auto wanted = static_cast<std::size_t>(region);
  while (extend != 0 && shared.size() <= wanted) shared.push_back(std::make_unique<std::array<std::uint8_t, 32768>>());
  *to = wanted < shared.size() ? shared[wanted]->data() : nullptr;
  return SQLITE_OK;
}
int lock_shared(sqlite3_file* file, int first, int count, int flags) {
  auto& locks = bytes_of(file).shared_locks;
  const std::uint64_t who = of(file).who;
  const bool exclusive = (flags & SQLITE_SHM_EXCLUSIVE) != 0;
  const std::size_t last = static_cast<std::size_t>(first) + static_cast<std::size_t>(count);
  for (auto k = static_cast<std::size_t>(first); k < last; ++k) {
    if ((flags & SQLITE_SHM_UNLOCK) != 0) {
      locks[k].erase(who);
      continue;
    }
    for (const auto& [other, held] : locks[k])
      if (other != who && (exclusive || held)) return SQLITE_BUSY;
  }
  if ((flags & SQLITE_SHM_LOCK) != 0)
    for (auto k = static_cast<std::size_t>(first); k < last; ++k) locks[k][who] = exclusive;
  return SQLITE_OK;
}
void barrier(sqlite3_file*) {}
int unmap_shared(sqlite3_file* file, int remove) {
  Disk::File& held = bytes_of(file);
  for (auto& lock : held.shared_locks) lock.erase(of(file).who);
  if (remove != 0) held.shared.clear();
  return SQLITE_OK;
}

const sqlite3_io_methods methods = {
    2,           close_file,  read_file,    write_file,   truncate_file, sync_file,       file_size,
    lock_file,   unlock_file, is_reserved,  control_file, sector_size,   characteristics, map_shared,
    lock_shared, barrier,     unmap_shared, nullptr,      nullptr};

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* given) {
  file->pMethods = nullptr;
  if (disk->dead()) return SQLITE_CANTOPEN;
  const std::string called = name != nullptr ? name : "temporary-" + std::to_string(last_opened);
  std::shared_ptr<Disk::File> found = disk->find(called, (flags & SQLITE_OPEN_CREATE) != 0);
  if (!found) return SQLITE_CANTOPEN;
  OpenFile& open = of(file);
  open.file = new std::shared_ptr<Disk::File>(std::move(found));
  open.temporary = (flags & SQLITE_OPEN_DELETEONCLOSE) != 0 ? new std::string(called) : nullptr;
  open.who = ++last_opened;
  open.start = disk->start();
  open.read_only = (flags & SQLITE_OPEN_READONLY) != 0;
  open.base.pMethods = &methods;
  if (given != nullptr) *given = flags;
  disk->count_open(1);
  return SQLITE_OK;
}
int delete_file(sqlite3_vfs*, const char* name, int) {
  if (disk->dead()) return SQLITE_IOERR_DELETE;
  if (!disk->has(name)) return SQLITE_IOERR_DELETE_NOENT;
  disk->remove(name);
  return SQLITE_OK;
}
int access_file(sqlite3_vfs*, const char* name, int, int* result) {
  *result = disk->has(name) ? 1 : 0;
  return SQLITE_OK;
}
int full_name(sqlite3_vfs*, const char* name, int size, char* to) {
  sqlite3_snprintf(size, to, "%s", name);
  return SQLITE_OK;
}
int random_bytes(sqlite3_vfs*, int size, char* to) {
  for (int k = 0; k < size; ++k) to[k] = static_cast<char>(disk->draw());
  return size;
}
int sleep_for(sqlite3_vfs*, int microseconds) { return microseconds; }
int current_time(sqlite3_vfs*, double* time) {
  *time = 2461041.5;  // 2026-01-01
  return SQLITE_OK;
}
int last_error(sqlite3_vfs*, int, char*) { return 0; }

sqlite3_vfs simulated = {1,         sizeof(OpenFile), 512,          nullptr,   vfs_name,     nullptr,
                         open_file, delete_file,      access_file,  full_name, nullptr,      nullptr,
                         nullptr,   nullptr,          random_bytes, sleep_for, current_time, last_error,
                         nullptr,   nullptr,          nullptr,      nullptr};

}  // namespace

Disk::Disk(std::uint64_t seed) : draw_(seed) {
  static const int once = [] {  // everything is in one thread
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  }();
  static_cast<void>(once);
  disk = this;
  sqlite3_vfs_register(&simulated, 1);
}

Disk::~Disk() {
  sqlite3_vfs_unregister(&simulated);
  disk = nullptr;
}

void Disk::begin(std::vector<Fault> faults, std::function<bool()> alive, std::function<void()> kill) {
  faults_ = std::move(faults);
  alive_ = std::move(alive);
  kill_ = std::move(kill);
  writes_ = 0;
  ++start_;
  full_ = fail_sync_ = start_over_ = false;
  for (auto& [name, file] : files_) {
    file->locks.clear();
    file->shared.clear();
    for (auto& lock : file->shared_locks) lock.clear();
  }
}

std::shared_ptr<Disk::File> Disk::find(const std::string& name, bool make) {
  const auto found = files_.find(name);
  if (found != files_.end()) return found->second;
  return make ? files_[name] = std::make_shared<File>() : nullptr;
}

bool Disk::flip(const std::string& name, std::uint64_t bit) {
  const auto found = files_.find(name);
  if (found == files_.end() || found->second->bytes.empty()) return false;
  bit %= found->second->bytes.size() * 8;
  found->second->bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
  return true;
}

int Disk::write(File& file, const void* data, std::size_t size, std::size_t offset) {
  const std::uint64_t number = writes_++;
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  for (const Fault& fault : faults_) {
    if (!at_write(fault.kind) || fault.at != number) continue;
    ++hit_;
    if (fault.kind == FaultKind::write_fails) return SQLITE_IOERR_WRITE;
    if (fault.kind == FaultKind::disk_full) full_ = true;
    if (fault.kind == FaultKind::sync_fails) fail_sync_ = true;
    if (fault.kind == FaultKind::torn) {
      put(file, bytes, fault.arg % (size + 1), offset);
      kill_();
      return SQLITE_IOERR_WRITE;
    }
    if (fault.kind == FaultKind::power) {
      put(file, bytes, size, offset);
      kill_();
      lose_power();
      return SQLITE_IOERR_WRITE;
    }
  }
  if (full_ && offset + size > file.bytes.size()) return SQLITE_FULL;
  put(file, bytes, size, offset);
  return SQLITE_OK;
}

void Disk::put(File& file, const std::uint8_t* data, std::size_t size, std::size_t offset) {
  Write done{offset, file.bytes.size(), {}, {data, data + size}};
  const std::size_t from = std::min(offset, file.bytes.size()), to = std::min(offset + size, file.bytes.size());
  done.before.assign(file.bytes.begin() + static_cast<std::ptrdiff_t>(from),
                     file.bytes.begin() + static_cast<std::ptrdiff_t>(to));
  if (file.bytes.size() < offset + size) file.bytes.resize(offset + size);
  std::copy_n(data, size, file.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  file.unsynced.push_back(std::move(done));
}

int Disk::truncate(File& file, std::size_t size) {
  Write cut{size, file.bytes.size(), {}, {}};
  if (size < file.bytes.size()) {
    cut.before.assign(file.bytes.begin() + static_cast<std::ptrdiff_t>(size), file.bytes.end());
    file.unsynced.push_back(std::move(cut));
  }
  file.bytes.resize(size);
  return SQLITE_OK;
}

int Disk::sync(File& file) {
  if (std::exchange(fail_sync_, false)) return SQLITE_IOERR_FSYNC;
  file.unsynced.clear();
  return SQLITE_OK;
}

/// Each sector that was not synced is there or not, whatever the order in which they were written.
void Disk::lose_power() {
  for (auto& [name, file] : files_) {
    std::vector<Write> unsynced = std::exchange(file->unsynced, {});
    auto& bytes = file->bytes;
    for (auto write = unsynced.rbegin(); write != unsynced.rend(); ++write) {
      bytes.resize(std::max(bytes.size(), write->offset + write->before.size()));
      std::copy(write->before.begin(), write->before.end(), bytes.begin() + static_cast<std::ptrdiff_t>(write->offset));
      bytes.resize(write->size_before);
    }
    for (const Write& write : unsynced)
      for (std::size_t at = 0; at < write.after.size(); at += sector) {
        if (draw_.one_in(2)) continue;
        const std::size_t size = std::min(sector, write.after.size() - at), offset = write.offset + at;
        if (bytes.size() < offset + size) bytes.resize(offset + size);
        std::copy_n(write.after.begin() + static_cast<std::ptrdiff_t>(at), size,
                    bytes.begin() + static_cast<std::ptrdiff_t>(offset));
      }
  }
}

}  // namespace ocs::sim
