// Disks that are full or read-only: small ones of memory, in a mount namespace of the test's own.
// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>

#include "tests/common/places.hpp"
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

class Disk : public Cli {
 protected:
  /// Mounts a disk of `size` at "disk" and runs a shell script there with $L as the program and $T as an experiment.
  /// What is on the disk at its end is copied to "kept". The script's last exit code is the outcome's.
  Outcome with_disk(const std::string& size, const std::string& script) const {
    std::ofstream(path("script")) << "mkdir -p disk kept && mount -t tmpfs -o size=" << size
                                  << " none disk || exit 99\n"
                                  << "L='" << ocs::test::built("lightloop") << "' T='" << tiny << "'\n"
                                  << script << "\ncode=$?\ncp -a disk/. kept/\nexit $code\n";
    const std::string user = geteuid() == 0 ? "" : "-Ur ";
    const std::string command = "cd '" + folder() + "' && unshare -m " + user + "sh script >.out 2>.err </dev/null";
    const int status = std::system(command.c_str());
    const Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(path(".out")), read(path(".err"))};
    EXPECT_NE(outcome.code, 99) << "this machine lets nobody mount a disk of memory: " << outcome.err;
    return outcome;
  }

  static std::string many_rows() {
    std::string seeds = "--set seed=[0";
    for (int seed = 1; seed < 200; ++seed) seeds.append(",").append(std::to_string(seed));
    return seeds + "] --set policy=hlf";
  }

  std::int64_t rows_kept(const std::string& file) const {
    sqlite3* raw = nullptr;
    EXPECT_EQ(sqlite3_open(path("kept/" + file).c_str(), &raw), SQLITE_OK);
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(raw, "SELECT count(*) FROM row", -1, &statement, nullptr), SQLITE_OK);
    EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
    const std::int64_t rows = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(raw);
    return rows;
  }
};

TEST_F(Disk, ThatFillsUpUnderTheDatabaseLosesNoRow) {
  const Outcome outcome = with_disk("1m", "$L run $T --db disk/r.db --events --json r.json " + many_rows());
  EXPECT_EQ(outcome.code, 1);
  const auto printed = std::count(outcome.err.begin(), outcome.err.end(), '\n') - 1;
  EXPECT_GE(printed, 2) << outcome.err;
  EXPECT_EQ(rows_kept("r.db"), printed);
  EXPECT_NE(
      outcome.err.find("lightloop: row " + std::to_string(printed + 1) +
                       " (hlf): database \"disk/r.db\" can't be written: database or disk is full; this row is only "
                       "in the table and in r.json\n"),
      std::string::npos)
      << outcome.err;
  EXPECT_EQ(Json::parse(read(path("r.json"))).at("rows").size(), static_cast<std::size_t>(printed + 1));
  EXPECT_NE(outcome.out.find("PST mean"), std::string::npos);
}

TEST_F(Disk, ThatFillsUpUnderTheJsonLeavesItWhole) {
  const Outcome outcome = with_disk("32k", "$L run $T --db r.db --json disk/r.json " + many_rows());
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("(hlf): results can't be written to \"disk/r.json\": No space left on device; this row "
                             "is only in the table and in r.db\n"),
            std::string::npos)
      << outcome.err;
  const std::size_t rows = Json::parse(read(path("kept/r.json"))).at("rows").size();
  EXPECT_GE(rows, 2u);
  EXPECT_LT(rows, 200u);
  std::filesystem::rename(path("r.db"), path("kept/r.db"));
  EXPECT_EQ(rows_kept("r.db"), static_cast<std::int64_t>(rows) + 1);  // the row that didn't fit is there
}

TEST_F(Disk, ThatIsFullFromTheStartIsRefusedBeforeAnyRun) {
  const Outcome database = with_disk("16k", "$L run $T --db disk/r.db --json r.json");
  EXPECT_EQ(database.code, 2);
  EXPECT_EQ(database.err,
            "lightloop: database \"disk/r.db\" can't be written: disk I/O error: No space left on device\n");
  EXPECT_FALSE(std::filesystem::exists(path("r.json")));
  const Outcome json = run("run " + tiny + " --json /dev/full");
  EXPECT_EQ(json.code, 2);
  EXPECT_EQ(json.err, "lightloop: results can't be written to \"/dev/full\": No space left on device\n");
}

TEST_F(Disk, ThatIsReadOnlyIsRefusedBeforeAnyRun) {
  const Outcome outcome = with_disk("4m",
                                    "$L run $T --db disk/r.db --quiet && mount -o remount,bind,ro disk || exit 98\n"
                                    "for file in --db=disk/r.db --db=disk/new.db --json=disk/new.json; do\n"
                                    "  $L run $T $file\n"
                                    "  echo $?\n"
                                    "done");
  EXPECT_EQ(outcome.out, "2\n2\n2\n");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 3) << outcome.err;
  EXPECT_NE(outcome.err.find("lightloop: database \"disk/r.db\" can't be written: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("lightloop: database \"disk/new.db\" can't be written: unable to open database file: "
                             "Read-only file system\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("lightloop: results can't be written to \"disk/new.json\": Read-only file system\n"),
            std::string::npos);
  EXPECT_EQ(rows_kept("r.db"), 4);
}

TEST_F(Disk, ThatIsReadOnlyIsEnoughToRepeatARow) {
  const Outcome outcome =
      with_disk("4m",
                "$L run $T --db 'disk/r?#%20.db' --quiet && mount -o remount,bind,ro disk || exit 98\n"
                "$L rerun 'disk/r?#%20.db' 3");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nthe same\n"), std::string::npos) << outcome.out;
}

TEST_F(Cli, FileThatMayNotGrowIsAFailedWrite) {
  for (const auto& [blocks, option] : {std::pair{"40", "--events --db r.db"}, {"4", "--json r.json"}}) {
    const Outcome outcome = run("run " + tiny + " --quiet " + option, std::string("ulimit -f ") + blocks + ";");
    EXPECT_NE(outcome.code, 0);
    EXPECT_GT(outcome.code, 0) << "ended by a signal";
    EXPECT_NE(outcome.err.find("can't be written"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("File too large"), std::string::npos) << outcome.err;
  }
}

TEST_F(Cli, FewFilesAreSaidAndNothingIsLeft) {
  std::filesystem::create_directory(path("tmp"));
  for (const int most : {16, 20, 24, 28, 32, 40, 48}) {
    const Outcome outcome = run("run " + tiny + " --quiet --set policy=hlf --set nodes.transport=ipc",
                                "ulimit -n " + std::to_string(most) + "; TMPDIR=" + path("tmp"));
    EXPECT_LT(outcome.code, 128) << most << ": " << outcome.err;
    EXPECT_TRUE(outcome.code == 0 || std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1)
        << most << ": " << outcome.err;
    EXPECT_TRUE(std::filesystem::is_empty(path("tmp"))) << most;
  }
}

TEST_F(Cli, CtrlCEndsAWaitForAPipe) {
  ASSERT_EQ(mkfifo(path("pipe.toml").c_str(), 0600), 0);
  Child child(folder(), {"run", path("pipe.toml")});
  usleep(1'000'000);
  child.send(SIGINT);
  EXPECT_EQ(child.wait(), -SIGINT);
}

}  // namespace
}  // namespace ocs::test
