// links: ocs_results
// Opens any bytes as a database of results, as rerun, --resume and `run --db` do: all of it is read or refused in one
// sentence.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>

#include "testbed/results/database/database.hpp"
#include "testbed/results/database/stored_rows.hpp"
#include "testbed/results/events/event_log.hpp"
#include "tests/fuzz/one_sentence.hpp"

namespace ocs {
namespace {

constexpr std::int64_t rows_that_are_read = 3;

/// A file in memory, with those that SQLite makes beside it; they go with this.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : name_("/dev/shm/fuzz_database-" + std::to_string(getpid())) {
    std::ofstream out(name_, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    if (!out.flush()) std::abort();
  }
  ~MemoryFile() {
    for (const char* end : {"", "-wal", "-shm", "-journal"}) std::remove((name_ + end).c_str());
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

void read_row(StoredRows& stored, std::int64_t id) {
  const StoredRow row = stored.row(id);
  if (to_json(row.resolved).empty()) std::abort();
  if (stored.values(row).empty()) std::abort();
  static_cast<void>(stored.charges(id));
  for (const Event& event : stored.events(row))
    if (to_text(event).empty()) std::abort();
}

}  // namespace
}  // namespace ocs

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ocs;
  const MemoryFile file(data, size);
  one_sentence([&] {
    StoredRows stored(file.name());
    for (std::int64_t id = 1; id <= rows_that_are_read; ++id) one_sentence([&] { read_row(stored, id); });
    static_cast<void>(stored.sound_rows("0"));
    static_cast<void>(stored.warning());
  });
  // A database is written to, once it has been read as one.
  one_sentence([&] { Database(file.name(), {.name = "n", .file = "n.toml", .version = "0", .keys = {}}, ""); });
  return 0;
}
