// The rules of docs/serve.md, section 1, for a few ports.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/serve/model.hpp"

#include <array>

namespace ocs::sim {
namespace {

std::string input_name(int first, int port) { return std::to_string(first + port + 1); }
std::string output_name(int first, int port) { return std::to_string(ports_of_all + first + port + 1); }
std::string list(const std::string& number) { return "(@" + number + ")"; }

void drop(OwnPorts& ports, int in, int out) {
  ports.out_of[at(in)].reset();
  if (const auto other = ports.in_of(out)) ports.out_of[at(*other)].reset();
}

/// What is in the way of a new circuit refuses it; the same circuit is none.
bool connect(OwnPorts& ports, int in, int out) {
  if (ports.out_of[at(in)] == out) return true;
  if (ports.out_of[at(in)] || ports.in_of(out)) return false;
  ports.out_of[at(in)] = out;
  return true;
}

bool disconnect(OwnPorts& ports, int in, int out) {
  if (ports.out_of[at(in)] != out) return false;
  ports.out_of[at(in)].reset();
  return true;
}

}  // namespace

std::optional<int> OwnPorts::in_of(int out) const {
  for (int in = 0; in < ports_of_one; ++in)
    if (out_of[at(in)] == out) return in;
  return std::nullopt;
}

std::string OwnPorts::settled_state(int out) const {
  const auto in = in_of(out);
  if (!in || output_off[at(out)] || input_off[at(*in)]) return "BLOCKED";
  return dead[at(out)] || dead[at(*in)] ? "FAILED" : "TUNED";
}

bool apply(const Order& order, OwnPorts& ports) {
  OwnPorts after = ports;
  bool done = true;
  switch (order.act) {
    case Act::add:
      done = connect(after, order.in, order.out);
      break;
    case Act::update:
      if (after.out_of[at(order.in)] != order.out) {
        drop(after, order.in, order.out);
        done = connect(after, order.in, order.out);
      }
      break;
    case Act::replace:
      done = disconnect(after, order.in, order.out) && connect(after, order.in2, order.out2);
      break;
    case Act::remove:
      done = disconnect(after, order.in, order.out);
      break;
    case Act::cut:
      done = after.out_of[at(order.in)].has_value();
      after.out_of[at(order.in)].reset();
      break;
    case Act::disable:
    case Act::enable:
      (order.output ? after.output_off : after.input_off)[at(order.in)] = order.act == Act::disable;
      break;
    case Act::fail:
    case Act::repair:
      after.dead[at(order.in)] = order.act == Act::fail;
      break;
  }
  if (done) ports = after;
  return done;
}

Order draw_order(Draw& draw, bool of_tl1) {
  constexpr std::array both = {Act::add, Act::add, Act::add, Act::cut, Act::disable, Act::enable, Act::enable};
  constexpr std::array all = {Act::add,    Act::add,    Act::update, Act::replace, Act::remove,
                              Act::enable, Act::enable, Act::fail,   Act::repair,  Act::disable};
  const auto port = [&] { return static_cast<int>(draw.below(ports_of_one)); };
  Order order{.act = of_tl1 ? both[draw.below(both.size())] : all[draw.below(all.size())]};
  order.in = port(), order.out = port(), order.in2 = port(), order.out2 = port();
  order.output = draw.one_in(2);
  return order;
}

std::string scpi_text(const Order& order, int first) {
  const std::string in = list(input_name(first, order.in)), out = list(output_name(first, order.out));
  const std::string port = order.output ? list(output_name(first, order.in)) : in;
  switch (order.act) {
    case Act::add:
      return "OXC:SWIT:CONN:ADD " + in + "," + out;
    case Act::update:
      return "OCS:CONN:UPD " + in + "," + out;
    case Act::replace:
      return "OCS:CONN:REPL " + in + "," + out + "," + list(input_name(first, order.in2)) + "," +
             list(output_name(first, order.out2));
    case Act::remove:
      return "OXC:SWIT:CONN:SUB " + in + "," + out;
    case Act::cut:
      return "OXC:SWIT:CONN:SUB " + in + ",(@)";
    case Act::disable:
      return "OXC:SWIT:PORT:DIS " + port;
    case Act::enable:
      return "OXC:SWIT:PORT:ENAB " + port;
    case Act::fail:
      return "DIAG:PORT:FAIL " + in;
    case Act::repair:
      break;
  }
  return "DIAG:PORT:REP " + in;
}

std::string tl1_text(const Order& order, int first, const std::string& ctag) {
  const std::string in = input_name(first, order.in), out = output_name(first, order.out);
  const std::string port = order.output ? output_name(first, order.in) : in;
  switch (order.act) {
    case Act::add:
      return "ENT-PATCH::" + in + "," + out + ":" + ctag + ":";
    case Act::disable:
      return "OPR-PORT-SHUTTER::" + port + ":" + ctag + ":";
    case Act::enable:
      return "RLS-PORT-SHUTTER::" + port + ":" + ctag + ":";
    default:
      return "DLT-PATCH::" + in + ":" + ctag + ":";
  }
}

}  // namespace ocs::sim
