// lightloop bisect on small repositories that the tests make.
// SPDX-License-Identifier: Apache-2.0
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

class Bisect : public Cli {
 protected:
  Bisect() { shell("git init --quiet repo && cd repo && git config user.name a && git config user.email a@b"); }

  /// In the test's folder; what it prints.
  std::string shell(const std::string& command) const {
    const int status = std::system(("cd '" + folder() + "' && (" + command + ") >.shell 2>&1").c_str());
    EXPECT_EQ(status, 0) << command << ": " << read(path(".shell"));
    return read(path(".shell"));
  }
  /// A commit with the file "value". @return its number.
  std::string commit(const std::string& value) const {
    std::string number = shell("cd repo && echo '" + value + "' >value && git add value && git commit --quiet -m 'is " +
                               value + "' --allow-empty && git rev-parse HEAD");
    number.pop_back();
    return number;
  }
  /// A file of the next commit.
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path("repo/" + name)) << text;
    shell("cd repo && git add " + name);
  }
  std::string error(const std::string& arguments, int code = 2) const {
    const Outcome outcome = run("bisect --repo repo " + arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return outcome.err;
  }
};

TEST_F(Bisect, NamesTheFirstBadCommitAndLeavesTheWorkTreeAlone) {
  const std::string good = commit("1");
  for (const char* value : {"2", "3", "4", "5"}) commit(value);
  const std::string bad = commit("6");
  for (const char* value : {"7", "8", "9"}) commit(value);
  shell("cd repo && echo mine >value && echo new >untracked && git stash list && git bisect start");
  const std::string before =
      shell("cd repo && git status --porcelain && git rev-parse HEAD && git worktree list && git bisect log");
  const Outcome outcome = run("bisect --repo repo --good " + good + " --bad HEAD -- sh -c 'test $(cat value) -lt 6'");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("first bad commit: " + bad + "\n")) << outcome.out;
  EXPECT_NE(outcome.out.find("\n  is 6\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(shell("cd repo && git status --porcelain && git rev-parse HEAD && git worktree list && git bisect log"),
            before);
  EXPECT_EQ(read(path("repo/value")), "mine\n");
}

TEST_F(Bisect, SkipsCommitsThatDoNotBuildAndSaysSo) {
  const std::string good = commit("1");
  commit("2");
  commit("broken");
  const std::string bad = commit("4");
  commit("5");
  const std::string build =
      " --build 'mkdir -p {build}/bin && grep -v broken {tree}/value && { echo \"#!/bin/sh\"; echo "
      "exit $(test $(cat {tree}/value) -lt 4; echo $?); } >{build}/bin/lightloop && chmod +x "
      "{build}/bin/lightloop'";
  const Outcome hidden = run("bisect --repo repo --good " + good + " --bad HEAD" + build + " -- {lightloop}");
  EXPECT_NE(hidden.err.find(" is broken: skipped, it does not build: \"sh\" ended with exit code 1"), std::string::npos)
      << hidden.err;
  EXPECT_EQ(hidden.code, 1);  // the broken commit may be the first bad one, too
  EXPECT_NE(hidden.out.find("commits that were skipped hide the first bad one, which is one of these:\n"),
            std::string::npos);
  EXPECT_NE(hidden.out.find(bad), std::string::npos) << hidden.out;
  EXPECT_EQ(hidden.out.find(good), std::string::npos) << hidden.out;
}

TEST_F(Bisect, FindsTheCommitThatAltersAnExpectation) {
  std::filesystem::copy(tiny, path("tiny.toml"));
  std::filesystem::copy(source + "/testbed/experiments/tiny.csv", path("tiny.csv"));
  const std::string good = commit("1");
  commit("2");
  const std::string bad = commit("3");
  commit("4");
  // The program of a commit has as many iterations as its file says.
  const std::string build = " --build 'mkdir -p {build}/bin && { echo \"#!/bin/sh\"; echo \"exec " +
                            built("lightloop") +
                            " \\\"\\$@\\\" --set job.iterations=$(cat {tree}/value)\"; } "
                            ">{build}/bin/lightloop && chmod +x {build}/bin/lightloop'";
  const Outcome outcome = run("bisect --repo repo --good " + good + " --bad HEAD" + build +
                              " --experiment tiny.toml --set policy=hlf --expect 'iterations < 3'");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("first bad commit: " + bad + "\n")) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("is 3: bad: row 1: "), std::string::npos) << outcome.err;
}

TEST_F(Bisect, BuildsEachCommitWithCMake) {
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.25)\nproject(small LANGUAGES C)\n"
        "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\nadd_executable(lightloop main.c)\n"
        "add_executable(other does_not_compile.c)\n");
  write("does_not_compile.c", "no C\n");
  write("main.c", "int main(void) { return\n#include \"value\"\n> 2; }\n");
  const std::string good = commit("1");
  commit("2");
  const std::string bad = commit("3");
  const Outcome outcome = run("bisect --repo repo --good " + good + " --bad HEAD -- {lightloop}");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("first bad commit: " + bad + "\n")) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("is 2: good"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("is 3: bad: the command ended with exit code 1"), std::string::npos) << outcome.err;
}

/// A build folder at its usual place serves all commits, and shares the compiler cache with ordinary checkouts.
TEST_F(Bisect, BuildsWhereACheckoutDoesUnlessACommitHasFilesThere) {
  const std::string build =
      " --build 'mkdir -p {build}/bin && cp /bin/true {build}/bin/lightloop && echo x >>{build}/x "
      "&& wc -l <{build}/x >>" +
      path("counts") + " && echo {build} of {tree} in $LC_ALL >>" + path("seen") + "'";
  const std::string judge = build + " -- sh -c '{lightloop} && test $(cat value) -lt 3'";
  const std::string good = commit("1");
  commit("2");
  const std::string bad = commit("3");
  const Outcome usual = run("bisect --repo repo --good " + good + " --bad HEAD" + judge, "LC_ALL=C.UTF-8");
  EXPECT_TRUE(usual.out.starts_with("first bad commit: " + bad + "\n")) << usual.out << usual.err;
  EXPECT_EQ(read(path("counts")), "1\n2\n3\n");
  const std::string seen = read(path("seen"));
  EXPECT_NE(seen.find("/tree/build/release of /"), std::string::npos) << seen;
  EXPECT_NE(seen.find("/tree in C.UTF-8\n"), std::string::npos) << seen;  // a part of what the compiler cache compares
  write("build", "a script of this repository\n");
  commit("4");
  const Outcome other = run("bisect --repo repo --good " + good + " --bad HEAD" + judge);
  EXPECT_TRUE(other.out.starts_with("first bad commit: " + bad + "\n")) << other.out << other.err;
  EXPECT_EQ(read(path("seen")).substr(seen.size()).find("/tree/build"), std::string::npos) << read(path("seen"));
}

/// What is installed beside the commits, in build/venv of the repository, is there for each build.
TEST_F(Bisect, LendsEachCommitWhatIsInstalledForTheRepository) {
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.25)\nproject(small LANGUAGES C)\n"
        "if(NOT EXISTS ${CMAKE_SOURCE_DIR}/build/venv/tool)\n  message(FATAL_ERROR \"a tool is missing in this tree; "
        "run tools/setup to have it\")\nendif()\n"
        "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\nadd_executable(lightloop main.c)\n");
  write("main.c", "int main(void) { return\n#include \"value\"\n> 2; }\n");
  write(".gitignore", "build\n");
  const std::string good = commit("1");
  commit("2");
  const std::string bad = commit("3");
  commit("wrong");
  const std::string command = "bisect --repo repo --good " + good + " --bad HEAD~1 -- {lightloop}";
  const Outcome missing = run(command);
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("does not build: \"cmake\" ended with exit code 1: CMake Error at CMakeLists.txt:4 "
                             "(message): a tool is missing in this tree; run tools/setup to have it"),
            std::string::npos)
      << missing.err;
  shell("mkdir -p repo/build/venv && echo kept >repo/build/venv/tool");
  const Outcome found = run(command);
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_TRUE(found.out.starts_with("first bad commit: " + bad + "\n")) << found.out;
  EXPECT_EQ(read(path("repo/build/venv/tool")), "kept\n");
  const std::string wrong = error("--good " + good + " --bad HEAD -- {lightloop}");
  EXPECT_NE(wrong.find("error: "), std::string::npos) << wrong;  // the compiler's, not the last line of the log
}

TEST_F(Bisect, RefusesWhatItCannotSearch) {
  const std::string good = commit("1");
  commit("2");
  shell("cd repo && git checkout --quiet -b side HEAD~1");
  commit("3");
  const std::string command = " -- sh -c 'test $(cat value) -lt 9'";
  EXPECT_EQ(error("--good x --bad HEAD" + command),
            "lightloop: --good is \"x\", which is not a commit of the repository\n");
  EXPECT_NE(error("--good HEAD --bad HEAD" + command).find("are the same commit"), std::string::npos);
  EXPECT_NE(error("--good HEAD --bad HEAD~1" + command).find("is not an ancestor of"), std::string::npos);
  EXPECT_NE(
      error("--good HEAD~1 --bad HEAD" + command).find("--bad \"HEAD\" is good: there is no bad commit to find\n"),
      std::string::npos);
  EXPECT_NE(error("--good HEAD~1 --bad HEAD -- false")
                .find("--good \"HEAD~1\" is bad already: the command ended with "
                      "exit code 1\n"),
            std::string::npos);
  EXPECT_NE(error("--good HEAD~1 --bad HEAD -- no_such_program").find("program \"no_such_program\" can't be started"),
            std::string::npos);
  EXPECT_NE(error("--good HEAD~1 --bad HEAD").find("either a command behind --, or --experiment"), std::string::npos);
  EXPECT_NE(error("--good HEAD~1 --bad HEAD --experiment no.toml --expect 'iterations < 3'").find("does not exist"),
            std::string::npos);
  const Outcome none = run("bisect --repo . --good HEAD~1 --bad HEAD -- true", "GIT_CEILING_DIRECTORIES=/");
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("which is not in a git repository"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace ocs::test
