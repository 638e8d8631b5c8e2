// The commands that look at what happened: run --trace, gantt, why.
// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <map>

#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

class Looking : public Cli {
 protected:
  void SetUp() override { ASSERT_EQ(run("run " + tiny + " --db r.db --quiet --trace out").code, 0); }

  void execute(const std::string& sql) const {
    sqlite3* raw = nullptr;
    ASSERT_EQ(sqlite3_open(path("r.db").c_str(), &raw), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(raw, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(raw);
  }
};

TEST_F(Looking, TracesEachRowAlsoSideBySideAndCompressed) {
  for (int row = 1; row <= 4; ++row) {
    const Json trace = Json::parse(read(path("out/row-" + std::to_string(row) + ".json")));
    EXPECT_GT(trace.at("traceEvents").size(), 100U);
  }
  ASSERT_EQ(run("run " + tiny + " -j 2 --quiet --trace side --trace-gzip").code, 0);
  for (int row = 1; row <= 4; ++row)
    EXPECT_TRUE(std::filesystem::exists(path("side/row-" + std::to_string(row) + ".json.gz")));
  EXPECT_EQ(refused("run " + tiny + " --quiet --trace /dev/full", 2).substr(0, 31),
            "--trace: the folder \"/dev/full\"");
}

/// A row whose payload is another than the key's default says so in the database.
TEST_F(Looking, RepeatsAnIterationOfALanguageModel) {
  const std::string llm = source + "/testbed/experiments/llm.toml --shard 12/16 --quiet ";
  ASSERT_EQ(run("run " + llm + "--db l.db --trace llm").code, 0);
  EXPECT_EQ(run("rerun l.db 1").code, 0);
  const Json causes = Json::parse(run("why l.db 1 --quiet --json -").out).at("explained").at("causes_ps");
  EXPECT_GT(causes.at("compute"), causes.at("dark"));
  EXPECT_GT(causes.at("dark"), 0);
  EXPECT_EQ(causes.at("gate"), 0);
  EXPECT_NE(run("gantt l.db 1 --quiet").out.find("out"), std::string::npos);
}

TEST_F(Looking, TracesTheChainThatWhyFinds) {
  ASSERT_EQ(run("run " + tiny + " --quiet --trace chain --trace-why").code, 0);
  const Json why = Json::parse(run("why r.db 3 --quiet --json -").out).at("explained");
  const Json trace = Json::parse(read(path("chain/row-3.json"))).at("traceEvents");
  std::vector<std::string> causes, links;
  for (const Json& event : trace)
    if (event.at("pid") == 8 && event.at("ph") == "X") {
      causes.push_back(event.at("name"));
      links.push_back(event.at("args").at("what"));
    }
  ASSERT_EQ(links.size(), why.at("links").size());
  for (std::size_t k = 0; k < links.size(); ++k) {
    EXPECT_EQ(causes[k], why.at("links")[k].at("cause"));
    EXPECT_EQ(links[k], why.at("links")[k].at("what"));
  }
  EXPECT_EQ(refused("run " + tiny + " --trace-why", 2),
            "--trace-why needs --trace DIR: the chain is a track of a timeline\n");
}

TEST_F(Looking, DrawsSeveralRowsOnOneAxis) {
  ASSERT_EQ(run("gantt r.db 1 3 --svg g.svg --quiet").code, 0);
  const std::string svg = read(path("g.svg"));
  EXPECT_NE(svg.find("row 1: psscheduler, as model did it"), std::string::npos);
  EXPECT_NE(svg.find("row 3: sunflow, as model did it"), std::string::npos);
  const Outcome text = run("gantt r.db 1 --quiet");
  EXPECT_NE(text.out.find("out   2 "), std::string::npos) << text.out;
  EXPECT_EQ(refused("gantt r.db 1 --svg g.svg --quiet"),
            "the chart can't be written to \"g.svg\": File exists; name a new file in a folder that can be written\n");
}

TEST_F(Looking, SaysWhyAndWhereTwoRowsPart) {
  const Outcome text = run("why r.db 3 --against 1 --quiet");
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part : {"sum ", "the chain, from its beginning:", "difference", "the first circuit that differs"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " in\n" << text.out;
  const Outcome outcome = run("why r.db 3 --against 1 --quiet --json -");
  const Json json = Json::parse(outcome.out);
  std::int64_t sum = 0;
  for (const auto& [cause, length] : json.at("explained").at("causes_ps").items()) sum += length.get<std::int64_t>();
  EXPECT_EQ(sum, json.at("explained").at("to_ps").get<std::int64_t>() -
                     json.at("explained").at("from_ps").get<std::int64_t>());
  EXPECT_EQ(json.at("partings").size(), 3U);
  for (const char* row : {"explained", "against"}) {
    std::map<std::string, std::int64_t> counted;
    for (const Json& link : json.at(row).at("links")) ++counted[link.at("cause")];
    for (const auto& [cause, links] : json.at(row).at("causes_links").items())
      EXPECT_EQ(links, counted[cause]) << cause << " of " << row;
  }
  EXPECT_EQ(json.at("explained").at("servers"), Json({0, 1}));
  EXPECT_NE(json.at("against").at("servers"), Json({0, 1})) << "psscheduler may take any node";
  const auto nodes = [](const Json& servers) {
    std::string list = "on nodes ";
    for (const Json& node : servers) list += (list.back() == ' ' ? "" : ", ") + node.dump();
    return list;
  };
  const std::string places = "servers: on nodes 0, 1; in the other row: " + nodes(json.at("against").at("servers"));
  EXPECT_NE(text.out.find(places), std::string::npos) << places << " in\n" << text.out;
  EXPECT_EQ(refused("why r.db 1 --iteration 99 --quiet"),
            "row 1 of \"r.db\" has no iteration 99; without --iteration and --worker the longest one is explained\n");
}

TEST_F(Looking, RefusesARowThatIsNotTheSameAnyMore) {
  execute("UPDATE row SET event_log_hash = '0123456789abcdef'; UPDATE checksum SET hash = 'none'");
  EXPECT_NE(run("why r.db 1 --quiet").err.find("gives another event log than then"), std::string::npos);
  EXPECT_EQ(run("gantt r.db 1 --quiet").code, 1);
  execute("UPDATE row SET event_log_hash = NULL");
  EXPECT_NE(
      run("why r.db 1 --quiet").err.find("has no event_log_hash, so there is nothing to hold another run against"),
      std::string::npos);
  EXPECT_NE(run("gantt r.db 1 --quiet").err.find("its events were not kept; `lightloop run --events` keeps them"),
            std::string::npos);
}

TEST_F(Looking, DrawsKeptEventsOfARowThatCantBeRepeated) {
  ASSERT_EQ(run("run " + tiny + " --db e.db --events --quiet").code, 0);
  const std::string before = run("gantt e.db 1 --quiet").out;
  std::filesystem::copy(path("e.db"), path("r.db"), std::filesystem::copy_options::overwrite_existing);
  execute("UPDATE row SET event_log_hash = NULL; UPDATE checksum SET hash = 'none'");
  EXPECT_EQ(run("gantt r.db 1 --quiet").out, before);
}

TEST_F(Looking, RefusesFailedRowsAndOlderDatabases) {
  execute("UPDATE row SET error = 'no light'; UPDATE checksum SET hash = 'none'");
  EXPECT_NE(run("why r.db 1 --quiet").err.find("row 1 of \"r.db\" failed: no light"), std::string::npos);
  execute("PRAGMA user_version = 3");
  EXPECT_NE(refused("gantt r.db 1").find("has schema version 3, from an older lightloop"), std::string::npos);
}

}  // namespace
}  // namespace ocs::test
