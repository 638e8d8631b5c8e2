// A simulated disk under SQLite (an SQLite VFS): it fails, tears, fills up and loses power as it is told to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbed/sim/draw.hpp"
#include "testbed/sim/fault.hpp"

namespace ocs::sim {

/// What is on the disk outlives who uses it. Files are made and removed at once; what is written is in the memory of
/// the machine until it is synced.
class Disk {
 public:
  /// It becomes SQLite's default; one at a time.
  explicit Disk(std::uint64_t seed);
  ~Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  /// A start of the run: locks of the one before are gone. @param alive false: who uses the disk has been killed and
  /// has no effect. @param kill kills it
  void begin(std::vector<Fault> faults, std::function<bool()> alive, std::function<void()> kill);
  std::uint64_t writes() const { return writes_; }  ///< of this start
  std::uint64_t hit() const { return hit_; }        ///< faults that met a write or a sync
  std::size_t open_files() const { return open_; }
  bool has(const std::string& name) const { return files_.contains(name); }
  /// @return whether there was such a bit
  bool flip(const std::string& name, std::uint64_t bit);

  // ---- for the VFS ----
  struct Write {
    std::size_t offset, size_before;
    std::vector<std::uint8_t> before, after;
  };
  struct File {
    std::vector<std::uint8_t> bytes;
    std::vector<Write> unsynced;
    std::vector<std::unique_ptr<std::array<std::uint8_t, 32768>>> shared;  ///< of the write-ahead log's index
    std::map<std::uint64_t, int> locks;                                    ///< by who has the file open
    std::array<std::map<std::uint64_t, bool>, 8> shared_locks;             ///< of the index; true: exclusive
  };
  std::shared_ptr<File> find(const std::string& name, bool make);
  void remove(const std::string& name) { files_.erase(name); }
  int write(File& file, const void* data, std::size_t size, std::size_t offset);
  int truncate(File& file, std::size_t size);
  int sync(File& file);
  bool dead() const { return start_over_ || !alive_(); }
  std::uint64_t start() const { return start_; }
  void count_open(int more) { open_ += static_cast<std::size_t>(more); }
  std::uint64_t draw() { return draw_.next(); }

 private:
  void put(File& file, const std::uint8_t* data, std::size_t size, std::size_t offset);
  void lose_power();

  Draw draw_;
  std::map<std::string, std::shared_ptr<File>> files_;
  std::vector<Fault> faults_;
  std::function<bool()> alive_;
  std::function<void()> kill_;
  std::uint64_t writes_ = 0, hit_ = 0, start_ = 0;
  std::size_t open_ = 0;
  bool full_ = false, fail_sync_ = false, start_over_ = false;
};

}  // namespace ocs::sim
