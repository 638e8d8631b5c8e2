// Two things that happen to one output, in every state and order.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/collisions.hpp"

#include <array>
#include <cstdint>
#include <string_view>

#include "tests/conformance/op_list.hpp"

namespace ocs::conformance {
namespace {

using Number = std::uint64_t;

constexpr Number tuning = 3, locking = 2, cycles = 8, apart = 3, cycles_after = 12;
constexpr Number all_distances = 0xFFFF'FFFF;

/// The output that things happen to, its input, and another pair of which the first may take the input.
struct Place {
  Number output, input, other_output, other_input, now;
};

void commit(OpList& ops) { ops.write("COMMIT", 1); }

struct Thing {
  std::string_view name;
  void (*happens)(OpList& ops, const Place& at);
};

constexpr std::array things{
    Thing{"COMMIT",
          [](OpList& ops, const Place& at) {
            ops.write("SHADOW", at.other_input, at.output);
            commit(ops);
          }},
    Thing{"COMMIT that disconnects",
          [](OpList& ops, const Place& at) {
            ops.write_no_circuit(at.output);
            commit(ops);
          }},
    Thing{"COMMIT of another output",
          [](OpList& ops, const Place& at) {
            ops.write("SHADOW", at.other_input, at.other_output);
            commit(ops);
          }},
    Thing{"COMMIT of two outputs with one input",
          [](OpList& ops, const Place& at) {
            ops.write("SHADOW", at.input, at.other_output);
            commit(ops);
          }},
    Thing{"COMMIT of another output that disturbs",
          [](OpList& ops, const Place& at) {
            ops.write("DISTURB", 3);
            ops.write("DISTURB_AT", all_distances);
            ops.write("SHADOW", at.other_input, at.other_output);
            commit(ops);
          }},
    Thing{"COMMIT_AT",
          [](OpList& ops, const Place& at) {
            ops.write("SHADOW", at.other_input, at.output);
            ops.write("COMMIT_AT", at.now + 1);
          }},
    Thing{"COMMIT_CANCEL", [](OpList& ops, const Place&) { ops.write("COMMIT_CANCEL", 1); }},
    Thing{"SEQ_GO",
          [](OpList& ops, const Place& at) {
            ops.write("SHADOW", at.other_input, at.output);
            ops.write("SEQ_LAUNCH", 1, at.other_input);
            ops.write("SEQ_STORE", 0);
            ops.write("SEQ_BASE", at.now);
            ops.write("SEQ_LEN", 1);
            ops.write("SEQ_GO", 1);
          }},
    Thing{"SEQ_STOP", [](OpList& ops, const Place&) { ops.write("SEQ_STOP", 1); }},
    Thing{"LOS", [](OpList& ops, const Place& at) { ops.write("LOS", 1, at.input); }},
    Thing{"light", [](OpList& ops, const Place& at) { ops.write("LOS", 0, at.input); }},
    Thing{"DEAD", [](OpList& ops, const Place& at) { ops.write("DEAD", 1, at.output); }},
    Thing{"STUCK", [](OpList& ops, const Place& at) { ops.write("STUCK", 1, at.output); }},
    Thing{"no longer STUCK", [](OpList& ops, const Place& at) { ops.write("STUCK", 0, at.output); }},
    Thing{"STUCK where it stands",
          [](OpList& ops, const Place& at) {
            ops.write("KEEPS", 1, at.output);
            ops.write("STUCK", 1, at.output);
          }},
    Thing{"LEVEL.ON",
          [](OpList& ops, const Place&) {
            ops.write("LOS_ASSERT", 1);
            ops.write("LOS_RELEASE", 2);
            ops.write("LEVEL.ON", 1);
          }},
    Thing{"weak light", [](OpList& ops, const Place& at) { ops.write("LOSS", 1, at.output); }},
    Thing{"mirrors that ring",
          [](OpList& ops, const Place&) {
            ops.write("RING_AFTER", 1);
            ops.write("RING", 2);
            ops.write("RINGS", 2);
            ops.write("LEVEL.ON", 1);
          }},
    Thing{"RETRY", [](OpList& ops, const Place& at) { ops.write("RETRY", 1, at.output); }},
    Thing{"FLAP", [](OpList& ops, const Place& at) { ops.write("FLAP", 2, at.output); }},
    Thing{"ALL_STOP", [](OpList& ops, const Place&) { ops.write("CTRL.ALL_STOP", 1); }},
    Thing{"MULTICAST", [](OpList& ops, const Place&) { ops.write("CTRL.MULTICAST", 1); }},
    Thing{"BASE, LOCK and JITTER_MASK",
          [](OpList& ops, const Place& at) {
            ops.write("BASE", 1, at.output);
            ops.write("LOCK", 0, at.output);
            ops.write("JITTER_MASK", 3, at.output);
          }},
    Thing{"START",
          [](OpList& ops, const Place& at) {
            ops.write("LEN", 2, at.input);
            ops.write("START", 1, at.input);
          }},
    Thing{"START, gated",
          [](OpList& ops, const Place& at) {
            ops.write("LEN", 3, at.input);
            ops.write("GATED", 1, at.input);
            ops.write("REPEAT", 1, at.input);
            ops.write("GAP", 1, at.input);
            ops.write("START", 1, at.input);
          }},
    Thing{"STOP", [](OpList& ops, const Place& at) { ops.write("STOP", 1, at.input); }},
    Thing{"RATE", [](OpList& ops, const Place& at) { ops.write("RATE", 25000, at.input); }},
    Thing{"EXTERNAL", [](OpList& ops, const Place& at) { ops.write("EXTERNAL", 1, at.input); }},
    Thing{"SEG_FULL", [](OpList& ops, const Place& at) { ops.write("SEG_FULL", 1, at.output); }},
    Thing{"CHANGED", [](OpList& ops, const Place& at) { ops.write("CHANGED", 1, at.output); }},
    Thing{"ENDED", [](OpList& ops, const Place& at) { ops.write("ENDED", 1, at.input); }},
    Thing{"SHADOW_LOAD", [](OpList& ops, const Place&) { ops.write("SHADOW_LOAD", 1); }},
};

void connect(OpList& ops, const Place& at) {
  ops.write("BASE", tuning, at.output);
  ops.write("LOCK", locking, at.output);
  ops.write("BASE", 2, at.other_output);
  ops.write("LOCK", 1, at.other_output);
  for (const Number input : {at.input, at.other_input}) {
    ops.write("LEN", 1000, input);
    ops.write("TAG", 0x4321 + input, input);
    ops.write("START", 1, input);
  }
  ops.write("SHADOW", at.input, at.output);
  commit(ops);
}

void advance_one_by_one(OpList& ops, Number count) {
  for (; count > 0; --count) ops.advance(1);
}

}  // namespace

std::size_t collisions_of_an_output() { return things.size() * things.size() * cycles * apart; }

Collision collision(int ports, int output, std::size_t number) {
  const Number first_cycle = number % cycles, later = number / cycles % apart;
  const Thing& first = things.at(number / (cycles * apart) % things.size());
  const Thing& second = things.at(number / (cycles * apart * things.size()));
  const auto n = static_cast<Number>(ports), o = static_cast<Number>(output);
  Place at{o, (o + 1) % n, (o + n - 1) % n, (o + 2) % n, first_cycle};
  Collision out;
  out.name = "output " + std::to_string(output) + ": " + std::string(first.name) + ", then " +
             std::string(second.name) + ", in cycle " + std::to_string(first_cycle) + " and " + std::to_string(later) +
             " later";
  OpList ops;
  connect(ops, at);
  advance_one_by_one(ops, first_cycle);
  first.happens(ops, at);
  advance_one_by_one(ops, later);
  at.now += later;
  second.happens(ops, at);
  advance_one_by_one(ops, cycles_after);
  ops.read("SEG", at.output);
  ops.write("STOP", 1, at.input);
  ops.advance(4);
  ops.drain();
  ops.write("SOFT_RESET", 1);
  out.program = ops.list();
  return out;
}

std::vector<Op> every_map(int ports) {
  const auto n = static_cast<Number>(ports), choices = n + 2;
  Number maps = 1;
  for (int o = 0; o < ports; ++o) maps *= choices;
  OpList ops;
  for (Number multicast = 0; multicast < 2; ++multicast) {
    ops.write("CTRL.MULTICAST", multicast);
    for (Number map = 0; map < maps; ++map) {
      for (Number o = 0, rest = map; o < n; ++o, rest /= choices) {
        if (rest % choices == n + 1)
          ops.write_no_circuit(o);
        else
          ops.write("SHADOW", rest % choices, o);
      }
      commit(ops);
      ops.advance(1);
      ops.drain();
    }
  }
  return ops.list();
}

}  // namespace ocs::conformance
