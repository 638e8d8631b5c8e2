// Drives `git bisect` in a temporary work tree.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/bisect.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "host/files/scratch_folder.hpp"
#include "testbed/cluster/started_program.hpp"
#include "testbed/regress/run_case.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

using std::filesystem::path;

constexpr std::string_view program_mark = "{lightloop}";

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string first_line(const std::string& text) { return printable(text.substr(0, text.find('\n'))); }

/// A commit as git prints it.
bool is_commit(std::string_view word) {
  constexpr std::size_t sha1 = 40, sha256 = 64;
  return (word.size() == sha1 || word.size() == sha256) &&
         word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string replaced(std::string text, std::string_view mark, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
    text.replace(at, mark.size(), value);
  return text;
}

struct Ended {
  ProgramEnd end;
  std::string out, err;
  bool succeeded() const { return end.exit_code == 0 && end.signal == 0; }
};

/// git in a folder, without the user's hooks, in the language in which its sentences are read. Programs of commits keep
/// the user's language: the compiler cache takes it for a part of each command.
class Git {
 public:
  Git(const ScratchFolder& scratch, path folder)
      : out_(scratch / "git.out"), err_(scratch / "git.err"), folder_(std::move(folder)) {}

  Ended operator()(std::vector<std::string> arguments) const {
    const std::array<std::string, 5> before{"env", "LC_ALL=C", "git", "-c", "core.hooksPath=/dev/null"};
    arguments.insert(arguments.begin(), before.begin(), before.end());
    const ProgramEnd end = run_program(arguments, folder_, out_, err_);
    return {end, end_of_file(out_), end_of_file(err_)};
  }
  /// @return what it prints. @throws Error (run) if it fails.
  std::string must(const std::vector<std::string>& arguments) const {
    const Ended ended = (*this)(arguments);
    if (!ended.succeeded())
      throw Error(ErrorKind::run, "git " + arguments.front() + " " + ended.end.how() + ": " + first_line(ended.err));
    return trimmed(ended.out);
  }

 private:
  path out_, err_, folder_;
};

/// The environment that git sets for hooks would name the user's work tree.
void leave_environment_of_hooks() {
  for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY",
                           "GIT_COMMON_DIR", "GIT_NAMESPACE"})
    unsetenv(name);
}

class Bisection {
 public:
  Bisection(const BisectOptions& options, const std::function<void(const CommitSeen&)>& watch,
            const std::function<void()>& check)
      : options_(options),
        watch_(watch),
        check_(check),
        user_(scratch_, checked_folder(options.repository)),
        tree_(scratch_ / "tree"),
        in_tree_(scratch_, scratch_ / "tree") {
    leave_environment_of_hooks();
    check_repository();
    good_ = commit_of("--good", options.good);
    bad_ = commit_of("--bad", options.bad);
    if (good_ == bad_) refuse("--good and --bad are the same commit " + good_);
    if (!user_({"merge-base", "--is-ancestor", good_, bad_}).succeeded())
      refuse("--good " + in_quotes(options.good) + " is not an ancestor of --bad " + in_quotes(options.bad) +
             "; a commit between them can't be searched");
    user_.must({"worktree", "add", "--quiet", "--detach", tree_.string(), bad_});
    choose_build_folder();
  }
  ~Bisection() {
    try {
      user_({"worktree", "remove", "--force", tree_.string()});
      user_({"worktree", "prune"});
    } catch (const std::exception&) {  // the temporary folder goes all the same
    }
  }
  Bisection(const Bisection&) = delete;
  Bisection& operator=(const Bisection&) = delete;

  BisectEnd run() {
    judge_end(bad_, "--bad", options_.bad, CommitVerdict::bad);
    judge_end(good_, "--good", options_.good, CommitVerdict::good);
    in_tree_.must({"bisect", "start", "--no-checkout", bad_, good_});
    BisectAnswer answer = parse_bisect_answer(in_tree_.must({"bisect", "next"}));
    while (answer.first_bad.empty() && answer.candidates.empty()) {
      const std::string commit = in_tree_.must({"rev-parse", "--verify", "BISECT_HEAD"});
      const CommitVerdict verdict = judge(commit);
      const char* word = verdict == CommitVerdict::good ? "good" : verdict == CommitVerdict::bad ? "bad" : "skip";
      const Ended step = in_tree_({"bisect", word, commit});
      answer = parse_bisect_answer(step.out);
      const bool ended = !answer.first_bad.empty() || !answer.candidates.empty();
      if (!step.succeeded() && !ended)
        throw Error(ErrorKind::run, "git bisect " + step.end.how() + ": " + first_line(step.err));
    }
    end_.first_bad = answer.first_bad;
    end_.candidates = answer.candidates;
    if (!end_.first_bad.empty())
      end_.description =
          user_.must({"show", "--no-patch", "--no-color", "--date=iso", "--format=%H%n%an, %ad%n%s", end_.first_bad});
    return std::move(end_);
  }

 private:
  static const path& checked_folder(const path& folder) {
    if (!std::filesystem::is_directory(folder))
      refuse("--repo is " + in_quotes(folder.string()) + ", which is no folder");
    return folder;
  }

  void check_repository() const {
    if (!user_({"rev-parse", "--git-dir"}).succeeded())
      refuse("--repo is " + in_quotes(options_.repository.string()) + ", which is not in a git repository");
  }

  std::string commit_of(const std::string& option, const std::string& name) const {
    const Ended found = user_({"rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"});
    if (!found.succeeded()) refuse(option + " is " + in_quotes(name) + ", which is not a commit of the repository");
    return trimmed(found.out);
  }

  void judge_end(const std::string& commit, const std::string& option, const std::string& name,
                 CommitVerdict expected) {
    const CommitVerdict verdict = judge(commit);
    if (verdict == expected) return;
    const CommitSeen& seen = end_.seen.back();
    const std::string subject = option + " " + in_quotes(name);
    if (verdict == CommitVerdict::good) refuse(subject + " is good: there is no bad commit to find");
    refuse(subject +
           (verdict == CommitVerdict::bad         ? " is bad already: "
            : verdict == CommitVerdict::not_built ? " does not build: "
                                                  : " can't be judged: ") +
           seen.sentence);
  }

  CommitVerdict judge(const std::string& commit) {
    check_();
    in_tree_.must({"checkout", "--quiet", "--force", "--detach", commit});
    in_tree_.must({"clean", "-ffdxq", "--exclude=/build"});
    lend_packages();
    CommitSeen seen{.commit = commit, .subject = in_tree_.must({"show", "--no-patch", "--format=%s", commit})};
    if (needs_program() && !build(seen))
      seen.verdict = CommitVerdict::not_built;
    else if (options_.command.empty())
      judge_experiment(seen);
    else
      judge_command(seen);
    check_();
    end_.seen.push_back(seen);
    watch_(end_.seen.back());
    return seen.verdict;
  }

  /// What tools/setup has installed for the repository is no part of a commit, but its build looks for it there.
  void lend_packages() const {
    const Ended top = user_({"rev-parse", "--show-toplevel"});
    const path installed = path("build") / "venv", lent = path(trimmed(top.out)) / installed;
    std::error_code failed;
    if (!top.succeeded() || !std::filesystem::is_directory(lent, failed)) return;
    std::filesystem::create_directories((tree_ / installed).parent_path(), failed);
    std::filesystem::create_directory_symlink(lent, tree_ / installed, failed);  // unless the commit has it
  }

  bool needs_program() const {
    return options_.command.empty() || std::ranges::any_of(options_.command, [](const std::string& word) {
             return word.find(program_mark) != std::string::npos;
           });
  }

  /// Where an ordinary checkout has its build, if no commit has something there: then the compiler cache knows what any
  /// checkout has compiled, since all paths are the same from the tree on.
  void choose_build_folder() {
    const auto tracked = [&](const std::string& commit) {
      return !user_.must({"ls-tree", "--name-only", "--full-tree", commit, "build"}).empty();
    };
    build_ = tracked(good_) || tracked(bad_) ? scratch_ / "build" : tree_ / "build" / "release";
  }

  path program() const { return build_ / "bin" / "lightloop"; }

  bool build(CommitSeen& seen) {
    const path log = scratch_ / "build.log";
    std::error_code ignored;
    std::filesystem::create_directories(build_, ignored);
    std::filesystem::remove(program(), ignored);  // never that of another commit
    // The compiler cache then also serves a later bisection, whose folder has another name.
    setenv("CCACHE_BASEDIR", tree_.c_str(), 1);
    setenv("CCACHE_NOHASHDIR", "1", 1);
    std::vector<std::vector<std::string>> steps{options_.build};
    if (options_.build.empty())
      steps = {{"cmake", "-S", "{tree}", "-B", "{build}", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                "-DLIGHTLOOP_TESTS=OFF", "-DLIGHTLOOP_PYTHON=OFF"},
               {"cmake", "--build", "{build}", "--target", "lightloop", "-j", std::to_string(options_.jobs)}};
    for (std::vector<std::string>& step : steps) {
      for (std::string& word : step)
        word = replaced(replaced(word, "{build}", build_.string()), "{tree}", tree_.string());
      const ProgramEnd end = run_program(step, tree_, log, log);
      check_();
      if (end.exit_code == 0 && end.signal == 0) continue;
      seen.sentence = in_quotes(step.front()) + " " + end.how() + first_error(log);
      return false;
    }
    if (std::filesystem::exists(program())) return true;
    seen.sentence = "the build made no bin/lightloop";
    return false;
  }

  /// ": the last line of a log".
  static std::string last_words(const path& log) {
    const std::string text = trimmed(end_of_file(log));
    const std::size_t begin = text.rfind('\n');
    return text.empty() ? "" : ": " + printable(begin == std::string::npos ? text : text.substr(begin + 1));
  }

  /// ": the first error in the log of a build", or else its last line.
  static std::string first_error(const path& log) {
    std::istringstream lines(end_of_file(log));
    for (std::string line; std::getline(lines, line);) {
      if (line.find("error: ") != std::string::npos) return ": " + printable(line);
      if (!line.starts_with("CMake Error")) continue;
      for (std::string more; std::getline(lines, more) && more.starts_with("  ");) line += more.substr(1);
      return ": " + printable(line);
    }
    return last_words(log);
  }

  void judge_command(CommitSeen& seen) {
    std::vector<std::string> command = options_.command;
    for (std::string& word : command) word = replaced(word, program_mark, program().string());
    const path log = scratch_ / "command.log";
    const ProgramEnd end = run_program(command, tree_, log, log);
    constexpr int cannot_judge = 125;  // as `git bisect run` has it
    if (end.exit_code == 0 && end.signal == 0) return;
    seen.verdict = end.exit_code == cannot_judge ? CommitVerdict::not_judged : CommitVerdict::bad;
    seen.sentence = "the command " + end.how() + last_words(log);
  }

  void judge_experiment(CommitSeen& seen) {
    CaseTable table;
    table.name = "bisect";
    table.kind = CaseKind::experiment;
    table.experiment = options_.experiment;
    table.overrides = options_.overrides;
    table.expectations = options_.expectations;
    const Outcome outcome = run_experiment_case(table, {}, {.lightloop = program(), .folder = scratch_ / "case"});
    seen.sentence = outcome.sentence;
    seen.verdict = outcome.verdict == Verdict::passed   ? CommitVerdict::good
                   : outcome.verdict == Verdict::failed ? CommitVerdict::bad
                                                        : CommitVerdict::not_judged;
  }

  const BisectOptions& options_;
  const std::function<void(const CommitSeen&)>& watch_;
  const std::function<void()>& check_;
  ScratchFolder scratch_{"lightloop-bisect-", "a folder for commits and what they build"};
  Git user_;
  path tree_, build_;
  Git in_tree_;
  std::string good_, bad_;
  BisectEnd end_;
};

}  // namespace

BisectAnswer parse_bisect_answer(std::string_view text) {
  BisectAnswer answer;
  std::istringstream lines{std::string(text)};
  bool candidates = false;
  for (std::string line; std::getline(lines, line);) {
    const std::string word = line.substr(0, line.find(' '));
    if (is_commit(word) && line.ends_with(" is the first bad commit")) answer.first_bad = word;
    if (candidates && is_commit(line)) answer.candidates.push_back(line);
    if (line.starts_with("The first bad commit could be any of")) candidates = true;
  }
  return answer;
}

BisectEnd bisect(const BisectOptions& options, const std::function<void(const CommitSeen&)>& watch,
                 const std::function<void()>& check) {
  return Bisection(options, watch, check).run();
}

}  // namespace ocs::regress
