// Logs of light: what they mean, and what is wrong with one, with its line.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/capture.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <tuple>

#include "host/core/error.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::characterize {
namespace {

using test::refusal;

using Stretch = std::tuple<int, std::int64_t, std::int64_t, bool>;  // port, from, length, up

std::vector<Stretch> stretches(const std::vector<LightChange>& log) {
  std::vector<Stretch> all;
  for (const CircuitSetUp& s : dark_stretches(log, "log")) all.emplace_back(s.out, s.at.n, s.tuning.n, s.up);
  return all;
}

std::string csv_refusal(std::string_view text, const CaptureOptions& options = {}) {
  return refusal([&] { parse_capture_csv(text, "x.csv", options); });
}

std::string vcd_refusal(std::string_view text, const CaptureOptions& options = {}) {
  return refusal([&] { parse_capture_vcd(text, "x.vcd", options); });
}

CaptureOptions above(std::string_view level, std::string_view hysteresis = "") {
  return {.threshold = parse_threshold(level, hysteresis)};
}

constexpr std::int64_t us = 1'000'000;

TEST(CaptureCsv, GivesStretchesWithoutLight) {
  const auto log =
      parse_capture_csv("time,port,light\n0 ns,0,1\n0 ns,2,1\n1.5 us,0,0\n2 us,2,0\n13 us,0,1\n14 us,2,1\r\n", "x.csv");
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{0, 1'500'000, 11'500'000, true}, {2, 2'000'000, 12'000'000, true}}));
}

TEST(CaptureCsv, TakesTheUnitFromTheHeader) {
  EXPECT_EQ(stretches(parse_capture_csv("time_us,port,light\n0,0,1\n0.25,0,0\n1.75,0,1\n", "x.csv")),
            (std::vector<Stretch>{{0, 250'000, 1'500'000, true}}));
}

TEST(Capture, CountsOnlyWhatBeganInTheLog) {
  const auto log = parse_capture_csv("time_ps,port,light\n0,0,0\n50,0,1\n60,0,1\n70,0,0\n80,0,0\n90,0,1\n", "x.csv");
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{0, 70, 20, true}})) << "how long port 0 was dark before isn't known";
}

TEST(Capture, NotesWhatIsDarkAtTheEnd) {
  const auto log = parse_capture_csv("time_ps,port,light\n0,0,1\n10,0,0\n20,1,1\n35,1,1\n", "x.csv");
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{0, 10, 25, false}}));
}

TEST(Capture, NeedsAnOutputThatGoesDark) {
  EXPECT_EQ(refusal([] { dark_stretches(parse_capture_csv("time_ps,port,light\n0,0,1\n", "x.csv"), "x.csv"); }),
            "x.csv holds 1 state of light, but no output that has light and loses it");
}

TEST(CaptureCsv, NamesTheLineThatIsWrong) {
  const std::string head = "time,port,light\n";
  EXPECT_EQ(csv_refusal("t,p,l\n"),
            "x.csv:1: the first line is \"t,p,l\", but must be time,port,light (times with units) or "
            "time_ps,port,light (or _ns, _us, _ms, _s), or a header of Tektronix, Keysight or Saleae "
            "(docs/characterize.md)");
  EXPECT_EQ(csv_refusal(head), "x.csv:2: the log has no rows, but must have a header and at least one row");
  EXPECT_EQ(csv_refusal(""), "x.csv:1: the log has no rows, but must have a header and at least one row");
  EXPECT_EQ(csv_refusal(head + "1 us,0\n"), "x.csv:2: the row must have three values: time,port,light");
  EXPECT_EQ(csv_refusal(head + "1 us,0,1,1\n"), "x.csv:2: the row must have three values: time,port,light");
  EXPECT_EQ(csv_refusal(head + "1 us,0,1\n\n"), "x.csv:3: the row must have three values: time,port,light");
  EXPECT_EQ(csv_refusal(head + "1 us,256,1\n"), "x.csv:2: port is \"256\", but must be a number from 0 to 255");
  EXPECT_EQ(csv_refusal(head + "1 us,-1,1\n"), "x.csv:2: port is \"-1\", but must be a number from 0 to 255");
  EXPECT_EQ(csv_refusal(head + "1 us,0,on\n"), "x.csv:2: light is \"on\", but must be 0 or 1");
  EXPECT_EQ(csv_refusal(head + "1 us,0,1\n3 us,0,0\n2 us,0,1\n"),
            "x.csv:4: time is \"2 us\", but must not be before the row above");
  EXPECT_NE(csv_refusal(head + "1,0,1\n").find("x.csv:2: time is \"1\", but must be a time with a unit"),
            std::string::npos);
  EXPECT_NE(csv_refusal("time_ps,port,light\n0.5,0,1\n").find("must be a whole number of picoseconds"),
            std::string::npos);
}

constexpr std::string_view vcd_head = "$timescale 10 ns $end\n$var wire 1 ! light[0] $end\n$enddefinitions $end\n";

TEST(CaptureVcd, GivesStretchesWithoutLight) {
  const auto log = parse_capture_vcd(std::string(vcd_head) + "$dumpvars\n1!\n$end\n#10\n0!\n#130\n1!\n", "x.vcd");
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{0, 100'000, 1'200'000, true}}));
}

TEST(CaptureVcd, KnowsScalarsAndVectorsByTheirNames) {
  const auto log = parse_capture_vcd(
      "$date today $end $version of a scope $end\n$timescale 1 ps $end\n$scope module top $end\n"
      "$var wire 3 v light [2:0] $end\n$var wire 1 a light_7 $end\n$var wire 1 b light9 $end\n$var wire 1 c lightning "
      "$end\n"
      "$var real 64 d light_power $end\n$var wire 1 e clk $end\n$upscope $end\n$enddefinitions $end\n"
      "#0 b111 v 1a 1b 1c r1.5 d 0e\n#5 b101 v 0a xe\n#6 b111 v 0b 1e\n#9 1a 1b\n",
      "x.vcd");
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{1, 5, 1, true}, {7, 5, 4, true}, {9, 6, 3, true}}));
}

TEST(CaptureVcd, ExtendsShortVectorsToTheLeft) {
  const auto log = parse_capture_vcd(
      "$timescale 1 ps $end $var wire 4 v light $end $enddefinitions $end\n#0 b1111 v\n#3 b1 v\n#4 b1111 v\n", "x.vcd");
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{1, 3, 1, true}, {2, 3, 1, true}, {3, 3, 1, true}}));
}

TEST(CaptureVcd, BeginsAnewWhereLightIsntKnown) {
  const auto log = parse_capture_vcd(std::string(vcd_head) + "#0 1! #1 0! #2 x! #3 0! #4 1! #5 0! #7 1!\n", "x.vcd");
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{0, 50'000, 20'000, true}}));
}

TEST(CaptureVcd, NamesTheLineThatIsWrong) {
  const std::string head(vcd_head);
  EXPECT_EQ(vcd_refusal("#0\n"),
            "x.vcd:1: \"#0\" must be a declaration: $timescale, $scope, $var, $upscope, $enddefinitions, ...");
  EXPECT_EQ(vcd_refusal("$timescale 3 ns $end"),
            "x.vcd:1: $timescale is \"3ns\", but must be 1, 10 or 100 of ps, ns, us, ms or s");
  EXPECT_EQ(vcd_refusal("$timescale 1 fs $end"),
            "x.vcd:1: $timescale is \"1fs\", but must be 1, 10 or 100 of ps, ns, us, ms or s");
  EXPECT_EQ(vcd_refusal("$var wire 1 ! light0 $end\n$enddefinitions $end\n"), "x.vcd:2: $timescale is missing");
  EXPECT_EQ(vcd_refusal("$timescale 1 ns $end\n"), "x.vcd:2: the file ends, but must go on with $enddefinitions $end");
  EXPECT_NE(vcd_refusal("$timescale 1 ns $end $enddefinitions $end\n").find("no signal is called light[K]"),
            std::string::npos);
  EXPECT_NE(vcd_refusal("$timescale 1 ns $end $var wire x ! light0 $end").find("size of a variable is \"x\""),
            std::string::npos);
  EXPECT_NE(vcd_refusal("$timescale 1 ns $end $var wire 1 ! light256 $end").find("must be a port from 0 to 255"),
            std::string::npos);
  EXPECT_NE(vcd_refusal("$timescale 1 ns $end $var wire 300 ! light $end").find("must have at most 256, one a port"),
            std::string::npos);
  EXPECT_NE(vcd_refusal("$timescale 1 ns $end $var wire 4 ! light [0:3] $end").find("but must have [3:0]"),
            std::string::npos);
  EXPECT_NE(vcd_refusal("$timescale 1 ns $end $var wire 4 ! light $end $var wire 1 a light_2 $end")
                .find("names a port that another"),
            std::string::npos);
  EXPECT_NE(vcd_refusal("$timescale 1 ns $end $var wire 1 ! light_1 $end $var wire 1 ! light_2 $end")
                .find("the code of another"),
            std::string::npos);
  EXPECT_EQ(vcd_refusal(head + "#5 1!\n#4\n"), "x.vcd:5: time is \"4\", but must not be before the one above");
  EXPECT_EQ(vcd_refusal(head + "#99999999999999999999\n"),
            "x.vcd:4: time is \"99999999999999999999\", but must be a number of time steps that fits 2^63 ps");
  EXPECT_EQ(vcd_refusal(head + "#0 b12 !\n"), "x.vcd:4: value \"12\" must be of 0, 1, x and z");
  EXPECT_EQ(vcd_refusal(head + "#0 b11 !\n"), "x.vcd:4: value \"11\" has more bits than its signal, which has 1");
  EXPECT_EQ(vcd_refusal(head + "#0 1\n"), "x.vcd:4: value \"1\" must be followed by a variable's code");
  EXPECT_EQ(vcd_refusal(head + "#0 hello\n"), "x.vcd:4: \"hello\" must be a time (#N), a value, or a keyword");
  EXPECT_EQ(vcd_refusal(head + "$var\n"), "x.vcd:4: \"$var\" isn't a keyword that may stand among values");
  EXPECT_EQ(vcd_refusal(head), "x.vcd:4: no signal called light ever has a value");
}

TEST(CaptureInstrument, ReadsTektronixWithItsPreamble) {
  const std::string file =
      "Model,MSO4034\nFirmware Version,2.48\n\nWaveform Type,ANALOG\nHorizontal Units,s\nSample Interval,1e-06\n"
      "Record Length,6\nVertical Units,V\n,\nLabel,\nTIME,CH1\n-2.000000e-06,1.02\n-1.000000e-06,1.00\n"
      "0.000000e+00,0.48\n1.000000e-06,0.02\n2.000000e-06,0.52\n3.000000e-06,0.98\n";
  EXPECT_EQ(stretches(parse_capture_csv(file, "x.csv", above("0.5 V"))),
            (std::vector<Stretch>{{0, 2 * us, 2 * us, true}}));
  EXPECT_EQ(stretches(parse_capture_csv(file, "x.csv", above("500 mV", "0.2 V"))),
            (std::vector<Stretch>{{0, 3 * us, 2 * us, true}}))
      << "0.48 is above 0.4 still, 0.52 isn't above 0.6 yet";
}

TEST(CaptureInstrument, ReadsEveryChannelOfATektronixMso) {
  const std::string head =
      "Model,MSO44\r\nFirmware Version,1.20.6\r\nWaveform Type,ANALOG\r\nPoint Format,Y\r\nHorizontal Units,s\r\n"
      "Horizontal Scale,0.0004\r\nHorizontal Delay,0\r\nSample Interval,1e-06\r\nRecord Length,8\r\n"
      "Gating,0.0% to 100.0%\r\nProbe Attenuation,10,10\r\nVertical Units,V,mV\r\nVertical Offset,0,0\r\n"
      "Vertical Scale,1,1\r\nVertical Position,0,0\r\n,,\r\n,,\r\nLabel,,\r\nTIME,CH1,CH2\r\n";
  const std::string file = head +
                           "-5.0000000e-06,3.28,3290\r\n-4.0000000e-06,3.28,3290\r\n-3.0000000e-06,0.04,3290\r\n"
                           "-1.5000000e-06,1.60,20\r\n0.0000000e+00,1.80,20\r\n1.0000000e-06,3.30,20\r\n"
                           "2.0000000e-06,3.30,3280\r\n3.0000000e-06,3.30,3280\r\n";
  EXPECT_EQ(stretches(parse_capture_csv(file, "x.csv", above("1.65 V"))),
            (std::vector<Stretch>{{0, 2 * us, 3 * us, true}, {1, 3'500'000, 3'500'000, true}}));
  EXPECT_EQ(stretches(parse_capture_csv(file, "x.csv", above("1.65 V", "0.4 V"))),
            (std::vector<Stretch>{{0, 2 * us, 4 * us, true}, {1, 3'500'000, 3'500'000, true}}))
      << "1.80 isn't above 1.85 yet";
}

TEST(CaptureInstrument, ReadsTektronixTdsWithSamplesBesideItsPreamble) {
  const auto log = parse_capture_csv(
      "Record Length,6.000000e+00,,-00.000002000000,01.02000,\nSample Interval,1.000000e-06,,-00.000001000000,01.00,\n"
      "Trigger Point,2.0e+00,,00.000000000000,00.02000,\r\n,,,00.000001000000,00.04000,\n"
      "Vertical Units,V,,00.000002000000,00.98000,\n",
      "x.csv", above("0.5 V"));
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{0, 2 * us, 2 * us, true}}));
}

TEST(CaptureInstrument, ReadsKeysightWithItsLineOfUnits) {
  const std::string file =
      "x-axis,1,2\nsecond,Volt,Volt\n-2.00E-06,1.02E+00,0.0E+00\n-1.00E-06,1.00E+00,2.0E+00\n0.0E+00,2.0E-02,1.0E+00\n"
      "1.00E-06,+1.1E+00,0\n\n";
  EXPECT_EQ(stretches(parse_capture_csv(file, "x.csv", above("0.5 V"))),
            (std::vector<Stretch>{{0, 2 * us, us, true}, {1, 3 * us, 0, false}}));
  EXPECT_EQ(csv_refusal(file, above("-3 dBm")), "x.csv:2: channel \"1\" is in V, but --threshold is in dBm");
  EXPECT_EQ(csv_refusal("x-axis,1\nsecond,Ampere\n0,1\n", above("1 V")),
            "x.csv:2: channel \"1\" is in \"Ampere\", but only V, W and dBm have a threshold");
  EXPECT_EQ(csv_refusal("x-axis,1\nhertz,Volt\n0,1\n", above("1 V")),
            "x.csv:2: the line after the header begins with \"hertz\", but must begin with a time or \"second\"");
}

TEST(CaptureInstrument, ReadsKeysightSegmentsBelowTheirNumberOfPoints) {
  const auto log = parse_capture_csv(
      "1000\r\nx-axis,1\r\nsecond,Volt\r\n-84.4800E-06,+3.3000000E+00\r\n-74.4800E-06,+20.0000000E-03\r\n"
      "+5.5200E-06,+3.300000E+00\r\n",
      "x.csv", above("1.65 V"));
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{0, 10 * us, 80 * us, true}}));
}

TEST(CaptureInstrument, ReadsSaleaeDigitalAndAnalog) {
  const std::string head = "Time [s],Channel 0,Channel 1\n";
  EXPECT_EQ(stretches(parse_capture_csv(head + "0.0,1,X\n0.125,0,1\n0.25,1,0\n0.5,1,1\n0.6,X,1\n0.7,1,1\n", "x.csv")),
            (std::vector<Stretch>{{0, 125'000 * us, 125'000 * us, true}, {1, 250'000 * us, 250'000 * us, true}}))
      << "X is not dark";
  EXPECT_EQ(stretches(parse_capture_csv(head + "0.0,3.3,0\n0.5,0.1,0\n0.75,3.2,0\n", "x.csv", above("1.6 V"))),
            (std::vector<Stretch>{{0, 500'000 * us, 250'000 * us, true}}));
  EXPECT_EQ(csv_refusal(head + "0.0,3.3,0\n"),
            "x.csv:2: value is \"3.3\", but must be 0, 1 or X; --threshold reads other values");
}

TEST(CaptureInstrument, ComparesPowerInDbm) {
  const auto log =
      parse_capture_csv("Time (ms),probe [dBm],meter [mW]\n0,-3.1,0.5\n0.5,-40,0.5\n1,-18,0\n1.5,-3,0.012\n2,-3,0.5\n",
                        "x.csv", above("-20 dBm", "6 dB"));
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{0, 500 * us, 1000 * us, true}, {1, 1000 * us, 1000 * us, true}}));
}

TEST(CaptureInstrument, RoundsTimesToPicoseconds) {
  const auto log = parse_capture_csv("Time(s),CH1\n1.0E-12,1\n1.15E-11,0\n2.14999E-11,1\n", "x.csv");
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{0, 11, 9, true}})) << "12 - 1, then 21 - 12";
}

TEST(CaptureInstrument, NamesTheLineThatIsWrong) {
  const std::string head = "TIME,CH1,CH2\n";
  EXPECT_EQ(csv_refusal(head), "x.csv:2: the log has no rows, but must have a header and at least one row");
  EXPECT_EQ(csv_refusal(head + "0,1\n"), "x.csv:2: the row has 2 values, but the header has 3");
  EXPECT_EQ(csv_refusal(head + "0,1,1\nsoon,1,1\n"),
            "x.csv:3: time is \"soon\", but must be a number, such as 1.5E-06");
  EXPECT_EQ(csv_refusal(head + "1e99,1,1\n0,1,1\n").substr(0, 30), "x.csv:2: the line after the he");
  EXPECT_EQ(csv_refusal(head + "1e-3,1,1\n0,1,1\n"), "x.csv:3: time is \"0\", but must not be before the row above");
  EXPECT_EQ(csv_refusal(head + "0,1,nan\n", above("1 V")), "x.csv:2: value is \"nan\", but must be a number");
  EXPECT_EQ(refusal([] { parse_threshold("5", ""); }),
            "--threshold is \"5\", but must be a level in V, mV, uV or dBm, such as \"0.5 V\" or \"-20 dBm\"");
  EXPECT_EQ(refusal([] { parse_threshold("-20 dBm", "1 V"); }),
            "--hysteresis is \"1 V\", but must be at least \"0 dB\", since --threshold is in dBm");
  EXPECT_EQ(refusal([] { parse_threshold("1 V", "-1 V"); }),
            "--hysteresis is \"-1 V\", but must be at least \"0 V\", since --threshold is in V");
}

TEST(CaptureVcd, ComparesRealSignalsWithAThreshold) {
  const std::string file =
      "$timescale 1 us $end\n$var real 64 ! light0 $end\n$enddefinitions $end\n#0 r1.0 ! #5 r0.52 ! #6 r4e-1 ! #16 "
      "r0.58 !";
  EXPECT_EQ(stretches(parse_capture_vcd(file, "x.vcd", above("0.5 V"))),
            (std::vector<Stretch>{{0, 6 * us, 10 * us, true}}));
  EXPECT_EQ(vcd_refusal(file), "x.vcd:3: signal \"light0\" is analog, so --threshold must be given");
  EXPECT_EQ(vcd_refusal(file + " 1!", above("0.5 V")),
            "x.vcd:4: value \"1\" must begin with r, since its signal is real");
}

TEST(Capture, RefusesAThresholdThatNothingIsComparedWith) {
  EXPECT_EQ(csv_refusal("time_ps,port,light\n0,0,1\n", above("1 V")),
            "x.csv says light or no light, so --threshold must not be given");
  EXPECT_EQ(vcd_refusal(std::string(vcd_head) + "#0 1!\n", above("1 V")),
            "x.vcd:3: no signal called light is analog, so --threshold must not be given");
}

TEST(CaptureVcd, KnowsSignalsByAnotherName) {
  const auto log = parse_capture_vcd(
      "$timescale 1 us $end $var wire 1 ! D3 $end $var wire 1 a light0 $end $enddefinitions $end #0 1! 1a #1 0! 0a #3 "
      "1! 1a",
      "x.vcd", {.threshold = {}, .signal = "D"});
  EXPECT_EQ(stretches(log), (std::vector<Stretch>{{3, us, 2 * us, true}}));
}

TEST(Capture, IsReadByTheFilesEnding) {
  EXPECT_EQ(refusal([] { read_capture("log.txt"); }), "captured log \"log.txt\" must end in .csv or .vcd");
  EXPECT_NE(refusal([] { read_capture("/nowhere/log.csv"); }).find("can't be read"), std::string::npos);
  const std::string file = ::testing::TempDir() + "log.vcd";
  std::ofstream(file) << vcd_head << "#0 1! #1 0! #2 1!\n";
  EXPECT_EQ(read_capture(file).ports, 1);
}

}  // namespace
}  // namespace ocs::characterize
