// Programs made of others. One begins after a history that leaves no bit of a setting, an entry or a time as it was.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/variations.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "host/conformance/random_program.hpp"
#include "host/conformance/registers.hpp"

namespace ocs::conformance {
namespace {

using Number = std::uint64_t;

constexpr Number all_ones = ~Number{0};
constexpr Number entries_of_both_banks = 32;
/// Registers that keep what is written to them; of SHADOW, SEQ_OFFSET and SEQ_LAUNCH also entries are made.
constexpr std::array<std::string_view, 30> settings{
    "CTRL.ALL_STOP", "CTRL.MULTICAST", "COMMIT_AT",  "BASE",       "SLOW",     "LOCK",    "PROG",       "PROG_LANES",
    "JITTER_MASK",   "SEED",           "LOS",        "DEAD",       "STUCK",    "FLAP",    "LEN",        "GAP",
    "REPEAT",        "GATED",          "TAG",        "RATE",       "EXTERNAL", "SHADOW",  "SEQ_OFFSET", "SEQ_LAUNCH",
    "SEQ_BASE",      "SEQ_LEN",        "SEQ_PERIOD", "IRQ_ENABLE", "PAIR",     "SEG_FULL"};

/// The operations of one history, appended one by one.
class Maker {
 public:
  explicit Maker(int ports) : ports_(static_cast<Number>(ports)) {}

  void write(std::string_view name, Number value, Number first = 0, Number second = 0, bool valid = true) {
    Op op = access(Op::Kind::write, name, first, second);
    op.value = valid ? value & op.reg->limit() : 0;
    op.valid = valid;
    ops.push_back(op);
  }
  void read(std::string_view name, Number first, Number second) {
    ops.push_back(access(Op::Kind::read, name, first, second));
  }
  void advance(Number cycles) {
    Op op;
    op.kind = Op::Kind::advance;
    op.value = cycles;
    ops.push_back(op);
  }
  void drain() {
    Op op;
    op.kind = Op::Kind::drain;
    ops.push_back(op);
  }

  /// Writes a pattern to each setting, and reads it back.
  void fill_settings(Number pattern) {
    for (const std::string_view name : settings) {
      const Register& reg = *find_register(name);
      const Number first = reg.indices() > 0 ? ports_ : 1;
      for (Number p = 0; p < first; ++p)
        for (const Number q : seconds(reg, p)) {
          write(name, pattern, p, q);
          read(name, p, q);
        }
    }
    advance(3);
  }

  /// Entries of which each has the pattern in its inputs, flags and offset.
  void fill_entries(Number pattern) {
    write("SEQ_OFFSET", pattern);
    for (Number p = 0; p < ports_; ++p) {
      write("SHADOW", pattern, p, 0, (p + pattern) % 2 == 0);
      write("SEQ_LAUNCH", pattern >> p, p);
    }
    for (Number entry = 0; entry < entries_of_both_banks; ++entry) write("SEQ_STORE", entry);
  }

  /// Memories that a soft reset does not reach.
  void clear_pairs() {
    const Register& pair = *find_register("PAIR");
    for (Number o = 0; o < ports_; ++o)
      for (const Number i : seconds(pair, o)) write("PAIR", 0, o, i);
  }

  void connect_all_and_go_dark(Number cycles) {
    for (Number o = 0; o < ports_; ++o) {
      write("STUCK", 1, o);
      write("SHADOW", o, o);
    }
    write("COMMIT", 1);
    advance(cycles);
    for (Number o = 0; o < ports_; ++o) {
      write("STUCK", 0, o);
      write("SHADOW", 0, o, 0, false);
    }
    write("COMMIT", 1);
  }

  std::vector<Op> ops;

 private:
  static Op access(Op::Kind kind, std::string_view name, Number first, Number second) {
    Op op;
    op.kind = kind;
    op.reg = find_register(name);
    op.index = {static_cast<std::uint32_t>(op.reg->indices() > 0 ? first : 0),
                static_cast<std::uint32_t>(op.reg->indices() > 1 ? second : 0)};
    return op;
  }

  /// Second indices: of large switches a few, since PAIR has N² entries.
  std::vector<Number> seconds(const Register& reg, Number first) const {
    constexpr Number few = 8;
    if (reg.indices() < 2) return {0};
    if (ports_ > few) return {first, ports_ - 1 - first};
    std::vector<Number> out;
    for (Number i = 0; i < ports_; ++i) out.push_back(i);
    return out;
  }

  Number ports_;
};

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

std::vector<Op> on_other_ports(std::vector<Op> program, int ports, int by) {
  for (Op& op : program) {
    if (op.reg == nullptr) continue;
    for (int k = 0; k < op.reg->indices(); ++k)
      op.index.at(static_cast<std::size_t>(k)) = turned(op.index.at(static_cast<std::size_t>(k)), ports, by);
    if (op.kind == Op::Kind::write && op.reg->shape == Shape::circuit && op.valid)
      op.value = turned(op.value, ports, by);
  }
  return program;
}

std::vector<Op> begun_late(const std::vector<Op>& program, int ports, Number late) {
  constexpr Number last_cycles = 8;
  Maker maker(ports);
  for (const Number pattern : {late * 3, ~(late * 3)}) {
    maker.fill_settings(pattern);
    maker.fill_entries(pattern);
  }
  maker.clear_pairs();
  maker.write("SOFT_RESET", 1);
  maker.connect_all_and_go_dark(late - last_cycles);
  maker.advance(last_cycles);
  maker.drain();
  maker.write("ERROR", all_ones);
  std::vector<Op> out = std::move(maker.ops);
  out.reserve(out.size() + program.size());
  for (const Op& op : program) {
    out.push_back(later(op, late));
    if (op.kind == Op::Kind::write && op.reg->name == "SOFT_RESET" && op.strobes == Op::all_bytes) late = 0;
  }
  return out;
}

}  // namespace ocs::conformance
