// Finds programs and plans.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/outside_scheduler.hpp"

#include <sodium.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <sstream>

#include "host/core/error.hpp"
#include "host/core/fnv.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view exec_prefix = "exec:", plan_prefix = "plan:";
constexpr std::size_t max_program_bytes = std::size_t{1} << 30;

std::string hash_of(std::string_view bytes) {
  Fnv1a hash;
  hash.add(bytes);
  return hash.hex();
}

/// The SHA-256 in hexadecimal digits.
std::string sha256_of(std::string_view bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  std::string text(2 * hash.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
  text.pop_back();
  return text;
}

fs::path whole(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

bool runs(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

/// The first program of that name in a list of folders; empty: there is none.
fs::path found_in(std::string_view search, const std::string& word) {
  std::istringstream folders{std::string(search)};
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && runs(fs::path(folder) / word)) return whole(fs::path(folder) / word);
  return {};
}

fs::path program_of(const std::string& word, const fs::path& base, std::string_view search) {
  if (word.find('/') != std::string::npos) {
    fs::path file = whole(base / word);
    std::error_code ignored;
    if (!runs(file))
      refuse("\"exec:\" must name a program, but " + in_quotes(file.string()) +
             (fs::exists(file, ignored) ? " can't be executed; `chmod +x` makes a script that begins with #! a program"
                                        : " does not exist"));
    return file;
  }
  if (fs::path file = found_in(search, word); !file.empty()) return file;
  refuse("\"exec:\" must name a program, but there is no " + in_quotes(word) +
         " in PATH; one of the experiment's folder is named with a slash, \"exec:./PROGRAM\"");
}

/// `command` as bubblewrap runs it: it reads the system and the folder of the program, and nobody's home.
std::vector<std::string> sandboxed(const std::vector<std::string>& command, std::string_view search) {
  const fs::path bubblewrap = found_in(search, "bwrap");
  if (bubblewrap.empty())
    refuse(
        "\"exec:\" with --sandbox needs bubblewrap, but there is no \"bwrap\" in PATH; install the package bubblewrap");
  const std::string folder = fs::path(command.front()).parent_path().string();
  std::vector<std::string> start = {bubblewrap.string(), "--unshare-all", "--die-with-parent",
                                    "--new-session",     "--cap-drop",    "ALL"};
  const auto add = [&](const std::vector<std::string>& words) {
    start.insert(start.end(), words.begin(), words.end());
  };
  add({"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"});
  for (const char* hidden : {"/home", "/root", "/run", "/var/tmp", "/tmp"}) {
    std::error_code ignored;
    if (fs::is_directory(hidden, ignored)) add({"--tmpfs", hidden});
  }
  add({"--ro-bind", folder, folder, "--chdir", folder, "--clearenv", "--setenv", "PATH", std::string(search), "--"});
  start.insert(start.end(), command.begin(), command.end());
  return start;
}

OutsideScheduler program(std::string_view text, const fs::path& base, std::string_view search,
                         const ExecSettings& settings) {
  OutsideScheduler scheduler;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) scheduler.command.push_back(word);
  if (scheduler.command.empty()) refuse("\"exec:\" must name a program, such as \"exec:./mine.py\"");
  scheduler.command.front() = program_of(scheduler.command.front(), base, search).string();
  const std::string bytes = read_text_file(scheduler.command.front(), "program", max_program_bytes);
  scheduler.hash = hash_of(bytes);
  scheduler.sha256 = sha256_of(bytes);
  scheduler.start = settings.sandbox ? sandboxed(scheduler.command, search) : scheduler.command;
  scheduler.limits = settings.limits;
  scheduler.name = exec_prefix;
  for (const std::string& word : scheduler.command)
    scheduler.name += (scheduler.name.size() > exec_prefix.size() ? " " : "") + word;
  return scheduler;
}

/// "FILE#2": 2; 0 without a number. The number is taken off `text`.
std::size_t number_of(std::string_view& text) {
  const std::size_t mark = text.rfind('#');
  if (mark == std::string_view::npos) return 0;
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  if (std::from_chars(text.data() + mark + 1, end, number).ptr != end || number == 0) return 0;
  text = text.substr(0, mark);
  return number;
}

OutsideScheduler filed(std::string_view text, const fs::path& base) {
  const std::size_t number = number_of(text);
  if (text.empty()) refuse("\"plan:\" must name a file that `lightloop plan --json` wrote, such as \"plan:mine.json\"");
  std::vector<OutsideScheduler> plans = load_plans(base / text);
  if (number == 0 && plans.size() != 1)
    refuse(in_quotes(text) + " has " + std::to_string(plans.size()) + " plans; \"plan:FILE#2\" names the second one");
  if (number > plans.size())
    refuse(in_quotes(text) + " has " + std::to_string(plans.size()) + " plans, and no plan " + std::to_string(number));
  return std::move(plans[number == 0 ? 0 : number - 1]);
}

}  // namespace

bool names_outside_scheduler(std::string_view name) { return names_program(name) || name.starts_with(plan_prefix); }

bool names_program(std::string_view name) { return name.starts_with(exec_prefix) || name.starts_with(python_prefix); }

OutsideScheduler load_outside_scheduler(std::string_view name, const fs::path& base, std::string_view search,
                                        const ExecSettings& settings) {
  if (name.starts_with(python_prefix))
    refuse(in_quotes(name) + " is a function of a Python program, which alone can run it (docs/python.md)");
  if (name.starts_with(exec_prefix)) return program(name.substr(exec_prefix.size()), base, search, settings);
  return filed(name.substr(plan_prefix.size()), base);
}

std::string describe_program(const OutsideScheduler& scheduler) {
  std::string words, hashed;
  for (std::size_t k = 1; k < scheduler.command.size(); ++k) {
    words += (k == 1 ? "" : " ") + scheduler.command[k];
    hashed += scheduler.command[k] + '\0';
  }
  return "the program " + in_quotes(scheduler.command.front()) + " (SHA-256 " + scheduler.sha256 + ") " +
         (words.empty() ? "without arguments"
                        : "with the arguments " + in_quotes(words) + " (SHA-256 " + sha256_of(hashed) + ")");
}

std::vector<OutsideScheduler> load_plans(const fs::path& file) {
  const std::string text = plan_file_text(file);
  const std::string hash = hash_of(text), path = whole(file).string();
  std::vector<OutsideScheduler> schedulers;
  for (FiledPlan& plan : plans_from_text(text, file.string()))
    schedulers.push_back({.name = std::string(plan_prefix) + path + "#" + std::to_string(schedulers.size() + 1),
                          .hash = hash,
                          .command = {},
                          .plan = std::move(plan)});
  return schedulers;
}

}  // namespace ocs
