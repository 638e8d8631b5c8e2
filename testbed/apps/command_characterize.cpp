// lightloop characterize: how long each pair of ports takes to be set up, on a live switch or in a captured log.
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "host/device/switches.hpp"
#include "testbed/apps/help/unused_options.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/apps/run/round_progress.hpp"
#include "testbed/apps/run/wave_arguments.hpp"
#include "testbed/apps/serve/device_arguments.hpp"
#include "testbed/characterize/capture.hpp"
#include "testbed/characterize/firmware_report.hpp"
#include "testbed/characterize/measure.hpp"
#include "testbed/characterize/report.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

using namespace characterize;

struct CharacterizeArguments {
  DeviceArguments device;
  WaveArguments waves;
  std::string capture, threshold, hysteresis, signal, against, tolerance = "0 ns", limit = "5 s";
  std::string json, csv, junit, svg, save;
  int repeats = 1;
  bool quiet = false, firmware = false;
};

Picos time_of(const char* option, const std::string& text) {
  try {
    return {parse_quantity(text, Dimension::time)};
  } catch (const Error& failure) {
    throw Error(ErrorKind::input, std::string(option) + " is " + in_quotes(text) + ", but " + failure.what());
  }
}

/// Receivers are measured where a second without light costs nothing; otherwise it says so if there are any to be seen.
std::optional<MeasuredReceivers> receivers_of(Switch& plane, const CharacterizeArguments& arguments,
                                              const MeasureOptions& options, const std::vector<CircuitSetUp>& set_ups) {
  const bool possible = !arguments.device.every_cycle && plane.clock().kind() == ClockKind::virtual_time;
  std::optional<MeasuredReceivers> found;
  if (possible) found = measure_receivers(plane, options, set_ups);
  if (!found && locking_varies(set_ups))
    std::cerr << "lightloop: warning: an output locks in different times, but what receivers add was not measured: "
              << (possible ? "a circuit was not up within " + arguments.limit
                           : "that needs virtual time, without --every-cycle")
              << "\n";
  return found;
}

/// Measured where 2^30 cycles cost nothing; otherwise it says that it isn't.
std::optional<MeasuredNeighbours> neighbours_of(Switch& plane, const CharacterizeArguments& arguments,
                                                const MeasureOptions& options,
                                                const std::vector<CircuitSetUp>& set_ups) {
  const bool possible = !arguments.device.every_cycle && plane.clock().kind() == ClockKind::virtual_time;
  std::optional<MeasuredNeighbours> found;
  const bool up = std::ranges::all_of(set_ups, &CircuitSetUp::up);
  if (possible && up) found = measure_neighbours(plane, options);
  if (!found && up && !arguments.quiet)
    std::cerr << "lightloop: whether mirrors that move disturb others was not measured: "
              << (possible ? "a circuit was not up within " + arguments.limit
                           : "that needs virtual time, without --every-cycle")
              << "\n";
  return found;
}

Findings measure_device(const CharacterizeArguments& arguments, const Environment& environment,
                        rtl::Waveform* waveform) {
  const DeviceArguments& named = arguments.device;
  const DeviceConfig config = named.config();
  DeviceArguments bare = named;  // the driver sets the delays
  bare.switch_name = bare.tuning = bare.locking = "";
  const auto device = bare.make_device(environment, waveform);
  const auto plane = make_switch(*device, {.delays = named.delays(environment)});
  if (waveform != nullptr) waveform->count_from(to_picos(device->clock().now() - plane->clock().now(), config.cycle));
  const Cycles limit = to_cycles(time_of("--limit", arguments.limit), config.cycle);
  if (limit.n < 1)
    throw Error(ErrorKind::input, "--limit is " + in_quotes(arguments.limit) + ", but must be at least a cycle");
  Interruption interruption;
  RoundProgress progress(stderr, "characterize " + named.device, arguments.quiet);
  Findings findings{
      .subject = named.device, .ports = plane->constants().ports, .cycle = plane->clock().cycle(), .set_ups = {}};
  if (!named.switch_name.empty()) findings.subject += " as " + named.switch_name;
  const MeasureOptions options{.repeats = arguments.repeats, .limit = limit, .progress = [&](int round, int rounds) {
                                 interruption.check();
                                 progress.tick(round, rounds);
                               }};
  findings.set_ups = measure(*plane, options);
  findings.programming = measure_programming(*plane, {.repeats = 1, .limit = limit, .progress = {}}, findings.set_ups);
  findings.receivers = receivers_of(*plane, arguments, options, findings.set_ups);
  findings.neighbours =
      neighbours_of(*plane, arguments, {.repeats = 1, .limit = limit, .progress = {}}, findings.set_ups);
  return findings;
}

[[noreturn]] void refuse_file(const char* what, const std::string& name) {
  throw Error(ErrorKind::input,
              std::string(what) + " " + in_quotes(name) + " can't be written: " + std::strerror(errno));
}

/// Refuses a file that can't be written before a long measurement, and leaves no trace of having tried.
void require_writable(const char* what, const std::string& name) {
  std::error_code none;
  const auto there = std::filesystem::status(name, none);
  if (name.empty() || name == "-" || std::filesystem::is_fifo(there)) return;
  if (!std::ofstream(name, std::ios::binary | std::ios::app)) refuse_file(what, name);
  if (!std::filesystem::exists(there)) std::filesystem::remove(name);
}

void require_writable(const CharacterizeArguments& arguments) {
  require_writable("--json", arguments.json);
  require_writable("--csv", arguments.csv);
  require_writable("--junit", arguments.junit);
  require_writable("--svg", arguments.svg);
  require_writable("--save", arguments.save);
}

/// @param name a file, or "-" for standard output; empty: nowhere.
void write(const std::string& name, const char* what, const std::string& text) {
  if (name.empty()) return;
  if (name == "-") {
    std::cout << text;
    return;
  }
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) refuse_file(what, name);
}

/// What the firmware takes for each command, instead of the times of circuits.
void report_firmware(const CharacterizeArguments& arguments, const Environment& environment) {
  for (const auto& [option, value] : {std::pair{"--capture", &arguments.capture},
                                      {"--against", &arguments.against},
                                      {"--json", &arguments.json},
                                      {"--junit", &arguments.junit},
                                      {"--save", &arguments.save},
                                      {"--waves", &arguments.waves.file}})
    if (!value->empty())
      throw Error(ErrorKind::input, std::string(option) + " isn't for --firmware; --csv and --svg are");
  if (arguments.device.device.empty()) throw Error(ErrorKind::input, "--firmware needs a device with firmware: soc");
  require_writable(arguments);
  const auto device = arguments.device.make_device(environment);
  const std::vector<FirmwareLatency> latencies = measure_firmware(*device);
  const Picos cycle = device->clock().cycle();
  write(arguments.csv, "--csv", firmware_csv(latencies, cycle));
  write(arguments.svg, "--svg", firmware_svg(latencies, cycle));
  if (!arguments.quiet)
    (arguments.csv == "-" ? std::cerr : std::cout) << firmware_text(latencies, cycle, arguments.device.ports);
}

CaptureOptions capture_options(const CharacterizeArguments& arguments) {
  for (const auto& [option, value] : {std::pair{"--threshold", &arguments.threshold},
                                      {"--hysteresis", &arguments.hysteresis},
                                      {"--signal", &arguments.signal}})
    if (!value->empty() && arguments.capture.empty())
      throw Error(ErrorKind::input, std::string(option) + " reads a log, so it needs --capture FILE.csv or FILE.vcd");
  if (!arguments.hysteresis.empty() && arguments.threshold.empty())
    throw Error(ErrorKind::input, "--hysteresis needs --threshold");
  CaptureOptions options;
  if (!arguments.threshold.empty()) options.threshold = parse_threshold(arguments.threshold, arguments.hysteresis);
  if (!arguments.signal.empty()) options.signal = arguments.signal;
  return options;
}

std::vector<UnusedOptions> unused_options(const CharacterizeArguments& arguments) {
  return {{arguments.firmware,
           {"--tolerance", "--limit", "--repeat", "--threshold", "--hysteresis", "--signal"},
           "--firmware measures commands, not set-ups"},
          {!arguments.capture.empty(),
           {"--limit", "--repeat", "--ports", "--rate", "--word", "--fifo", "--switch", "--tuning", "--locking",
            "--every-cycle", "--waves", "--from", "--to"},
           "--capture judges a log: there is no device"},
          {arguments.capture.ends_with(".csv"), {"--signal"}, "only a VCD has signals with names"},
          {arguments.against.empty(), {"--tolerance"}, "there are no bounds without --against"}};
}

void characterize_device(const CharacterizeArguments& arguments, const Environment& environment) {
  if (arguments.firmware) return report_firmware(arguments, environment);
  if (arguments.device.device.empty() == arguments.capture.empty())
    throw Error(ErrorKind::input,
                "characterize must have a device, or a log: --capture FILE.csv or FILE.vcd, and not both");
  const CaptureOptions capture = capture_options(arguments);
  std::optional<SwitchProfile> bounds;  // what can be wrong with the command is told before a long measurement
  if (!arguments.against.empty()) bounds = load_switch_profile(arguments.against, environment.switches, {});
  const Picos tolerance = time_of("--tolerance", arguments.tolerance);
  require_writable(arguments);
  Findings findings;
  if (!arguments.capture.empty()) findings = read_capture(arguments.capture, capture);
  if (arguments.capture.empty())
    with_waveform(arguments.waves,
                  [&](rtl::Waveform* waveform) { findings = measure_device(arguments, environment, waveform); });
  const Summary summary = summarize(findings);
  std::optional<Verdict> verdict;
  if (bounds) verdict = judge(findings, *bounds, tolerance);
  const Verdict* judged = verdict ? &*verdict : nullptr;
  write(arguments.json, "--json", to_json(findings, summary, judged));
  write(arguments.csv, "--csv", to_csv(findings, judged));
  write(arguments.junit, "--junit", to_junit(findings, judged));
  write(arguments.svg, "--svg", to_svg(findings, summary));
  if (!arguments.quiet)
    (arguments.json == "-" || arguments.csv == "-" ? std::cerr : std::cout) << text(findings, summary, judged);
  if (!arguments.save.empty()) write(arguments.save, "--save", to_profile(findings, environment.version));
  if (verdict && verdict->count > 0) throw Error(ErrorKind::run, complaint(findings, *verdict));
  if (!verdict && summary.failed > 0 && arguments.capture.empty())
    throw Error(ErrorKind::run, std::to_string(summary.failed) + " of " + std::to_string(findings.set_ups.size()) +
                                    " set-ups never came up within " + arguments.limit);
}

}  // namespace

void add_characterize(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "characterize",
      "Measures tuning and locking of every pair of ports, from idle and from another circuit, and the power of its\n"
      "light, through ordinary commands and events (docs/characterize.md).");
  const auto arguments = std::make_shared<CharacterizeArguments>();
  arguments->device.add_to(*command, false);
  const auto text = [&](const char* name, std::string& value, const char* help, const char* type) {
    command->add_option(name, value, help)->type_name(type);
  };
  text("--capture", arguments->capture, "judges the log of an instrument instead of a device", "FILE.csv|.vcd");
  text("--threshold", arguments->threshold, "with --capture: analog values above this level are light", "LEVEL V|dBm");
  text("--hysteresis", arguments->hysteresis,
       "distance of the two levels around --threshold at which light comes and goes", "WIDTH V|dB");
  text("--signal", arguments->signal, "with --capture FILE.vcd: name of the signals (light by default), then the port",
       "NAME");
  text("--against", arguments->against,
       "compares with a preset or file:PROFILE.toml; exit 1 if a set-up is out of its bounds", "NAME");
  text("--tolerance", arguments->tolerance, "widens the bounds by this time", "TIME");
  arguments->waves.add_to(*command);
  text("--limit", arguments->limit, "longest wait for a circuit", "TIME");
  command->add_option("--repeat", arguments->repeats, "measures everything this many times")
      ->check(CLI::Range(1, 1000));
  text("--json", arguments->json, "writes all results as JSON; -: to standard output", "FILE|-");
  text("--csv", arguments->csv, "writes one line per set-up; -: to standard output", "FILE|-");
  text("--junit", arguments->junit, "writes one test case per set-up", "FILE");
  text("--svg", arguments->svg, "draws a heat map of all pairs, and a histogram", "FILE");
  text("--save", arguments->save, "writes a profile that fabric.switch = \"file:PROFILE.toml\" emulates",
       "PROFILE.toml");
  command->add_flag(
      "--firmware", arguments->firmware,
      "measures the firmware's commands on device soc instead: core cycles and time, a table, --csv, --svg");
  command->add_flag("--quiet", arguments->quiet, "prints no table and no progress");
  command->footer("Exit codes: 0 done and within bounds, 1 out of bounds or never up, 2 wrong input.");
  command->callback([arguments, command, &action] {
    action = [arguments, command](const Environment& given) {
      time_of("--tolerance", arguments->tolerance);  // what is wrong is refused, not warned of
      warn_of_unused(*command, unused_options(*arguments));
      characterize_device(*arguments, given);
    };
  });
}

}  // namespace ocs
