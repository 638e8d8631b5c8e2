// The program lightloop: reads the command line, runs one command, turns an error into a sentence and an exit code.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <exception>
#include <iostream>

#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/data_folder.hpp"
#include "testbed/apps/interruption.hpp"
#include "testbed/apps/version.hpp"

namespace {

constexpr int exit_input = 2, exit_run = 1;

int complain(const std::string& sentence, int code) {
  std::cerr << "lightloop: " << sentence << '\n';
  return code;
}

int run(int argc, char** argv) {
  CLI::App app("lightloop: an emulator and testbed for optical circuit switches in distributed training.", "lightloop");
  app.set_version_flag("--version", std::string("lightloop ") + ocs::version());
  app.require_subcommand(1);
  app.footer(
      "Data (tables of tensors) are found beside the program or in its source; the environment variable\n"
      "LIGHTLOOP_DATA names another folder that holds workloads/, and switches/ if it has presets.\n"
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
    return complain(std::string(failure.what()) + "; `lightloop --help` tells what would be right", exit_input);
  }
  const std::filesystem::path data = ocs::data_folder(std::getenv("LIGHTLOOP_DATA"));
  action({.data = data, .switches = ocs::switches_folder(data), .version = ocs::version()});
  std::cout.flush();
  return std::cout ? EXIT_SUCCESS : complain("standard output can't be written", exit_run);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const ocs::Error& failure) {
    return complain(failure.what(), failure.exit_code());
  } catch (const ocs::Interrupted& wish) {
    return complain(wish.what(), wish.exit_code());
  } catch (const ocs::SilentEnd& end) {
    return end.exit_code;
  } catch (const std::bad_alloc&) {
    return complain("out of memory; a smaller job, or job.payload = \"none\", needs less", exit_run);
  } catch (const std::exception& failure) {
    return complain(std::string("internal error: ") + failure.what(), exit_run);
  }
}
