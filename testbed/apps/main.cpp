// The program lightloop: reads the command line, runs one command, turns an error into a sentence and an exit code.
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <system_error>

#include "host/core/error.hpp"
#include "host/core/out_of_memory.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/help/help_format.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/apps/run/unknown_name.hpp"
#include "testbed/session/data_folder.hpp"
#include "testbed/session/version.hpp"

namespace {

constexpr int exit_input = 2, exit_run = 1;

int complain(const std::string& sentence, int code) {
  std::cerr << "lightloop: " << sentence << '\n';
  return code;
}

/// The exit code once everything is done: an error if standard output is incomplete.
int exit_code() {
  std::cout.flush();
  // A write of printf or fputs that failed leaves its mark on stdout alone, and may leave nothing that flush fails with.
  const bool complete = std::cout && std::ferror(stdout) == 0;
  return complete ? EXIT_SUCCESS : complain("standard output can't be written", exit_run);
}

/// The command that the arguments reached: the program, or "build" of "rtl".
CLI::App& reached(CLI::App& app) {
  CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

/// The words of a command: "lightloop rtl build".
std::string words_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : words_of(*parent) + " " + command.get_name();
}

std::string usage_error(CLI::App& app, const CLI::ParseError& failure) {
  const CLI::App& command = reached(app);
  const std::string words = words_of(command);
  for (const CLI::App* at = &command; at != &app; at = at->get_parent())
    if (const std::vector<std::string> before = at->get_parent()->remaining(); !before.empty())
      return before.front() + " stands before `" + at->get_name() + "`, but must follow it; see `" + words + " --help`";
  const std::vector<std::string> left = command.remaining();
  const std::vector<const CLI::App*> below = command.get_subcommands([](const CLI::App*) { return true; });
  if (!below.empty() && !left.empty() && !left.front().starts_with('-')) {
    const std::string before = (words + " ").substr(app.get_name().size() + 1);  // none, or "rtl "
    std::vector<std::string> names;
    names.reserve(below.size());
    for (const CLI::App* one : below) names.push_back(before + one->get_name());
    return ocs::unknown_name("command", before + left.front(), names);
  }
  std::string complaint = failure.what();
  constexpr std::string_view prefix =
      "Could not convert: ";  // then NAME = VALUE; all values that are converted are whole
  if (complaint.starts_with(prefix)) complaint = complaint.substr(prefix.size()) + " is not a whole number";
  return complaint + "; see `" + words + " --help`";
}

int run(int argc, char** argv) {
  CLI::App app("lightloop: an emulator and testbed for optical circuit switches in distributed training.", "lightloop");
  app.formatter(std::make_shared<ocs::HelpFormat>());  // commands inherit it
  app.set_help_flag("-h,--help", "prints this help and exits");
  app.set_version_flag("--version", std::string("lightloop ") + ocs::version(), "prints the version and exits");
  app.require_subcommand(1);
  app.footer(
      "Tables of tensors are read from the folder of the program or its source. The environment variable "
      "LIGHTLOOP_DATA selects another folder, with workloads/ and, for presets of its own, switches/.\n"
      "Exit codes: 0 done, 1 a run failed, 2 wrong input, 130 ended by Ctrl-C.");
  ocs::Action action;
  ocs::add_run(app, action);
  ocs::add_list(app, action);
  ocs::add_check(app, action);
  ocs::add_plan(app, action);
  ocs::add_rerun(app, action);
  ocs::add_compare_runs(app, action);
  ocs::add_gantt(app, action);
  ocs::add_why(app, action);
  ocs::add_report(app, action);
  ocs::add_node(app, action);
  ocs::add_regs(app, action);
  ocs::add_characterize(app, action);
  ocs::add_serve(app, action);
  ocs::add_reconcile(app, action);
  ocs::add_rtl(app, action);
  ocs::add_manual(app, action);
  ocs::add_completion(app, action);
  ocs::add_sweep(app, action);
  ocs::add_merge(app, action);
  ocs::add_regress(app, action);
  ocs::add_trend(app, action);
  ocs::add_bisect(app, action);
  ocs::add_chakra(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
    return exit_code();
  } catch (const CLI::ParseError& failure) {
    return complain(usage_error(app, failure), exit_input);
  }
  const std::filesystem::path data = ocs::data_folder(std::getenv("LIGHTLOOP_DATA"));
  action({.data = data, .switches = ocs::switches_folder(data), .version = ocs::version()});
  return exit_code();
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ,
              SIG_IGN);  // a file that may not grow (`ulimit -f`) is then a failed write, which has its sentence
  try {
    return run(argc, argv);
  } catch (const ocs::Error& failure) {
    return complain(failure.what(), failure.exit_code());
  } catch (const ocs::Interrupted& wish) {
    return complain(wish.what(), wish.exit_code());
  } catch (const ocs::SilentEnd& end) {
    return end.exit_code;
  } catch (const std::bad_alloc&) {
    return complain(ocs::out_of_memory, exit_run);
  } catch (const std::system_error& failure) {
    return complain(std::string("the system refuses what is needed: ") + failure.what(), exit_run);
  } catch (const std::exception& failure) {
    return complain(std::string("internal error: ") + failure.what(), exit_run);
  }
}
