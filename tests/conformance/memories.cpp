// Programs that use every bit of what a switch remembers.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/memories.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tests/conformance/op_list.hpp"

namespace ocs::conformance {
namespace {

using Number = std::uint64_t;

/// Every other bit of 31: the one has what the other lacks.
constexpr std::array<Number, 2> patterns{0x2AAA'AAAA, 0x5555'5555};

/// A row's map: a circuit at every output, the reverse of that, none, one from an input that isn't there, two from one.
enum class Row : std::uint8_t { straight, reversed, dark, beyond, twice };
constexpr std::array all_rows{Row::straight, Row::reversed, Row::dark, Row::beyond, Row::twice};

/// The shadow map and the launched inputs of an entry, stored in the idle bank.
void store(OpList& ops, Number ports, Number entry, Number offset, Row row) {
  const bool reversed = row == Row::reversed;
  for (Number o = 0; o < ports; ++o) {
    const Number straight = (o + entry) % ports, input = reversed ? ports - 1 - straight : straight;
    if (row == Row::dark)
      ops.write_no_circuit(o);
    else
      ops.write("SHADOW", row == Row::beyond && input == 0 ? ports : row == Row::twice && input == 1 ? 0 : input, o);
    ops.write("SEQ_LAUNCH", (straight & 1U) ^ static_cast<Number>(reversed), o);
  }
  ops.write("SEQ_OFFSET", offset);
  ops.write("SEQ_STORE", entry);
}

constexpr Number away = 20;  // cycles, more than any of these receivers takes

/// Receivers that need 1 cycle to lock, or 5 where they are cold.
OpList receivers(Number ports) {
  OpList ops;
  for (Number k = 0; k < points; ++k) {
    ops.write("LOCK_WARM", 0, k);
    ops.write("LOCK_COLD", 4, k);
  }
  for (Number o = 0; o < ports; ++o) ops.write("LOCK", 1, o);
  return ops;
}

}  // namespace

std::vector<Op> every_receiver(int ports) {
  const auto n = static_cast<Number>(ports);
  OpList ops = receivers(n);
  const auto connect_and_leave = [&](Number output, Number input, bool for_want_of_light) {
    ops.advance(1);
    connect(ops, output, input);
    ops.advance(away);
    if (for_want_of_light) {
      ops.write("LOS", 1, input);
      ops.advance(1);
    }
    connect(ops, output, std::nullopt);
    ops.advance(1);
    ops.write("LOS", 0, input);
  };
  const auto come_back = [&](Number o, Number i, Number window, std::optional<Number> other) {
    ops.write("RECEIVER.ON", 1);
    connect(ops, o, i);
    ops.advance(away);
    connect(ops, o, (i + 1) % n);
    if (other) connect_and_leave(*other, (i + 2) % n, window > 3 * away);
    ops.advance(away);
    ops.write("RECEIVER.WARM_TIME", window);
    connect(ops, o, i);
    ops.advance(away);
    ops.drain();
  };
  for (Number o = 0; o < n; ++o) {
    for (Number i = 0; i < n; ++i) {
      for (const Number window : {away, away + 1}) come_back(o, i, window, std::nullopt);
      for (Number k = 1; k < n; ++k)
        for (const Number window : {2 * away, 3 * away, 4 * away}) come_back(o, i, window, (o + k) % n);
    }
    connect(ops, o, std::nullopt);
    ops.advance(1);
  }
  return ops.list();
}

std::vector<Op> receivers_that_fail(int ports) {
  constexpr std::array<std::string_view, 4> ways{"LOS", "DEAD", "a row", "ALL_STOP"};
  const auto n = static_cast<Number>(ports);
  OpList ops = receivers(n);
  ops.write("RECEIVER.ON", 1);
  const auto leave = [&](std::string_view way, Number o, Number i) {
    if (way == "LOS" || way == "DEAD") ops.write(way, 1, way == "LOS" ? i : o);
    if (way == "ALL_STOP") {  // the output is held when it leaves
      ops.write("CTRL.ALL_STOP", 1);
      connect(ops, (o + 1) % n, (i + 1) % n);
      ops.advance(1);
      connect(ops, o, std::nullopt);
    }
    if (way != "a row") return;
    ops.write_no_circuit(o);
    ops.write("SEQ_STORE", 0);
    ops.write("SEQ_BASE", 0);  // which is past: the row is taken at once
    ops.write("SEQ_LEN", 1);
    ops.write("SEQ_GO", 1);
  };
  for (Number o = 0; o < n; ++o)
    for (Number i = 0; i < n; ++i)
      for (const std::string_view way : ways)
        for (Number window = away - 1; window < away + 3; ++window) {
          ops.write("BASE", way == "ALL_STOP" ? 3 : 0, (o + 1) % n);
          ops.write("RECEIVER.WARM_TIME", window);
          connect(ops, o, i);
          ops.advance(away);
          leave(way, o, i);
          ops.advance(away);
          for (const std::string_view fault : {"LOS", "DEAD"}) ops.write(fault, 0, fault == "LOS" ? i : o);
          connect(ops, o, i);
          ops.advance(away);
          ops.write("CTRL.ALL_STOP", 0);
          connect(ops, (o + 1) % n, std::nullopt);
          ops.advance(1);
          ops.drain();
        }
  return ops.list();
}

std::vector<Op> first_locks(int ports, std::optional<int> bit, bool one_more) {
  const auto n = static_cast<Number>(ports);
  OpList ops = receivers(n);
  for (const std::optional<Number> input :
       {std::optional<Number>{0}, std::optional<Number>{}}) {  // nobody remembers it
    connect(ops, 0, input);
    ops.advance(1);
  }
  if (one_more) {  // of two things that are done at each action, the second one may undo the first
    ops.write("START", 1, 0);
    ops.advance(1);
  }
  ops.write("RECEIVER.WARM_TIME", find_register("RECEIVER.WARM_TIME")->limit());
  ops.write("RECEIVER.ON", 1);
  if (bit) ops.advance(Number{1} << *bit);
  for (Number o = 0; o < n; ++o) {
    for (Number i = 0; i < n; ++i) {
      connect(ops, o, i);
      ops.advance(away);
    }
    connect(ops, o, std::nullopt);
    ops.advance(1);
    ops.drain();
  }
  return ops.list();
}

std::vector<Op> every_seed(int ports) {
  constexpr Number of_an_output = 0x9E37'79B9, bits = 32;  // docs/switch-contract.md, section 2
  const auto n = static_cast<Number>(ports);
  const Number longest = find_register("JITTER_MASK")->limit();
  OpList ops;
  for (Number k = 0; k < points; ++k) ops.write("LOCK_COLD", k, k);
  ops.write("RECEIVER.ON", 1);
  for (Number o = 0; o < n; ++o) ops.write("JITTER_MASK", longest, o);
  for (Number o = 0; o < n; ++o)
    for (Number bit = 0; bit <= bits; ++bit) {  // the last one: none, for which the generator begins with 1
      const Number first = bit == bits ? 0 : Number{1} << bit;
      ops.write("SEED", first ^ of_an_output * (o + 1));
      connect(ops, o, o);
      for (const std::optional<Number> next : {std::optional{(o + 1) % n}, std::optional{o}, std::optional<Number>{}}) {
        ops.advance(longest + 2 * points);  // the next draw is of what this one left
        connect(ops, o, next);
      }
      ops.advance(1);
      ops.drain();
    }
  return ops.list();
}

std::vector<Op> every_entry(int ports, int entries, std::uint64_t filled) {
  const auto n = static_cast<Number>(ports), last = static_cast<Number>(entries);
  OpList ops;
  for (Number i = 0; i < n; ++i) ops.write("LEN", 2 + i, i);
  Number now = 0;
  for (int bank = 0; bank < 2; ++bank) {  // whatever is in rows that are not played
    for (Number entry = 0; entry < last; ++entry) store(ops, n, entry, filled, all_rows[entry % all_rows.size()]);
    ops.write("SEQ_BASE", now + 2);
    ops.write("SEQ_LEN", 1);
    ops.write("SEQ_GO", 1);
    ops.advance(filled + 4);
    now += filled + 4;
    ops.drain();
  }
  for (Number entry = 0; entry < last; ++entry)
    for (const Row row : all_rows)
      for (int bank = 0; bank < 2; ++bank) {  // SEQ_GO plays the bank that was idle
        if (row == all_rows.front() && entry > 0) store(ops, n, entry - 1, entry - 1, Row::straight);
        const Number offset = row == Row::straight ? patterns.front() : row == Row::reversed ? patterns.back() : last;
        store(ops, n, entry, offset, row);
        ops.write("SEQ_BASE", now + 2);
        ops.write("SEQ_LEN", entry + 1);
        ops.write("SEQ_GO", 1);
        ops.advance(offset + 2 * last);
        now += offset + 2 * last;
        ops.drain();
      }
  return ops.list();
}

std::vector<Op> long_gaps(int ports) {
  const auto n = static_cast<Number>(ports);
  OpList ops;
  for (Number i = 0; i < n; ++i)
    for (const Number pattern : patterns) {
      for (const std::string_view name : {"GAP", "REPEAT"}) ops.write(name, name == "GAP" ? pattern : 2, i);
      ops.write("LEN", 3, i);
      connect(ops, (i + 1) % n, i);
      ops.write("START", 1, i);
      for (int gap = 0; gap < 3; ++gap) {
        ops.advance(pattern + 1);
        for (int cycle = 0; cycle < 3; ++cycle) {
          ops.advance(1);
          ops.read("ENGINE", i);
          ops.read("SENT", i);
        }
        ops.drain();
      }
    }
  return ops.list();
}

std::vector<Op> long_bursts(int ports) {
  constexpr Number length = 0xFFFF'FFFF, apart = 3;
  const auto n = static_cast<Number>(ports);
  OpList ops;
  for (Number i = 0; i < n; ++i) ops.write("LEN", length, i);
  for (const Number pattern : patterns) {
    for (Number i = 0; i < n; ++i) ops.write("TAG", pattern ^ (0xFFFFU * (i & 1U)), i);
    for (Number i = 0; i < n; ++i) connect(ops, i, i);
    for (Number i = 0; i < n; ++i) ops.write("START", 1, i);
    for (int turn = 0; turn < 2; ++turn) {
      ops.advance(pattern);
      for (Number o = 0; o < n; ++o) {
        connect(ops, o, std::nullopt);
        ops.advance(apart);
        ops.read("SEG", o);
        ops.write("SEG_FULL", 1, o);
        connect(ops, o, o);
        ops.advance(apart);
      }
      ops.drain();
    }
    for (Number i = 0; i < n; ++i) ops.write("STOP", 1, i);
    ops.advance(apart);
    for (Number o = 0; o < n; ++o) ops.read("SEG", o);
    ops.drain();
  }
  return ops.list();
}

std::vector<Op> long_delays(int ports) {
  constexpr std::array<std::string_view, 5> delays{"BASE", "SLOW", "LOCK", "PAIR", "FLAP"};
  constexpr Number most = 8;  // times the longest delay
  const Number longest = find_register("RECEIVER.WARM_TIME")->limit();
  const auto n = static_cast<Number>(ports);
  OpList ops;
  ops.write("PROG_LANES", 1);
  for (const Number pattern : patterns) {
    const Number delay = pattern & find_register("BASE")->limit();
    for (Number o = 0; o < n; ++o)
      for (const std::string_view name : delays) {
        ops.write(name, delay, o, o);
        connect(ops, o, o);
        ops.advance(most * delay);
        connect(ops, o, std::nullopt);
        ops.write(name, 0, o, o);
        ops.advance(1);
        ops.drain();
      }
    ops.write("PROG", delay);
    for (const bool connects : {true, false}) {
      for (Number o = 0; o < n; ++o) connects ? ops.write("SHADOW", o, o) : ops.write_no_circuit(o);
      ops.write("COMMIT", 1);
      ops.advance(most * delay);
      ops.drain();
    }
    ops.write("PROG", 0);
    for (const std::string_view table : {"LOCK_COLD", "LOCK_WARM"}) {
      for (Number k = 0; k < points; ++k) ops.write(table, delay, k);
      ops.write("RECEIVER.ON", 1);
      ops.write("RECEIVER.WARM_TIME", table == "LOCK_WARM" ? longest : 0);
      for (Number o = 0; o < n; ++o) {
        connect(ops, o, o);
        ops.advance(2 * delay);
        connect(ops, o, std::nullopt);
        ops.advance(1);
        ops.drain();
      }
      for (Number k = 0; k < points; ++k) ops.write(table, 0, k);
    }
    ops.write("RECEIVER.ON", 0);
  }
  for (const std::string_view name : {"BASE", "SLOW", "PROG"})  // the last outputs would wait for more than 2^32 cycles
    for (Number o = 0; o < n; ++o) ops.write(name, longest, o);
  for (Number o = 0; o < n; ++o) ops.write("SHADOW", o, o);
  ops.write("COMMIT", 1);
  ops.advance(most * longest);
  ops.drain();
  return ops.list();
}

std::vector<Op> long_pairs(int ports) {
  const auto n = static_cast<Number>(ports);
  OpList ops;
  for (Number o = 0; o < n; ++o)
    for (Number i = 0; i < n; ++i)
      for (const Number pattern : patterns) {
        const Number delay = pattern & find_register("PAIR")->limit();
        const auto wait = [&] {
          ops.advance(2 * delay + 1);
          ops.drain();
        };
        ops.write("PAIR", delay, o, i);
        ops.write("PAIR", 0, o, (i + 1) % n);
        connect(ops, o, i);
        wait();
        ops.write("STUCK", 1, o);
        connect(ops, o, (i + 1) % n);
        ops.advance(2);
        ops.write("STUCK", 0, o);
        ops.write("PAIR", delay, o, (i + 1) % n);
        ops.write("SLOW", pattern == patterns.front() ? delay : 0, o);
        ops.write("RETRY", 1, o);
        wait();
        connect(ops, o, std::nullopt);
        ops.advance(1);
      }
  return ops.list();
}

std::vector<Op> every_tag(int records) {
  OpList ops;
  for (const Number pattern : patterns)
    for (int k = 0; k < 2 * records; ++k) {
      ops.write("COMMIT_TAG", pattern);
      ops.write("COMMIT", 1);
      ops.advance(1);
      if (k % records == records - 1) ops.drain();
    }
  return ops.list();
}

}  // namespace ocs::conformance
