// Words are counted wherever a product and a quotient are worked out: while they are sent, at a change, at the end.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/rates.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "tests/conformance/op_list.hpp"

namespace ocs::conformance {
namespace {

using Number = std::uint64_t;

/// Every other bit of 31: the one has what the other lacks.
constexpr std::array<Number, 2> alternating{0x2AAA'AAAA, 0x5555'5555};

}  // namespace

std::vector<Op> slow_bursts(int ports) {
  constexpr std::array<Number, 4> rates{39'999, 0x5555, 0x2AAA, 1};
  constexpr Number few = 1000, lock = (Number{1} << 30) - 1;
  const auto n = static_cast<Number>(ports);
  OpList ops;
  const auto count = [&](Number i) {
    for (const std::string_view name : {"SENT", "PASSED", "LOST", "UNROUTED"}) ops.read(name, i);
    ops.read("SEG", i);
  };
  for (Number i = 0; i < n; ++i)
    for (const Number rate : rates) {
      for (const Number length : {Number{0x7FFF'FFFF}, few}) {
        ops.write("RATE", rate, i);
        ops.write("LEN", length, i);
        ops.write("LOCK", 0, i);
        connect(ops, i, i);
        ops.write("START", 1, i);
        ops.advance(alternating.front());
        count(i);
        ops.write("RATE", rate ^ 1U, i);
        ops.advance(alternating.back());
        count(i);
        ops.write("LOCK", lock, i);  // what it selects next is lost
        connect(ops, i, std::nullopt);
        ops.advance(1);
        connect(ops, i, i);
        ops.advance(few);
        count(i);
        connect(ops, i, std::nullopt);
        ops.advance(alternating.front());
        count(i);
        ops.write("STOP", 1, i);
        ops.advance(1);
        count(i);
        ops.write("SEG_FULL", 1, i);
        ops.drain();
      }
    }
  return ops.list();
}

std::vector<Op> slow_changes(int ports) {
  constexpr std::array<Number, 2> rates{39'999, 0x1555};
  constexpr Number length = 0x7FFF'FFFF, few = 1000;
  const auto n = static_cast<Number>(ports);
  OpList ops;
  const auto count = [&] {
    for (Number p = 0; p < n; ++p) {
      for (const std::string_view name : {"SENT", "PASSED", "LOST", "UNROUTED"}) ops.read(name, p);
      ops.read("SEG", p);
      ops.write("SEG_FULL", 1, p);
    }
    ops.drain();
  };
  const auto change = [&](std::string_view name, Number value, Number port) {
    ops.write(name, value, port);
    ops.advance(few);
  };
  const auto change_circuit = [&](Number output, std::optional<Number> input) {
    connect(ops, output, input);
    ops.advance(few);
  };
  ops.write("CTRL.MULTICAST", 1);
  for (const Number rate : rates)
    for (Number o = 0; o < n; ++o)
      for (Number i = 0; i < n; ++i) {
        const Number other = (o + 1) % n, beside = (i + 1) % n;
        for (const Number p : {i, beside}) {
          ops.write("RATE", rate ^ p, p);
          ops.write("LEN", length, p);
          ops.write("GATED", p == i, p);
          ops.write("START", 1, p);
        }
        change_circuit(o, i);
        ops.advance(alternating[o & 1U]);  // so that what is counted has many bits
        change("FLAP", few / 4, o);
        change("LOS", 1, i);  // a gated engine waits while its light is away
        change("LOS", 0, i);
        change("FLAP", 0, o);
        count();
        ops.advance(alternating[i & 1U]);
        change_circuit(other, i);  // of two outputs the one may be dark
        change("DEAD", 1, other);
        change("DEAD", 0, other);
        count();
        change_circuit(o, beside);
        change_circuit(o, i);
        count();
        for (const Number p : {beside, (i + 2) % n}) {
          change("START", 1, p);
          count();
        }
        change("START", 1, i);  // anew, while its words pass
        change_circuit(o, std::nullopt);
        change_circuit(other, std::nullopt);
        for (const Number p : {i, beside}) change("STOP", 1, p);
        count();
        for (const Number p : {i, o}) {
          ops.write("GATED", 0, p);
          ops.write("LEN", few, p);
          ops.write("START", 1, p);
          ops.advance(few / 4);
        }
        change("RATE", rate, o);  // the other one ends when it would have ended
        ops.advance(few * few);
        count();
      }
  return ops.list();
}

std::vector<Op> slow_boundaries(int ports) {
  constexpr Number whole = 40'000, long_enough = 0xFFFF'FFFF;
  constexpr int bits = 16;
  const auto n = static_cast<Number>(ports);
  OpList ops;
  const auto count = [&](Number i) {
    for (const std::string_view name : {"SENT", "PASSED", "LOST", "UNROUTED", "SEG"}) ops.read(name, i);
  };
  constexpr std::array<void (*)(OpList&, Number, Number), 6> changes{
      [](OpList& on, Number i, Number) { connect(on, i, std::nullopt); },
      [](OpList& on, Number i, Number count_) { connect(on, i, (i + 1) % count_); },
      [](OpList& on, Number i, Number) { on.write("LOS", 1, i); },
      [](OpList& on, Number i, Number) { on.write("DEAD", 1, i); },
      [](OpList& on, Number i, Number) { on.write("STOP", 1, i); },
      [](OpList& on, Number i, Number) { on.write("START", 1, i); }};
  const auto change_near = [&](Number i, std::optional<Number> input, Number rate, Number early, const auto& change) {
    const Number word = (whole + rate - 1) / rate;
    ops.write("RATE", rate, i);
    ops.write("LEN", long_enough, i);
    connect(ops, i, input);
    ops.advance(1);
    ops.write("START", 1, i);
    ops.advance(2);
    ops.write("RATE", rate, i);  // settles what was sent: the rest has this bit alone
    if (word > early) ops.advance(word - early);
    count(i);
    change(ops, i, n);
    ops.advance(1);
    count(i);
    ops.advance(word);
    count(i);
    for (const std::string_view fault : {"LOS", "DEAD"}) ops.write(fault, 0, i);
    ops.write("STOP", 1, i);
    connect(ops, i, std::nullopt);
    ops.advance(2);
    ops.write("SEG_FULL", 1, i);
    ops.drain();
  };
  constexpr auto comes = [](OpList& on, Number i, Number) { connect(on, i, i); };
  for (Number i = 0; i < n; ++i)
    for (int bit = 0; bit < bits; ++bit)
      for (Number early = 1; early <= 3; ++early) {
        const Number rate = Number{1} << bit;
        for (const auto& change : changes) change_near(i, i, rate, early, change);
        change_near(i, std::nullopt, rate, early, comes);
        change_near(i, (i + 1) % n, rate, early, comes);
      }
  return ops.list();
}

std::vector<Op> exact_ends(int ports) {
  constexpr Number whole = 40'000, length = 3;
  constexpr std::array<Number, 2> rests{0x5555, 0x8AAA};  // less than a word; the one has what the other lacks
  constexpr int bits = 16;
  const auto n = static_cast<Number>(ports);
  OpList ops;
  const auto end_at = [&](Number i, Number rest, Number rate, bool waits) {
    ops.write("RATE", rest, i);
    ops.write("GATED", waits, i);
    ops.write("START", 1, i);
    ops.advance(2);  // a cycle without words, and one that leaves the rest
    ops.write("RATE", rate, i);
    for (int away = 0; waits && away < 2; ++away) {
      ops.advance(whole / rate / 2 + 1);
      ops.write("LOS", 1, i);
      ops.advance(length);
      ops.write("LOS", 0, i);
    }
    ops.advance((length + 1) * whole / rate);
    ops.advance(length);
    for (const std::string_view name : {"SENT", "PASSED", "ENGINE", "SEG"}) ops.read(name, i);
    ops.write("SEG_FULL", 1, i);
    ops.drain();
  };
  for (Number i = 0; i < n; ++i) {
    connect(ops, i, i);
    ops.write("LEN", length, i);
    for (const Number rest : rests) {
      for (int bit = 0; bit < bits; ++bit) end_at(i, rest, Number{1} << bit, false);
      for (const Number rate : {1, 3, 5, 7})  // where the bound is early, the rest is worked out at each look
        for (const bool waits : {false, true}) end_at(i, rest, rate, waits);
    }
  }
  return ops.list();
}

std::vector<Op> changed_rates(int ports) {
  constexpr Number whole = 40'000, length = 1000, few = 7;
  constexpr std::array<std::pair<Number, Number>, 6> changes{
      {{1, whole}, {0x1555, 0xFFFF}, {20'000, 39'999}, {whole, 3}, {39'999, 0x2AAA}, {0, 0x5555}}};
  const auto n = static_cast<Number>(ports);
  OpList ops;
  const auto change = [&](Number i, Number from, Number to, Number gap) {
    ops.write("RATE", from, i);
    ops.write("LEN", length, i);
    ops.write("GAP", gap, i);
    ops.write("REPEAT", gap == 0 ? 0 : 2, i);
    ops.write("START", 1, i);
    ops.advance(gap + few);
    ops.write("RATE", to, i);
    for (int repeat = 0; repeat < 4; ++repeat) {
      ops.advance(length * whole / 4 / (to < few ? whole : to));
      for (const std::string_view name : {"SENT", "PASSED", "LOST", "UNROUTED", "ENGINE"}) ops.read(name, i);
    }
    ops.advance(4 * (gap + length) * whole / to);
    ops.drain();
    ops.write("STOP", 1, i);
    ops.advance(1);
    ops.read("SEG", i);
    ops.write("SEG_FULL", 1, i);
    ops.drain();
  };
  for (Number i = 0; i < n; ++i)
    for (const auto& [from, to] : changes) {
      connect(ops, i, i);
      ops.advance(1);
      for (const Number gap : {Number{0}, few}) change(i, from, to, gap);
      connect(ops, i, std::nullopt);
      ops.write("GATED", 1, i);  // it waits, with what it was given
      ops.write("RATE", from, i);
      ops.write("START", 1, i);
      ops.advance(few);
      ops.write("RATE", to, i);
      ops.advance(few);
      connect(ops, i, i);
      ops.advance(4 * (few + length) * whole / to);
      ops.write("GATED", 0, i);
      ops.write("STOP", 1, i);
      connect(ops, i, std::nullopt);
      ops.advance(1);
      ops.write("SEG_FULL", 1, i);
      ops.drain();
    }
  return ops.list();
}

}  // namespace ocs::conformance
