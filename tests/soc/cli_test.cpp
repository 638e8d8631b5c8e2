// What the program writes of its firmware: log, trace, latency; and what it says where there is none.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <sstream>

#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr int firmware_group = 7;  // of the tracks of a timeline

class FirmwareCommand : public Cli {
 protected:
  static std::string job(const std::string& device) {
    return "run " + tiny +
           " --quiet --set policy=sunflow --set fabric.ports=4 --set job.workers=2 --set fabric.device=" + device;
  }
};

TEST_F(FirmwareCommand, WritesWhatTheFirmwarePrintsFromItsStartOn) {
  EXPECT_EQ(run(job("soc") + " --firmware-log log.txt").code, 0);
  EXPECT_THAT(read(path("log.txt")), ContainsRegex("^[0-9]+ started: reset cause 0, failed self-tests 0\n"));
}

TEST_F(FirmwareCommand, WritesItForEveryKindOfJob) {
  for (const char* kind :
       {"job.collective=all_reduce", "job.peers=random --set peers.p=1 --set policy=multicast",
        "\"jobs='[{workers = 2, servers = 1, count = 2}]'\" --set policy=sunflow_inter --set job.payload=none"}) {
    EXPECT_EQ(run(job("soc") + " --firmware-log log.txt --set " + kind).code, 0) << kind;
    EXPECT_THAT(read(path("log.txt")), ContainsRegex("^[0-9]+ started: reset cause 0")) << kind;
  }
}

TEST_F(FirmwareCommand, NamesThePlaneOfSeveral) {
  EXPECT_EQ(run(job("soc") + " --firmware-log log.txt --firmware-trace trace.txt --set fabric.planes=2").code, 0);
  for (const char* plane : {"plane 0", "plane 1"}) {
    EXPECT_THAT(read(path("log.txt")), ContainsRegex(std::string("[0-9]+ ") + plane + " started: reset cause 0"));
    EXPECT_THAT(read(path("trace.txt")), ContainsRegex(std::string("[0-9]+ ") + plane + " 0x[0-9a-f]{8} [a-z_]+\n"));
  }
}

TEST_F(FirmwareCommand, ShowsItInTheTimelineWhereItHappened) {
  const std::string outage = " --set fabric.outages='1: 20 us - 60 us' --set fabric.planes=2";
  ASSERT_EQ(run(job("soc") + outage + " --firmware-log log.txt --trace out").code, 0);
  std::vector<std::string> log, lines, tracks;
  std::istringstream words(read(path("log.txt")));
  for (std::string line; std::getline(words, line);) log.push_back(line);
  std::vector<double> failed_events, failed_lines;
  const Json trace = Json::parse(read(path("out/row-1.json")));
  for (const Json& event : trace.at("traceEvents")) {
    const std::string name = event.at("name");
    if (event.at("pid") != firmware_group) {
      if (event.at("ph") == "X" && name == "failed") failed_events.push_back(event.at("ts"));
      continue;
    }
    if (event.at("ph") == "M" && name == "thread_name") tracks.push_back(event.at("args").at("name"));
    if (event.at("ph") != "i") continue;
    const std::string plane = std::to_string(event.at("tid").get<int>() - 1);
    lines.push_back(std::to_string(event.at("args").at("cycle").get<std::int64_t>()) + " plane " + plane + " " + name);
    if (name.starts_with("started")) {
      EXPECT_EQ(event.at("ts"), 0);
    }
    if (name.starts_with("output 1 failed")) failed_lines.push_back(event.at("ts"));
  }
  EXPECT_EQ(lines, log);
  EXPECT_THAT(tracks, ElementsAre("log of plane 0", "log of plane 1"));
  ASSERT_FALSE(failed_lines.empty());
  ASSERT_FALSE(failed_events.empty());
  EXPECT_GT(failed_lines.front(), failed_events.front());
  EXPECT_LT(failed_lines.front(), failed_events.front() + 10) << "us that the firmware takes to print it";
}

TEST_F(FirmwareCommand, WritesEachInstructionWithItsFunction) {
  EXPECT_EQ(run(job("soc") + " --firmware-trace trace.txt").code, 0);
  EXPECT_THAT(read(path("trace.txt")), ContainsRegex("^[0-9]+ 0x[0-9a-f]{8} [a-z_]+\n"));
}

TEST_F(FirmwareCommand, SaysWhereThereIsNoFirmware) {
  const Outcome outcome = run(job("model") + " --firmware-log log.txt");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--firmware-log needs a device with firmware: \"soc\""));
  EXPECT_EQ(run(job("soc") + " --firmware-trace nowhere/trace.txt").code, 2);
  const Outcome packets = run(job("soc") + " --firmware-log log.txt --set network=packet");
  EXPECT_EQ(packets.code, 2);
  EXPECT_THAT(packets.err, HasSubstr("--firmware-log and --firmware-trace need a switch, but network is \"packet\""));
}

TEST_F(FirmwareCommand, MeasuresEveryCommand) {
  const Outcome outcome = run("characterize soc --ports 4 --firmware --csv c.csv --svg c.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* command : {"connect", "map", "state", "preset recall", "fault log"})
    EXPECT_THAT(outcome.out, HasSubstr(std::string("\n") + command + " "));
  EXPECT_THAT(read(path("c.svg")), StartsWith("<svg"));
  EXPECT_THAT(read(path("c.csv")), HasSubstr("connect,1,"));
  EXPECT_EQ(run("characterize model --ports 4 --firmware").code, 2);
}

}  // namespace
}  // namespace ocs::test
