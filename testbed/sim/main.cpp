// The program lightloop-sim: simulates whole runs, and servers and their clients, with faults, from seeds.
// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "host/core/shell_word.hpp"
#include "testbed/results/text/time_left.hpp"
#include "testbed/session/data_folder.hpp"
#include "testbed/session/version.hpp"
#include "testbed/sim/play.hpp"
#include "testbed/sim/search.hpp"
#include "testbed/sim/serve/serve_settings.hpp"

namespace ocs::sim {
namespace {

struct Arguments {
  std::optional<std::uint64_t> runs;
  std::string seed;
  std::optional<double> minutes;
  unsigned jobs = 1;
  bool rows = false;
  std::string scenario, scenarios, keep, what;
};

/// @throws Error (input)
std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (failure != std::errc{} || end != text.data() + text.size())
    throw Error(ErrorKind::input, "--seed is \"" + printable(text) + "\", but must be a whole number from 0");
  return seed;
}

/// What repeats a scenario, for a shell.
std::string command_of(const Scenario& scenario) {
  return "lightloop-sim --scenario " + shell_word(to_text(scenario)) + "\n";
}

/// @returns the exit code
int show(const Scenario& scenario, const Verdict& verdict) {
  for (const std::string& line : verdict.log) std::cout << line << '\n';
  std::cout << "trace " << verdict.trace << ", " << verdict.faults << (verdict.faults == 1 ? " fault" : " faults")
            << '\n';
  if (verdict.violation.empty()) return 0;
  std::cout << "violation: " << verdict.violation << "\n" << command_of(scenario);
  return 1;
}

int play_file(Player& player, const std::string& file) {
  std::ifstream lines(file);
  if (!lines) throw Error(ErrorKind::input, "--scenarios is \"" + file + "\", which can't be read");
  int played = 0, bad = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const Scenario scenario = parse_scenario(line);
    const Verdict verdict = player.play(scenario);
    ++played;
    if (verdict.violation.empty()) continue;
    ++bad;
    show(scenario, verdict);
  }
  if (played == 0) throw Error(ErrorKind::input, "--scenarios is \"" + file + "\", which holds no scenario");
  std::cout << played << " scenarios, " << bad << " violations\n";
  return bad == 0 ? 0 : 1;
}

/// The file that a failing scenario is going to be written to. @throws Error (input)
std::ofstream kept_file(const std::string& folder) {
  if (folder.empty()) return {};
  std::ofstream file(std::filesystem::path(folder) / "failing.txt", std::ios::app);
  if (!file) throw Error(ErrorKind::input, "--keep is \"" + folder + "\", but must be a folder that can be written to");
  return file;
}

constexpr std::string_view clear_line = "\r\033[K";

/// What stands at a terminal while seeds are played: in the place of the line before.
std::string progress_line(const SearchArguments& wanted, std::uint64_t seeds, double seconds) {
  std::string line = std::string(clear_line) + "lightloop-sim: " + std::to_string(seeds);
  if (wanted.runs) line += " of " + std::to_string(*wanted.runs);
  line += " seeds, " + std::to_string(static_cast<std::uint64_t>(static_cast<double>(seeds) / seconds)) + " a second";
  const std::string left = wanted.runs
                               ? time_left_text(static_cast<double>(seeds), static_cast<double>(*wanted.runs), seconds)
                               : time_left_text(seconds, static_cast<double>(wanted.time->count()), seconds);
  return line + (left.empty() ? "" : ", " + left) + " ";
}

int search_all(const Environment& environment, const Arguments& arguments) {
  std::ofstream kept = kept_file(arguments.keep);
  SearchArguments wanted;
  wanted.jobs = arguments.jobs, wanted.runs = arguments.runs;
  if (!arguments.what.empty()) wanted.what = arguments.what == "run" ? Simulated::run : Simulated::serve;
  if (arguments.minutes) wanted.time = std::chrono::seconds(static_cast<std::int64_t>(*arguments.minutes * 60));
  wanted.first = !arguments.seed.empty() ? seed_of(arguments.seed) : arguments.minutes ? std::random_device()() : 1;
  if (isatty(STDERR_FILENO) != 0)
    wanted.progress = [&](std::uint64_t seeds, double seconds) { std::cerr << progress_line(wanted, seeds, seconds); };
  const SearchResult result = search(environment, wanted);
  if (wanted.progress) std::cerr << clear_line;
  std::cout << "seeds from " << wanted.first << ": " << result.runs << " runs, " << result.starts << " starts, "
            << result.faults << " faults, " << result.failed << " starts with a sentence, "
            << static_cast<std::uint64_t>(static_cast<double>(result.runs) / std::max(result.seconds, 1e-3))
            << " runs a second, " << (result.failing ? "1 violation" : "0 violations") << '\n';
  if (!result.failing) return 0;
  const std::string line = to_text(*result.failing);
  if (kept.is_open()) kept << "# " << result.violation << '\n' << line << '\n';
  std::cout << "violation: " << result.violation << "\n" << command_of(*result.failing);
  return 1;
}

void add_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--seed", arguments.seed, "plays this seed; with --runs or --minutes: the first of them")
      ->type_name("N");
  app.add_option("--runs", arguments.runs, "plays this number of seeds, one after the other, from --seed or 1 on")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000'000));
  app.add_option("--minutes", arguments.minutes, "plays seeds for this time, from --seed or one drawn by the system on")
      ->type_name("M")
      ->check(CLI::Range(0.01, 10'000.0));
  app.add_option("-j,--jobs", arguments.jobs, "number of processes; default: 1")
      ->type_name("K")
      ->check(CLI::Range(1, 64));
  app.add_option("--scenario", arguments.scenario, "plays this scenario, as a violation prints it")->type_name("TEXT");
  app.add_option("--scenarios", arguments.scenarios, "plays the scenarios of this file, one a line")->type_name("FILE");
  app.add_option("--keep", arguments.keep, "appends a failing scenario to DIR/failing.txt")->type_name("DIR");
  app.add_option("--only", arguments.what, "plays runs alone, or servers alone; --seed N alone is of a run otherwise")
      ->check(CLI::IsMember({"run", "serve"}));
  app.add_flag("--rows", arguments.rows, "also prints a hash of the rows without faults");
  app.footer("Exit codes: 0 all held, 1 a violation, 2 wrong input. docs/simulation.md says what is simulated.");
}

int run(const Arguments& arguments) {
  mallopt(M_MMAP_THRESHOLD, 1 << 28), mallopt(M_TRIM_THRESHOLD, 1 << 28);  // buffers are the same in each run
  const std::filesystem::path data = data_folder(std::getenv("LIGHTLOOP_DATA"));
  const Environment environment{.data = data, .switches = switches_folder(data), .version = version()};
  if (arguments.runs || arguments.minutes) return search_all(environment, arguments);
  Player player(environment);
  if (!arguments.scenarios.empty()) return play_file(player, arguments.scenarios);
  if (arguments.scenario.empty() && arguments.seed.empty())
    throw Error(ErrorKind::input, "one of --seed, --runs, --minutes, --scenario and --scenarios is needed");
  const Scenario scenario = !arguments.scenario.empty() ? parse_scenario(arguments.scenario)
                            : arguments.what == "serve" ? draw_serve(seed_of(arguments.seed))
                                                        : player.draw(seed_of(arguments.seed));
  if (arguments.rows && scenario.serve) throw Error(ErrorKind::input, "--rows is given, but a server has no rows");
  std::cout << to_text(scenario) << '\n';
  if (arguments.rows) std::cout << "rows " << player.hash_of_rows(scenario) << '\n';
  return show(scenario, player.play(scenario));
}

int complain(const std::string& sentence, int code) {
  std::cerr << "lightloop-sim: " << sentence << '\n';
  return code;
}

}  // namespace
}  // namespace ocs::sim

int main(int argc, char** argv) {
  CLI::App app("lightloop-sim: whole runs of lightloop with faults, in one thread, from one seed.", "lightloop-sim");
  ocs::sim::Arguments arguments;
  ocs::sim::add_options(app, arguments);
  try {
    app.parse(argc, argv);
    return ocs::sim::run(arguments);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& failure) {
    constexpr std::string_view prefix = "Could not convert: ";
    std::string what = failure.what();
    if (what.starts_with(prefix)) what = what.substr(prefix.size()) + " is not a whole number from 0";
    return ocs::sim::complain(what + "; see `lightloop-sim --help`", 2);
  } catch (const ocs::Error& failure) {
    return ocs::sim::complain(failure.what(), failure.exit_code());
  } catch (const std::exception& failure) {
    return ocs::sim::complain(failure.what(), 1);
  }
}
