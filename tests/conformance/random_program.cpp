// Generators of random register programs, one for each subject of the contract.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/random_program.hpp"

#include <algorithm>
#include <initializer_list>
#include <ostream>
#include <string_view>

namespace ocs::conformance {
namespace {

using rc::Gen;
namespace gen = rc::gen;
using Number = std::uint64_t;

constexpr Number thirty_bits = (Number{1} << 30) - 1, thirty_two_bits = 0xFFFF'FFFF;
constexpr Number relative_bias = 5;  // relative times reach a little into the past

template <class T>
T pick(std::initializer_list<T> choices) {
  return *gen::elementOf(std::vector<T>(choices));
}

Number below(Number n) { return *gen::inRange<Number>(0, n); }
bool one_in(Number n) { return below(n) == n - 1; }

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

/// Draws for one setting; every member function may be used inside gen::exec alone.
class Draw {
 public:
  explicit Draw(const Setting& setting) : ports_(static_cast<Number>(setting.ports)), scale_(setting.scale) {}

  /// Mostly a port of the device.
  Number port() const { return one_in(60) ? pick<Number>({ports_, ports_ + 1, 255}) : below(ports_); }

  /// A duration: often 0, mostly a few units, now and then many.
  Number duration(Number limit) const {
    const Number units = *gen::weightedOneOf<Number>({{3, gen::just<Number>(0)},
                                                      {6, gen::inRange<Number>(1, 6)},
                                                      {4, gen::inRange<Number>(1, 21)},
                                                      {1, gen::inRange<Number>(21, 100)}});
    return std::min(units * scale_ + (units == 0 ? 0 : below(3)), limit);
  }

  Op circuit(Number output) const {
    Op op = write("SHADOW", 0, output);
    op.valid = !one_in(4);
    if (op.valid) op.value = one_in(40) ? pick<Number>({ports_, ports_ + 1, 256, 511}) : below(ports_);
    return op;
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
    for (Number n = below(3) + 1; n > 0; --n) step.ops.push_back(circuit(port()));
  }

  Step commit() const {
    Step step;
    map(step);
    step.ops.push_back(one_in(4) ? write("COMMIT_AT", below(15) + below(4) * scale_) : write("COMMIT", 1));
    if (one_in(20)) step.ops.push_back(write("COMMIT_CANCEL", 1));
    return step;
  }

  Step delays() const {
    const Number p = port();
    const auto name =
        pick<std::string_view>({"BASE", "BASE", "LOCK", "LOCK", "SLOW", "PAIR", "JITTER_MASK", "SEED", "FLAP"});
    if (name == "SEED") return {{write(name, below(1000))}};
    if (name == "JITTER_MASK") return {{write(name, pick<Number>({0, 1, 3, 7, 15, 5}), p)}};
    if (name == "PAIR") return {{write(name, duration(thirty_bits), p, port())}};
    return {{write(name, duration(thirty_bits), p)}};
  }

  Step burst() const {
    const Number i = port();
    return {{write("LEN", duration(thirty_two_bits), i), write("GAP", duration(thirty_two_bits), i),
             write("REPEAT", pick<Number>({0, 0, 0, 1, 2, 5}), i), write("GATED", below(2), i),
             write("TAG", below(65536), i), write("START", 1, i)}};
  }

  Step engine() const {
    const auto name = pick<std::string_view>({"START", "START", "STOP", "RATE", "EXTERNAL"});
    if (name == "RATE")
      return {{write(name, pick<Number>({40000, 0, 1, 4321, 20000, 30000, 39999, 50000, 65535}), port())}};
    // EXTERNAL keeps the horizon at 1.
    if (name == "EXTERNAL") return {{write(name, scale_ > 100 ? 0 : below(2), port())}};
    Step step;
    for (Number n = below(3) + 1; n > 0; --n) step.ops.push_back(write(name, 1, port()));
    return step;
  }

  Step fault() const {
    const auto name = pick<std::string_view>({"LOS", "LOS", "DEAD", "STUCK", "RETRY", "RETRY"});
    Step step;
    for (Number n = below(2) + 1; n > 0; --n) step.ops.push_back(write(name, name == "RETRY" ? 1 : below(2), port()));
    return step;
  }

  Step entry() const {
    Step step;
    map(step);
    step.ops.push_back(write("SEQ_OFFSET", duration(thirty_two_bits)));
    step.ops.push_back(write("SEQ_LAUNCH", below(2), port()));
    step.ops.push_back(write("SEQ_STORE", one_in(40) ? 65535 : below(4)));
    return step;
  }

  Step sequencer() const {
    const auto name = pick<std::string_view>({"SEQ_GO", "SEQ_GO", "SEQ_GO", "SEQ_SWAP", "SEQ_STOP"});
    if (name != "SEQ_GO") return {{write(name, 1)}};
    return {{write("SEQ_BASE", below(15) + below(3) * scale_), write("SEQ_LEN", below(5)),
             write("SEQ_PERIOD", duration(thirty_two_bits)), write(name, 1)}};
  }

  Step mode() const { return {{write(pick<std::string_view>({"CTRL.ALL_STOP", "CTRL.MULTICAST"}), below(2))}}; }

  Step events() const {
    switch (below(5)) {
      case 0:
        return {{plain(Op::Kind::drain)}};
      case 1:
        return {{write("ERROR", below(128))}};
      case 2:
        return {{write("SEG_FULL", below(2), port())}};
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
    if (!one_in(4)) return {{read(reg, port(), port())}};
    return {{write(pick<std::string_view>({"TIME", "STATUS", "STATE", "CAUSE", "ENGINE", "SEG", "IRQ_STATUS", "PASSED",
                                           "DARK", "COMMITS", "DROPPED"}),
                   1)}};
  }

  Step advance() const {
    if (one_in(6)) return {{plain(Op::Kind::advance_irq, relative_bias + below(30) * scale_)}};
    return {{plain(Op::Kind::advance, *gen::weightedOneOf<Number>({{1, gen::inRange<Number>(0, 3)},
                                                                   {4, gen::inRange<Number>(1, 10)},
                                                                   {2, gen::inRange<Number>(1, 40)}}) *
                                          (one_in(3) ? scale_ : 1))}};
  }

 private:
  Number ports_, scale_;
};

// Draws are of RapidCheck's nominal size always: at smaller ones a range gives its beginning only.
Gen<Step> arbitrary_step(const Setting& setting) {
  const Draw draw(setting);
  const auto make = [draw](auto member) {
    return gen::resize(rc::kNominalSize, gen::exec([draw, member] { return (draw.*member)(); }));
  };
  return gen::weightedOneOf<Step>({{30, make(&Draw::advance)},
                                   {14, make(&Draw::commit)},
                                   {10, make(&Draw::delays)},
                                   {10, make(&Draw::burst)},
                                   {6, make(&Draw::engine)},
                                   {8, make(&Draw::fault)},
                                   {4, make(&Draw::entry)},
                                   {4, make(&Draw::sequencer)},
                                   {4, make(&Draw::mode)},
                                   {6, make(&Draw::events)},
                                   {4, make(&Draw::access)},
                                   {1, gen::just(Step{{write("SOFT_RESET", 1)}})}});
}

bool relative(const Op& op) {
  return op.kind == Op::Kind::advance_irq ||
         (op.kind == Op::Kind::write && (op.reg->name == "COMMIT_AT" || op.reg->name == "SEQ_BASE"));
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Step& step) {
  for (const Op& op : step.ops) out << (relative(op) ? "now-5+" : "") << to_json(op).dump() << " ";
  return out;
}

std::ostream& operator<<(std::ostream& out, const Setting& setting) {
  return out << setting.ports << " ports, FIFO of " << setting.fifo_depth << ", scale " << setting.scale
             << (setting.every_cycle ? ", every cycle" : "") << ", stride seed " << setting.stride_seed;
}

rc::Gen<Setting> arbitrary_setting() {
  return gen::resize(rc::kNominalSize, gen::exec([] {
                       Setting out;
                       out.ports = pick({2, 3, 4, 5, 8, 16});
                       out.fifo_depth = out.ports == 4 && one_in(2) ? 4 : 64;  // sizes that are built
                       out.scale = pick<Number>({1, 1, 1, 1, 1, 100, 1'000'000, Number{1} << 26});
                       out.every_cycle = out.ports <= 8;
                       out.stride_seed = below(1'000'000) + 1;
                       return out;
                     }));
}

rc::Gen<std::vector<Step>> arbitrary_steps(const Setting& setting) {
  return gen::scale(2.0, gen::container<std::vector<Step>>(arbitrary_step(setting)));
}

std::vector<Op> join(const std::vector<Step>& steps) {
  std::vector<Op> out;
  std::uint64_t now = 0;
  for (const Step& step : steps)
    for (Op op : step.ops) {
      if (relative(op)) op.value = now + op.value < relative_bias ? 0 : now + op.value - relative_bias;
      if (op.kind == Op::Kind::advance) now += op.value;
      if (op.kind == Op::Kind::advance_irq) now = std::max(now, op.value);
      if (op.kind == Op::Kind::write && op.reg->name == "SOFT_RESET") now = 0;
      out.push_back(op);
    }
  return out;
}

}  // namespace ocs::conformance
