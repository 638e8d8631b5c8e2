// lightloop run, regs and characterize --waves: windows, rows, views, refusals, and the same results with and without.
// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <array>

#include "host/rtl/parameters.hpp"
#include "host/rtl/wave_files.hpp"
#include "tests/experiment/cli_support.hpp"
#include "tests/rtl/built_ahead.hpp"
#include "tests/waves/vcd.hpp"

namespace ocs::test {
namespace {

const std::string fast = tiny + " --set fabric.device=verilated";
const std::string one_row = fast + " --set policy=hlf";

class WavesCli : public Cli {
 protected:
  void SetUp() override {
    if (!built_ahead({.core = rtl::Core::fast, .ports = 5, .waves = true}))
      GTEST_SKIP() << "this switch is not one of LIGHTLOOP_TEST_SWITCHES";
  }

  using Entered = std::array<std::int64_t, 3>;  ///< instant, output, state

  /// State events of the first row that `lightloop run --events` kept, in (from, to].
  std::vector<Entered> kept_events(std::int64_t from, std::int64_t to) const {
    std::vector<Entered> out;
    sqlite3* raw = nullptr;
    EXPECT_EQ(sqlite3_open(path("r.db").c_str(), &raw), SQLITE_OK);
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(raw,
                                 "SELECT at * cycle_ps, port, kind FROM event JOIN row USING (row_id) "
                                 "WHERE kind <= 5 ORDER BY 1, 2, 3",
                                 -1, &statement, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(raw);
    while (sqlite3_step(statement) == SQLITE_ROW)
      if (const std::int64_t at = sqlite3_column_int64(statement, 0); at > from && at <= to)
        out.push_back({at, sqlite3_column_int64(statement, 1), sqlite3_column_int64(statement, 2)});
    sqlite3_finalize(statement);
    sqlite3_close(raw);
    return out;
  }

  static std::vector<Entered> shown_in(const Vcd& vcd) {
    std::vector<Entered> out;
    for (std::int64_t port = 0; port < 5; ++port) {
      const auto& changes = vcd.ends_with(".port[" + std::to_string(port) + "].state");
      for (std::size_t k = 1; k < changes.size(); ++k)
        out.push_back({changes[k].at, port, std::stoll(changes[k].value, nullptr, 2)});
    }
    std::ranges::sort(out);
    return out;
  }
};

TEST_F(WavesCli, ShowTheEventsOfTheRunInTheirWindow) {
  const Outcome outcome = run("run " + one_row + " --db r.db --events --waves x.vcd --from '5 us' --to '40 us'");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("lightloop: x.vcd holds 5 us to 40 us; `gtkwave x.vcd x.gtkw` or `surfer -c x.sucl x.vcd` "
                             "shows it\n"),
            std::string::npos)
      << outcome.err;
  const std::vector<Entered> expected = kept_events(5'000'000, 40'000'000);
  EXPECT_GT(expected.size(), 5U);
  EXPECT_EQ(shown_in(read_vcd(path("x.vcd"))), expected);
}

TEST_F(WavesCli, LeaveTheRowsAsTheyAre) {
  const Json bare = rows(fast), recorded = rows(fast + " --waves x.fst -j 2");
  ASSERT_EQ(bare.size(), 4U);
  for (std::size_t k = 0; k < bare.size(); ++k) {
    EXPECT_EQ(bare[k].at("event_log_hash"), recorded[k].at("event_log_hash"));
    EXPECT_EQ(bare[k].at("edges"), recorded[k].at("edges"));
    EXPECT_TRUE(rtl::is_whole_fst(path("x-row-" + std::to_string(k + 1) + ".fst"))) << k;
  }
}

TEST_F(WavesCli, StandAroundAnEvent) {
  ASSERT_EQ(run("run " + one_row + " --db r.db --events --quiet --waves x.vcd --around up --margin '300 ns'").code, 0);
  const std::vector<Entered> all = kept_events(0, 1'000'000'000'000);
  const auto up = std::ranges::find_if(all, [](const Entered& one) { return one[2] == 3; });
  ASSERT_NE(up, all.end());
  const Vcd vcd = read_vcd(path("x.vcd"));
  EXPECT_EQ(vcd.first, (*up)[0] - 300'000);
  EXPECT_LE(vcd.last, (*up)[0] + 300'000);
  EXPECT_EQ(shown_in(vcd), kept_events((*up)[0] - 300'000, (*up)[0] + 300'000));
  EXPECT_NE(read(path("x.sucl")).find("cursor_set " + std::to_string((*up)[0]) + "\n"), std::string::npos);
  // Without a margin the whole set-up is in it: 1 us of tuning, 100 ns of locking, and 1 us.
  ASSERT_EQ(run("run " + one_row + " --quiet --waves y.vcd --around event:6").code, 0);
  const Vcd wide = read_vcd(path("y.vcd"));
  EXPECT_GT(wide.last - wide.first, 2'000'000);
  EXPECT_EQ(refused("run " + one_row + " --quiet --waves z.vcd --around failed", 1),
            "row 1 (hlf): --around is \"failed\", but the row has no such event in its " +
                std::to_string(rows(one_row)[0].at("events").get<int>()) + " events\n");
}

TEST_F(WavesCli, ThatCantBeWrittenLeaveTheRow) {
  const Outcome late = run("run " + one_row + " --db r.db --events --quiet --waves x.fst --from '5 s'");
  EXPECT_EQ(late.code, 1);
  EXPECT_NE(late.err.find("lightloop: the waveform \"x.fst\" would begin at 5000000000000 ps, but the run ends at "),
            std::string::npos)
      << late.err;
  EXPECT_NE(late.err.find("lightloop: 1 waveform was not written; the rows are kept\n"), std::string::npos) << late.err;
  EXPECT_GT(kept_events(0, 1'000'000'000'000).size(), 5U);
  EXPECT_FALSE(std::filesystem::exists(path("x.fst")));
}

TEST_F(WavesCli, AreRefusedInASentence) {
  EXPECT_EQ(refused("run " + tiny + " --waves x.fst"),
            "--waves shows the signals of RTL, but device \"model\" runs none in this program; these do: verilated, "
            "verilated_counter, soc, sysc-rtl, verilated_fast\n");
  EXPECT_EQ(refused("run " + one_row + " --from '1 ms'"), "--from needs --waves FILE: it says what is in it\n");
  EXPECT_EQ(refused("run " + one_row + " --waves x.fst --from '1 ms' --to '1 us'"),
            "--to is \"1 us\", but must be later than --from, 1 ms\n");
  EXPECT_EQ(refused("run " + one_row + " --waves x.fst --from '1 ms' --around up"),
            "--from can't be given with --around, which takes its window from an event\n");
  EXPECT_EQ(refused("run " + one_row + " --waves x.fst --margin '1 us'"),
            "--margin needs --around: it is the time around an event\n");
  EXPECT_EQ(refused("run " + one_row + " --waves x.fst --around event:x"),
            "--around is \"event:x\", but event: must be followed by a number, from 0\n");
  EXPECT_NE(refused("run " + one_row + " --waves x.fst --around failde").find("did you mean \"failed\""),
            std::string::npos);
  EXPECT_EQ(refused("run " + one_row + " --quiet --waves nowhere/x.fst"),
            "the waveform \"nowhere/x.fst\" can't be written: No such file or directory\n");
  EXPECT_EQ(refused("run " + one_row + " --quiet --waves x.png"),
            "the waveform \"x.png\" must end in .fst or .vcd, which is its format\n");
  EXPECT_EQ(refused("regs model --waves x.fst -c 'read ID'"),
            "--waves shows the signals of RTL, but device \"model\" runs none in this program; these do: verilated, "
            "verilated_counter, soc, sysc-rtl, verilated_fast\n");
}

TEST_F(WavesCli, AreWrittenByRegsAndCharacterize) {
  const Outcome shell =
      run("regs verilated --ports 5 --waves s.fst -c 'write BASE[0] 3' -c 'advance 10' -c 'nonsense'");
  EXPECT_EQ(shell.code, 2) << shell.err;
  EXPECT_TRUE(rtl::is_whole_fst(path("s.fst"))) << shell.err;
  EXPECT_NE(shell.err.find("s.fst holds 0 ps to 51.2 ns"), std::string::npos) << shell.err;
  const Outcome measured =
      run("characterize verilated --ports 5 --tuning '1 us' --quiet --waves c.fst --from '2 us' --to '4 us'");
  EXPECT_EQ(measured.code, 0) << measured.err;
  EXPECT_TRUE(rtl::is_whole_fst(path("c.fst")));
}

TEST_F(WavesCli, StandInTheFolderOfAFailureThatIsReproduced) {
  if (!built_ahead({.core = rtl::Core::counter, .ports = 4, .waves = true}))
    GTEST_SKIP() << "this switch is not one of LIGHTLOOP_TEST_SWITCHES";
  Json program = Json::parse(read(source + "/tests/goldens/switch/all-stop-holds-nobody.json"));
  (program.is_array() ? program.front() : program)["expect"]["events"][3][0] = 4;
  std::filesystem::create_directory(path("programs"));
  std::ofstream(path("programs/wrong.json")) << program.dump();
  std::ofstream(path("s.toml")) << "[[case]]\nname = \"p\"\nkind = \"programs\"\nfolder = \"programs\"\n"
                                   "devices = [\"model\", \"verilated\"]\n";
  ASSERT_EQ(run("regress s.toml --out n").code, 1);
  std::size_t with_waveform = 0;
  for (const char* failure : {"f001", "f002"}) {
    const std::string folder = std::string("n/last/") + failure;
    EXPECT_FALSE(std::filesystem::exists(path(folder + "/verilated.fst")));
    const Outcome again = run("regress --reproduce " + folder);
    EXPECT_EQ(again.code, 1) << again.err;
    if (!std::filesystem::exists(path(folder + "/verilated.fst"))) continue;
    ++with_waveform;
    EXPECT_TRUE(rtl::is_whole_fst(path(folder + "/verilated.fst")));
    EXPECT_NE(read(path(folder + "/verilated.sucl")).find("cursor_set 15360\n"), std::string::npos);  // cycle 3
  }
  EXPECT_EQ(with_waveform, 1U);
}

}  // namespace
}  // namespace ocs::test
