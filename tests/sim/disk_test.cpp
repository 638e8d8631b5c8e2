// The simulated disk, under SQLite as production code opens it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/disk.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testbed/results/database/sqlite.hpp"

namespace ocs::sim {
namespace {

/// A database on a disk with these faults. @return why it failed; empty: it didn't
std::string use(Disk& disk, std::vector<Fault> faults, const std::vector<std::string>& statements) {
  bool alive = true;
  disk.begin(
      std::move(faults), [&] { return alive; }, [&] { alive = false; });
  try {
    Sqlite file("a.db", Sqlite::Access::write);
    for (const std::string& statement : statements) file.execute(statement);
  } catch (const Error& failure) {
    return failure.what();
  }
  return "";
}

std::int64_t count(Disk& disk) {
  disk.begin(
      {}, [] { return true; }, [] {});
  return Sqlite("a.db", Sqlite::Access::write).number("SELECT count(*) FROM t");
}

const std::vector<std::string> table = {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE t (a)"};
const std::vector<std::string> two_rows = {"PRAGMA synchronous = FULL", "INSERT INTO t VALUES (1)",
                                           "INSERT INTO t VALUES (2)"};

TEST(SimulatedDisk, KeepsWhatIsWrittenFromStartToStart) {
  Disk disk(1);
  EXPECT_EQ(use(disk, {}, table), "");
  EXPECT_EQ(use(disk, {}, two_rows), "");
  EXPECT_EQ(count(disk), 2);
  EXPECT_EQ(disk.open_files(), 0U);
}

TEST(SimulatedDisk, FillsUp) {
  Disk disk(1);
  use(disk, {}, table);
  EXPECT_EQ(use(disk, {{FaultKind::disk_full}}, two_rows),
            "database \"a.db\" can't be written: database or disk is full");
  EXPECT_EQ(disk.hit(), 1U);
  EXPECT_EQ(count(disk), 0);
}

TEST(SimulatedDisk, FailsOneWriteOrOneSync) {
  for (const FaultKind kind : {FaultKind::write_fails, FaultKind::sync_fails}) {
    Disk disk(1);
    use(disk, {}, table);
    EXPECT_EQ(use(disk, {{kind}}, two_rows), "database \"a.db\" can't be written: disk I/O error");
  }
}

TEST(SimulatedDisk, LosesNothingThatWasSyncedWhenPowerGoes) {
  std::int64_t most = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::uint64_t at = 0; at < 12; ++at) {
      Disk disk(seed);
      use(disk, {}, table);
      use(disk, {}, {"PRAGMA synchronous = FULL", "INSERT INTO t VALUES (0)"});
      use(disk, {{FaultKind::power, 0, at, 0}}, two_rows);
      const std::int64_t rows = count(disk);
      EXPECT_GE(rows, 1) << "seed " << seed << ", write " << at;
      most = std::max(most, rows);
    }
  EXPECT_EQ(most, 3);  // it also comes after both
}

TEST(SimulatedDisk, LosesWhatWasNotSynced) {
  std::int64_t least = 2;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::uint64_t at = 2; at < 6; ++at) {
      Disk disk(seed);
      use(disk, {}, table);
      use(disk, {{FaultKind::power, 0, at, 0}},
          {"PRAGMA synchronous = OFF", "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2)",
           "INSERT INTO t VALUES (3)"});
      least = std::min(least, count(disk));
    }
  EXPECT_EQ(least, 0);
}

/// What writing to a file that is open to be read gives: a write, a truncation, two locks.
std::vector<int> answers_to_a_reader(const char* vfs, const std::string& name) {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(name.c_str(), &raw, SQLITE_OPEN_READONLY, vfs);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle(raw, sqlite3_close);
  sqlite3_file* file = nullptr;
  EXPECT_EQ(sqlite3_file_control(raw, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file)), SQLITE_OK);
  std::vector<int> answers = {opened, file->pMethods->xWrite(file, "text", 4, 0), file->pMethods->xTruncate(file, 0)};
  for (const int level : {SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED, SQLITE_LOCK_EXCLUSIVE})
    answers.push_back(file->pMethods->xLock(file, level));
  answers.push_back(file->pMethods->xUnlock(file, SQLITE_LOCK_NONE));
  return answers;
}

TEST(SimulatedDisk, AnswersAReaderThatWritesAsTheSystemDoes) {
  const std::string real = testing::TempDir() + "disk_" + std::to_string(getpid()) + ".db";
  std::ofstream(real) << "no bytes are read";
  Disk disk(1);
  use(disk, {}, table);
  disk.begin(
      {}, [] { return true; }, [] {});
  EXPECT_EQ(answers_to_a_reader("simulated", "a.db"), answers_to_a_reader("unix", real));
  std::remove(real.c_str());
  EXPECT_EQ(disk.writes(), 0U);
  EXPECT_EQ(count(disk), 0);
}

TEST(SimulatedDisk, KeepsTheLogThatAReaderClosesForTheNextWriter) {
  Disk disk(1);
  use(disk, {}, table);
  EXPECT_NE(use(disk, {{FaultKind::torn, 0, 5, 0}}, two_rows), "");  // the first row is in the log alone
  disk.begin(
      {}, [] { return true; }, [] {});
  EXPECT_EQ(Sqlite("a.db", Sqlite::Access::read).number("SELECT count(*) FROM t"), 1);
  EXPECT_EQ(disk.writes(), 0U);
  EXPECT_EQ(count(disk), 1);
  EXPECT_GT(disk.writes(), 0U);
}

TEST(SimulatedDisk, FlipsABitAtRest) {
  Disk disk(1);
  EXPECT_FALSE(disk.flip("a.db", 3));  // there is none yet
  use(disk, {}, table);
  EXPECT_TRUE(disk.flip("a.db", 3));
  EXPECT_EQ(use(disk, {}, {"SELECT * FROM t"}), "\"a.db\" is not an SQLite database; name another file");
}

}  // namespace
}  // namespace ocs::sim
