// Every wrong input of tests/experiment/wrong_inputs.txt ends with exit 2 and its one sentence.
// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "tests/common/share.hpp"
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

struct WrongCase {
  std::string arguments, sentence;
};

/// Pairs of lines: the arguments, then the indented sentence. Other lines are empty, or comments that begin with '#'.
std::vector<WrongCase> wrong_cases() {
  std::istringstream lines(read(source + "/tests/experiment/wrong_inputs.txt"));
  std::vector<WrongCase> cases;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  "))
      cases.back().sentence = line.substr(2);
    else if (!line.empty() && !line.starts_with("#"))
      cases.push_back({line, ""});
  }
  return cases;
}

class WrongInputs : public Cli {
 protected:
  void SetUp() override {
    for (const char* file : {"tiny.toml", "tiny.csv"})
      std::filesystem::copy_file(source + "/testbed/experiments/" + file, path(file));
    const auto write = [&](const char* name, const std::string& text) { std::ofstream(path(name)) << text; };
    write("empty.toml", "");
    write("text", std::string(300, 'x'));
    write("mine.py", "#!/usr/bin/env python3\n");
    write("plan.json", "{}");
    write("log.csv", "time_us,port,light\n0,0,1\n1,0,0\n2,0,1\n");
    write("wrong.csv", "index,name,shape,elements,bytes\n0,a,2x3,7,28\n");
    write("type.toml", "policy = \"hlf\"\nfabric.ports = \"16\"\n");
    write("syntax.toml", "policy = \"hlf\n");
    write("table.toml", "[policy]\n");
    write("job_key.toml", "[[job]]\narival = \"1 s\"\n");
    write("job_alone.toml", "[[job]]\nworkload = \"resnet5\"\n");
    write("zip.toml", "zip = [[\"seed\"]]\nseed=[1,2]\n");
    write("zip_length.toml", "zip = [[\"seed\", \"job.workers\"]]\nseed=[1,2]\njob.workers=[1,2,3]\n");
    write("only.toml", "policy = \"hlf\"\n[[only]]\nsed = 1\n");
    write("only_none.toml", "policy = \"hlf\"\n[[only]]\nseed = 9\n");
    const std::string profile = "ports = 2\n[tuning]\nall = \"1 us\"\n[locking]\nall = \"0 ns\"\n[optics]\n";
    write("laser.toml", profile + "laser = [-3, -327.69]\n");
    write("loss.toml", profile + "loss = [1, 2, 3]\n");
    write("skip_all.toml", "policy = \"hlf\"\n[[skip]]\npolicy = \"hlf\"\n");
    ASSERT_EQ(run("run tiny.toml --set policy=hlf --db r.db --quiet").code, 0);
  }

  static void check_sentence(const WrongCase& wrong, const std::string& sentence) {
    if (wrong.sentence.ends_with("..."))  // a list of names follows
      EXPECT_TRUE(sentence.starts_with(wrong.sentence.substr(0, wrong.sentence.size() - 3))) << sentence;
    else
      EXPECT_EQ(sentence, wrong.sentence);
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
    for (const char* foreign : {source.c_str(), "std::", "what()", "exception", "terminate", "internal error"})
      EXPECT_EQ(sentence.find(foreign), std::string::npos) << foreign;
    for (std::size_t end = sentence.find_first_of(".?!"); end != std::string::npos;
         end = sentence.find_first_of(".?!", end + 1))
      EXPECT_FALSE(end + 2 < sentence.size() && sentence[end + 1] == ' ' && sentence[end + 2] >= 'A' &&
                   sentence[end + 2] <= 'Z')
          << "a second sentence: " << sentence;
  }
};

TEST_F(WrongInputs, EndWithTwoAndOneSentence) {
  const std::vector<WrongCase> cases = wrong_cases();
  ASSERT_GE(cases.size(), 112U);
  const std::string database = read(path("r.db"));
  for (std::size_t k = 0; k < cases.size(); k += share()) {
    const WrongCase& wrong = cases[k];
    SCOPED_TRACE(wrong.arguments);
    const Outcome outcome = run(wrong.arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "") << "nothing ran";
    ASSERT_TRUE(outcome.err.starts_with("lightloop: ") && outcome.err.ends_with("\n")) << outcome.err;
    check_sentence(wrong, outcome.err.substr(11, outcome.err.size() - 12));
  }
  EXPECT_EQ(read(path("r.db")), database);
  EXPECT_EQ(read(path("text")), std::string(300, 'x'));
}

}  // namespace
}  // namespace ocs::test
