// Programs made of others, and one that fills all settings.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/variations.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "host/conformance/random_program.hpp"
#include "host/conformance/registers.hpp"
#include "tests/conformance/op_list.hpp"

namespace ocs::conformance {
namespace {

using Number = std::uint64_t;

constexpr Number all_ones = ~Number{0};
constexpr Number entries_of_both_banks = 32;
/// Registers that keep what is written to them.
constexpr std::array<std::string_view, 51> settings{
    "CTRL.ALL_STOP", "CTRL.MULTICAST", "COMMIT_AT",   "BASE",
    "SLOW",          "LOCK",           "PROG",        "PROG_LANES",
    "JITTER_MASK",   "SEED",           "LOS",         "DEAD",
    "STUCK",         "FLAP",           "LEN",         "GAP",
    "REPEAT",        "GATED",          "TAG",         "RATE",
    "EXTERNAL",      "SHADOW",         "SEQ_OFFSET",  "SEQ_LAUNCH",
    "SEQ_BASE",      "SEQ_LEN",        "SEQ_PERIOD",  "PAIR",
    "SEG_FULL",      "IRQ_ENABLE",     "RECEIVER.ON", "LOCK_WARM",
    "LOCK_COLD",     "CHANGED",        "ENDED",       "RECEIVER.WARM_TIME",
    "COMMIT_TAG",    "BRIEF",          "DISTURB",     "LEVEL.THRESHOLD",
    "DISTURB_AT",    "KEEPS",          "LEVEL.ON",    "LEVEL.HYSTERESIS",
    "LOS_ASSERT",    "LOS_RELEASE",    "RING_AFTER",  "RING",
    "RINGS",         "LASER",          "LOSS"};

/// Entries of a setting that are written: of PAIR of a large switch a few, since it has N² of them.
std::vector<std::pair<Number, Number>> entries_of(std::string_view name, Number ports) {
  constexpr Number few = 8;
  const Register& reg = *find_register(name);
  std::vector<std::pair<Number, Number>> out;
  for (Number p = 0; p < reg.entries(static_cast<std::uint32_t>(ports)); ++p) {
    if (reg.indices() < 2) {
      out.emplace_back(p, 0);
    } else if (ports > few) {
      out.insert(out.end(), {{p, p}, {p, ports - 1 - p}});
    } else {
      for (Number q = 0; q < ports; ++q) out.emplace_back(p, q);
    }
  }
  return out;
}

/// Writes a pattern to each setting, and reads it back.
void fill_settings(OpList& ops, Number ports, Number pattern) {
  for (const std::string_view name : settings)
    for (const auto& [p, q] : entries_of(name, ports)) {
      ops.write(name, pattern, p, q);
      ops.read(name, p, q);
    }
}

/// Entries of which each has the pattern in its inputs, flags and offset.
void fill_entries(OpList& ops, Number ports, Number pattern) {
  ops.write("SEQ_OFFSET", pattern);
  for (Number p = 0; p < ports; ++p) {
    if ((p + pattern) % 2 == 0)
      ops.write("SHADOW", pattern, p);
    else
      ops.write_no_circuit(p);
    ops.write("SEQ_LAUNCH", pattern >> p, p);
  }
  for (Number entry = 0; entry < entries_of_both_banks; ++entry) ops.write("SEQ_STORE", entry);
}

/// The same operation in a program that begins so many cycles later.
Op later(Op op, Number late) {
  constexpr unsigned word = 32;
  if (!relative_in_time(op)) return op;
  if (op.part == Op::Part::whole) op.value += late;
  if (op.part == Op::Part::low) op.value = (op.value + late) & (all_ones >> word);
  if (op.part == Op::Part::high) op.value += late >> word;
  return op;
}

/// The port that takes the place of another.
std::uint32_t turned(Number port, int ports, int by) {
  const auto n = static_cast<Number>(ports);
  return static_cast<std::uint32_t>(port < n ? (port + static_cast<Number>(by)) % n : port);
}

}  // namespace

std::vector<Op> every_setting(int ports) {
  constexpr Number some = 0xA5C3'96F0'5A3C'69B4;
  const auto n = static_cast<Number>(ports);
  OpList ops;
  for (const Number pattern : {some, ~some, some >> 1, ~(some >> 1)}) {
    fill_settings(ops, n, pattern);
    ops.advance(3);
    fill_entries(ops, n, pattern);
    ops.write("SOFT_RESET", 1);
    for (const std::string_view name : settings)
      for (Number p = 0; p < find_register(name)->entries(static_cast<std::uint32_t>(n)); ++p) ops.read(name, p, p);
  }
  return ops.list();
}

std::vector<Op> every_byte(int ports) {
  constexpr Number some = 0xA5C3'96F0'5A3C'69B4;
  constexpr std::array<std::uint8_t, 7> strobes{1, 2, 4, 8, 5, 10, 0};
  const auto n = static_cast<Number>(ports);
  OpList ops;
  for (const std::string_view name : settings) {
    for (const auto& [p, q] : entries_of(name, n))
      for (const Number pattern : {some, ~some})
        for (const std::uint8_t bytes : strobes) {
          ops.write(name, pattern, p, q);
          ops.write_bytes(name, ~pattern, bytes, p, q);
          ops.read(name, p, q);
        }
    ops.write("SOFT_RESET", 1);
  }
  return ops.list();
}

std::vector<Op> on_other_ports(std::vector<Op> program, int ports, int by) {
  for (Op& op : program) {
    if (op.reg == nullptr || op.reg->indexed == Indexed::point) continue;
    for (int k = 0; k < op.reg->indices(); ++k)
      op.index.at(static_cast<std::size_t>(k)) = turned(op.index.at(static_cast<std::size_t>(k)), ports, by);
    if (op.kind == Op::Kind::write && op.reg->shape == Shape::circuit && op.valid)
      op.value = turned(op.value, ports, by);
  }
  return program;
}

std::vector<Op> looked_at_again(const std::vector<Op>& program) {
  OpList nothing;
  nothing.write_bytes("RING_AFTER", 0, 0, 0, 0);
  std::vector<Op> out;
  for (const Op& op : program) {
    if (op.kind != Op::Kind::advance) {
      out.push_back(op);
      continue;
    }
    Op part = op;
    for (const Number cycles : {op.value / 2, op.value - op.value / 2}) {
      part.value = cycles;
      out.push_back(nothing.list().front());
      out.push_back(part);
    }
  }
  return out;
}

std::vector<Op> begun_late(const std::vector<Op>& program, int ports, Number late) {
  constexpr Number last_cycles = 8;
  const auto n = static_cast<Number>(ports);
  OpList ops;
  for (Number o = 0; o < n; ++o) {
    ops.write("STUCK", 1, o);
    ops.write("SHADOW", o, o);
  }
  ops.write("COMMIT", 1);
  ops.advance(late - last_cycles);
  for (Number o = 0; o < n; ++o) {
    ops.write("STUCK", 0, o);
    ops.write_no_circuit(o);
  }
  ops.write("COMMIT", 1);
  ops.advance(last_cycles);
  ops.drain();
  ops.write("ERROR", all_ones);
  std::vector<Op> out = ops.list();
  out.reserve(out.size() + program.size());
  for (const Op& op : program) {
    out.push_back(later(op, late));
    if (op.kind == Op::Kind::write && op.reg->name == "SOFT_RESET" && op.strobes == Op::all_bytes) late = 0;
  }
  return out;
}

}  // namespace ocs::conformance
