// From text to windows of time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/wave_arguments.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <iostream>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/apps/run/unknown_name.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/results/events/event_log.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr Picos one_us{1'000'000};

Picos time_of(const char* option, const std::string& text) {
  try {
    return {parse_quantity(text, Dimension::time)};
  } catch (const Error& failure) {
    refuse(std::string(option) + " is " + in_quotes(text) + ", but " + failure.what());
  }
}

}  // namespace

void WaveArguments::add_to(CLI::App& command) {
  command
      .add_option("--waves", file,
                  "writes the signals of the RTL to this waveform, FST or VCD, with views for GTKWave and Surfer "
                  "(docs/waves.md); default: none")
      ->type_name("FILE.fst|.vcd");
  command.add_option("--from", from, "with --waves: begins at this instant, such as \"12 ms\"; default: 0 s")
      ->type_name("TIME");
  command.add_option("--to", to, "with --waves: ends at this instant; default: the end")->type_name("TIME");
}

void WaveArguments::add_around_to(CLI::App& command) {
  command
      .add_option("--around", around,
                  "with --waves, in place of --from and --to: the time around the first event of a kind, such as "
                  "failed, or around event:N, the event of number N, from 0, in the log; each row is run twice")
      ->type_name("KIND|event:N");
  command
      .add_option("--margin", margin,
                  "time before and after this event; default: the set-up time of the switch, and 1 us")
      ->type_name("TIME");
}

void WaveArguments::check() const {
  for (const auto& [option, value] :
       {std::pair{"--from", &from}, {"--to", &to}, {"--around", &around}, {"--margin", &margin}})
    if (!value->empty() && file.empty()) refuse(std::string(option) + " needs --waves FILE: it says what is in it");
  for (const auto& [option, value] : {std::pair{"--from", &from}, {"--to", &to}})
    if (!value->empty() && !around.empty())
      refuse(std::string(option) + " can't be given with --around, which takes its window from an event");
  if (!margin.empty() && around.empty()) refuse("--margin needs --around: it is the time around an event");
  if (!margin.empty() && time_of("--margin", margin).n < 1) refuse("--margin must be more than 0 s");
  event();
  window();
}

rtl::WaveWindow WaveArguments::window() const {
  rtl::WaveWindow window;
  if (!from.empty()) window.from = time_of("--from", from);
  if (!to.empty()) window.to = time_of("--to", to);
  if (window.to <= window.from)
    refuse("--to is " + in_quotes(to) + ", but must be later than --from, " + to_text(window.from.n, Dimension::time));
  return window;
}

Picos WaveArguments::margin_or(Picos set_up) const {
  return margin.empty() ? set_up + one_us : time_of("--margin", margin);
}

std::optional<std::variant<EventKind, std::size_t>> WaveArguments::event() const {
  constexpr std::string_view by_number = "event:";
  if (around.empty()) return std::nullopt;
  if (around.starts_with(by_number)) {
    const std::string digits = around.substr(by_number.size());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size())
      refuse("--around is " + in_quotes(around) + ", but event: must be followed by a number, from 0");
    return number;
  }
  std::vector<std::string> known;
  for (const EventKind kind : event_kinds()) {
    if (name_of(kind) == around) return kind;
    known.emplace_back(name_of(kind));
  }
  known.emplace_back("event:N");
  refuse("--around: " + unknown_name("kind of event", around, known));
}

std::string text_of_waveform(const std::string& file, const rtl::WaveReport& report) {
  const auto view = [&](const char* suffix) { return std::filesystem::path(file).replace_extension(suffix).string(); };
  return file + " holds " + to_text(report.first.n, Dimension::time) + " to " +
         to_text(report.last.n, Dimension::time) + "; `gtkwave " + file + " " + view(".gtkw") + "` or `surfer -c " +
         view(".sucl") + " " + file + "` shows it";
}

void with_waveform(const WaveArguments& arguments, const std::function<void(rtl::Waveform* recorder)>& work) {
  arguments.check();
  if (!arguments.any()) return work(nullptr);
  rtl::Waveform waveform;
  waveform.begin(arguments.file, arguments.window());
  const auto end = [&] { std::cerr << "lightloop: " + text_of_waveform(arguments.file, waveform.end()) + "\n"; };
  std::exception_ptr failure;
  try {
    work(&waveform);
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  try {
    end();
  } catch (const Error&) {
    if (!failure) throw;  // else the first sentence is the one that matters
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ocs
