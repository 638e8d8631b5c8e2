// A machine that gives little: files, threads, time; and what dead processes have left.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "host/files/scratch_folder.hpp"
#include "testbed/coordinator/processes/machine_limits.hpp"
#include "testbed/coordinator/processes/private_folder.hpp"
#include "testbed/coordinator/runners/process_runner.hpp"
#include "tests/common/sanitized.hpp"
#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/process_support.hpp"
#include "tests/nodes/small_job.hpp"

namespace ocs::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// What a function says with at most so many open files; in a process of its own, because ZeroMQ would abort.
std::string with_files(rlim_t most, const std::function<void()>& act) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    rlimit limit{most, most};
    setrlimit(RLIMIT_NOFILE, &limit);
    std::string said = "nothing";
    try {
      act();
    } catch (const std::exception& error) {
      said = error.what();
    }
    static_cast<void>(!write(ends[1], said.data(), said.size()));
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  char chunk[256];
  for (ssize_t got; (got = read(ends[0], chunk, sizeof chunk)) > 0;) said.append(chunk, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  return said;
}

TEST(Machine, WithFewFilesIsRefusedBeforeZeroMqNeedsThem) {
  EXPECT_THAT(with_files(24, [] { make_process_runner(runner_settings("ipc")); }),
              AllOf(HasSubstr("processes of nodes need 32 open files more than"), HasSubstr("but the limit is 24")));
  if (sanitized) GTEST_SKIP() << "without descriptors the sanitizer can't look at an object";
  for (rlim_t most = 8; most < 80; most += 3) {
    const std::string said = with_files(most, [] {
      const JobSpec spec = small_job(6, 2);
      FakeNetwork network(spec.word_bytes);
      run_job(spec, network);
    });
    EXPECT_THAT(said, testing::AnyOf("nothing", HasSubstr("open files"))) << most;
  }
}

TEST(Machine, SaysHowManyThreadsItGives) {
  EXPECT_NO_THROW(require_threads(20, "it"));
  EXPECT_THAT(with_files(10, [] { require_files(40, "it"); }), HasSubstr("it need 40 open files more than the "));
}

/// As a user to whom the limit applies.
std::string with_threads(rlim_t most, const std::function<void()>& act) {
  return with_files(1000, [&] {
    rlimit limit{most, most};
    setrlimit(RLIMIT_NPROC, &limit);
    if (geteuid() == 0 && setuid(65534) != 0) return;
    act();
  });
}

TEST(Machine, WithFewThreadsIsRefusedBeforeZeroMqNeedsThem) {
  EXPECT_THAT(with_threads(10, [] { require_threads(20, "it"); }), HasSubstr("it need 20 threads, but only "));
  const std::string said = with_threads(12, [] {
    const JobSpec spec = small_job(3, 2);
    FakeNetwork network(spec.word_bytes);
    run_job(spec, network, *make_process_runner(runner_settings("ipc")));
  });
  EXPECT_THAT(said, HasSubstr("5 processes of nodes need 25 threads, but only "));
}

TEST(PrivateFolders, OfDeadProcessesAreSwept) {
  const TemporaryFolder parent;
  ASSERT_EQ(setenv("TMPDIR", parent.file("").c_str(), 1), 0);
  std::string left;
  const pid_t child = fork();
  if (child == 0) {
    auto* folder = new PrivateFolder;
    std::ofstream(folder->path() / "socket") << "x";
    _exit(0);  // as if it were killed
  }
  waitpid(child, nullptr, 0);
  const auto count = [&] {
    return std::distance(std::filesystem::directory_iterator(parent.file("")), std::filesystem::directory_iterator{});
  };
  EXPECT_EQ(count(), 1);
  for (const char* name : {"lightloop-abcdef", "lightloop-killed", "lightloop-atonce"})
    std::filesystem::create_directory(parent.file(name));
  std::ofstream(parent.file("lightloop-abcdef/another")) << "x";  // no lock: not one of these
  std::ofstream(parent.file("lightloop-killed/new")) << "";       // its owner died before it held the lock
  {
    const PrivateFolder first;
    const ScratchFolder other("lightloop-database-", "a folder");
    const PrivateFolder second;
    EXPECT_TRUE(std::filesystem::exists(first.path())) << "its owner lives";
    EXPECT_TRUE(std::filesystem::exists(other.path())) << "it has no lock, and is none of these";
    EXPECT_EQ(count(), 4);
  }
  EXPECT_EQ(count(), 1);
  unsetenv("TMPDIR");
}

TEST(ScratchFolders, AreTheUsersAloneAndGoWithAllThatIsInThem) {
  const TemporaryFolder parent;
  ASSERT_EQ(setenv("TMPDIR", parent.file("").c_str(), 1), 0);
  {
    const ScratchFolder folder("lightloop-x-", "a folder");
    EXPECT_EQ(std::filesystem::status(folder.path()).permissions(), std::filesystem::perms::owner_all);
    std::filesystem::create_directory(folder / "in");
    std::ofstream(folder / "in/it") << "x";
  }
  EXPECT_TRUE(std::filesystem::is_empty(parent.file("")));
  ASSERT_EQ(setenv("TMPDIR", parent.file("none").c_str(), 1), 0);
  try {
    const ScratchFolder none("lightloop-x-", "a folder for things");
    ADD_FAILURE() << "there is " << none.path();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a folder for things can't be made among the temporary files: "));
    EXPECT_THAT(error.what(), HasSubstr("; TMPDIR names another place"));
  }
  unsetenv("TMPDIR");
}

/// Stops the one who receives, once, for as long; whoever is asked has answered meanwhile.
class StoppedTransport : public Transport {
 public:
  StoppedTransport(std::unique_ptr<Transport> inner, std::chrono::milliseconds length)
      : inner_(std::move(inner)), length_(length) {}
  void send(Message message) override { inner_->send(std::move(message)); }
  std::optional<Message> receive(std::chrono::milliseconds patience) override {
    if (++calls_ != 3) return inner_->receive(patience);
    std::this_thread::sleep_for(length_);
    return std::nullopt;  // the wait is over; what has come is read by the next call
  }

 private:
  std::unique_ptr<Transport> inner_;
  std::chrono::milliseconds length_;
  int calls_ = 0;
};

TEST(Machine, CoordinatorThatWasStoppedBlamesNobody) {
  JobSpec spec = small_job(3, 2);
  spec.timeout = std::chrono::milliseconds{400};
  JobHooks hooks;
  hooks.transport = [](std::unique_ptr<Transport> inner, std::uint16_t participant) -> std::unique_ptr<Transport> {
    if (participant != coordinator_id) return inner;
    return std::make_unique<StoppedTransport>(std::move(inner), std::chrono::milliseconds{900});
  };
  FakeNetwork network(spec.word_bytes);
  EXPECT_NO_THROW(run_job(spec, network, nullptr, hooks));
  ProcessRunnerSettings settings = runner_settings("ipc");
  settings.timeout = std::chrono::milliseconds{3000};
  settings.hook = [](std::unique_ptr<Transport> inner) {
    return std::make_unique<StoppedTransport>(std::move(inner), std::chrono::milliseconds{3300});
  };
  const auto runner = make_process_runner(std::move(settings));
  FakeNetwork other(spec.word_bytes);
  EXPECT_NO_THROW(run_job(spec, other, *runner));
}

}  // namespace
}  // namespace ocs::test
