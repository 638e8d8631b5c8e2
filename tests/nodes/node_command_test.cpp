// The program with nodes in processes: equal rows, one sentence when a node misbehaves, nothing finished lost.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/common/places.hpp"
#include "tests/experiment/cli_support.hpp"
#include "tests/nodes/process_support.hpp"

namespace ocs::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class NodeCommand : public Cli {
 protected:
  std::string endpoint() const { return "ipc://" + path("c"); }

  /// Starts odd_node as node 4, which comes from elsewhere.
  void start_node(const std::string& odd, const std::string& id = "4") const {
    const std::string command = "'" + ocs::test::built("odd_node") + "' --odd '" + odd + "' --connect '" + endpoint() +
                                "' --id " + id + " </dev/null >/dev/null 2>&1 &";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  std::string with_node(const std::string& timeout = "20 s") const {
    return "run " + tiny + " --set policy=[sunflow,hlf] --set nodes.transport=ipc --set nodes.expect=1 --set " +
           "nodes.listen='" + endpoint() + "' --set nodes.timeout='" + timeout + "'";
  }

  /// Node 4 misbehaves in the second row: the first one must be kept, and nobody may be left.
  std::string failure(const std::string& how, const std::string& timeout = "20 s") const {
    start_node("4:" + how + ":2");
    const Outcome outcome = run(with_node(timeout) + " --quiet --db rows.db --json rows.json");
    EXPECT_EQ(outcome.code, 1) << how;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.err.substr(0, 11), "lightloop: ");
    EXPECT_EQ(Json::parse(read(path("rows.json"))).at("rows").size(), 1u) << how;
    const Json again = rows(tiny + " --set policy=[sunflow] --set nodes.transport=ipc");
    EXPECT_EQ(again.at(0).at("event_log_hash"), Json::parse(read(path("rows.json"))).at("rows")[0]["event_log_hash"]);
    if (how.starts_with("stop"))  // only who can reach the other host can end it
      for (const int id : processes_with(endpoint())) kill(id, SIGKILL);
    for (int i = 0; i < 500 && !processes_with(endpoint()).empty(); ++i) usleep(10'000);
    EXPECT_THAT(processes_with(endpoint()), IsEmpty()) << how;
    std::filesystem::remove(path("rows.db"));
    std::filesystem::remove(path("rows.json"));
    return outcome.err;
  }
};

TEST_F(NodeCommand, GivesEqualRowsOverEveryTransport) {
  const Json list = rows(tiny + " --set nodes.transport=[inproc,ipc,tcp]");
  ASSERT_EQ(list.size(), 12u);
  for (std::size_t k = 0; k < 12; ++k) {
    for (const char* key :
         {"policy", "event_log_hash", "events", "pst_mean_ps", "messages", "crc_errors", "sum_errors"})
      EXPECT_EQ(list[k].at(key), list[k % 4].at(key)) << key;
    EXPECT_GT(list[k].at("peak_rss_bytes"), 1'000'000);
  }
  EXPECT_EQ(list[4].at("transport"), "ipc");
}

TEST_F(NodeCommand, GivesEqualTimesWithEveryPayload) {
  const Json list = rows(tiny + " --set nodes.transport=ipc --set job.payload=[full,digest,none] --set policy=hlf");
  for (const Json& row : list)
    for (const char* key : {"event_log_hash", "pst_mean_ps", "sim_time_ps", "messages", "words_passed"})
      EXPECT_EQ(row.at(key), list[0].at(key)) << key;
}

TEST_F(NodeCommand, KeepsWhatIsFinishedAndNamesTheNodeThatMisbehaves) {
  EXPECT_THAT(failure("die"), AllOf(HasSubstr("row 2 (hlf): node 4 (ipc://"), HasSubstr("its connection was lost")));
  EXPECT_THAT(failure("stop", "2 s"), HasSubstr("row 2 (hlf): a promise is owed by node 4"));
  EXPECT_THAT(failure("stop with payload", "2 s"), HasSubstr("no sign of life from node 4"));
  EXPECT_THAT(failure("twice"), HasSubstr("node 4"));
  EXPECT_THAT(failure("lie"), HasSubstr("node 4 promised to act at"));
  EXPECT_THAT(failure("throw"), HasSubstr("node 4 failed: out of paper"));
}

TEST_F(NodeCommand, NamesANodeOfAnotherVersionWhenItComes) {
  start_node("4:of another version");
  EXPECT_THAT(refused(with_node("3 s") + " --quiet", 1),
              AllOf(HasSubstr("row 1 (sunflow): node 4 didn't come to ipc://"),
                    HasSubstr("; dropped were 1 message of strangers, the last reason: node 4 in process "),
                    HasSubstr(wrong_version())));
}

TEST_F(NodeCommand, NamesANodeThatNobodyWaitsFor) {
  start_node("4:", "9");
  EXPECT_THAT(refused(with_node("3 s") + " --quiet", 1),
              AllOf(HasSubstr("node 4 didn't come to ipc://"), HasSubstr("the last reason: node 9 (ipc://"),
                    HasSubstr("came, but isn't one of the nodes")));
  for (int i = 0; i < 500 && !processes_with(endpoint()).empty(); ++i) usleep(10'000);
  EXPECT_THAT(processes_with(endpoint()), IsEmpty());
}

TEST_F(NodeCommand, NamesWhoIsMissing) {
  EXPECT_THAT(refused(with_node("3 s") + " --quiet", 1),
              AllOf(HasSubstr("node 4 didn't come to ipc://"), HasSubstr("within 3 s (nodes.timeout)")));
}

TEST_F(NodeCommand, ShowsAHeartbeatThatNamesTheSlowestNode) {
  start_node("4:stop");
  const Outcome outcome = run(with_node("6 s"));
  for (const int id : processes_with(endpoint())) kill(id, SIGKILL);  // node 4 has stopped itself
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, testing::ContainsRegex(
                               "\\[1/2\\] sunflow: .* %, simulated .*s, .* x real time, about .* left, slowest node 4 "
                               "\\([45]\\.[0-9]* s\\), waiting for node 4\n"));
}

TEST_F(NodeCommand, ANodeThatReadsLateEndsAsItsRunDid) {
  const std::string command = "'" + ocs::test::built("odd_node") + "' --odd 4:lingers --connect '" + endpoint() +
                              "' --id 4 </dev/null; echo $? >'" + path("code") + "'";
  ASSERT_EQ(std::system(("{ " + command + "; } >'" + path("said") + "' 2>&1 &").c_str()), 0);
  const Outcome outcome = run("run " + tiny + " --set policy=sunflow --set nodes.transport=ipc --set nodes.expect=1 " +
                              "--set nodes.listen='" + endpoint() + "' --quiet --json rows.json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (int i = 0; i < 500 && read(path("code")).empty(); ++i) usleep(10'000);
  EXPECT_EQ(read(path("code")), "0\n") << read(path("said"));
}

TEST_F(NodeCommand, EndsItsNodesOnCtrlC) {
  start_node("4:stop");
  Child child(path(""), {"run", tiny, "--set", "policy=sunflow", "--set", "nodes.transport=ipc", "--set",
                         "nodes.expect=1", "--set", "nodes.listen=" + endpoint(), "--json", "rows.json"});
  while (processes_with(endpoint()).size() < 6) usleep(10'000);
  usleep(300'000);
  child.send(SIGINT);
  EXPECT_EQ(child.wait(), 130);
  for (const int id : processes_with(endpoint())) kill(id, SIGKILL);  // node 4 has stopped itself
}

TEST_F(NodeCommand, ReportsAfterASecondWhatItWaitsFor) {
  const Outcome outcome = run("node --id 3 --timeout '1200 ms' --connect " + endpoint());
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("lightloop: node 3: no coordinator is at ipc://"),
                    HasSubstr(" yet; waits for it for 1200 ms\n"), HasSubstr("node 3: no coordinator was at")));
  EXPECT_EQ(run("node --id 3 --quiet --timeout '1200 ms' --connect " + endpoint()).err, "");
}

TEST_F(NodeCommand, NeedsACoordinator) {
  EXPECT_THAT(refused("node --id 3 --timeout '200 ms' --connect " + endpoint(), 1),
              AllOf(HasSubstr("node 3: no coordinator was at ipc://"), HasSubstr("for 200 ms")));
  EXPECT_THAT(refused("node --id 3 --connect nowhere"), HasSubstr("must be \"tcp://ADDRESS:PORT\" or \"ipc://PATH\""));
  EXPECT_THAT(refused("node --id 3 --connect tcp://no.such.host.invalid:1"), HasSubstr("no.such.host.invalid"));
  EXPECT_THAT(refused("node --id 3 --connect tcp://127.0.0.1:x"), HasSubstr("endpoint is \"tcp://127.0.0.1:x\""));
  EXPECT_THAT(refused("node --id 256 --connect " + endpoint()), HasSubstr("--id"));
  EXPECT_THAT(refused("node --id 3 --timeout soon --connect " + endpoint()), HasSubstr("--timeout is \"soon\""));
  EXPECT_THAT(refused("node --id 3 --timeout '0 s' --connect " + endpoint()), HasSubstr("must be from 1 ms"));
  EXPECT_THAT(refused("node --id 3 --memory 99 --connect " + endpoint(), 1), HasSubstr("memory for node processes"));
}

TEST_F(NodeCommand, SaysHowANodeIsStarted) {
  EXPECT_THAT(run("node --help").out, AllOf(HasSubstr("--connect"), HasSubstr("nodes.expect"), HasSubstr("ENDPOINT")));
}

TEST_F(NodeCommand, CheckSaysWhereNodesAre) {
  EXPECT_THAT(run("check " + tiny).out, HasSubstr("nodes: threads\n"));
  EXPECT_THAT(run("check " + tiny + " --set job.payload=none").out, HasSubstr("nodes: called one by one\n"));
  EXPECT_THAT(
      run("check " + tiny +
          " --set nodes.transport=tcp --set nodes.expect=2 --set nodes.listen=tcp://10.0.0.1:5 --set nodes.keys=/k")
          .out,
      HasSubstr("the last 2 come from elsewhere: lightloop node --connect tcp://10.0.0.1:5 --id N --key /k\n"));
  EXPECT_THAT(run("check " + tiny + " --set nodes.listen=tcp://10.0.0.1:5").out,
              HasSubstr("nodes.listen has no effect in this experiment: nodes are in this process"));
}

TEST_F(NodeCommand, TakesNodesFromElsewhereThatHaveTheKey) {
  EXPECT_EQ(run("node --new-key " + path("right.key")).code, 0);
  EXPECT_EQ(run("node --new-key " + path("wrong.key")).code, 0);
  EXPECT_THAT(refused("node --new-key " + path("right.key")), HasSubstr("File exists"));
  constexpr const char* place = "tcp://127.0.0.1:24713";
  const auto node = [&](const std::string& key, const std::string& timeout) {
    return Child(path(""), {"node", "--connect", place, "--id", "4", "--timeout", timeout, "--key", path(key)});
  };
  Child right = node("right.key", "60 s"), wrong = node("wrong.key", "4 s");
  const Json list =
      rows(tiny + " --set policy=sunflow --set nodes.transport=tcp --set nodes.expect=1 --set nodes.listen=" + place +
           " --set nodes.keys=" + path("right.key"));
  EXPECT_EQ(list.at(0).at("event_log_hash"), rows(tiny + " --set policy=sunflow").at(0).at("event_log_hash"));
  EXPECT_EQ(right.wait(), 0);
  EXPECT_EQ(wrong.wait(), 1);
}

TEST_F(NodeCommand, NeedsAKeyForOtherHosts) {
  const std::string tcp = "run " + tiny + " --set nodes.transport=tcp --set nodes.expect=1 --set nodes.listen=tcp://";
  EXPECT_THAT(refused(tcp + "10.0.0.1:5"), HasSubstr("other hosts can reach, but nodes.keys names no key file"));
  EXPECT_THAT(refused(tcp + "10.0.0.1:5 --set nodes.keys=/k --set nodes.insecure=true"),
              HasSubstr("nodes.insecure is true, but must be false with nodes.keys"));
  EXPECT_THAT(refused(tcp + "127.0.0.1:24714 --set nodes.keys=/no/key"),
              HasSubstr("the key file /no/key can't be read"));
  EXPECT_THAT(refused("node --id 3 --connect tcp://10.0.0.1:5"), HasSubstr("which needs --key FILE"));
  EXPECT_THAT(refused("node --id 3 --connect tcp://127.0.0.1:5 --key /no/key"), HasSubstr("/no/key can't be read"));
  EXPECT_THAT(refused("node --id 3"), HasSubstr("--connect is missing"));
  EXPECT_THAT(refused("node --connect tcp://127.0.0.1:5"), HasSubstr("--id is missing"));
}

TEST_F(NodeCommand, RefusesAPlaceWhereNobodyCanComeTo) {
  const std::string tcp = "run " + tiny + " --set nodes.transport=tcp --set nodes.expect=1";
  EXPECT_THAT(refused(tcp), HasSubstr("nodes.listen must be \"tcp://ADDRESS:PORT\""));
  EXPECT_THAT(refused(tcp + " --set nodes.listen=ipc:///x"), HasSubstr("nodes.listen is \"ipc:///x\""));
  EXPECT_THAT(refused(tcp + " --set nodes.listen=tcp://*:5555"), HasSubstr("the one that the nodes connect to"));
  EXPECT_THAT(refused("run " + tiny + " --set nodes.expect=1"), HasSubstr("whose nodes are threads"));
  EXPECT_THAT(refused(tcp + " --set nodes.expect=6"), HasSubstr("at most 5, the number of nodes"));
  EXPECT_THAT(refused(tcp + " --set nodes.listen=tcp://203.0.113.1:5555 --set nodes.insecure=true", 1),
              HasSubstr("bind tcp://203.0.113.1:5555"));
}

}  // namespace
}  // namespace ocs::test
