// Draws what happens to a server, and reads it back.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/serve/serve_settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "testbed/sim/draw.hpp"
#include "testbed/sim/serve/client.hpp"
#include "testbed/sim/serve/server_end.hpp"

namespace ocs::sim {
namespace {

using std::chrono::milliseconds;

/// A whole number of a server's settings.
struct Key {
  const char* name;
  std::int64_t ServeSettings::*value;
  std::int64_t least, most;
};

constexpr std::array keys = {
    Key{"clients", &ServeSettings::clients, 1, most_serve_clients},
    Key{"steps", &ServeSettings::steps, 1, 1000},
    Key{"connections", &ServeSettings::connections, most_serve_clients + 1, 1000},
    Key{"unsent", &ServeSettings::unsent, 2048, 1 << 20},  // the status page has to fit eight times into it
    Key{"buffer", &ServeSettings::buffer, 1, 1 << 20},
    Key{"piece", &ServeSettings::piece, 1, 1 << 20},
    Key{"idle_ms", &ServeSettings::idle_ms, 500, 1'000'000},
    Key{"login_ms", &ServeSettings::login_ms, 500, 1'000'000},
    Key{"speed", &ServeSettings::speed, 1, 1'000'000},
    Key{"tuning_cycles", &ServeSettings::tuning_cycles, 0, 1'000'000},
};

constexpr std::array<std::pair<const char*, bool ServeSettings::*>, 2> flags = {
    std::pair{"logins", &ServeSettings::logins}, std::pair{"log", &ServeSettings::log}};

[[noreturn]] void refuse_setting(const std::string& setting, const std::string& why) {
  throw Error(ErrorKind::input, "--scenario has \"set " + printable(setting) + "\", but " + why);
}

void set_one(const std::string& setting, ServeSettings& all) {
  const std::size_t equals = setting.find('=');
  const std::string name = setting.substr(0, equals), value = setting.substr(equals + 1);
  for (const auto& [flag, member] : flags) {
    if (name != flag) continue;
    if (value != "true" && value != "false") refuse_setting(setting, name + " must be true or false");
    all.*member = value == "true";
    return;
  }
  const auto key = std::ranges::find_if(keys, [&](const Key& one) { return name == one.name; });
  if (key == keys.end()) refuse_setting(setting, "a server has no such key");
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (failed != std::errc{} || end != value.data() + value.size() || number < key->least || number > key->most)
    refuse_setting(setting, name + " must be a whole number from " + std::to_string(key->least) + " to " +
                                std::to_string(key->most));
  all.*key->value = number;
}

template <std::size_t N>
std::string one_of(Draw& draw, const char* key, const std::array<std::int64_t, N>& values) {
  return key + std::string("=") + std::to_string(values[draw.below(N)]);
}

std::uint64_t serve_argument_of(FaultKind kind, Draw& draw) {
  switch (kind) {
    case FaultKind::late:
    case FaultKind::stop_coordinator:
    case FaultKind::partition:
    case FaultKind::jump:
    case FaultKind::deaf: {
      constexpr std::array<std::uint64_t, 5> ms = {1, 20, 90, 600, 2'500};
      return ms[draw.below(ms.size())];
    }
    case FaultKind::stranger:
      return draw.below(4'096);
    case FaultKind::flood:
      return 1 + draw.below(30);
    case FaultKind::guess:
      return 1 + draw.below(draw.one_in(4) ? 100 : 8);
    case FaultKind::slow_server:
      return 1 + draw.below(1'000);
    default:
      return 0;
  }
}

constexpr std::uint64_t of_serve = 0x7365727665;  // parts its numbers from those of runs

}  // namespace

ServeSettings serve_settings(const std::vector<std::string>& settings) {
  ServeSettings all;
  for (const std::string& one : settings) set_one(one, all);
  return all;
}

Scenario draw_serve(std::uint64_t seed) {
  Draw draw(seed ^ of_serve);
  Scenario scenario;
  scenario.seed = seed;
  scenario.serve = true;
  auto& set = scenario.settings;
  set.push_back("clients=" + std::to_string(1 + draw.below(most_serve_clients)));
  set.push_back("steps=" + std::to_string(1 + draw.below(9)));
  if (draw.one_in(2)) set.emplace_back("logins=true");
  if (draw.one_in(2)) set.emplace_back("log=true");
  if (draw.one_in(3)) set.push_back(one_of(draw, "unsent", std::array<std::int64_t, 2>{16'384, 262'144}));
  if (draw.one_in(2)) set.push_back(one_of(draw, "buffer", std::array<std::int64_t, 4>{100, 700, 2'000, 65'536}));
  if (draw.one_in(2)) set.push_back(one_of(draw, "piece", std::array<std::int64_t, 3>{7, 100, 20'000}));
  if (draw.one_in(4)) set.push_back(one_of(draw, "speed", std::array<std::int64_t, 2>{20, 1'000}));
  if (draw.one_in(2))
    set.push_back(one_of(draw, "tuning_cycles", std::array<std::int64_t, 3>{0, 2'000, 200'000}));  // at most 1 ms
  if (draw.one_in(3)) set.push_back(one_of(draw, "idle_ms", std::array<std::int64_t, 2>{600, 3'000}));
  std::vector<FaultKind> kinds;
  kinds.reserve(fault_names.size());
  for (std::size_t k = 0; k < fault_names.size(); ++k)
    if (is_of_serve(static_cast<FaultKind>(k))) kinds.push_back(static_cast<FaultKind>(k));
  for (std::uint64_t left = draw.below(6); left > 0; --left) {
    Fault fault{kinds[draw.below(kinds.size())]};
    fault.start = static_cast<std::uint32_t>(draw.one_in(2) ? 0 : draw.below(3));
    fault.at = at_write(fault.kind) ? draw.below(6) : draw.below(std::uint64_t{4} << draw.below(7));
    fault.arg = serve_argument_of(fault.kind, draw);
    scenario.faults.push_back(fault);
  }
  return scenario;
}

ServiceOptions service_options(const ServeSettings& settings) {
  ServiceOptions options{
      .device = "model",
      .preset = "",
      .delays = {.tuning = Cycles{settings.tuning_cycles}, .locking = Cycles{settings.tuning_cycles / 5}},
      .speed = settings.speed,
      .address = "10.0.0.100",
      .scpi = port_of(serve::Dialect::scpi),
      .tl1 = port_of(serve::Dialect::tl1),
      .http = port_of(serve::Dialect::http),
      .version = "simulated"};
  const auto connections = static_cast<std::size_t>(settings.connections);
  options.limits = {.connections = connections,
                    .per_address = settings.logins ? connections / 2 : connections,
                    .command = 1000,
                    .unsent = static_cast<std::size_t>(settings.unsent),
                    .idle = milliseconds(settings.idle_ms),
                    .logins = 3,
                    .login_time = milliseconds(settings.login_ms),
                    .farewell = milliseconds(settings.login_ms)};
  if (settings.log) options.log = "serve.log";
  if (!settings.logins) return options;
  options.logins.emplace();
  for (int k = 0; k < most_serve_clients; ++k)
    (*options.logins)[user_of(k)] = {.role = serve::Role::operate, .hash = password_of(k)};
  (*options.logins)["guest"] = {.role = serve::Role::read, .hash = "guest"};
  return options;
}

}  // namespace ocs::sim
