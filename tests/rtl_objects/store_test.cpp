// The store builds once, lets others wait, notices damage and other RTL, and leaves nothing behind when a build fails.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "host/core/error.hpp"
#include "host/rtl/seal.hpp"
#include "tests/common/places.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace ocs::rtl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

/// A store with tools of its own: a "Verilator" that writes one file, and a "compiler" that writes what it is asked
/// for. Each use of the compiler's linker adds a line to a file.
class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("lightloop-store-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "rtl" / "object");
    write(folder_ / "rtl" / "ocs.f", "a.sv\n");
    write(folder_ / "rtl" / "a.sv", "module a; endmodule\n");
    tool("verilator", R"(case $1 in --version) echo "Verilator 5.006 test";; --getenv) echo /usr/share/verilator;;
      *) while [ "$1" != --Mdir ]; do shift; done; echo "int x;" >"$2/Vocs.cpp";; esac)");
    tool("compiler", R"(for word; do last=$out; out=$word; [ "$last" = -o ] && file=$word; done
      case $1 in --version) echo "compiler 1";; -shared) echo linked >>"$(dirname "$0")/links"; echo object >"$file";;
      *) sleep ${LIGHTLOOP_TEST_SLEEP:-0}; while [ $# -gt 1 ]; do [ "$1" = -o ] && echo part >"$2"; shift; done;; esac)");
    places_ = {.sources = folder_ / "rtl",
               .picorv32 = folder_ / "picorv32.v",
               .shipped = folder_ / "shipped",
               .cache = folder_ / "cache",
               .verilator = (folder_ / "verilator").string(),
               .compiler = (folder_ / "compiler").string()};
  }
  void TearDown() override {
    fs::permissions(folder_ / "cache", fs::perms::owner_all, fs::perm_options::add, ignored_);
    fs::remove_all(folder_);
  }

  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  void tool(const std::string& name, const std::string& script) {
    write(folder_ / name, "#!/bin/sh\n" + script + "\n");
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }
  Store store() {
    return {places_, [this](const std::string& sentence) { notices_ += sentence + "\n"; }, 2};
  }
  std::size_t links() const {
    std::ifstream file(folder_ / "links");
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    return lines;
  }
  /// What a build that ended has left: everything but objects and parts of the runtime.
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(places_.cache)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".so" && !name.starts_with("runtime-")) names.push_back(name);
    }
    return names;
  }
  std::string failure() {
    try {
      store().object({});
    } catch (const Error& wrong) {
      EXPECT_EQ(wrong.kind(), ErrorKind::run);
      return wrong.what();
    }
    return "";
  }

  fs::path folder_;
  Places places_;
  std::string notices_;
  std::error_code ignored_;
};

TEST_F(StoreTest, BuildsOnceAndSaysSo) {
  const fs::path first = store().object({});
  EXPECT_THAT(notices_, HasSubstr("building the switch (core counter, 16 ports)"));
  EXPECT_EQ(store().object({}), first);
  EXPECT_EQ(links(), 1u);
  EXPECT_NE(store().object({.ports = 20}), first);
  EXPECT_EQ(links(), 2u);
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(StoreTest, BuildsAnewForOtherRtlOtherToolsAndOtherFlags) {
  const fs::path first = store().object({});
  write(folder_ / "rtl" / "a.sv", "module a; wire b; endmodule\n");
  const fs::path other_rtl = store().object({});
  EXPECT_NE(other_rtl, first);
  places_.compiler_flags = "-march=native";
  const fs::path other_flags = store().object({});
  EXPECT_NE(other_flags, other_rtl);
  tool("verilator", R"(case $1 in --version) echo "Verilator 5.020 test";; --getenv) echo /usr/share/verilator;;
    *) while [ "$1" != --Mdir ]; do shift; done; echo "int x;" >"$2/Vocs.cpp";; esac)");
  EXPECT_NE(store().object({}), other_flags);
  EXPECT_EQ(links(), 4u);
}

TEST_F(StoreTest, KeepsASwitchWhenOnlyTheOtherCoreChanges) {
  fs::create_directories(folder_ / "rtl" / "fast");
  write(folder_ / "rtl" / "fast" / "b.sv", "module b; endmodule\n");
  const fs::path counter = store().object({});
  const fs::path fast = store().object({.core = Core::fast});
  write(folder_ / "rtl" / "fast" / "b.sv", "module b; wire c; endmodule\n");
  EXPECT_EQ(store().object({}), counter);
  EXPECT_NE(store().object({.core = Core::fast}), fast);
}

TEST_F(StoreTest, TakesWhatCameWithTheProgramFirst) {
  store().ship({}, places_.shipped / "counter-16.so");
  fs::remove_all(places_.cache);
  tool("verilator", "exit 1");
  EXPECT_EQ(store().object({}), places_.shipped / "counter-16.so");
  EXPECT_EQ(store().unavailable({}), "");
  EXPECT_THAT(store().unavailable({.ports = 20}), HasSubstr("Verilator is missing"));
  EXPECT_THAT(store().unavailable({.ports = 20}), HasSubstr("compiled are 16 ports"));
}

TEST_F(StoreTest, BuildsADamagedObjectAnew) {
  const fs::path object = store().object({});
  fs::resize_file(object, 3);
  notices_.clear();
  EXPECT_EQ(store().object({}), object);
  EXPECT_THAT(notices_, HasSubstr("is damaged; it is built again"));
  EXPECT_TRUE(sealed_sources(object).has_value());
  store().ship({}, places_.shipped / "counter-16.so");
  fs::resize_file(places_.shipped / "counter-16.so", 3);
  notices_.clear();
  EXPECT_EQ(store().object({}), object);
  EXPECT_THAT(notices_, HasSubstr("is damaged, or made of other RTL"));
}

TEST_F(StoreTest, ShowsTheLastLinesOfAToolThatFailsAndLeavesNothing) {
  tool("compiler", R"([ "$1" = --version ] && echo "compiler 1" && exit; echo "no space left on device" >&2; exit 1)");
  EXPECT_THAT(failure(), HasSubstr("no space left on device"));
  EXPECT_THAT(left(), IsEmpty());
  SetUp();
  EXPECT_EQ(failure(), "");
}

TEST_F(StoreTest, NamesWhatIsMissing) {
  tool("verilator", R"(echo "Verilator 4.038 old")");
  EXPECT_THAT(failure(), HasSubstr("too old (\"Verilator 4.038 old\"); 5.006 or later"));
  places_.verilator = "/nowhere/verilator";
  EXPECT_THAT(failure(), HasSubstr("Debian's package verilator"));
  SetUp();
  places_.compiler = "/nowhere/compiler";
  EXPECT_THAT(failure(), HasSubstr("Debian's package g++"));
  places_.cache.clear();
  SetUp();
  places_.cache.clear();
  EXPECT_THAT(failure(), HasSubstr("neither XDG_CACHE_HOME nor HOME"));
  places_.cache = folder_ / "rtl" / "a.sv" / "cache";
  EXPECT_THAT(failure(), HasSubstr("can't be made"));
}

TEST_F(StoreTest, LetsOthersWaitForTheOneThatBuilds) {
  ASSERT_EQ(setenv("LIGHTLOOP_TEST_SLEEP", "0.3", 1), 0);
  std::vector<std::thread> threads;
  std::vector<fs::path> objects(4);
  for (fs::path& object : objects)
    threads.emplace_back([this, &object] {
      object = Store(
                   places_, [](const std::string&) {}, 2)
                   .object({});
    });
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(unsetenv("LIGHTLOOP_TEST_SLEEP"), 0);
  EXPECT_EQ(links(), 1u);
  for (const fs::path& object : objects) EXPECT_EQ(object, objects.front());
}

TEST_F(StoreTest, SweepsWhatAKilledBuildLeft) {
  fs::create_directories(places_.cache / "building-counter-4-0123/deep");
  write(places_.cache / "building-counter-4-0123.lock", "");
  store().object({});
  EXPECT_THAT(left(), IsEmpty());
}

/// A process that builds, by the real tool for it; it is killed in the middle.
TEST_F(StoreTest, LeavesNothingAfterASignal) {
  ASSERT_EQ(setenv("VERILATOR", places_.verilator.c_str(), 1), 0);
  ASSERT_EQ(setenv("CXX", places_.compiler.c_str(), 1), 0);
  ASSERT_EQ(setenv("LIGHTLOOP_TEST_SLEEP", "30", 1), 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    std::string program = ocs::test::built("build_switch"), name = "counter-16", cache = places_.cache.string(),
                file = (folder_ / "out.so").string();
    char* arguments[] = {program.data(), name.data(), cache.data(), file.data(), nullptr};
    pid_t pid = 0;
    ASSERT_EQ(posix_spawn(&pid, program.c_str(), nullptr, nullptr, arguments, environ), 0);
    for (int k = 0; k < 100 && (!fs::exists(places_.cache) || left().size() < 2); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ASSERT_GE(left().size(), 2u) << "the build has not begun";
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(pid, signal);
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    EXPECT_THAT(left(), IsEmpty());
  }
  for (const char* variable : {"VERILATOR", "CXX", "LIGHTLOOP_TEST_SLEEP"}) unsetenv(variable);
}

TEST_F(StoreTest, ListsAndCleans) {
  store().object({.ports = 20});
  store().object({.core = Core::fast, .ports = 4});
  store().ship({}, places_.shipped / "counter-16.so");
  const fs::path damaged = store().object({.ports = 5});
  fs::resize_file(damaged, 3);
  std::string text;
  for (const StoredSwitch& one : store().list())
    text += name_of(one.parameters) + (one.shipped ? " shipped" : "") + (one.intact ? "" : " damaged") + "\n";
  EXPECT_EQ(text, "counter-16 shipped\ncounter-5 damaged\ncounter-16\ncounter-20\nfast-4\n");
  EXPECT_GT(store().clean(), 0u);
  EXPECT_EQ(store().list().size(), 1u);
  EXPECT_EQ(store().clean(), 0u);
}

}  // namespace
}  // namespace ocs::rtl
