// lightloop sweep and merge as a user starts them.
// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <chrono>
#include <thread>

#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

class Sweep : public Cli {
 protected:
  /// 12 rows, and a moment each.
  std::string study() const { return tiny + " --set seed=[1,2,3] --db s.db"; }

  std::string values(const std::string& file, const std::string& sql) const {
    sqlite3* raw = nullptr;
    EXPECT_EQ(sqlite3_open_v2(path(file).c_str(), &raw, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    std::string result;
    const auto keep = [](void* to, int, char** cells, char**) {
      *static_cast<std::string*>(to) += std::string(cells[0] == nullptr ? "null" : cells[0]) + " ";
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(raw, sql.c_str(), keep, &result, nullptr), SQLITE_OK) << sqlite3_errmsg(raw);
    sqlite3_close(raw);
    return result;
  }
  std::string count(const std::string& file) const { return values(file, "SELECT count(*) FROM row"); }
  std::string hashes(const std::string& file) const {
    return values(file, "SELECT event_log_hash FROM row ORDER BY seed, policy");
  }
  std::string error(const std::string& arguments, int code = 2) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return outcome.err;
  }
};

TEST_F(Sweep, OfThreeShardsHasTheRowsOfOneRun) {
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const Outcome outcome = run("sweep " + study() + " --quiet --shard " + shard);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path("s.db")));
  }
  EXPECT_EQ(run("sweep " + study() + " --merge").out,
            "3 databases, 12 rows: 12 added to s.db\n12 of 12 rows are in s.db\n");
  ASSERT_EQ(run("run " + tiny + " --set seed=[1,2,3] --quiet --db r.db").code, 0);
  EXPECT_EQ(hashes("s.db"), hashes("r.db"));
  EXPECT_EQ(count("s.db"), "12 ");
  // The database of one run holds the same rows.
  EXPECT_EQ(run("merge r.db s.db").out, "1 database, 12 rows: 0 added to r.db, 12 were there already\n");
}

TEST_F(Sweep, ShowsPartialResultsAndRunsNothingTwice) {
  ASSERT_EQ(run("sweep " + study() + " --quiet --shard 1/2").code, 0);
  EXPECT_EQ(run("sweep " + study() + " --merge").out,
            "1 database, 6 rows: 6 added to s.db\n6 of 12 rows are in s.db\n");
  EXPECT_NE(run("sweep " + study() + " --quiet --shard 1/2").err.find("6 rows are there already"), std::string::npos);
  std::filesystem::remove_all(path("s.db.shards"));  // what is merged is not run again
  EXPECT_NE(run("sweep " + study() + " --quiet --shard 1/3").err.find("2 rows are there already"), std::string::npos);
  EXPECT_NE(run("sweep " + study() + " --quiet").err.find("6 rows are there already"), std::string::npos);
  EXPECT_EQ(count("s.db"), "12 ");
}

TEST_F(Sweep, SizesShardsByMeasuredCost) {
  ASSERT_EQ(run("run " + tiny + " --set seed=[1,2,3] --quiet --db costs.db").code, 0);
  sqlite3* raw = nullptr;  // a row that takes as long as all others together: its checksum would not fit
  ASSERT_EQ(sqlite3_open(path("costs.db").c_str(), &raw), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(raw,
                         "UPDATE row SET wall_time_s = CASE row_id WHEN 1 THEN 11.0 ELSE 1.0 END; UPDATE checksum SET "
                         "hash = 'none'",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(raw);
  for (const char* shard : {"1/2", "2/2"}) {
    ASSERT_EQ(run("sweep " + study() + " --quiet --costs costs.db --shard " + shard).code, 0);
  }
  EXPECT_EQ(count("s.db.shards/1-of-2.db"), "1 ");
  EXPECT_EQ(count("s.db.shards/2-of-2.db"), "11 ");
}

TEST_F(Sweep, IsRunByOneProcessAtATime) {
  std::filesystem::create_directories(path("s.db.shards"));
  Child holder(folder(),
               {"sweep", main_job, "--set", "seed=[1,2,3,4,5,6,7,8,9]", "--db", "s.db", "--shard", "1/2", "--quiet"});
  while (!std::filesystem::exists(path("s.db.shards/1-of-2.db")))
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  EXPECT_NE(error("sweep " + main_job + " --set seed=[1,2,3,4,5,6,7,8,9] --db s.db --shard 1/2")
                .find("another `lightloop sweep` runs shard 1/2 of this sweep; wait for its end"),
            std::string::npos);
}

TEST_F(Sweep, RefusesWhatExcludesEachOther) {
  EXPECT_NE(error("sweep " + study() + " --shard 1/2 --merge").find("exclude each other"), std::string::npos);
  EXPECT_NE(error("sweep " + study() + " --tasks 2").find("--tasks requires --slurm"), std::string::npos);
  EXPECT_NE(error("sweep " + study() + " --costs x.db").find("--costs needs --shard or --slurm"), std::string::npos);
  EXPECT_NE(error("sweep " + study() + " --shard 3/2").find("must be K/N"), std::string::npos);
  EXPECT_NE(error("sweep " + study() + " --merge").find("has no databases of shards yet"), std::string::npos);
  EXPECT_NE(error("sweep " + study() + " --slurm --task-time 1").find("--task-time is \"1\", but "), std::string::npos);
  EXPECT_NE(error("merge m.db none.db").find("database \"none.db\" does not exist"), std::string::npos);
}

TEST_F(Sweep, SaysWhichPackagesSlurmNeeds) {
  const Outcome outcome = run("sweep " + study() + " --slurm", "PATH=/nowhere");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(
      outcome.err,
      "lightloop: --slurm needs sbatch and squeue, which are not in PATH: Debian's package slurm-client has them, "
      "and the cluster needs slurmctld, slurmd and munge\n");
}

}  // namespace
}  // namespace ocs::test
