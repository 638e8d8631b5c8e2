// Databases become one: every row once, with all that belongs to it, or nothing at all.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database/merge.hpp"

#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "host/core/error.hpp"
#include "testbed/results/database/database.hpp"
#include "testbed/results/database/schema.hpp"
#include "testbed/results/database/stored_rows.hpp"
#include "tests/experiment/results_support.hpp"

namespace ocs::test {
namespace {

class Merged : public Results {
 protected:
  static ExperimentRecord settings(std::int64_t seed) {
    ExperimentRecord one = record();
    one.keys = {{.key = "seed", .values = {seed}, .list = false}};
    return one;
  }
  static Row result(std::int64_t pst_ms, double wall_s = 0.5) {
    Row one = row("hlf", pst_ms);
    one.wall_time_s = wall_s;
    one.version = "0";
    return one;
  }
  /// Rows with seeds first to last; PST is the seed in ms.
  void write(const std::string& name, std::int64_t first, std::int64_t last, double wall_s = 0.5) const {
    Database database(path(name), record(), "2026-01-31T12:00:00Z");
    for (std::int64_t seed = first; seed <= last; ++seed) {
      database.resolved(settings(seed));
      const CurveEntry curve[] = {{.updates = 1, .at = {2}, .loss = 0.5, .accuracy = 0.25}};
      database.curve(curve);
      database.row(to_fields(result(seed, wall_s)));
    }
  }
  MergeCounts merge(const std::string& out, const std::vector<std::string>& names) const {
    std::vector<std::string> inputs;
    for (const std::string& name : names) inputs.push_back(path(name));
    return merge_databases(path(out), inputs, [] {});
  }
  std::string refusal(const std::string& out, const std::vector<std::string>& names) const {
    try {
      merge(out, names);
    } catch (const Error& failure) {
      return failure.what();
    }
    return "nothing was refused";
  }
  std::string rows(const std::string& name) const {
    return query(path(name), "SELECT pst_mean_ps / 1000000000 FROM row ORDER BY row_id");
  }
};

TEST_F(Merged, HaveEachRowOnceWithAllThatBelongsToIt) {
  write("a.db", 1, 3);
  write("b.db", 3, 5, 0.7);  // the row that both have took another time there
  const MergeCounts counts = merge("m.db", {"a.db", "b.db"});
  EXPECT_EQ(counts.rows, 6);
  EXPECT_EQ(counts.added, 5);
  EXPECT_EQ(counts.duplicates, 1);
  EXPECT_EQ(counts.there, 0);
  EXPECT_EQ(rows("m.db"), "12345");
  EXPECT_EQ(query(path("m.db"), "SELECT count(*) FROM curve JOIN row USING (row_id) JOIN run USING (run_id)"), "5");
  StoredRows stored(path("m.db"));
  EXPECT_EQ(stored.sound_rows("0").size(), 5u);  // every checksum fits
  EXPECT_EQ(stored.warning(), "");
  EXPECT_EQ(stored.row(5).resolved.keys.front().values.front(), ExperimentRecord::Written{std::int64_t{5}});
}

TEST_F(Merged, AddNothingWhenTheyAreMergedAgain) {
  write("a.db", 1, 2);
  write("b.db", 3, 4);
  merge("m.db", {"a.db"});
  const MergeCounts counts = merge("m.db", {"a.db", "b.db"});
  EXPECT_EQ(counts.there, 2);
  EXPECT_EQ(counts.added, 2);
  EXPECT_EQ(merge("m.db", {"a.db", "b.db"}).added, 0);
  EXPECT_EQ(rows("m.db"), "1234");
  EXPECT_EQ(query(path("m.db"), "SELECT count(*) FROM run"), "1");  // both were begun at the same second
}

TEST_F(Merged, NameBothFilesOfRowsThatDiffer) {
  write("a.db", 1, 3);
  {
    Database other(path("b.db"), record(), "2026-01-31T12:00:01Z");
    other.resolved(settings(2));
    other.row(to_fields(result(99)));
  }
  EXPECT_EQ(refusal("m.db", {"a.db", "b.db"}), "row 1 of \"" + path("b.db") + "\" and row 2 of \"" + path("a.db") +
                                                   "\" have the same settings, but other results; nothing was merged");
  EXPECT_FALSE(std::filesystem::exists(path("m.db")));
  merge("m.db", {"a.db"});
  EXPECT_NE(refusal("m.db", {"b.db"}).find("row 2 of \"" + path("m.db") + "\""), std::string::npos);
  EXPECT_EQ(rows("m.db"), "123");
}

TEST_F(Merged, KeepMeasurementsThatCannotBeRepeated) {
  for (const char* name : {"a.db", "b.db"}) {
    Database database(path(name), record(), name);
    database.resolved(settings(1));
    Row one = result(name[0]);
    one.reproducible = false;
    database.row(to_fields(one));
  }
  EXPECT_EQ(merge("m.db", {"a.db", "b.db"}).added, 2);
}

TEST_F(Merged, KeepTheEventLogThatOnlyOneOfTwoEqualRowsHas) {
  write("a.db", 1, 1);
  {
    Database database(path("b.db"), record(), "2026-01-31T12:00:00Z");
    database.resolved(settings(1));
    const CurveEntry curve[] = {{.updates = 1, .at = {2}, .loss = 0.5, .accuracy = 0.25}};
    database.curve(curve);
    const Event log[] = {Event{}};
    database.events(log);
    database.row(to_fields(result(1)));
  }
  EXPECT_EQ(merge("m.db", {"a.db", "b.db"}).duplicates, 1);
  EXPECT_EQ(query(path("m.db"), "SELECT count(*) FROM event"), "1");
  EXPECT_EQ(StoredRows(path("m.db")).sound_rows("0").size(), 1u);
}

TEST_F(Merged, RefuseADamagedInputAndAddNothing) {
  write("a.db", 1, 2);
  write("b.db", 3, 4);
  execute(path("b.db"), "UPDATE row SET pst_mean_ps = 1 WHERE row_id = 2");
  EXPECT_NE(refusal("m.db", {"a.db", "b.db"}).find("row 2 of \"" + path("b.db") + "\" is damaged or was altered"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("m.db")));
  for (const auto& entry : std::filesystem::directory_iterator(path("")))  // nor a part of it under another name
    EXPECT_EQ(entry.path().string().find("merging"), std::string::npos) << entry.path();
}

TEST_F(Merged, RefuseOtherSchemasAndOtherFiles) {
  write("a.db", 1, 1);
  execute(path("a.db"), "PRAGMA user_version = 99");
  EXPECT_NE(refusal("m.db", {"a.db"}).find("from a newer lightloop"), std::string::npos);
  execute(path("a.db"), "PRAGMA user_version = 12");
  EXPECT_NE(refusal("m.db", {"a.db"}).find("from an older lightloop"), std::string::npos);
  std::ofstream(path("text.db")) << "this is text, long enough to be more than the header of a database";
  EXPECT_NE(refusal("m.db", {"text.db"}).find("is not an SQLite database"), std::string::npos);
  EXPECT_NE(refusal("m.db", {"none.db"}).find("does not exist"), std::string::npos);
}

/// Its pages are partly in FILE-wal, and it is never opened: another host could hold it.
TEST_F(Merged, LeaveOutWhatHasJustBegunWhereThatIsAskedFor) {
  write("a.db", 1, 2);
  std::ofstream(path("empty.db")).close();
  Sqlite(path("begun.db"), Sqlite::Access::write).execute("PRAGMA journal_mode = WAL");
  for (const char* name : {"empty.db", "begun.db"}) {
    EXPECT_EQ(refusal("all.db", {"a.db", name}), "\"" + path(name) + "\" holds no results of lightloop");
    const std::vector<std::string> inputs{path(name), path("a.db")};
    merge_databases(
        path(std::string("of_") + name), inputs, [] {}, NewInputs::left_out);
    EXPECT_EQ(rows(std::string("of_") + name), "12");
  }
}

TEST_F(Merged, ReadADatabaseThatIsBeingWritten) {
  Database writer(path("a.db"), record(), "2026-01-31T12:00:00Z");
  for (std::int64_t seed = 1; seed <= 30; ++seed) {
    writer.resolved(settings(seed));
    writer.row(to_fields(result(seed)));
    if (seed % 10 == 0) {
      EXPECT_EQ(merge("m.db", {"a.db"}).added, 10);
    }
  }
  ASSERT_TRUE(std::filesystem::exists(path("a.db-wal")));
  EXPECT_EQ(StoredRows(path("m.db")).sound_rows("0").size(), 30u);
}

TEST_F(Merged, LoseNothingWhereTheDiskIsFull) {
  write("a.db", 1, 40);
  write("b.db", 41, 200);
  merge("m.db", {"a.db"});
  const std::string before = rows("m.db");
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string sentence = refusal("m.db", {"b.db"});
  const std::string sentence_of_new = refusal("n.db", {"a.db", "b.db"});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, ignored);
  EXPECT_NE(sentence.find("can't be written"), std::string::npos) << sentence;
  EXPECT_NE(sentence_of_new.find("can't be written"), std::string::npos) << sentence_of_new;
  EXPECT_EQ(rows("m.db"), before);
  EXPECT_FALSE(std::filesystem::exists(path("n.db")));
  EXPECT_EQ(merge("m.db", {"b.db"}).added, 160);
}

}  // namespace
}  // namespace ocs::test
