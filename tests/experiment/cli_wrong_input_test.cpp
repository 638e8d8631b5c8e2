// Wrong input to the program, one kind a test: exit 2, one sentence that names the culprit, nothing written or run.
// SPDX-License-Identifier: Apache-2.0
#include "tests/common/places.hpp"
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

class WrongInput : public Cli {
 protected:
  /// The sentence with which all commands refuse an experiment file of these bytes.
  std::string file(const std::string& bytes) const {
    std::ofstream(path("x.toml"), std::ios::binary) << bytes;
    const std::string sentence = refused("run x.toml --db r.db --json r.json");
    EXPECT_FALSE(std::filesystem::exists(path("r.db")));
    EXPECT_FALSE(std::filesystem::exists(path("r.json")));
    for (const char* command : {"check x.toml", "plan x.toml"}) EXPECT_EQ(refused(command), sentence);
    return sentence;
  }

  /// The same for the tiny experiment with one key set.
  std::string set(const std::string& key_and_value) const {
    const std::string sentence = refused("run " + tiny + " --db r.db --set '" + key_and_value + "'");
    EXPECT_FALSE(std::filesystem::exists(path("r.db")));
    return sentence;
  }

  /// The same for a table of tensors.
  std::string table(const std::string& text) const {
    std::ofstream(path("t.csv")) << text;
    return refused("run " + tiny + " --set job.workload=file:" + path("t.csv"));
  }
};

bool has(const std::string& sentence, const std::string& part) { return sentence.find(part) != std::string::npos; }

TEST_F(WrongInput, EmptyExperimentFile) { EXPECT_TRUE(has(file(""), "x.toml:1: the experiment file sets nothing")); }

TEST_F(WrongInput, BinaryExperimentFile) {
  std::ifstream program(ocs::test::built("lightloop"), std::ios::binary);
  std::string bytes(100'000, '\0');
  program.read(bytes.data(), 100'000);
  EXPECT_TRUE(has(file(bytes), ": this is not valid TOML"));
  EXPECT_TRUE(has(file(std::string(1000, '\0')), "x.toml:1: this is not valid TOML"));
}

TEST_F(WrongInput, TenMegabytesOfBrackets) {
  EXPECT_EQ(file(std::string(10'000'000, '[')),
            "experiment file \"x.toml\" is larger than 1048576 bytes, the most allowed\n");
  EXPECT_TRUE(has(file(std::string(1'000'000, '[')), "x.toml:1: this is not valid TOML"));
}

TEST_F(WrongInput, MissingWorkload) {
  EXPECT_TRUE(has(set("job.workload=resnet51"), "unknown workload \"resnet51\" (did you mean \"resnet50\"?)"));
  EXPECT_TRUE(has(set("job.workload=tiny.csv"), "unknown workload \"tiny.csv\" (did you mean \"file:tiny.csv\"?)"));
  EXPECT_TRUE(has(set("fabric.switch=x"), "unknown switch \"x\"; known: calient, "));
  EXPECT_TRUE(has(set("job.workload=file:/no/such.csv"), "\"/no/such.csv\" can't be read: No such file or directory"));
}

TEST_F(WrongInput, PortsThatNoSwitchHas) {
  for (const char* ports : {"0", "1", "257", "100000", "-1", "16.0", "nan", "inf"})
    EXPECT_TRUE(has(set(std::string("fabric.ports=") + ports), ", but must be a whole number from 2 to 256\n"))
        << ports;
}

TEST_F(WrongInput, NegativeAndUndefinedNumbers) {
  for (const char* key :
       {"fabric.tuning", "fabric.locking", "fabric.rate", "fabric.word", "job.compute", "nodes.timeout"})
    for (const char* value : {"-1", "nan", "inf", "\"-1 ms\"", "\"nan ms\"", "\"-inf s\"", "1e9"})
      EXPECT_TRUE(has(set(std::string(key) + "=" + value), std::string(": ") + key + " is ")) << key << value;
  for (const char* key : {"job.workers", "job.servers", "job.iterations", "seed"})
    for (const char* value : {"-1", "nan", "-inf", "1.5"})
      EXPECT_TRUE(has(set(std::string(key) + "=" + value), ", but must be a whole number from ")) << key << value;
}

TEST_F(WrongInput, MisspeltUnits) {
  EXPECT_TRUE(has(set("fabric.tuning=10 Ms"), "\"Ms\" is not one of them (did you mean \"ms\"?)"));
  EXPECT_TRUE(has(set("fabric.tuning=10 mss"), "\"mss\" is not one of them (did you mean \"ms\"?)"));
  EXPECT_TRUE(has(set("fabric.rate=100 Gbits"), "\"Gbits\" is not one of them (did you mean \"Gbit/s\"?)"));
  EXPECT_TRUE(has(set("fabric.word=64 byte"), "must be a size in one of the units B, kB"));
  EXPECT_TRUE(has(set("job.compute=100 MS"), "\"MS\" is not one of them (did you mean \"ms\"?)"));
}

TEST_F(WrongInput, MoreServersThanNodes) {
  EXPECT_TRUE(has(set("job.servers=3"),
                  "job.workers is 3 and job.servers is 3, but together they must be at most "
                  "fabric.ports, which is 5"));
}

TEST_F(WrongInput, NobodyWhoWorks) {
  EXPECT_TRUE(has(set("job.workers=0"), "job.workers is 0, but must be a whole number from 1 to 255"));
  EXPECT_TRUE(has(set("job.servers=0"), "job.servers is 0, but must be a whole number from 1 to 255"));
}

TEST_F(WrongInput, TableOfTensorsWithWrongTotals) {
  const std::string header = "index,name,shape,elements,bytes\n";
  EXPECT_TRUE(has(table(header + "0,a,2x3,7,28\n"), "t.csv:2: elements is \"7\", but the shape \"2x3\" has 6\n"));
  EXPECT_TRUE(has(table(header + "0,a,2x3,6,24\n1,b,5,5,21\n"),
                  "t.csv:3: bytes is \"21\", but must be 4 (fp32), 2 (fp16, bf16) or 1 (fp8) times the 5 elements\n"));
}

TEST_F(WrongInput, BytesThatAreNoWholeNumber) {
  const std::string header = "index,name,shape,elements,bytes\n0,a,2x3,6,";
  for (const char* bytes : {"24.5", "24.0", "2e1", "-24", "nan", "", "0x18", "24 B"})
    EXPECT_TRUE(has(table(header + bytes + "\n"), "t.csv:2: bytes is \"" + std::string(bytes) +
                                                      "\", but must be a whole "
                                                      "number from 0 to 2^63 - 1\n"))
        << bytes;
}

TEST_F(WrongInput, DatabaseThatIsNone) {
  std::ofstream(path("text")) << std::string(5000, 'x');
  for (const std::string& command : {"run " + tiny + " --db text", std::string("rerun text 1")})
    EXPECT_EQ(refused(command), "\"text\" is not an SQLite database; name another file\n");
  EXPECT_EQ(read(path("text")), std::string(5000, 'x'));
  refused("run " + tiny + " --db .");
  EXPECT_TRUE(has(refused("rerun no.db 1"), "\"no.db\" can't be read: unable to open database file"));
  EXPECT_FALSE(std::filesystem::exists(path("no.db")));
}

TEST_F(WrongInput, DatabaseOfANewerVersion) {
  ASSERT_EQ(run("run " + tiny + " --db r.db --quiet --set policy=hlf").code, 0);
  std::fstream file(path("r.db"), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(60).write("\0\0\0\x63", 4);  // user_version in the header of an SQLite file
  file.close();
  const std::string before = read(path("r.db"));
  for (const std::string& command : {"run " + tiny + " --db r.db", std::string("rerun r.db 1")})
    EXPECT_TRUE(has(refused(command), "\"r.db\" has schema version 99, from a newer lightloop"));
  EXPECT_EQ(read(path("r.db")), before);
}

TEST_F(WrongInput, RowThatIsNotThere) {
  ASSERT_EQ(run("run " + tiny + " --db r.db --quiet --set policy=hlf").code, 0);
  for (const char* row : {"0", "2", "-1", "9223372036854775807"})
    EXPECT_EQ(refused("rerun r.db " + std::string(row)),
              "row " + std::string(row) + " does not exist in \"r.db\" (rows: 1 to 1)\n");
  for (const char* row : {"one", "1.5", "99999999999999999999", ""}) refused("rerun r.db '" + std::string(row) + "'");
}

TEST_F(WrongInput, OptionsThatNeedADatabase) {
  for (const char* option : {"--resume", "--events"})
    EXPECT_EQ(refused("run " + tiny + " " + option),
              std::string(option) + " needs --db FILE: rows and event logs are in a database\n");
}

TEST_F(WrongInput, SettingsWithoutEffectAreNamedByCheck) {
  const Outcome outcome = run("check " + tiny + " --set seed=7 --set job.payload=none");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(has(outcome.out, "warning: --set seed=7: seed has no effect in this experiment: nothing is drawn"));
}

}  // namespace
}  // namespace ocs::test
