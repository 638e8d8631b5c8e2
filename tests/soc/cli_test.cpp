// What the program writes of its firmware: log, trace, latency; and what it says where there is none.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

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
