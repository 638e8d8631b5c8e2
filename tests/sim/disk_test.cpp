// The simulated disk, under SQLite as production code opens it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/disk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "testbed/results/sqlite.hpp"

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

TEST(SimulatedDisk, FlipsABitAtRest) {
  Disk disk(1);
  EXPECT_FALSE(disk.flip("a.db", 3));  // there is none yet
  use(disk, {}, table);
  EXPECT_TRUE(disk.flip("a.db", 3));
  EXPECT_EQ(use(disk, {}, {"SELECT * FROM t"}), "\"a.db\" is not an SQLite database; name another file");
}

}  // namespace
}  // namespace ocs::sim
