// A register window in a file: what the program that serves it and the one that drives it both see.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <semaphore.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace ocs {

/// A file can't notice that it is read, but a switch acts on reads and writes. So the file has one cell for one access
/// at a time: the driver of the switch fills it in and counts `asked` up; the server executes it and makes
/// `answered` equal. The semaphores only wake the other side. Of the two, each holds a lock on its byte of the file, so
/// that it is known whether it is there.
struct WindowFile {
  static constexpr std::uint64_t right_magic = 0x31574F444E49574FULL;  // "OWINDOW1"
  static constexpr std::uint32_t right_version = 2;
  static constexpr std::int64_t server_byte = 0, driver_byte = 1;  ///< that each has locked

  enum class What : std::uint32_t { read, write, run_until, edges, write_bytes };
  static constexpr int strobes_at = 32;  ///< in the operand of write_bytes, above the word
  enum class Status : std::uint32_t { done, refused, failed };

  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t wall_time;  ///< 1: time goes on by itself; 0: when told by run_until
  std::int64_t cycle_ps;    ///< as the served switch has it
  std::int64_t speed_ppm;   ///< simulated time per wall time; 0 if it doesn't go on by itself
  sem_t for_server, for_driver;
  std::atomic<std::uint32_t> asked, answered;
  What what;
  Status status;
  std::int64_t value;                     ///< an address; run_until: a cycle
  std::int64_t operand;                   ///< of a write
  std::int64_t answer;                    ///< a word, a cycle or a count
  std::atomic<std::int64_t> now;          ///< in virtual time: the present cycle, after the last access
  std::atomic<std::uint32_t> high;        ///< 1: the interrupt line is, then
  std::atomic<std::uint32_t> interrupts;  ///< number of times that the line has risen
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// The mapped file; unmapped and unlocked at the end.
class WindowMapping {
 public:
  /// The file is made, or made anew when its server has ended. @throws Error (input) if something else is there or
  /// somebody serves it already; Error (run) if the system refuses.
  /// Nobody takes it for served before `magic` is set.
  static std::unique_ptr<WindowMapping> make(const std::string& path);

  /// For the one program that drives it. @throws Error (input) if it is no such file, nobody serves it, or another
  /// program drives it.
  static std::unique_ptr<WindowMapping> open(const std::string& path);

  ~WindowMapping();
  WindowMapping(const WindowMapping&) = delete;
  WindowMapping& operator=(const WindowMapping&) = delete;

  WindowFile& file() { return *file_; }
  bool served() const;  ///< somebody holds the server's lock

  /// Waits until the semaphore is posted, at most `patience`; looks often at first.
  static void wait(sem_t& semaphore, std::chrono::microseconds patience, int looks);

 private:
  WindowMapping(int descriptor, std::string path, bool serves);

  int descriptor_;
  std::string path_;
  bool serves_;
  WindowFile* file_ = nullptr;
};

}  // namespace ocs
