// Starts the program lightloop as a user would, in a folder of its own for each test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace ocs::test {

using Json = nlohmann::json;

inline const std::string source = LIGHTLOOP_SOURCE_DIR;
inline const std::string tiny = source + "/testbed/experiments/tiny.toml";
inline const std::string main_job = source + "/testbed/experiments/main.toml";

struct Outcome {
  int code;
  std::string out, err;
};

inline std::string read(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder of its own for each test, in which the program is started.
class Cli : public ::testing::Test {
 protected:
  Cli() {
    std::string name = ::testing::TempDir() + "lightloop_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~Cli() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  /// `arguments` as one would type them in a shell.
  Outcome run(const std::string& arguments, const std::string& environment = "") const {
    const std::string command = "cd '" + folder_ + "' && " + environment + " '" LIGHTLOOP_PROGRAM "' " + arguments +
                                " >'" + path(".out") + "' 2>'" + path(".err") + "' </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(path(".out")), read(path(".err"))};
  }

  Json rows(const std::string& arguments) const {
    const Outcome outcome = run("run " + arguments + " --json - --quiet");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out).at("rows");
  }

  /// The program must refuse: exit 2 and one sentence on standard error.
  std::string refused(const std::string& arguments, int code = 2) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.substr(0, 11), "lightloop: ");
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    return outcome.err.substr(std::min<std::size_t>(11, outcome.err.size()));
  }

 private:
  std::string folder_;
};

}  // namespace ocs::test
