// What a client does, and what it must read back.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "host/control_plane/net/map_file.hpp"
#include "host/control_plane/net/scpi_answers.hpp"
#include "host/control_plane/net/scpi_client.hpp"
#include "host/core/error.hpp"
#include "testbed/sim/serve/client.hpp"

namespace ocs::sim {
namespace {

using std::chrono::milliseconds;

constexpr int most_before_news = 300;  ///< answers by TL1 before a message of what has happened, a millisecond apart

/// The text between two others; empty: they aren't there.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return {};
  const std::size_t end = text.find(to, begin + from.size());
  return end == std::string::npos ? std::string() : text.substr(begin + from.size(), end - begin - from.size());
}

std::string described(const OwnPorts& ports) {
  std::string text;
  for (int k = 0; k < ports_of_one; ++k) {
    const auto out = ports.out_of[at(k)];
    text += (text.empty() ? "" : " ") + (out ? std::to_string(*out) : std::string("-")) +
            (ports.input_off[at(k)] ? "i" : "") + (ports.output_off[at(k)] ? "o" : "");
  }
  return text;
}

bool looks_like(OwnPorts state, const OwnPorts& seen) {
  state.dead = seen.dead;  // which nobody can read
  return state == seen;
}

}  // namespace

std::string ServeClient::own_list(bool inputs, bool outputs) const {
  std::string all;
  for (const bool output : {false, true})
    for (int k = 0; k < ports_of_one; ++k)
      if (output ? outputs : inputs)
        all += (all.empty() ? "" : "&") + std::to_string(first_ + k + 1 + (output ? ports_of_all : 0));
  return all;
}

void ServeClient::step() {
  const auto any = [&] { return static_cast<Dialect>(draw_.below(serve::dialect_names.size())); };
  const Dialect changes = draw_.one_in(2) ? Dialect::scpi : Dialect::tl1;
  switch (draw_.below(12)) {
    case 0:
      return burst();
    case 1:
      return abandon();
    case 2:
      return draw_.one_in(4) ? be_silent() : pass(world_.now() + milliseconds(draw_.below(20)));
    case 3:
      return check_light();
    case 4:
    case 5:
      return check_alarms();
    case 6:
      return read_back(any());
    case 7:
      return execute(changes, draw_orders(changes, 1 + draw_.below(12)));
    default:
      execute(changes, draw_orders(changes, 1));
      return read_back(any());
  }
}

/// After a loss: finds out what the switch has, and sets what a restart has lost.
void ServeClient::resolve() {
  lose_all();
  if (shared_.boot != boot_) {
    boot_ = shared_.boot;
    if (!wanted_) wanted_ = known();
    possible_ = {OwnPorts{}};
  }
  if (possible_.size() > 1) {
    const OwnPorts seen = seen_by(static_cast<Dialect>(draw_.below(serve::dialect_names.size())));
    if (!settles(seen)) give_up("reads back " + described(seen) + ", which nothing that it asked for leaves");
    if (possible_.size() > 1) repair_all();
  }
  if (wanted_) restore();
}

/// Leaves those that look as the switch does.
bool ServeClient::settles(OwnPorts seen) {
  std::erase_if(possible_, [&](const OwnPorts& one) { return !looks_like(one, seen); });
  if (!possible_.empty()) return true;
  possible_ = {OwnPorts{}};
  return false;
}

void ServeClient::repair_all() {
  std::vector<OwnPorts> repaired = possible_;
  for (OwnPorts& one : repaired) one.dead.fill(false);
  repaired.erase(std::unique(repaired.begin(), repaired.end()), repaired.end());
  const std::vector<OwnPorts> before = std::exchange(possible_, repaired);
  possible_.insert(possible_.end(), before.begin(), before.end());
  std::string own = own_list(true, false);
  std::replace(own.begin(), own.end(), '&', ',');
  if (const std::string answer = ask("DIAG:PORT:REP (@" + own + ");:SYST:ERR?"); !answer.starts_with("0,"))
    give_up("can't repair its ports: " + serve::shown(answer));
  possible_ = std::move(repaired);
}

/// As `lightloop reconcile` does it.
void ServeClient::restore() {
  std::string map;
  for (int in = 0; in < ports_of_one; ++in)
    if (const auto out = wanted_->out_of[at(in)])
      map += (map.empty() ? "\"" : ", \"") +
             serve::name_of(serve::CrossConnect{Input{static_cast<std::uint16_t>(first_ + in)},
                                                Output{static_cast<std::uint16_t>(first_ + *out)}}) +
             "\"";
  const auto wanted = serve::parse_map("circuits = [" + map + "]", "map.toml");
  std::vector<serve::CrossConnect> there = serve::circuits_in(ask("OXC:SWIT:CONN:STAT?"), ports_of_all);
  std::erase_if(there, [&](const serve::CrossConnect& one) {
    return index(one.in) < first_ || index(one.in) >= first_ + ports_of_one;
  });
  const serve::Difference difference = serve::difference(there, wanted);
  OwnPorts after = known();
  after.out_of = wanted_->out_of;
  possible_.push_back(after);
  const std::string answer = ask("OCS:CONN:REPL " + serve::two_lists(difference.remove, ports_of_all) + "," +
                                 serve::two_lists(difference.add, ports_of_all) + ";:SYST:ERR?");
  if (answer != "0,\"No error\"") give_up("can't restore its map: " + serve::shown(answer));
  possible_ = {after};
  wanted_.reset();
}

std::vector<Order> ServeClient::draw_orders(Dialect dialect, std::size_t count) {
  std::vector<Order> orders;
  orders.reserve(count);
  for (std::size_t k = 0; k < count; ++k) orders.push_back(draw_order(draw_, dialect == Dialect::tl1));
  return orders;
}

/// A link was lost: of the orders from `from` on, none or some or all were executed, in their order.
void ServeClient::uncertain(const std::vector<Order>& orders, std::size_t from) {
  OwnPorts state = known();
  possible_ = {state};
  for (std::size_t k = from; k < orders.size(); ++k)
    if (apply(orders[k], state) && std::ranges::find(possible_, state) == possible_.end()) possible_.push_back(state);
}

/// All are sent at once; each has one answer.
void ServeClient::execute(Dialect dialect, const std::vector<Order>& orders) {
  Talk& link = talk(dialect);
  const bool tl1 = dialect == Dialect::tl1;
  std::string all;
  std::vector<std::string> begins;
  OwnPorts then = known();
  begins.reserve(orders.size());
  for (const Order& one : orders) {
    const bool done = apply(one, then);
    const std::string ctag = std::to_string(++link.answers);
    all += tl1 ? tl1_text(one, first_, ctag) + ";" : scpi_text(one, first_) + ";:SYST:ERR?\n";
    begins.push_back(tl1 ? "M  " + ctag + (done ? " COMPLD" : " DENY") : done ? "0,\"No error\"" : "-221,");
  }
  std::size_t answered = 0;
  try {
    say(link, all);
    for (; answered < orders.size(); ++answered) {
      const std::string question = scpi_text(orders[answered], first_);
      const std::string answer = tl1 ? hear_tl1(link, question) : hear_line(link, question);
      if (!answer.starts_with(begins[answered]))
        give_up("orders " + question + ", but is answered " + serve::shown(answer) + " instead of " + begins[answered]);
      apply(orders[answered], known());
    }
  } catch (const LinkLost&) {
    uncertain(orders, answered);
    throw;
  }
}

/// Much is asked at once, and its answers are fetched slowly: more than the server holds.
void ServeClient::burst() {
  Talk& link = talk(Dialect::scpi);
  std::string all;
  std::vector<std::string> begins;
  std::vector<Order> orders;
  std::vector<bool> is_order;
  OwnPorts then = known();
  const std::uint64_t questions = 40 + draw_.below(160);
  begins.reserve(questions);
  orders.reserve(questions);
  is_order.reserve(questions);
  for (std::uint64_t left = questions; left > 0; --left) {
    is_order.push_back(draw_.one_in(6));
    if (is_order.back()) {
      orders.push_back(draw_order(draw_, false));
      begins.emplace_back(apply(orders.back(), then) ? "0,\"No error\"" : "-221,");
      all += scpi_text(orders.back(), first_) + ";:SYST:ERR?\n";
      continue;
    }
    const int in = static_cast<int>(draw_.below(ports_of_one));
    const auto out = then.out_of[at(in)];
    begins.push_back("lightloop,OCS-model-16x16-V,0,simulated;\"" +
                     (out ? std::to_string(ports_of_all + first_ + *out + 1) : std::string()) + "\"");
    all += "*IDN?;OXC:SWIT:CONN:PORT? " + std::to_string(first_ + in + 1) + "\n";
  }
  std::size_t executed = 0;
  try {
    say(link, all);
    for (std::size_t k = 0; k < begins.size(); ++k) {
      if (draw_.one_in(24)) pass(world_.now() + milliseconds(1 + draw_.below(10)));
      const std::string answer = hear_line(link, "one of many");
      if (!answer.starts_with(begins[k]))
        give_up("asks " + std::to_string(begins.size()) + " times at once, but answer " + std::to_string(k + 1) +
                " is " + serve::shown(answer) + " instead of " + begins[k]);
      if (is_order[k]) apply(orders[executed++], known());
    }
  } catch (const LinkLost&) {
    uncertain(orders, executed);
    throw;
  }
}

/// Leaves in the middle of a command, and fetches no answer.
void ServeClient::abandon() {
  const Dialect dialect = draw_.one_in(2) ? Dialect::scpi : Dialect::tl1;
  Talk& link = talk(dialect);
  const std::vector<Order> orders = draw_orders(dialect, draw_.below(6));
  std::string all;
  for (const Order& one : orders)
    all += dialect == Dialect::tl1 ? tl1_text(one, first_, "1") + ";" : scpi_text(one, first_) + "\n";
  const Order half = draw_order(draw_, dialect == Dialect::tl1);
  all += dialect == Dialect::tl1 ? tl1_text(half, first_, "1") : scpi_text(half, first_);
  say(link, all);
  uncertain(orders, 0);
  if (draw_.one_in(2)) pass(world_.now() + std::chrono::microseconds(draw_.below(2'000)));
  const std::uint64_t how = draw_.below(4);
  if (how == 0) links_.vanish(link.link);
  if (how == 1) links_.reset(link.link);
  if (how > 1) links_.close(link.link);
  link.ready = false;
  throw LinkLost();
}

void ServeClient::be_silent() {
  const Nanos began = world_.now(), excused = shared_.excuse;
  const Nanos until = began + milliseconds(shared_.settings.idle_ms + 500);
  while (world_.now() < until) pass(until);
  // A server that stood still when the silence began counts it from when it goes on.
  if (excused != shared_.excuse || shared_.excused_until > began || shared_.boot != boot_) return;
  for (const Talk& one : talks_)
    if (one.link != nullptr && one.ready && !one.link->excused && one.link->server != nullptr &&
        one.link->dialect != Dialect::tl1)  // which may have been told something: that isn't silence
      give_up("was silent for longer than --idle, but is still connected");
}

/// All outputs have the light that they can have, once nothing is on its way.
void ServeClient::check_light() {
  std::string outputs = own_list(false, true), expected;
  std::replace(outputs.begin(), outputs.end(), '&', ',');
  for (int out = 0; out < ports_of_one; ++out) expected += (out == 0 ? "0;1;(" : ",") + known().settled_state(out);
  const std::string answer = ask("*TST?;*OPC?;:OCS:PORT:STAT? (@" + outputs + ")");
  if (answer != expected + ")") give_up("reads of its outputs " + answer + " instead of " + expected + ")");
}

/// Light is lost, and comes back: each is reported once.
void ServeClient::check_alarms() {
  const int in = static_cast<int>(draw_.below(ports_of_one)), out = static_cast<int>(draw_.below(ports_of_one));
  execute(Dialect::scpi, {Order{.act = Act::enable, .in = in}, Order{.act = Act::enable, .in = out, .output = true},
                          Order{.act = Act::repair, .in = in}, Order{.act = Act::repair, .in = out},
                          Order{.act = Act::update, .in = in, .out = out}});
  check_light();
  await_alarms(talk(Dialect::tl1));
  execute(Dialect::scpi, {Order{.act = Act::fail, .in = draw_.one_in(2) ? in : out}});
  check_light();
  await_alarms(talk(Dialect::tl1));
  const std::string answer = ask_tl1("RTRV-ALM-ALL::" + own_list(false, true));
  for (int port = 0; port < ports_of_one; ++port) {
    const std::string line = '"' + std::to_string(ports_of_all + first_ + port + 1) + ":MJ,LOS";
    if ((answer.find(line) != std::string::npos) != (known().settled_state(port) == "FAILED"))
      give_up("asks for alarms, but is answered " + serve::shown(answer));
  }
  execute(Dialect::scpi, {Order{.act = Act::repair, .in = in}, Order{.act = Act::repair, .in = out}});
  check_light();
  await_alarms(talk(Dialect::tl1));
}

/// The alarms that were reported are those of the model.
void ServeClient::await_alarms(Talk& tl1) {
  std::set<int> failed;
  for (int out = 0; out < ports_of_one; ++out)
    if (known().settled_state(out) == "FAILED") failed.insert(out);
  for (int answers = 0; tl1.alarms != failed; ++answers) {
    if (answers == most_before_news)
      give_up("has " + std::to_string(failed.size()) + " outputs without light, but " +
              std::to_string(tl1.alarms.size()) + " alarms");
    pass(world_.now() + milliseconds(1));
    if (tl1.link->is_over()) throw LinkLost();
    ask_tl1("RTRV-HDR::");
  }
}

void ServeClient::note_circuit(OwnPorts& seen, int in, int out) {
  const auto mine = [&](int port) { return port >= first_ && port < first_ + ports_of_one; };
  if (mine(in) != mine(out))
    give_up("reads of a circuit from input " + std::to_string(in + 1) + " to output " + std::to_string(out + 1) +
            ", which nobody asked for");
  if (mine(in)) seen.out_of[at(in - first_)] = out - first_;
}

OwnPorts ServeClient::seen_by(Dialect dialect) {
  if (dialect == Dialect::scpi) return seen_by_scpi();
  return dialect == Dialect::tl1 ? seen_by_tl1() : seen_by_http();
}

OwnPorts ServeClient::seen_by_scpi() {
  OwnPorts seen;
  const std::string circuits = ask("OXC:SWIT:CONN:STAT?");
  try {
    for (const serve::CrossConnect& one : serve::circuits_in(circuits, ports_of_all))
      note_circuit(seen, index(one.in), index(one.out));
  } catch (const Error& failure) {
    give_up(std::string("reads circuits that it does not understand: ") + failure.what());
  }
  std::string own = own_list(true, true);
  std::replace(own.begin(), own.end(), '&', ',');
  const std::string letters = ask("OXC:SWIT:PORT:STAT? (@" + own + ")");
  if (letters.size() != 4 * ports_of_one + 1) give_up("reads of its ports " + serve::shown(letters));
  for (int k = 0; k < ports_of_one; ++k) {
    seen.input_off[at(k)] = letters[at(2 * k + 1)] == 'D';
    seen.output_off[at(k)] = letters[at(2 * (k + ports_of_one) + 1)] == 'D';
  }
  return seen;
}

OwnPorts ServeClient::seen_by_tl1() {
  OwnPorts seen;
  std::string patches = ask_tl1("RTRV-PATCH::" + own_list(true, true));
  for (std::string one = between(patches, "\"", "\""); !one.empty(); one = between(patches, "\"", "\"")) {
    const std::size_t comma = one.find(',');
    note_circuit(seen, std::stoi(one) - 1, std::stoi(one.substr(comma + 1)) - ports_of_all - 1);
    patches.erase(0, patches.find('"' + one + '"') + one.size() + 2);
  }
  const std::string shutters = ask_tl1("RTRV-PORT-SHUTTER::" + own_list(true, true));
  for (int k = 0; k < ports_of_one; ++k) {
    const auto closed = [&](int port) {
      return shutters.find('"' + std::to_string(port + 1) + ":CLOSED") != std::string::npos;
    };
    seen.input_off[at(k)] = closed(first_ + k);
    seen.output_off[at(k)] = closed(ports_of_all + first_ + k);
  }
  return seen;
}

OwnPorts ServeClient::seen_by_http() {
  OwnPorts seen;
  const std::string status = ask_http("/status.json");
  std::string circuits = between(status, "\"circuits\":[", "]");
  for (std::string one = between(circuits, "\"id\":\"", "\""); !one.empty();
       one = between(circuits, "\"id\":\"", "\"")) {
    const std::size_t dash = one.find('-');
    note_circuit(seen, std::stoi(one) - 1, std::stoi(one.substr(dash + 1)) - 1);
    circuits.erase(0, circuits.find(one) + one.size());
  }
  for (int k = 0; k < ports_of_one; ++k) {
    const auto off = [&](const char* side) {
      const std::string name = "\"id\":\"" + std::to_string(first_ + k + 1) + side + "\"";
      return between(status.substr(status.find("\"inputs\"")), name, "}").ends_with("\"off\":true");
    };
    seen.input_off[at(k)] = off("A");
    seen.output_off[at(k)] = off("B");
  }
  return seen;
}

void ServeClient::read_back(Dialect dialect) {
  const OwnPorts seen = seen_by(dialect);
  if (looks_like(known(), seen)) return;
  give_up("reads back " + described(seen) + " by " +
          std::string(serve::dialect_names[static_cast<std::size_t>(dialect)]) + " instead of " + described(known()));
}

}  // namespace ocs::sim
