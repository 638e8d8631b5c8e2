// A server that is started again until its clients have done all that they wanted.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/serve/serve_run.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

#include "host/core/error.hpp"
#include "host/device/catalogue.hpp"
#include "testbed/sim/serve/client.hpp"
#include "testbed/sim/serve/server_end.hpp"
#include "testbed/sim/serve/strangers.hpp"

namespace ocs::sim {
namespace {

using std::chrono::milliseconds;

constexpr Nanos longest_end = milliseconds(500);  // from a signal to the end of the program
constexpr std::size_t told_at_most = 8;           // times the limit of unsent answers

/// What is written for people, to be looked through.
class CapturedErrors {
 public:
  CapturedErrors() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~CapturedErrors() { std::cerr.rdbuf(before_); }
  CapturedErrors(const CapturedErrors&) = delete;
  CapturedErrors& operator=(const CapturedErrors&) = delete;
  std::string take() {
    std::string all = text_.str();
    text_.str({});
    return all;
  }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

class ServeRun {
 public:
  explicit ServeRun(const Scenario& scenario);
  Verdict run();

 private:
  void start();
  std::string serve(std::uint64_t seed);
  void ended(Process& process);
  void server_ended();
  void end_if_all_are_served();
  void strike(const Fault& fault, const LinkPointer& link);
  void take_time(std::uint64_t time_ms) {
    shared_.excuse += ms(time_ms);
    shared_.excused_until = std::max(shared_.excused_until, world_.now() + ms(time_ms));
  }
  void tell_to_end(bool for_good);
  void check_places(const LinkPointer& link);
  void check_log();
  bool serving() const { return server_ != nullptr && !server_->over && !server_->killed; }

  const Scenario& scenario_;
  ServeShared shared_;
  ServiceOptions options_;
  Draw draw_;
  CapturedErrors errors_;
  Disk disk_;
  World world_;
  Links links_;
  Strangers strangers_;
  std::vector<std::unique_ptr<ServeClient>> clients_;
  std::vector<Process*> client_processes_;
  Process* server_ = nullptr;
  SimulatedSystem* system_ = nullptr;  ///< of the server that runs
  bool end_wanted_ = false, for_good_ = false;
  Nanos told_{0}, told_excuse_{0};
  std::uint64_t disk_faults_ = 0;  ///< before this start
  Verdict verdict_;
};

ServeRun::ServeRun(const Scenario& scenario)
    : scenario_(scenario),
      shared_{.settings = serve_settings(scenario.settings)},
      options_(service_options(shared_.settings)),
      draw_(scenario.seed),
      disk_(draw_.next()),
      world_(draw_.next()),
      links_(world_, draw_.next(),
             {.buffer = static_cast<std::size_t>(shared_.settings.buffer),
              .piece = static_cast<std::size_t>(shared_.settings.piece)},
             {.strike = [this](const Fault& fault, const LinkPointer& link) { strike(fault, link); },
              .admitted = [this](const LinkPointer& link) { check_places(link); }}),
      strangers_(links_, draw_.next(), shared_.settings.logins) {}

Verdict ServeRun::run() {
  world_.on_end([this](Process& process) { ended(process); });
  start();
  clients_.reserve(most_serve_clients);
  client_processes_.reserve(most_serve_clients);
  for (int k = 0; k < shared_.settings.clients; ++k) {
    clients_.push_back(std::make_unique<ServeClient>(links_, shared_, k, draw_.next()));
    client_processes_.push_back(&world_.spawn("client " + std::to_string(k), nullptr,
                                              [client = clients_.back().get()] { return client->run(); }));
  }
  try {
    world_.run();
    for (const auto& process : world_.processes())
      if (!process->over) shared_.violate(process->name + " waits for ever");
    if (links_.open() > 0) shared_.violate(std::to_string(links_.open()) + " connections are left open");
    if (disk_.open_files() > 0) shared_.violate("the log is left open");
    check_log();
  } catch (const World::Stuck& stuck) {
    shared_.violate(std::string("it hangs: ") + stuck.what());
  }
  verdict_.faults = links_.hit() + disk_faults_;
  verdict_.violation = shared_.violation;
  Fnv1a trace;
  trace.add(world_.trace_hash(), 8);
  trace.add(verdict_.violation);
  verdict_.trace = trace.hex();
  world_.end();
  return std::move(verdict_);
}

void ServeRun::start() {
  if (for_good_) return;
  end_wanted_ = shared_.slow = false;
  std::vector<Fault> faults;
  for (const Fault& fault : scenario_.faults)
    if (fault.start == shared_.boot) faults.push_back(fault);
  links_.begin(faults);
  const std::uint64_t seed = draw_.next();
  server_ = &world_.spawn("the server", nullptr, [this, seed] { return serve(seed); });
  disk_.begin(
      faults, [server = server_] { return !server->killed; }, [] {});
  ++shared_.boot;
  ++verdict_.starts;
}

std::string ServeRun::serve(std::uint64_t seed) {
  std::ostringstream out;
  try {
    const auto device = make_device("model", DeviceConfig{.ports = ports_of_all});
    SimulatedSystem system(links_, *world_.self(), seed, disk_, end_wanted_);
    struct Guard {
      SimulatedSystem*& there;
      ~Guard() { there = nullptr; }
    } guard{system_ = &system};
    serve_switch(*device, options_, out, system);
    if (system.longest_write() > told_at_most * options_.limits.unsent)
      shared_.violate(std::to_string(system.longest_write()) + " bytes of answers were held for one client");
  } catch (const World::Stuck& stuck) {
    shared_.violate(std::string("it hangs: ") + stuck.what());
  } catch (const std::exception& failure) {
    shared_.violate(std::string("the server fails: ") + failure.what());
  }
  return "ended with exit code 0";
}

void ServeRun::ended(Process& process) {
  if (&process == server_) return server_ended();
  if (std::ranges::find(client_processes_, &process) != client_processes_.end()) {
    world_.at(world_.now(), [this] { end_if_all_are_served(); });
  }
}

/// Killed, or told to end: another one is started.
void ServeRun::server_ended() {
  const bool killed = server_->killed;
  const std::uint64_t pieces = links_.pieces(), writes = disk_.writes();
  if (!killed && !end_wanted_) shared_.violate("the server has ended, but nobody wanted it to");
  if (!killed && end_wanted_ &&
      world_.now() - std::max(told_, server_->stopped_until) > longest_end + (shared_.excuse - told_excuse_))
    shared_.violate("the server took too long to end");
  if (!killed && links_.open() > 0) shared_.violate("the server has ended, but connections are left open");
  links_.server_gone();
  const std::string warnings = errors_.take();
  const auto warned = std::ranges::count(warnings, '\n');
  if (warned > 1) shared_.violate("the server warns more than once: " + warnings);
  if (!killed && (warned > 0) != (disk_.hit() > disk_faults_ && options_.log == "serve.log"))
    shared_.violate(warned > 0 ? "the server warns without a reason: " + warnings : "a failed log isn't warned of");
  disk_faults_ = disk_.hit();
  verdict_.log.push_back("start " + std::to_string(shared_.boot - 1) + ": " + std::to_string(pieces) + " pieces, " +
                         std::to_string(writes) + " lines of log, " + (killed ? "killed" : "ended"));
  // The end that this very call is about isn't over yet.
  world_.at(world_.now() + milliseconds(1 + static_cast<std::int64_t>(draw_.below(300))), [this] { start(); });
}

void ServeRun::end_if_all_are_served() {
  if (!std::ranges::all_of(client_processes_, [](const Process* one) { return one->over; })) return;
  for_good_ = true;
  if (serving()) tell_to_end(true);
}

void ServeRun::tell_to_end(bool for_good) {
  if (!serving() || end_wanted_) return;
  for_good_ = for_good_ || for_good;
  end_wanted_ = true;
  told_ = world_.now();
  told_excuse_ = shared_.excuse;
  links_.excuse_all();
}

/// No more clients than there may be, in all and of one address.
void ServeRun::check_places(const LinkPointer& link) {
  const std::size_t all = links_.open(link->dialect), of_one = links_.open(link->dialect, link->address);
  if (all > options_.limits.connections)
    shared_.violate(std::to_string(all) + " clients of a dialect are connected, more than there may be");
  if (of_one > options_.limits.per_address)
    shared_.violate(std::to_string(of_one) + " clients of one address are connected, more than there may be");
}

/// Each login is in it, unless it could not be written.
void ServeRun::check_log() {
  if (options_.log.empty() || disk_faults_ > 0) return;
  const auto file = disk_.find(options_.log, true);
  const std::string text(file->bytes.begin(), file->bytes.end());
  std::uint64_t logged = 0;
  for (std::size_t at = 0; (at = text.find(" login user=\"user", at)) != std::string::npos; ++at) ++logged;
  if (logged < shared_.logins)
    shared_.violate("the log has " + std::to_string(logged) + " of " + std::to_string(shared_.logins) + " logins");
}

void ServeRun::strike(const Fault& fault, const LinkPointer& link) {
  link->excused = true;
  switch (fault.kind) {
    case FaultKind::reset:
      return links_.reset(link);
    case FaultKind::vanish:
      return links_.vanish(link);
    case FaultKind::deaf:
      take_time(fault.arg);
      link->deaf_until = world_.now() + ms(fault.arg);
      return;
    case FaultKind::partition:
      take_time(fault.arg);
      return links_.part(link->address, ms(fault.arg));
    case FaultKind::late:
      return take_time(fault.arg);
    case FaultKind::jump:
      take_time(fault.arg);
      return world_.jump(ms(fault.arg));
    case FaultKind::stranger:
      return strangers_.come(fault.arg);
    case FaultKind::flood:
      return strangers_.flood(fault.arg);
    case FaultKind::guess:
      return strangers_.guess(fault.arg);
    default:
      break;
  }
  if (!serving()) return;
  if (fault.kind == FaultKind::kill_coordinator) world_.kill(*server_);
  if (fault.kind == FaultKind::term) tell_to_end(false);
  if (fault.kind == FaultKind::stop_coordinator) {
    take_time(fault.arg);
    world_.stop(*server_, ms(fault.arg));
  }
  if (fault.kind == FaultKind::slow_server && system_ != nullptr) {
    take_time(10'000);
    shared_.slow = true;
    system_->slow_by = std::chrono::microseconds(static_cast<std::int64_t>(fault.arg));
  }
}

}  // namespace

Verdict play_serve(const Scenario& scenario) { return ServeRun(scenario).run(); }

}  // namespace ocs::sim
