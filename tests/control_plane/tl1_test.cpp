// TL1: commands, answers, denials, logins, autonomous messages; the vocabularies of Polatis and Calient clients.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/tl1/session.hpp"
#include "tests/control_plane/rig.hpp"

namespace ocs::test {
namespace {

using namespace serve;

class Tl1 : public ::testing::Test {
 protected:
  Client client() { return Client(tl1::make_session(rig_.server_context, element_)); }

  /// One that has logged in.
  Client logged_in() {
    Client one = client();
    EXPECT_EQ(said(one, "ACT-USER::admin:1::secret;"), "M  1 COMPLD\r\n;");
    return one;
  }

  /// What came back, without its header.
  static std::string said(Client& client, const std::string& command) { return without_header(client.say(command)); }
  static std::string without_header(const std::string& answer) {
    const std::string header = "\r\n\n   lightloop 26-08-06 12:00:00\r\n";
    EXPECT_TRUE(answer.empty() || answer.starts_with(header)) << answer;
    return answer.empty() ? answer : answer.substr(header.size());
  }
  static std::string denied(const std::string& code, const std::string& text) {
    return "M  1 DENY\r\n   " + code + "\r\n   /* " + text + " */\r\n;";
  }

  Rig rig_;
  tl1::Element element_;
};

TEST_F(Tl1, PatchesAsPolatisClientsDo) {
  Client one = client();
  EXPECT_EQ(said(one, "ENT-PATCH::1,7:42:;"), "M  42 COMPLD\r\n;");
  EXPECT_EQ(said(one, "ENT-PATCH::1,7:43:;"), "M  43 COMPLD\r\n;");  // again
  EXPECT_EQ(said(one, "\r\nent-patch::2&&3,5&6:c:;"), "M  c COMPLD\r\n;");
  EXPECT_EQ(said(one, "RTRV-PATCH:::1:;"), "M  1 COMPLD\r\n   \"1,7\"\r\n   \"2,5\"\r\n   \"3,6\"\r\n;");
  EXPECT_EQ(said(one, "RTRV-PATCH::ALL:1:;"), "M  1 COMPLD\r\n   \"1,7\"\r\n   \"2,5\"\r\n   \"3,6\"\r\n;");
  EXPECT_EQ(said(one, "RTRV-PATCH::5:\"Polatis OXC\":;"), "M  \"Polatis OXC\" COMPLD\r\n   \"2,5\"\r\n;");
  EXPECT_EQ(said(one, "DLT-PATCH::7&3:1:;RTRV-PATCH:::1;").substr(0, 15), "M  1 COMPLD\r\n;\r");
  EXPECT_EQ(rig_.service.circuits(), (std::vector{circuit(1, 0)}));
  EXPECT_EQ(said(one, "DLT-PATCH::ALL:1:;"), "M  1 COMPLD\r\n;");
  EXPECT_TRUE(rig_.service.circuits().empty());
  EXPECT_EQ(said(one, "OPR-PORT-SHUTTER::2:1:;"), "M  1 COMPLD\r\n;");
  EXPECT_EQ(said(one, "RTRV-PORT-SHUTTER::2&3:1:;"), "M  1 COMPLD\r\n   \"2:CLOSED\"\r\n   \"3:OPEN\"\r\n;");
  EXPECT_EQ(said(one, "INIT-SYS::SYSTEM:1::1;"), "M  1 COMPLD\r\n;");
  EXPECT_EQ(said(one, "RTRV-PORT-SHUTTER::2:1:;"), "M  1 COMPLD\r\n   \"2:OPEN\"\r\n;");
  EXPECT_EQ(said(one, "RTRV-EQPT::SYSTEM:1:::PARAMETER=SIZE;"), "M  1 COMPLD\r\n   \"SYSTEM:SIZE=4x4\"\r\n;");
  EXPECT_EQ(said(one, "RTRV-NETYPE:::1:;"), "M  1 COMPLD\r\n   \"lightloop,model,OCS,1.2.3\"\r\n;");
  EXPECT_EQ(said(one, "RTRV-HDR:::1:;"), "M  1 COMPLD\r\n;");
}

TEST_F(Tl1, DeniesWithCodeAndText) {
  Client one = client();
  said(one, "ENT-PATCH::1,7:1:;");
  const auto expect = [&](const std::string& command, const std::string& code, const std::string& text) {
    EXPECT_EQ(said(one, command), denied(code, text)) << command;
  };
  expect("BOGUS-IT:::1:;", "ICNV", "Unknown command BOGUS-IT");
  expect("ENT-PATCH::2,7:1:;", "SNVS", "2,7 is blocked by 1,7");
  expect("ENT-PATCH::2&3,8&8:1:;", "IDNV", "3,8 and 2,8 share a port");
  expect("DLT-PATCH::99:1:;", "IDNV", "Invalid OXC port: 99");
  expect("DLT-PATCH::2:1:;", "IDNV", "No circuit at port 2");
  expect("ENT-PATCH:::1:;", "IIAC", "Empty parameters");
  expect("ENT-PATCH::1:1:;", "IIAC", "Too few parameters (1/2)");
  expect("ENT-PATCH::1&2,5:1:;", "IIAC", "2 and 1 ports");
  expect("ENT-PATCH::2,3:1:;", "IDNV", "No input and output: 2,3");
  expect("ENT-PATCH::2&&&3,5:1:;", "IIAC", "Invalid list of ports: 2&&&3");
  expect("ENT-PATCH::2x,5:1:;", "IIAC", "Invalid list of ports: 2x");
  expect("RTRV-PATCH:elsewhere::1:;", "IITA", "Mismatched TID");
  expect("RTRV-EQPT::SYSTEM:1:;", "IPMS", "Too few parameters (0/1) in block 1");
  expect("RTRV-EQPT::SYSTEM:1:::PARAMETER=COLOUR;", "IPNV", "Parameter not valid");
  expect(std::string("RTRV-\0PATCH:::1:;", 17), "IISP", "Byte 0 at offset 5 in command");
  EXPECT_EQ(said(one, "RTRV-PATCH:::" + std::string(50, 'x') + ":;"),
            "M  0 DENY\r\n   IICT\r\n   /* Parse error at offset 13 in command */\r\n;");
  EXPECT_EQ(said(one, std::string(1000000, 'x')),
            "M  0 DENY\r\n   IISP\r\n   /* A command has at most 65536 bytes */\r\n;");
  EXPECT_EQ(said(one, ";RTRV-HDR;"), "M  0 COMPLD\r\n;");
  EXPECT_EQ(rig_.service.circuits(), (std::vector{circuit(0, 2)}));
}

TEST_F(Tl1, LeadsACrossConnectionThroughTheLifeOfACalient) {
  Client one = client();
  const auto state = [&] {
    const std::string text = said(one, "RTRV-CRS:::::ALL;");
    return text.substr(text.find("AS="), text.find(",PS=") - text.find("AS="));
  };
  EXPECT_EQ(said(one, "ENT-CRS::1.1.1,1.1.2:2::SYSTEM,1WAY;"), "M  2 COMPLD\r\n;");
  EXPECT_EQ(said(one, "RTRV-CRS:::7;"),
            "M  7 COMPLD\r\n   \"1.1.1>1.1.2:SRCPORT=1.1.1,DSTPORT=1.1.2,GRPNAME=SYSTEM,CONNNAME=1.1.1>1.1.2,"
            "CONNTYPE=1WAY,AS=UMA,OS=RDY,OC=OK,PS=UPR,AL=CL\"\r\n;");
  EXPECT_TRUE(rig_.service.circuits().empty());
  EXPECT_EQ(said(one, "ACT-CRS::1.1.1,1.1.2:3::1.1.1>1.1.2;"), "M  3 COMPLD\r\n;");
  EXPECT_EQ(state(), "AS=IS,OS=RDY,OC=OK");
  rig_.pass(20);
  EXPECT_EQ(state(), "AS=IS,OS=IS,OC=OK");
  EXPECT_FALSE(rig_.service.set_dead(0, true));
  rig_.pass(2);
  EXPECT_EQ(state(), "AS=IS,OS=OOS,OC=FAIL");
  EXPECT_EQ(said(one, "CANC-CRS::1.1.1,1.1.2:4::,SYSTEM,1.1.1>1.1.2;"), "M  4 COMPLD\r\n;");
  EXPECT_EQ(state(), "AS=UMA,OS=RDY,OC=OK");
  EXPECT_EQ(said(one, "DLT-CRS:::5::1.1.1>1.1.2;"), "M  5 COMPLD\r\n;");
  EXPECT_EQ(said(one, "RTRV-CRS:::7;"), "M  7 COMPLD\r\n;");
}

TEST_F(Tl1, ConnectsBothWaysUnderAName) {
  Client one = client();
  said(one, "ENT-CRS::1.1.1-1.1.3:2::lab,2WAY,mine;");
  said(one, "ACT-CRS::1.1.1-1.1.3:2::,lab,mine;");
  EXPECT_EQ(rig_.service.circuits(), (std::vector{circuit(0, 2), circuit(2, 0)}));
  EXPECT_EQ(said(one, "RTRV-PORT-SUM::1.1.1:7;"),
            "M  7 COMPLD\r\n   \"ALIAS=NONE,INPWR=NONE,OUTPWR=NONE,CONNNAME1=1.1.1>1.1.3,CONNSTATE1=ACT,"
            "CONNNAME2=1.1.3>1.1.1,CONNSTATE2=ACT\"\r\n;");
  EXPECT_EQ(said(one, "ENT-CRS::1.1.9,1.1.1:1::SYSTEM,1WAY;"), denied("IDNV", "Invalid Connection: no port 1.1.9"));
  EXPECT_EQ(said(one, "ENT-CRS::1.1.1,1.1.3:1::SYSTEM,1WAY;"),
            denied("SNVS", "Invalid Connection: 1.1.1>1.1.3 is blocked by mine"));
  EXPECT_EQ(said(one, "ACT-CRS:::1::mine;"), "M  1 COMPLD\r\n;");
  EXPECT_EQ(said(one, "ENT-CRS::1.1.1-1.1.3:2::lab,2WAY,mine;"), "M  2 COMPLD\r\n;");
  EXPECT_EQ(said(one, "DLT-CRS:::1::theirs;"), denied("IDNV", "Invalid Connection: theirs"));
  said(one, "ENT-CRS::1.1.2,1.1.3:2::SYSTEM,1WAY;");
  EXPECT_EQ(said(one, "ACT-CRS::1.1.2,1.1.3:1;"), denied("SNVS", "1.1.2,1.1.3 is blocked by 1.1.1,1.1.3"));
  EXPECT_EQ(said(one, "DLT-CRS-ALL:::6;"), "M  6 COMPLD\r\n;");
  EXPECT_TRUE(rig_.service.circuits().empty());
}

TEST_F(Tl1, ListsWhatOtherDialectsHaveConnected) {
  Client one = client();
  ASSERT_FALSE(rig_.service.change({.remove = {}, .add = {circuit(1, 3)}, .mode = Mode::safe}));
  EXPECT_NE(said(one, "RTRV-CRS:::7;").find("\"1.1.2>1.1.4:SRCPORT=1.1.2,DSTPORT=1.1.4,GRPNAME=SYSTEM"),
            std::string::npos);
}

TEST_F(Tl1, ReportsTheEndOfAnAlarmThatBeganBeforeTheLogin) {
  Client first = logged_in();
  said(first, "ENT-PATCH::1,7:1:;");
  rig_.pass(20);
  EXPECT_FALSE(rig_.service.set_dead(0, true));
  rig_.pass(2);
  Client second = logged_in(), silent = logged_in();
  said(silent, "INH-MSG:::1;");
  EXPECT_EQ(second.go_on(), "");
  EXPECT_FALSE(rig_.service.set_dead(0, false));
  rig_.pass(10);
  EXPECT_NE(second.go_on().find("REPT ALM EQPT\r\n   \"7:CL,LOS,SA,"), std::string::npos);
  EXPECT_EQ(silent.go_on(), "");
  // The alarm ended while nobody told it so: what comes next is no end of it.
  said(silent, "ALW-MSG:::1;");
  said(first, "OPR-PORT-SHUTTER::7:1:;");
  rig_.pass(2);
  const std::string news = silent.go_on();
  EXPECT_NE(news.find("7:DISABLED"), std::string::npos) << news;
  EXPECT_EQ(news.find("CL,LOS"), std::string::npos) << news;
}

TEST_F(Tl1, TellsOfItselfOnceSomebodyHasLoggedIn) {
  Client stranger = client(), one = logged_in();
  said(one, "ENT-PATCH::1,7:1:;");
  rig_.pass(20);
  EXPECT_EQ(stranger.go_on(), "");
  EXPECT_EQ(without_header(one.go_on()),
            "A  1 REPT EVT EQPT\r\n   \"7:TUNED,TC,08-06,12-00-00,,,,:\\\"Port 7 tuned\\\"\"\r\n;");
  EXPECT_FALSE(rig_.service.set_dead(0, true));
  rig_.pass(2);
  EXPECT_EQ(without_header(one.go_on()),
            "** 2 REPT ALM EQPT\r\n   \"7:MJ,LOS,SA,08-06,12-00-00,,:\\\"Loss of light\\\"\"\r\n;");
  EXPECT_NE(said(one, "RTRV-ALM-EQPT::ALL:1:;").find("7:MJ,LOS,SA"), std::string::npos);
  EXPECT_FALSE(rig_.service.set_dead(0, false));
  rig_.pass(10);
  EXPECT_NE(one.go_on().find("A  3 REPT ALM EQPT\r\n   \"7:CL,LOS,SA,"), std::string::npos);
  said(one, "INH-MSG:::1;");
  said(one, "OPR-PORT-SHUTTER::7:1:;");
  EXPECT_EQ(one.go_on(), "");
  said(one, "ALW-MSG:::1;");
  said(one, "RLS-PORT-SHUTTER::7:1:;");
  EXPECT_NE(one.go_on().find("Port 7 enabled"), std::string::npos);
}

TEST_F(Tl1, IsCalledWhatItIsToldToBe) {
  Client one = client();
  EXPECT_EQ(one.say("SET-SID:::1::lab-7;"), "\r\n\n   lab-7 26-08-06 12:00:00\r\nM  1 COMPLD\r\n;");
  EXPECT_NE(one.say("RTRV-HDR:\"lab-7\"::1:;").find("COMPLD"), std::string::npos);
  EXPECT_NE(one.say("RTRV-HDR:lightloop::1:;").find("IITA"), std::string::npos);
  EXPECT_NE(one.say("SET-SID:::1::a*b;").find("IDNV"), std::string::npos);
}

}  // namespace
}  // namespace ocs::test
