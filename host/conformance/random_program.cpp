// Random register programs, one kind of step for each subject of the contract.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/random_program.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <numeric>
#include <string_view>
#include <utility>

#include "ocs_regs.h"

namespace ocs::conformance {
namespace {

using Number = std::uint64_t;

constexpr Number thirty_bits = (Number{1} << 30) - 1, thirty_two_bits = 0xFFFF'FFFF;
constexpr Number relative_bias = 5;  // relative times reach a little into the past

Op write(std::string_view name, Number value, Number first = 0, Number second = 0) {
  Op op;
  op.kind = Op::Kind::write;
  op.reg = find_register(name);
  op.index = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)};
  op.value = value;
  return op;
}

Op read(const Register& reg, Number first, Number second) {
  Op op;
  op.kind = Op::Kind::read;
  op.reg = &reg;
  if (reg.indices() > 0) op.index[0] = static_cast<std::uint32_t>(first);
  if (reg.indices() > 1) op.index[1] = static_cast<std::uint32_t>(second);
  return op;
}

Op plain(Op::Kind kind, Number value = 0) {
  Op op;
  op.kind = kind;
  op.value = value;
  return op;
}

/// What the steps are made of, drawn one number after the other.
class Chance {
 public:
  explicit Chance(const DrawBelow& draw) : draw_(draw) {}
  Number below(Number n) const { return draw_(n); }
  Number between(Number from, Number to) const { return from + draw_(to - from); }
  bool one_in(Number n) const { return below(n) == n - 1; }
  template <class T>
  T pick(std::initializer_list<T> choices) const {
    return choices.begin()[below(choices.size())];
  }
  /// The position of one of the weights.
  std::size_t weighted(std::initializer_list<Number> weights) const {
    Number at = below(std::accumulate(weights.begin(), weights.end(), Number{0}));
    std::size_t place = 0;
    for (const Number weight : weights) {
      if (at < weight) break;
      at -= weight;
      ++place;
    }
    return place;
  }

 private:
  const DrawBelow& draw_;
};

/// Draws for one setting. No expression draws twice: compilers evaluate its parts in different orders.
class StepMaker : Chance {
 public:
  StepMaker(const Setting& setting, const DrawBelow& draw)
      : Chance(draw), ports_(static_cast<Number>(setting.ports)), scale_(setting.scale) {}

  Step any() const {
    switch (weighted({30, 14, 10, 10, 6, 10, 10, 4, 4, 4, 6, 4, 4, 1})) {
      case 0:
        return advance();
      case 1:
        return commit();
      case 2:
        return delays();
      case 3:
        return burst();
      case 4:
        return engine();
      case 5:
        return fault();
      case 6:
        return light();
      case 7:
        return entry();
      case 8:
        return sequencer();
      case 9:
        return mode();
      case 10:
        return events();
      case 11:
        return access();
      case 12:
        return some_bytes();
      default:
        return {{write("SOFT_RESET", 1)}};
    }
  }

 private:
  /// Mostly a port of the device.
  Number port() const { return one_in(60) ? pick<Number>({ports_, ports_ + 1, 255}) : below(ports_); }

  /// A duration: often 0, mostly a few units, now and then many.
  Number duration(Number limit) const {
    constexpr std::array<std::pair<Number, Number>, 4> ranges{{{0, 1}, {1, 6}, {1, 21}, {21, 100}}};
    const auto [from, to] = ranges.at(weighted({3, 6, 4, 1}));
    const Number units = between(from, to);
    return std::min(units * scale_ + (units == 0 ? 0 : below(3)), limit);
  }

  Number first_index(const Register& reg) const { return reg.indexed == Indexed::point ? below(points) : port(); }

  /// A time between a little in the past and some units ahead.
  Number soon(Number units) const {
    const Number cycles = below(15);
    return cycles + below(units) * scale_;
  }

  Op circuit(Number output) const {
    Op op = write("SHADOW", 0, output);
    op.valid = !one_in(4);
    if (op.valid) op.value = one_in(40) ? pick<Number>({ports_, ports_ + 1, 256, 511}) : below(ports_);
    return op;
  }

  /// Entries of three outputs in one write, if the brief form is on.
  Op block(Number output) const {
    Number word = OCS_REGS__PORT__SHADOWX__BLOCK_bm;
    for (const unsigned first : {0u, 9u, 19u}) {
      const bool valid = !one_in(4);
      const Number in = one_in(40) ? 511 : below(ports_);
      if (valid) word |= in << first | Number{1} << (first == 0 ? 31 : first + 9);
    }
    return write("SHADOW_WORD", word, output);
  }

  /// A map without conflicts: output o selects input (o + shift) mod N, some outputs none; or only a few changes.
  void map(Step& step) const {
    if (one_in(2)) {
      const Number shift = below(ports_);
      for (Number o = 0; o < ports_; ++o) {
        Op op = write("SHADOW", 0, o);
        op.valid = !one_in(5);
        if (op.valid) op.value = (o + shift) % ports_;
        step.ops.push_back(op);
      }
      return;
    }
    if (one_in(3)) step.ops.push_back(write("SHADOW_LOAD", 1));
    if (one_in(3)) step.ops.push_back(block(port()));
    for (Number n = below(3) + 1; n > 0; --n) step.ops.push_back(circuit(port()));
  }

  Step commit() const {
    Step step;
    map(step);
    if (one_in(3)) step.ops.push_back(write("COMMIT_TAG", below(64)));
    const std::size_t way = weighted({1, 2, 1});
    if (way == 0) {
      const Step timed = whole_or_words("COMMIT_AT", soon(4));
      step.ops.insert(step.ops.end(), timed.ops.begin(), timed.ops.end());
    } else if (way == 1) {
      step.ops.push_back(write("COMMIT", 1));
    } else {
      step.ops.push_back(write("SHADOW.COMMIT", 1, port()));
    }
    if (one_in(20)) step.ops.push_back(write("COMMIT_CANCEL", 1));
    return step;
  }

  /// A register of 64 bits, written as a whole; or its words in either order, or one of them alone.
  Step whole_or_words(std::string_view name, Number value) const {
    const std::size_t way = weighted({12, 1, 1, 1, 1});
    Op low = write(name, value), high = write(name, value);
    low.part = Op::Part::low;
    high.part = Op::Part::high;
    switch (way) {
      case 0:
        return {{write(name, value)}};
      case 1:
        return {{low, high}};
      case 2:
        return {{high, low}};
      case 3:
        return {{low}};
      default:
        return {{high}};
    }
  }

  Step delays() const {
    const Number p = port();
    const auto name =
        pick<std::string_view>({"BASE", "BASE", "LOCK", "LOCK", "SLOW", "PAIR", "JITTER_MASK", "SEED", "FLAP", "PROG",
                                "PROG_LANES", "RECEIVER", "DISTURB", "DISTURB", "DISTURB"});
    if (name == "RECEIVER") return receivers();
    if (name == "DISTURB") return neighbours();
    if (name == "SEED") return {{write(name, below(1000))}};
    if (name == "JITTER_MASK") return {{write(name, pick<Number>({0, 1, 3, 7, 15, 5}), p)}};
    if (name == "PROG_LANES") return {{write(name, pick<Number>({0, 1, 2, 3, ports_ - 1, ports_, 511}))}};
    const Number time = duration(thirty_bits);
    if (name == "PROG") return {{write(name, time)}};
    if (name == "PAIR") return {{write(name, time, p, port())}};
    return {{write(name, time, p)}};
  }

  /// Receivers on or off; a table whose points rise, or one point.
  Step receivers() const {
    const Number on = one_in(4) ? 0 : 1, warm_time = duration(thirty_bits);
    Step step{{write("RECEIVER.ON", on), write("RECEIVER.WARM_TIME", warm_time)}};
    const auto table = pick<std::string_view>({"LOCK_WARM", "LOCK_COLD"});
    const Number first = duration(thirty_bits), each = below(3);
    if (one_in(3)) return {{write(table, first, below(points))}};
    for (Number k = 0; k < points; ++k) step.ops.push_back(write(table, first / points + k * each, k));
    return step;
  }

  /// What a start disturbs: for none, some or many cycles, those next to it, a few distances or all.
  Step neighbours() const {
    const Number cycles = duration(thirty_bits), any = below(Number{1} << std::min<Number>(ports_, 32));
    const Number distances = pick<Number>({1, 1, 2, 3, any, any, 0, Number{1} << 31, thirty_two_bits});
    Step step{{write("DISTURB", cycles), write("DISTURB_AT", distances)}};
    if (one_in(4)) step.ops.erase(step.ops.begin() + (cycles % 2 == 0 ? 0 : 1));
    return step;
  }

  Step burst() const {
    const Number i = port();
    const auto start = pick<std::string_view>({"START", "START", "BURST.START"});
    return {{write("LEN", duration(thirty_two_bits), i), write("GAP", duration(thirty_two_bits), i),
             write("REPEAT", pick<Number>({0, 0, 0, 1, 2, 5}), i), write("GATED", below(2), i),
             write("TAG", below(65536), i), write(start, 1, i)}};
  }

  Step engine() const {
    const auto name = pick<std::string_view>({"START", "START", "STOP", "RATE", "EXTERNAL"});
    const Number p = port();
    if (name == "RATE") return {{write(name, pick<Number>({40000, 0, 1, 4321, 20000, 30000, 39999, 50000, 65535}), p)}};
    // EXTERNAL keeps the horizon at 1.
    if (name == "EXTERNAL") return {{write(name, scale_ > 100 ? 0 : below(2), p)}};
    Step step;
    for (Number n = below(3) + 1; n > 0; --n) step.ops.push_back(write(name, 1, port()));
    return step;
  }

  Step fault() const {
    const auto name = pick<std::string_view>({"LOS", "LOS", "DEAD", "STUCK", "KEEPS", "KEEPS", "RETRY", "RETRY"});
    Step step;
    if (name == "KEEPS") {
      const Number p = port(), keeps = one_in(4) ? 0 : 1;
      return {{write(name, keeps, p), write("STUCK", below(2), p)}};
    }
    for (Number n = below(2) + 1; n > 0; --n) {
      const Number p = port();
      step.ops.push_back(write(name, name == "RETRY" ? 1 : below(2), p));
    }
    return step;
  }

  /// Power of light around the threshold, which is around the power after reset; detectors; mirrors that ring.
  Step light() const {
    const auto name = pick<std::string_view>(
        {"LEVEL", "LEVEL", "LASER", "LASER", "LOSS", "LOS_ASSERT", "LOS_RELEASE", "RING", "flicker"});
    if (name == "LEVEL") return level();
    if (name == "flicker") return flicker();
    if (name == "RING") return ringing();
    if (name == "LASER" || name == "LOSS") {
      const Number p = port();
      return {{write(name, one_in(30) ? pick<Number>({32767, 32768, 65535}) : around_zero(name == "LOSS"), p)}};
    }
    return {{write(name, duration(thirty_bits))}};
  }

  /// Light that goes and comes back a few times, for as long as a count may last.
  Step flicker() const {
    constexpr Number much = 100;
    const Number p = port();
    Step step;
    for (Number n = below(3) + 2; n > 0; --n) {
      const Number cycles = below(5);
      step.ops.push_back(write("LOSS", (n + 1) % 2 * much, p));
      step.ops.push_back(plain(Op::Kind::advance, cycles * (one_in(3) ? scale_ : 1)));
    }
    return step;
  }

  /// A number of 16 bits from -3 to 3, or of these those that aren't negative.
  Number around_zero(bool positive) const {
    const Number distance = below(4);
    return positive || one_in(2) || distance == 0 ? distance : 65536 - distance;
  }

  Step level() const {
    const Number on = one_in(4) ? 0 : 1;
    Step step{{write("LEVEL.ON", on)}};
    if (one_in(3)) step.ops.push_back(write("LEVEL.HYSTERESIS", pick<Number>({0, 1, 1, 2, 3, 32767})));
    if (one_in(3))
      step.ops.push_back(write("LEVEL.THRESHOLD", one_in(20) ? pick<Number>({32767, 32768}) : around_zero(false)));
    return step;
  }

  /// How mirrors ring, for some or many cycles and a few times; one number, or all of them.
  Step ringing() const {
    const Number after = duration(thirty_bits), cycles = duration(thirty_bits);
    const Number times = pick<Number>({0, 1, 1, 2, 3, 255});
    const std::vector<Op> all{write("RING_AFTER", after), write("RING", cycles), write("RINGS", times)};
    if (one_in(2)) return {all};
    return {{all[below(all.size())]}};
  }

  Step entry() const {
    Step step;
    map(step);
    step.ops.push_back(write("SEQ_OFFSET", duration(thirty_two_bits)));
    const Number p = port();
    step.ops.push_back(write("SEQ_LAUNCH", below(2), p));
    const Number most = one_in(4) ? 16 : 4;
    step.ops.push_back(write("SEQ_STORE", one_in(40) ? 65535 : below(most)));
    return step;
  }

  Step sequencer() const {
    const auto name = pick<std::string_view>({"SEQ_GO", "SEQ_GO", "SEQ_GO", "SEQ_SWAP", "SEQ_STOP"});
    if (name != "SEQ_GO") return {{write(name, 1)}};
    const Number base = soon(3), most = one_in(4) ? 19 : 5, length = below(most), period = duration(thirty_two_bits);
    Step step = whole_or_words("SEQ_BASE", base);
    step.ops.insert(step.ops.end(), {write("SEQ_LEN", length), write("SEQ_PERIOD", period), write(name, 1)});
    return step;
  }

  Step mode() const {
    const auto name = pick<std::string_view>({"CTRL.ALL_STOP", "CTRL.MULTICAST", "BRIEF", "BRIEF"});
    const Number on = name == "BRIEF" && one_in(2) ? 1 : below(2);
    return {{write(name, on)}};
  }

  Step events() const {
    const Number p = port();
    switch (below(5)) {
      case 0:
        return {{plain(Op::Kind::drain)}};
      case 1:
        return {{write("ERROR", below(128))}};
      case 2: {
        const Number cleared = below(2);
        return {{write(pick<std::string_view>({"SEG_FULL", "SEG_FULL", "CHANGED", "ENDED"}), cleared, p)}};
      }
      case 3:
        return {{write("IRQ_ENABLE", below(8))}};
      default:
        return {std::vector<Op>(below(4) + 1, plain(Op::Kind::pop))};
    }
  }

  /// Any register, read; or a write that must be refused.
  Step access() const {
    const auto all = registers();
    const Register& reg = all[below(all.size())];
    const Number first = first_index(reg), second = port();
    if (reg.shape == Shape::wide && one_in(2)) return halves(read(reg, first, second));
    if (!one_in(4)) return {{read(reg, first, second)}};
    return {{write(pick<std::string_view>({"TIME", "STATUS", "STATE", "CAUSE", "ENGINE", "SEG", "IRQ_STATUS", "PASSED",
                                           "DARK", "COMMITS", "DROPPED", "MISROUTED", "POWER"}),
                   1)}};
  }

  /// The low word, which keeps the high one, then the high word; or the low word alone. What watches a program reads
  /// registers of 64 bits at each advance, so nothing advances between them.
  Step halves(const Op& whole) const {
    Op low = whole, high = whole;
    low.part = Op::Part::low;
    high.part = Op::Part::high;
    if (one_in(3)) return {{low}};
    return {{low, high}};
  }

  /// Any register, of which not all bytes are written. Each byte is small, or it would last too long; what repeats itself
  /// has no bytes of its own where the scale is large, for together they could be below it.
  Step some_bytes() const {
    constexpr std::array<std::string_view, 9> repeating{"LEN",        "GAP",     "REPEAT",   "FLAP",    "SEQ_OFFSET",
                                                        "SEQ_PERIOD", "SEQ_LEN", "SEQ_BASE", "EXTERNAL"};
    const auto all = registers();
    const Register* reg = &all[below(all.size())];
    if (scale_ > 1 && std::find(repeating.begin(), repeating.end(), reg->name) != repeating.end())
      reg = find_register("BASE");
    const Number first = first_index(*reg), second = port();
    Op op = read(*reg, first, second);
    op.kind = Op::Kind::write;
    if (reg->shape == Shape::wide) op.part = pick({Op::Part::whole, Op::Part::low, Op::Part::high});
    op.strobes = static_cast<std::uint8_t>(pick<Number>({1, 1, 1, 2, 3, 4, 5, 7, 8, 9, 12, 14, 0}));
    constexpr Number each_byte = 0x0101'0101'0101'0101;
    const Number byte = below(8), odd = below(8);
    op.value = ((byte * each_byte) ^ odd) & reg->limit();
    op.valid = reg->shape != Shape::circuit || !one_in(4);
    if (!op.valid) op.value = 0;
    return {{op}};
  }

  Step advance() const {
    if (one_in(6)) return {{plain(Op::Kind::advance_irq, relative_bias + below(30) * scale_)}};
    constexpr std::array<std::pair<Number, Number>, 3> ranges{{{0, 3}, {1, 10}, {1, 40}}};
    const auto [from, to] = ranges.at(weighted({1, 4, 2}));
    const Number cycles = between(from, to);
    return {{plain(Op::Kind::advance, cycles * (one_in(3) ? scale_ : 1))}};
  }

  Number ports_, scale_;
};

}  // namespace

bool relative_in_time(const Op& op) {
  return op.kind == Op::Kind::advance_irq ||
         (op.kind == Op::Kind::write && (op.reg->name == "COMMIT_AT" || op.reg->name == "SEQ_BASE"));
}

DrawBelow draws_of(std::uint64_t seed) {
  return [state = seed](Number n) mutable {  // splitmix64; the remainder favours no small range noticeably
    state += 0x9e37'79b9'7f4a'7c15;
    Number z = state;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
    return (z ^ (z >> 31)) % n;
  };
}

Setting random_setting(const DrawBelow& draw) {
  const Chance chance(draw);
  Setting out;
  out.ports = chance.pick({2, 3, 4, 5, 8, 16});
  out.fifo_depth = out.ports == 4 && chance.one_in(2) ? 4 : 64;  // sizes that are built
  out.scale = random_scale(draw);
  out.every_cycle = out.ports <= 8;
  out.stride_seed = chance.below(1'000'000) + 1;
  return out;
}

std::uint64_t random_scale(const DrawBelow& draw) {
  return Chance(draw).pick<Number>({1, 1, 1, 1, 1, 100, 1'000'000, Number{1} << 26});
}

Step random_step(const Setting& setting, const DrawBelow& draw) { return StepMaker(setting, draw).any(); }

std::vector<Step> random_steps(const Setting& setting, std::size_t count, const DrawBelow& draw) {
  std::vector<Step> steps;
  steps.reserve(count);
  while (steps.size() < count) steps.push_back(random_step(setting, draw));
  return steps;
}

std::vector<Op> join(const std::vector<Step>& steps) {
  std::vector<Op> out;
  std::uint64_t now = 0;
  for (const Step& step : steps)
    for (Op op : step.ops) {
      if (relative_in_time(op)) op.value = now + op.value < relative_bias ? 0 : now + op.value - relative_bias;
      if (op.kind == Op::Kind::advance) now += op.value;
      if (op.kind == Op::Kind::advance_irq) now = std::max(now, op.value);
      if (op.kind == Op::Kind::write && op.reg->name == "SOFT_RESET" && op.strobes == Op::all_bytes) now = 0;
      out.push_back(op);
    }
  return out;
}

}  // namespace ocs::conformance
