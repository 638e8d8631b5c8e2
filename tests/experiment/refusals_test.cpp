// Wrong experiment files: one sentence each, with file, line, the wrong value and what would be right.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "testbed/workloads/input.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::few_names;
using test::refusal;
using test::resolved;

std::string refusal_of_file(std::string_view text) {
  return refusal([&] { resolved(text); });
}

std::string complaint_of_set(const std::string& argument) {
  return refusal([&] { resolved("seed = 1", {argument}); });
}

TEST(WrongExperiment, UnknownKey) {
  EXPECT_EQ(refusal_of_file("seed = 1\n[fabric]\nprots = 16\n"),
            "x.toml:3: unknown key \"fabric.prots\"; did you mean \"fabric.ports\"?");
  EXPECT_EQ(refusal_of_file("tuning = '1 ms'"), "x.toml:1: unknown key \"tuning\"; did you mean \"fabric.tuning\"?");
  EXPECT_EQ(refusal_of_file("[job]\nseed = 1"), "x.toml:2: unknown key \"job.seed\"; did you mean \"seed\"?");
  std::vector<std::string> keys;
  for (const Key& key : experiment_keys()) keys.emplace_back(key.name);
  EXPECT_EQ(refusal_of_file("[worker]\n"), "x.toml:1: unknown key \"worker\", but the keys are " + joined(keys));
}

TEST(WrongExperiment, UnknownName) {
  EXPECT_EQ(
      refusal_of_file("policy = [\n 'sunflow',\n 'sunflowr' ]"),
      "x.toml:3: policy is \"sunflowr\", but must be one of psscheduler, psscheduler_dedicated, sunflow, hlf; did you "
      "mean \"sunflow\"?");
  EXPECT_EQ(refusal_of_file("fabric.device = 'fpga'"),
            "x.toml:1: fabric.device is \"fpga\", but must be one of model, verilated");
  EXPECT_NE(refusal_of_file("job.workload = 'resnet5'")
                .find("x.toml:1: job.workload is \"resnet5\": unknown workload \"resnet5\" (did"),
            std::string::npos);
}

TEST(WrongExperiment, UnknownUnit) {
  EXPECT_EQ(refusal_of_file("\n\n[fabric]\ntuning = '10 mss'"),
            "x.toml:4: fabric.tuning is \"10 mss\", but must be a time in one of the units ps, ns, us, ms, s; \"mss\" "
            "is not one of them (did you mean \"ms\"?)");
  EXPECT_EQ(
      refusal_of_file("fabric.tuning = 10"),
      "x.toml:1: fabric.tuning is 10, but must be a time from 0 in decimal digits with a unit, such as \"10 ms\"");
}

TEST(WrongExperiment, OutOfRange) {
  for (const char* ports : {"0", "1", "257", "100000", "-3", "9223372036854775807"})
    EXPECT_EQ(refusal_of_file("fabric.ports = " + std::string(ports)),
              "x.toml:1: fabric.ports is " + std::string(ports) + ", but must be a whole number from 2 to 256");
  EXPECT_EQ(refusal_of_file("job.workers = 0"), "x.toml:1: job.workers is 0, but must be a whole number from 1 to 255");
  EXPECT_EQ(refusal_of_file("job.servers = 0"), "x.toml:1: job.servers is 0, but must be a whole number from 1 to 255");
  EXPECT_EQ(refusal_of_file("job.iterations = 0"),
            "x.toml:1: job.iterations is 0, but must be a whole number from 1 to 1000000");
  EXPECT_EQ(refusal_of_file("seed = -1"),
            "x.toml:1: seed is -1, but must be a whole number from 0 to 9223372036854775807");
  EXPECT_EQ(refusal_of_file("fabric.word = '0 B'"),
            "x.toml:1: fabric.word is \"0 B\", but must be from 1 B to 32.768 kB");
  EXPECT_EQ(refusal_of_file("job.compute = '2000 s'"),
            "x.toml:1: job.compute is \"2000 s\", but must be from 0 ps to 1000 s");
}

TEST(WrongExperiment, NestsTooDeep) {
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int k = 0; k < times; ++k) all += text;
    return all;
  };
  const auto refused = [](const std::string& line) {
    return line + ": this is not valid TOML: keys and brackets nest more than 64 deep";
  };
  const std::string dots = repeated(".a", 20000);
  for (const std::string& text :
       {"a" + dots + " = 1", "[a" + dots + "]", "[[a" + dots + "]]", "\"a\"" + repeated(" . 'a'", 20000) + " = 1",
        "a = {b" + dots + " = 1}", "a = " + repeated("{a.b.c = ", 30) + "1" + repeated("}", 30),
        "a = " + repeated("[", 20000)})
    EXPECT_EQ(refusal_of_file(text), refused("x.toml:1")) << text.substr(0, 40);
  for (const char* before : {"a = '''x'''", "a = \"\"\"x\\\"\"\"\"", "a = \"\\\"\"", "a = '\\'", "a = ''", "# '",
                             "a = [1.5]", "a.b = {c = 1}"})
    EXPECT_EQ(refusal_of_file(std::string(before) + "\nb" + dots + " = 1"), refused("x.toml:2")) << before;
  // What only looks deep: in strings and comments, and beside each other.
  for (const std::string& text :
       {"# " + dots, "seed = 1 # " + dots, "policy = \"" + dots + "\"", "policy = '" + dots + "'",
        "policy = \"\\\"" + dots + "\"", "policy = \"\"\"" + dots + "\\\"\"\"\"", "policy = '''\n" + dots + "'''",
        "x = [" + repeated("1.5, ", 1000) + "]", "x = [" + repeated("{a.b = 1}, ", 100) + "]",
        repeated("a.b = 1\n", 100)})
    EXPECT_EQ(refusal_of_file(text + "\nunknown = 1").find("64 deep"), std::string::npos) << text.substr(0, 40);
}

TEST(WrongExperiment, WrongType) {
  EXPECT_EQ(refusal_of_file("fabric.ports = '16'"),
            "x.toml:1: fabric.ports is \"16\", but must be a whole number from 2 to 256");
  EXPECT_EQ(refusal_of_file("job.workers = 12.0"),
            "x.toml:1: job.workers is 12, but must be a whole number from 1 to 255");
  EXPECT_EQ(refusal_of_file("job.workers = nan"),
            "x.toml:1: job.workers is nan, but must be a whole number from 1 to 255");
  EXPECT_EQ(refusal_of_file("fabric.time_warp = 'false'"),
            "x.toml:1: fabric.time_warp is \"false\", but must be true or false, without quotes");
  EXPECT_EQ(refusal_of_file("name = 3"), "x.toml:1: name is 3, but must be text in quotes");
  EXPECT_EQ(refusal_of_file("name = ['a', 'b']"),
            "x.toml:1: name is a list, but must be a single value: it can't be an axis");
  EXPECT_EQ(refusal_of_file("fabric = 3"), "x.toml:1: \"fabric\" is a value, but must be a table: [fabric]");
  EXPECT_EQ(refusal_of_file("[policy]"),
            "x.toml:1: policy is a table, but must be a value such as [\"psscheduler\", \"psscheduler_dedicated\", "
            "\"sunflow\", \"hlf\"]");
  EXPECT_EQ(refusal_of_file("seed = 1979-05-27"),
            "x.toml:1: \"seed\" holds a date, but must be text, a number, true or false, or a list of these");
  EXPECT_EQ(
      refusal_of_file("seed = [[1]]"),
      "x.toml:1: \"seed\" holds a list or table within a list, but must be text, a number, true or false, or a list "
      "of these");
  EXPECT_EQ(refusal_of_file("seed = []"), "x.toml:1: the list is empty, but an axis must have at least one value");
}

TEST(WrongExperiment, MoreNodesThanPorts) {
  EXPECT_EQ(
      refusal_of_file("[job]\nworkers = 14\n"),
      "x.toml:2: job.workers is 14 and job.servers is 4, but together they must be at most fabric.ports, which is 16");
  EXPECT_EQ(
      refusal_of_file("[fabric]\nports = [16, 8]\n"),
      "x.toml:2: job.workers is 12 and job.servers is 4, but together they must be at most fabric.ports, which is 8");
}

TEST(WrongExperiment, MoreWorkersOfACollectiveThanPorts) {
  EXPECT_EQ(refusal_of_file("[fabric]\nports = 8\n[job]\ncollective = 'all_reduce'\nservers = 2\nworkers = 12"),
            "x.toml:6: job.workers is 12, but must be at most fabric.ports, which is 8");
}

TEST(WrongExperiment, RateWithoutAWholeCycle) {
  EXPECT_EQ(
      refusal_of_file("[fabric]\nrate = '112 Gbit/s'"),
      "x.toml:2: fabric.rate is 112 Gbit/s, but a word of 64 B must take a whole number of picoseconds up to 2^32 - "
      "1: 102.4 Gbit/s or 125 Gbit/s");
  EXPECT_EQ(
      refusal_of_file("[fabric]\nrate = '1 bit/s'"),
      "x.toml:2: fabric.rate is 1 bit/s, but a word of 64 B must take a whole number of picoseconds up to 2^32 - 1: "
      "125 kbit/s");
}

TEST(WrongExperiment, WordThatHoldsNoWholeNumbers) {
  EXPECT_EQ(
      refusal_of_file("[fabric]\nword = '50 B'"),
      "x.toml:2: fabric.word is 50 B, but must be a multiple of 4 B, the size of a parameter, unless job.payload is "
      "\"none\"");
  EXPECT_EQ(resolved("policy = 'hlf'\n[fabric]\nword = '50 B'\n[job]\npayload = 'none'").points.size(), 1u);
}

TEST(WrongExperiment, DelayBeyondTheRegisters) {
  EXPECT_EQ(refusal_of_file("[fabric]\ntuning = '1 s'\nlocking = '6 s'"),
            "x.toml:3: fabric.locking is 6 s, but must be at most 5.49755813376 s (2^30 - 1 cycles of 5.12 ns)");
}

TEST(WrongExperiment, MoreServersThanBlocks) {
  EXPECT_EQ(refusal_of_file(
                "[fabric]\nports = 8\n[job]\nworkload = 'file:testbed/experiments/tiny.csv'\nworkers = 2\nservers = 5"),
            "x.toml:6: job.servers is 5, but must be at most 4, the number of blocks of the workload");
}

TEST(WrongExperiment, DeviceOfAnotherSize) {
  Names names = few_names();
  names.refuse_ports = [](std::string_view device, int ports, bool) {
    return device == "verilated" && ports != 16 ? std::string("must be one of 16") : std::string();
  };
  EXPECT_EQ(refusal([&] { resolve(read_settings("fabric.ports = 17", "x.toml"), names, "x.toml"); }),
            "x.toml:1: fabric.ports is 17, but for device \"verilated\" must be one of 16");
}

TEST(WrongExperiment, WordsThatCrossADeviceThatCountsThem) {
  EXPECT_EQ(refusal_of_file("[fabric]\ndevice = 'model'\nfidelity = 'word'"),
            "x.toml:2: fabric.device is \"model\", but must be \"verilated\" with fabric.fidelity = \"word\": the "
            "others count words only");
  EXPECT_EQ(refusal_of_file("[fabric]\nfidelity = 'photon'"),
            "x.toml:2: fabric.fidelity is \"photon\", but must be one of burst, word");
  Names names = few_names();
  EXPECT_EQ(refusal([&] {
              resolve(read_settings("[fabric]\nfidelity = 'word'\nword = '128 B'\ndevice = 'verilated'", "x.toml"),
                      names, "x.toml");
            }),
            "x.toml:3: fabric.word is 128 B, but must be 64 B with fabric.fidelity = \"word\"");
}

TEST(WrongExperiment, SeveralPlanesOfADeviceThatExistsOnce) {
  Names names = few_names();
  names.devices.emplace_back("sysc");
  EXPECT_EQ(
      refusal([&] { resolve(read_settings("[fabric]\nplanes = 2\ndevice = 'sysc'", "x.toml"), names, "x.toml"); }),
      "x.toml:2: fabric.planes is 2, but must be 1 with device \"sysc\": a process holds one SystemC simulation, "
      "and that one switch");
}

TEST(WrongExperiment, LongerThanTheClock) {
  EXPECT_EQ(refusal_of_file("[job]\niterations = 1000000\ncompute = '1000 s'"),
            "x.toml:2: job.iterations is 1000000, but must be so small that the run ends within 2^62 ps (53 days) of "
            "simulated time");
}

TEST(WrongExperiment, NoToml) {
  EXPECT_EQ(refusal_of_file("seed = 1\nseed = 2\n").substr(0, 40), "x.toml:2: this is not valid TOML: Error ");
  EXPECT_EQ(refusal_of_file(""),
            "x.toml:1: the experiment file sets nothing, but must have at least one key, such as policy = "
            "\"sunflow\"");
  EXPECT_EQ(refusal_of_file("\n  # nothing\n").substr(0, 42), "x.toml:1: the experiment file sets nothing");
  const std::string binary =
      refusal_of_file(std::string_view("\x7f"
                                       "ELF\x02\x01\0\0\xff\xfe",
                                       10));
  EXPECT_EQ(binary.substr(0, 34), "x.toml:1: this is not valid TOML: ");
  for (const char c : binary) EXPECT_TRUE(c >= ' ' && c <= '~');
  refusal_of_file(std::string(1 << 20, '['));
  refusal_of_file("a = " + std::string(1 << 19, '['));
  refusal_of_file("a = " + std::string(1 << 19, '{'));
}

TEST(WrongExperiment, TooManyRows) {
  std::string list = "0";
  for (int k = 1; k < 200; ++k) list.append(",").append(std::to_string(k));
  EXPECT_EQ(refusal_of_file("seed = [" + list + "]\njob.workers = [" + list + "]"),
            "x.toml:2: the axes make 160000 rows; more than 10000 must be asked for with --yes");
  EXPECT_EQ(refusal_of_file("seed = [" + list + "]\njob.workers = [" + list + "]\njob.iterations = [" + list + "]"),
            "x.toml:2: the axes make more than 1000000 combinations, the most allowed");
}

TEST(WrongExperiment, WrongOverride) {
  EXPECT_EQ(complaint_of_set("fabric.ports=300"),
            "--set fabric.ports=300: fabric.ports is 300, but must be a whole number from 2 to 256");
  EXPECT_EQ(complaint_of_set("fabric.prots=3"),
            "--set fabric.prots=3: unknown key \"fabric.prots\"; did you mean \"fabric.ports\"?");
  EXPECT_EQ(complaint_of_set("fabric.ports"), "--set fabric.ports: must be key=value, such as fabric.ports=8");
  EXPECT_EQ(complaint_of_set("=3"), "--set =3: must be key=value, such as fabric.ports=8");
  EXPECT_EQ(complaint_of_set("fabric.ports="),
            "--set fabric.ports=: fabric.ports is \"\", but must be a whole number from 2 to 256");
  EXPECT_EQ(complaint_of_set("fabric={ports=3}").substr(0, 29), "--set fabric={ports=3}: \"fabr");
  EXPECT_EQ(complaint_of_set("policy=hlf\nseed=3").substr(0, 37), "--set policy=hlf seed=3: policy is \"h");
}

TEST(WrongExperiment, MissingFile) {
  EXPECT_EQ(refusal([] { load_experiment("/nowhere/x.toml", {}, few_names()); }),
            "experiment file \"/nowhere/x.toml\" can't be read: No such file or directory");
  EXPECT_EQ(refusal([] { load_experiment("/tmp", {}, few_names()); }),
            "experiment file \"/tmp\" is a folder, not a file");
  EXPECT_EQ(refusal([] { load_experiment("/dev/zero", {}, few_names()); }),
            "experiment file \"/dev/zero\" is larger than 1048576 bytes, the most allowed");
}

TEST(WrongExperiment, PipeToWhichNobodyWrites) {
  const std::string pipe = ::testing::TempDir() + "lightloop_pipe_" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "policy = [" << std::flush; });
  EXPECT_THAT(refusal([&] { load_experiment(pipe, {}, few_names()); }), testing::HasSubstr("array"));  // it was read
  writer.join();
  EXPECT_EQ(refusal([&] { load_experiment(pipe, {}, few_names()); }),
            "experiment file \"" + pipe + "\" is a pipe from which nothing came for 10 s");
  std::filesystem::remove(pipe);
}

}  // namespace
}  // namespace ocs
