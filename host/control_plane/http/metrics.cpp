// The switch in the text format of Prometheus.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <span>

#include "host/control_plane/http/pages.hpp"

namespace ocs::serve::http {
namespace {

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.12g", value);
  return text.data();
}

/// One metric after the other: its comments, then its samples.
class Exposition {
 public:
  void metric(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help);
    text_.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
  }
  void sample(const std::string& value) { text_.append(name_).append(" ").append(value).append("\n"); }
  void sample(std::string_view label, std::string_view of, const std::string& value) {
    text_.append(name_).append("{").append(label).append("=\"").append(of).append("\"} ").append(value).append("\n");
  }
  std::string take() { return std::move(text_); }

 private:
  std::string_view name_;
  std::string text_;
};

double seconds(Cycles cycles, Picos cycle) {
  return static_cast<double>(cycles.n) * static_cast<double>(cycle.n) * 1e-12;
}

std::uint16_t ports_of(const SwitchService& service) { return static_cast<std::uint16_t>(service.ports()); }

Port output(std::uint16_t number) { return {.output = true, .number = number}; }

void tell_states(Exposition& out, const SwitchService& service) {
  out.metric("lightloop_output_state", "gauge", "State of an output: 0 blocked, 1 tuning, 2 tuned, 3 failed.");
  std::array<int, light_names.size()> counts{};
  for (std::uint16_t o = 0; o < ports_of(service); ++o) {
    const auto light = static_cast<std::size_t>(service.light(output(o)));
    ++counts[light];
    out.sample("output", name_of(output(o)), std::to_string(light));
  }
  out.metric("lightloop_outputs", "gauge", "Outputs in a state.");
  for (std::size_t k = 0; k < counts.size(); ++k) out.sample("state", light_names[k], std::to_string(counts[k]));
}

void tell_counters(Exposition& out, const SwitchService& service, std::span<const Counters> all) {
  const auto each = [&](std::string_view name, std::string_view help, bool of_outputs, const auto& value) {
    out.metric(name, "counter", help);
    for (std::uint16_t port = 0; port < ports_of(service); ++port)
      out.sample(of_outputs ? "output" : "input", name_of({.output = of_outputs, .number = port}), value(all[port]));
  };
  each("lightloop_output_reconfigurations_total", "Times that an output began to tune.", true,
       [](const Counters& count) { return std::to_string(count.reconfigurations); });
  each("lightloop_output_dark_seconds_total", "Virtual time in which an output had a circuit and passed nothing.", true,
       [&](const Counters& count) { return number(seconds(count.dark, service.cycle())); });
  each("lightloop_output_words_passed_total", "Words that an output passed.", true,
       [](const Counters& count) { return std::to_string(count.passed.n); });
  each("lightloop_output_words_lost_total", "Words that an output selected and lost.", true,
       [](const Counters& count) { return std::to_string(count.lost.n); });
  each("lightloop_input_words_unrouted_total", "Words of an input that no output selected.", false,
       [](const Counters& count) { return std::to_string(count.unrouted.n); });
}

void tell_clients(Exposition& out, const ServerContext& server_context) {
  const auto each = [&](std::string_view name, std::string_view type, std::string_view help, const auto& value) {
    out.metric(name, type, help);
    for (std::size_t k = 0; k < dialect_names.size(); ++k)
      out.sample("dialect", dialect_names[k], std::to_string(value(server_context.tallies[k])));
  };
  each("lightloop_clients", "gauge", "Open connections.", [](const Tally& tally) { return tally.open; });
  each("lightloop_connections_total", "counter", "Connections since the start.",
       [](const Tally& tally) { return tally.connections; });
  each("lightloop_connections_refused_total", "counter", "Connections that were one too many.",
       [](const Tally& tally) { return tally.turned_away; });
  each("lightloop_commands_total", "counter", "Commands and requests.",
       [](const Tally& tally) { return tally.commands; });
  each("lightloop_errors_total", "counter", "Commands and requests that were refused.",
       [](const Tally& tally) { return tally.errors; });
}

void tell_logins(Exposition& out, LoginTally tally) {
  out.metric("lightloop_passwords_judged_total", "counter", "Passwords that were judged.");
  out.sample(std::to_string(tally.judged));
  out.metric("lightloop_login_delays_total", "counter", "Passwords that were judged while a right one waited.");
  out.sample(std::to_string(tally.delays));
}

}  // namespace

std::string name_of(Port port) { return std::to_string(port.number + 1) + (port.output ? 'B' : 'A'); }

std::string metrics(const ServerContext& server_context, std::span<const Counters> counters) {
  const SwitchService& service = server_context.service;
  Exposition out;
  out.metric("lightloop_build_info", "gauge", "1; the label is the version.");
  out.sample("version", server_context.identity.version, "1");
  out.metric("lightloop_device_info", "gauge", "1; the label is the device.");
  out.sample("device", server_context.identity.device, "1");
  out.metric("lightloop_ports", "gauge", "Inputs, and as many outputs.");
  out.sample(std::to_string(service.ports()));
  out.metric("lightloop_circuits", "gauge", "Circuits that are wanted.");
  out.sample(std::to_string(service.circuits().size()));
  out.metric("lightloop_commits_total", "counter", "Commits that the switch has taken.");
  out.sample(std::to_string(service.commits()));
  out.metric("lightloop_virtual_seconds_total", "counter", "Time of the switch.");
  out.sample(number(seconds(service.now(), service.cycle())));
  out.metric("lightloop_lag_seconds", "gauge", "Virtual time by which the switch is behind the wall clock.");
  out.sample(number(server_context.lag_seconds()));
  tell_states(out, service);
  tell_counters(out, service, counters);
  tell_clients(out, server_context);
  tell_logins(out, server_context.authenticator.tally());
  return out.take();
}

}  // namespace ocs::serve::http
