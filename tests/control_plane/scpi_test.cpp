// SCPI: messages, errors, status registers, the vocabulary of Polatis clients and lightloop's own.
// SPDX-License-Identifier: Apache-2.0
#include "tests/control_plane/rig.hpp"

namespace ocs::test {
namespace {

TEST(Scpi, IdentifiesItself) {
  Rig rig;
  Client client = scpi_client(rig);
  EXPECT_EQ(client.ask("*IDN?"), "lightloop,OCS-model-4x4-V,0,1.2.3");
  EXPECT_EQ(client.ask("SYST:VERS?;ERR?"), "1999.0;0,\"No error\"");
  EXPECT_EQ(client.ask("*TST?"), "0");
  Client polatis = scpi_client(rig, "\r\n");
  EXPECT_EQ(polatis.say("*SRE?\r\n"), "0\r\n");
}

TEST(Scpi, CarriesOutWhatPolatisClientsSend) {
  Rig rig;
  Client client = scpi_client(rig);
  EXPECT_EQ(client.ask(":OXC:SWITch:SIZE?"), "4,4");
  EXPECT_EQ(client.ask(":OXC:SWITch:CONNect:STATe?"), "(@),(@)");
  EXPECT_EQ(client.ask(":oxc:swit:conn:only (@1),(@7); stat?"), "(@1),(@7)");
  EXPECT_EQ(client.ask("*CLS;:OXC:SWITch:CONNect:PORT? 1;*OPC"), "\"7\"");
  EXPECT_EQ(client.ask(":OXC:SWITch:CONNect:ADD (@2, 3),(@6,5);:system:error?"), "0,\"No error\"");
  EXPECT_EQ(client.ask("oxc:swit:conn:add (@1),(@7);:ocs:conn:safe (@2),(@6);:syst:err?"), "0,\"No error\"");  // again
  EXPECT_EQ(client.ask("oxc:swit:conn:stat?"), "(@1,2,3),(@7,6,5)");
  EXPECT_EQ(client.ask("oxc:swit:conn:port? 5;port? 4"), "\"3\";\"\"");
  EXPECT_EQ(client.ask("oxc:swit:conn:sub (@1),(@7)"), "");
  EXPECT_EQ(client.ask("oxc:swit:conn:sub (@2,3),(@)"), "");
  EXPECT_EQ(client.ask("oxc:swit:conn:stat?"), "(@),(@)");
  EXPECT_EQ(client.ask("oxc:swit:port:dis (@2,5);stat? (@1:3,5);enab (@5);stat?"), "(E,D,E,D);(E,D,E,E,E,E,E,E)");
  client.ask("oxc:swit:conn:add (@1),(@5);:oxc:swit:disc:all");
  EXPECT_EQ(client.ask("oxc:swit:conn:stat?;:syst:err?"), "(@),(@);0,\"No error\"");
}

TEST(Scpi, HasTheStatesAndModesOfSonic) {
  Rig rig;
  Client client = scpi_client(rig);
  client.ask("OCS:CONN:SAFE (@1,2),(@6,5)");
  EXPECT_EQ(client.ask("OCS:CONN:STAT?"), "\"1A-2B,TUNING\",\"2A-1B,TUNING\"");
  rig.pass(20);
  EXPECT_EQ(client.ask("OCS:PORT:STAT? (@1,3,5,6)"), "(TUNED,BLOCKED,TUNED,TUNED)");
  EXPECT_EQ(client.ask("OCS:CONN:UPD (@1),(@5);STAT?"), "\"1A-1B,TUNING\"");
  EXPECT_EQ(client.ask("OCS:CONN:OVER (@3),(@8);STAT?"), "\"3A-4B,TUNING\"");
  EXPECT_EQ(client.ask("OCS:CONN:REPL (@3),(@8),(@4),(@8);STAT?"), "\"4A-4B,TUNING\"");
  EXPECT_EQ(client.ask("OCS:CONN:REM (@4),(@8);STAT?"), "\"\"");
  EXPECT_EQ(client.ask("OCS:COUN? 4"), "2,2,0,0,0");  // two tunings, a dark cycle each
  EXPECT_EQ(client.ask("OCS:TIME?"), std::to_string(rig.service.now().n) + ",5120");
  EXPECT_EQ(client.ask("SYST:ERR?"), "0,\"No error\"");
}

struct Wrong {
  std::string line, error;
  friend std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.line; }
};

class ScpiErrors : public ::testing::TestWithParam<Wrong> {};

TEST_P(ScpiErrors, IsTheStandards) {
  Rig rig;
  Client client = scpi_client(rig), other = scpi_client(rig);
  client.ask("OXC:SWIT:CONN:ADD (@1),(@6)");
  EXPECT_EQ(client.ask(GetParam().line), "");
  EXPECT_EQ(client.ask("SYST:ERR?"), GetParam().error);
  EXPECT_EQ(client.ask("SYST:ERR?"), "0,\"No error\"");
  EXPECT_EQ(other.ask("SYST:ERR?;:OXC:SWIT:CONN:STAT?"), "0,\"No error\";(@1),(@6)");
}

INSTANTIATE_TEST_SUITE_P(
    , ScpiErrors,
    ::testing::Values(
        Wrong{"bogus", "-113,\"Undefined header;bogus\""}, Wrong{"OXC::SWIT", "-113,\"Undefined header;OXC::SWIT\""},
        Wrong{std::string("*ID\0N?", 6), "-101,\"Invalid character;byte 0\""},
        Wrong{"\xFF\xFE", "-101,\"Invalid character;byte 255\""},
        Wrong{"(@1)", "-102,\"Syntax error;a command begins with a letter, not with (@1)\""},
        Wrong{"*IDN?1", "-111,\"Header separator error;*IDN?1\""},
        Wrong{"OXC:SWITCHITDOWNNOW:SIZE?", "-112,\"Program mnemonic too long;SWITCHITDOWNNOW\""},
        Wrong{"OXC:SWIT:CONN:ADD (@2)", "-109,\"Missing parameter;1 given\""},
        Wrong{"OXC:SWIT:CONN:ADD (@2),,(@5)", "-109,\"Missing parameter;nothing between commas\""},
        Wrong{"*CLS 1", "-108,\"Parameter not allowed;1 given\""},
        Wrong{"*ESE a", "-104,\"Data type error;a isn't a number\""},
        Wrong{"*ESE 1x", "-121,\"Invalid character in number;1x\""},
        Wrong{"*ESE 1000000000000000000000000", "-124,\"Too many digits;100000000000000000000000\""},
        Wrong{"*ESE 256", "-222,\"Data out of range;256 isn't from 0 to 255\""},
        Wrong{"OXC:SWIT:CONN:ADD 2,5", "-104,\"Data type error;2 isn't a list as (@1,2)\""},
        Wrong{"OXC:SWIT:CONN:ADD (@2:),(@5)", "-171,\"Invalid expression;(@2:)\""},
        Wrong{"OXC:SWIT:CONN:ADD (@2!1),(@5)", "-171,\"Invalid expression;(@2!1)\""},
        Wrong{"OXC:SWIT:CONN:ADD (@2,(@5)", "-109,\"Missing parameter;1 given\""},
        Wrong{"OXC:SWIT:CONN:ADD (@99999999999),(@5)", "-222,\"Data out of range;port 99999999999 isn't from 1 to 8\""},
        Wrong{"OXC:SWIT:CONN:ADD (@0),(@5)", "-222,\"Data out of range;port 0 isn't from 1 to 8\""},
        Wrong{"OXC:SWIT:CONN:ADD (@5),(@6)", "-222,\"Data out of range;port 5 is no input; inputs are 1 to 4\""},
        Wrong{"OXC:SWIT:CONN:ADD (@2),(@3)", "-222,\"Data out of range;port 3 is no output; outputs are 5 to 8\""},
        Wrong{"OXC:SWIT:CONN:ADD (@2:3),(@5)", "-226,\"Lists not same length;2 inputs and 1 output\""},
        Wrong{"OXC:SWIT:CONN:ADD (@2),(@6)",
              "-221,\"Settings conflict;input 2 to output 6 is blocked by input 1 to output 6\""},
        Wrong{"OXC:SWIT:CONN:ONLY (@2,3),(@5,5)",
              "-221,\"Settings conflict;input 3 to output 5 and input 2 to output 5 share a port\""},
        Wrong{"OXC:SWIT:CONN:SUB (@1),(@5)",
              "-221,\"Settings conflict;no circuit from input 1 to output 5, but from input 1 to output 6\""},
        Wrong{"OXC:SWIT:CONN:SUB (@2),(@5)", "-221,\"Settings conflict;no circuit from input 2 to output 5\""},
        Wrong{"OXC:SWIT:CONN:SUB (@2),(@)", "-221,\"Settings conflict;port 2 has no circuit\""},
        Wrong{"SYST:LOG \"a\",\"b",
              "-151,\"Invalid string data;a string has to end with the quote that it begins with\""},
        Wrong{"SYST:LOG a,b", "-104,\"Data type error;a isn't a string in quotes\""},
        Wrong{"DIAG:PORT:FAIL (@5)", "-222,\"Data out of range;port 5 isn't from 1 to 4\""}));

TEST(Scpi, KeepsTheRegistersOfIeee488) {
  Rig rig;
  Client client = scpi_client(rig);
  EXPECT_EQ(client.ask("*ESR?;*ESR?"), "128;0");  // power on
  client.ask("bogus");
  client.ask("*ESE 999");
  EXPECT_EQ(client.ask("*STB?"), "4");
  EXPECT_EQ(client.ask("*ESE 48;*SRE 36;*ESE?;*SRE?;*STB?"), "48;36;100");
  EXPECT_EQ(client.ask("*ESR?;*STB?"), "48;68");
  EXPECT_EQ(client.ask("SYST:ERR:COUN?"), "2");
  client.ask("*CLS");
  EXPECT_EQ(client.ask("SYST:ERR:COUN?;:*STB?;*ESE?"), "0;0;48");
}

TEST(Scpi, TellsOfTuningInTheOperationRegister) {
  Rig rig;
  Client client = scpi_client(rig);
  client.ask("*CLS;STAT:OPER:ENAB 2;:STAT:QUES:ENAB 512");
  client.ask("OXC:SWIT:CONN:ADD (@1),(@5);*OPC");
  EXPECT_EQ(client.ask("*ESR?;:STAT:OPER:COND?;:*STB?"), "0;2;128");
  rig.pass(20);
  EXPECT_EQ(client.ask("*ESR?;:STAT:OPER:COND?;:STAT:OPER?;:STAT:OPER?"), "1;0;2;0");
  client.ask("DIAG:PORT:FAIL (@1)");
  rig.pass(2);
  EXPECT_EQ(client.ask("STAT:QUES:COND?;:*STB?;:STAT:QUES?;:*STB?;:OXC:SWIT:PORT:STAT? (@1,2,5)"),
            "512;8;512;0;(F,E,F)");
  client.ask("DIAG:PORT:REP (@1)");
  rig.pass(10);
  EXPECT_EQ(client.ask("STAT:QUES:COND?"), "0");
}

TEST(Scpi, WaitsForLightWithoutHoldingOthersUp) {
  Rig rig;
  Client client = scpi_client(rig), other = scpi_client(rig);
  EXPECT_EQ(client.ask("OXC:SWIT:CONN:ADD (@1),(@5);*OPC?;:OCS:PORT:STAT? (@5)"), "");
  EXPECT_TRUE(client.session().waiting());
  EXPECT_EQ(client.ask("*IDN?"), "");
  EXPECT_EQ(other.ask("*OPC;*IDN?").substr(0, 9), "lightloop");
  rig.pass(14);
  EXPECT_EQ(client.go_on(), "");
  rig.pass(1);
  EXPECT_EQ(client.go_on(), "1;(TUNED)\nlightloop,OCS-model-4x4-V,0,1.2.3\n");
}

TEST(Scpi, QueuesThirtyTwoErrors) {
  Rig rig;
  Client client = scpi_client(rig);
  for (int k = 0; k < 40; ++k) client.ask("bogus");
  EXPECT_EQ(client.ask("SYST:ERR:COUN?"), "32");
  for (int k = 0; k < 31; ++k) EXPECT_EQ(client.ask("SYST:ERR?"), "-113,\"Undefined header;bogus\"");
  EXPECT_EQ(client.ask("SYST:ERR:ALL?"), "-350,\"Queue overflow\"");
}

TEST(Scpi, TakesMessagesInAnyPieces) {
  Rig rig;
  Client client = scpi_client(rig);
  std::string answer;
  for (const char letter : std::string("*SRE 4;*SRE?\r\n\n;;\n*ESE?\n*ID"))
    answer += client.say(std::string(1, letter));
  EXPECT_EQ(answer, "4\n0\n");
  EXPECT_EQ(client.say("N?\n*SRE?\n").substr(0, 9), "lightloop");
}

TEST(Scpi, DropsALineThatIsTooLong) {
  Rig rig;
  Client client = scpi_client(rig);
  const std::string piece(100000, 'x');
  for (int k = 0; k < 10; ++k) EXPECT_EQ(client.say(piece), "");
  EXPECT_EQ(client.ask("*SRE?"), "");  // its end
  EXPECT_EQ(client.ask("SYST:ERR?"), "-363,\"Input buffer overrun;a message has at most 65536 bytes\"");
  EXPECT_EQ(client.ask("SYST:ERR?"), "0,\"No error\"");
  EXPECT_EQ(client.ask(piece), "");  // whole at once
  EXPECT_EQ(client.ask("SYST:ERR:ALL?"), "-363,\"Input buffer overrun;a message has at most 65536 bytes\"");
}

TEST(Scpi, ResetsTheSwitchButNotItsRegisters) {
  Rig rig;
  Client client = scpi_client(rig);
  client.ask("*ESE 4;:OXC:SWIT:CONN:ADD (@1),(@5);:OXC:SWIT:PORT:DIS (@3)");
  EXPECT_EQ(client.ask("*RST;*ESE?;:OXC:SWIT:CONN:STAT?;:OXC:SWIT:PORT:STAT? (@3)"), "4;(@),(@);(E)");
}

}  // namespace
}  // namespace ocs::test
