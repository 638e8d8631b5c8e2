// The program lightloop: reads the command line, runs one command, turns an error into a sentence and an exit code.
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <system_error>

#include "host/core/error.hpp"
#include "host/core/out_of_memory.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/data_folder.hpp"
#include "testbed/apps/help_format.hpp"
#include "testbed/apps/interruption.hpp"
#include "testbed/apps/unknown_name.hpp"
#include "testbed/apps/version.hpp"

namespace {

constexpr int exit_input = 2, exit_run = 1;

int complain(const std::string& sentence, int code) {
  std::cerr << "lightloop: " << sentence << '\n';
  return code;
}

/// The words up to the command that the arguments reached: "lightloop", or "lightloop rtl build".
std::string reached(const CLI::App& app) {
  std::string words = app.get_name();
  for (const CLI::App* at = &app; !at->get_subcommands().empty(); words += " " + at->get_name())
    at = at->get_subcommands().front();
  return words;
}

/// @param first the first argument, if there is one.
std::string usage_error(const CLI::App& app, const char* first, const CLI::ParseError& failure) {
  if (app.get_subcommands().empty() && first != nullptr && *first != '-') {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(command->get_name());
    return ocs::unknown_name("command", first, names);
  }
  std::string complaint = failure.what();
  constexpr std::string_view prefix =
      "Could not convert: ";  // then NAME = VALUE; all values that are converted are whole
  if (complaint.starts_with(prefix)) complaint = complaint.substr(prefix.size()) + " is not a whole number";
  return complaint + "; see `" + reached(app) + " --help`";
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
  ocs::add_node(app, action);
  ocs::add_regs(app, action);
  ocs::add_characterize(app, action);
  ocs::add_serve(app, action);
  ocs::add_reconcile(app, action);
  ocs::add_rtl(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& failure) {
    return complain(usage_error(app, argc > 1 ? argv[1] : nullptr, failure), exit_input);
  }
  const std::filesystem::path data = ocs::data_folder(std::getenv("LIGHTLOOP_DATA"));
  action({.data = data, .switches = ocs::switches_folder(data), .version = ocs::version()});
  std::cout.flush();
  return std::cout ? EXIT_SUCCESS : complain("standard output can't be written", exit_run);
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
