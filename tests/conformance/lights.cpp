// Each thing is done to each output in turn; all that can be read of an output is read wherever it may have changed.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/lights.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tests/conformance/op_list.hpp"

namespace ocs::conformance {
namespace {

using Number = std::uint64_t;

constexpr Number few = 7;
/// Every other bit of 30.
constexpr std::array<Number, 2> times{0x2AAA'AAAA, 0x1555'5555};

void disconnect(OpList& ops, Number output) {
  connect(ops, output, std::nullopt);
  ops.advance(1);
}

void look(OpList& ops, Number output) {
  for (const std::string_view name : {"STATE", "CAUSE", "DISTURBED", "DIM", "POWER", "MISROUTED"})
    ops.read(name, output);
}

/// What each cycle shows.
void watch(OpList& ops, Number output, Number cycles) {
  for (; cycles > 0; --cycles) {
    ops.advance(1);
    look(ops, output);
  }
}

void start(OpList& ops, Number input, Number length) {
  ops.write("LEN", length, input);
  ops.write("START", 1, input);
}

/// A level and what it is lost by; both in hundredths.
struct Level {
  std::int64_t laser, loss;
};

std::vector<Level> levels() {
  constexpr int bits = 16;
  std::vector<Level> all{{0x5555, 0x2AAA}, {-0x5556, 0x1555}, {0x2AAA, 0x5555}, {0x7FFF, 0xFFFF}, {-0x8000, 0}, {0, 0}};
  for (int bit = 0; bit < bits; ++bit) {
    const std::int64_t one = std::int64_t{1} << bit;
    all.push_back({one - 0x4000, 0x1234});
    all.push_back({0x1234 - one / 2, one});
  }
  return all;
}

/// Both sides of a level's limit: as much light as is needed, and a hundredth less; in the end without LEVEL.ON.
void cross(OpList& ops, Number output, std::int64_t power, std::int64_t hysteresis) {
  const auto threshold = [&](std::int64_t value) {
    ops.write("LEVEL.THRESHOLD", static_cast<Number>(value));
    ops.advance(2);
    ops.read("STATE", output);
    ops.read("DIM", output);
  };
  ops.write("LEVEL.HYSTERESIS", static_cast<Number>(hysteresis));
  ops.write("LEVEL.ON", 1);
  threshold(power);
  ops.read("POWER", output);
  threshold(power + 1);
  threshold(power - hysteresis + 1);
  threshold(power - hysteresis);
  threshold(power + 1);
  ops.write("LEVEL.ON", 0);
  watch(ops, output, 1);
  ops.drain();
}

}  // namespace

std::vector<Op> every_level(int ports) {
  constexpr std::array<std::int64_t, 4> widths{0, 1, 0x1555, 0x2AAA};
  constexpr std::int64_t least = -0x8000, most = 0x7FFF;
  const auto n = static_cast<Number>(ports);
  const std::vector<Level> all = levels();
  OpList ops;
  for (Number o = 0; o < n; ++o)
    for (Number i = 0; i < n; ++i) {
      connect(ops, o, i);
      ops.advance(1);
      for (std::size_t k = 0; k < all.size(); ++k) {
        const std::int64_t power = all[k].laser - all[k].loss, width = widths[(k + i) % widths.size()];
        if (power - width < least || power + 1 > most) continue;
        ops.write("LASER", static_cast<Number>(all[k].laser), i);
        ops.write("LOSS", static_cast<Number>(all[k].loss), o);
        cross(ops, o, power, width);
      }
      disconnect(ops, o);
    }
  return ops.list();
}

std::vector<Op> long_losses(int ports) {
  const auto n = static_cast<Number>(ports);
  OpList ops;
  const auto wait = [&](Number output, Number cycles) {
    ops.advance(cycles - 1);
    watch(ops, output, few);
    ops.drain();
  };
  ops.write("LEVEL.ON", 1);
  for (Number o = 0; o < n; ++o)
    for (std::size_t k = 0; k < times.size(); ++k) {
      const Number longer = times[k], shorter = times[1 - k];
      const Number i = (o + k) % n;
      ops.write("LOS_ASSERT", longer);
      ops.write("LOS_RELEASE", shorter);
      connect(ops, o, i);
      start(ops, i, longer);
      ops.advance(few);
      ops.write("LOSS", 1, o);
      wait(o, longer);
      ops.write("LOSS", 0, o);
      wait(o, shorter);
      ops.write("LOSS", 1, o);
      ops.advance(longer / 2);
      ops.write("LOSS", 0, o);  // before it was asserted
      wait(o, longer);
      ops.write("LOS_ASSERT", 0);
      ops.write("LOS_RELEASE", 0);
      ops.write("RING_AFTER", longer);
      ops.write("RING", shorter);
      ops.write("RINGS", 2);
      connect(ops, o, (i + 1) % n);
      for (int ring = 0; ring < 2; ++ring) {
        wait(o, longer);
        wait(o, shorter);
      }
      ops.write("RINGS", 0);
      disconnect(ops, o);
      ops.drain();
    }
  return ops.list();
}

std::vector<Op> every_fault(int ports) {
  const auto n = static_cast<Number>(ports);
  OpList ops;
  Number shift = 0;
  const auto turn = [&] {  // each output selects another input
    ++shift;
    for (Number o = 0; o < n; ++o) ops.write("SHADOW", (o + shift) % n, o);
    ops.write("COMMIT", 1);
  };
  const auto see = [&](Number cycles) {
    for (; cycles > 0; --cycles) {
      ops.advance(1);
      for (Number o = 0; o < n; ++o) look(ops, o);
    }
  };
  const auto set = [&](std::string_view fault, Number ports_with_it) {
    for (Number p = 0; p < n; ++p) ops.write(fault, ports_with_it >> p & 1U, p);
  };
  for (Number o = 0; o < n; ++o) ops.write("LOCK", 2, o);
  for (const Number level : {0U, 1U})
    for (const std::string_view fault : {"LOS", "DEAD"})
      for (Number some = 1; some < Number{1} << n; ++some)
        for (Number k = 0; k < n; ++k) {
          ops.write("LEVEL.ON", level);
          turn();
          see(1);
          set(fault, some);  // while they lock
          see(4);
          turn();  // what arrives has no light, or gets it
          see(1);
          set(fault, 0);
          see(4);
          set(fault, some);  // while they are UP
          see(1);
          ops.write("LEVEL.ON", 1 - level);
          see(2);
          set(fault, 0);
          see(4);
          ops.drain();
        }
  return ops.list();
}

std::vector<Op> many_rings(int ports) {
  constexpr Number most = 255;
  const auto n = static_cast<Number>(ports);
  OpList ops;
  ops.write("LEVEL.ON", 1);
  ops.write("RING_AFTER", 2);
  ops.write("RING", 1);
  ops.write("RINGS", most);
  for (Number o = 0; o < n; ++o) {
    connect(ops, o, n - 1 - o);
    ops.advance(1);
  }
  for (Number ring = 0; ring <= most; ++ring) {
    for (int cycle = 0; cycle < 3; ++cycle) ops.advance(1);
    look(ops, ring % n);
    ops.drain();
  }
  return ops.list();
}

std::vector<Op> every_disturbance(int ports) {
  const auto n = static_cast<Number>(ports);
  OpList ops;
  for (Number i = 0; i < n; ++i) start(ops, i, 0xFFFF'FFFF);
  for (Number o = 0; o < n; ++o)
    for (Number distance = 1; distance < n; ++distance)
      for (const Number pattern : times) {
        ops.write("DISTURB", 0);
        for (Number p = 0; p < n; ++p)
          if (p != o) ops.write("SHADOW", (p + distance) % n, p);
        connect(ops, o, (o + distance) % n);
        ops.advance(few);
        ops.write("DISTURB", pattern);
        ops.write("DISTURB_AT", Number{1} << (distance - 1));
        disconnect(ops, o);
        connect(ops, o, (o + distance) % n);
        ops.advance(few);
        for (Number p = 0; p < n; ++p) look(ops, p);
        ops.advance(pattern - few - 2);
        for (Number cycle = 0; cycle < few; ++cycle) {
          ops.advance(1);
          for (Number p = 0; p < n; ++p) look(ops, p);
        }
        for (Number p = 0; p < n; ++p) {
          ops.read("SEG", p);
          ops.write("SEG_FULL", 1, p);
          ops.write("START", 1, p);
        }
        ops.drain();
      }
  return ops.list();
}

std::vector<Op> every_position(int ports) {
  constexpr std::array<Number, 3> rates{40'000, 0x5555, 1};
  const auto n = static_cast<Number>(ports);
  OpList ops;
  for (Number o = 0; o < n; ++o)
    for (Number i = 0; i < n; ++i) {
      const Number other = (i + 1) % n, pattern = times[(o + i) % times.size()];
      const Number rate = rates[(o + i) % rates.size()];
      ops.write("RATE", rate, i);
      connect(ops, o, i);
      ops.advance(2);
      start(ops, i, 0x7FFF'FFFF);
      start(ops, other, 0x7FFF'FFFF);
      ops.write("KEEPS", 1, o);
      ops.write("STUCK", 1, o);
      connect(ops, o, other);
      watch(ops, o, few);
      ops.advance(pattern);
      look(ops, o);
      ops.write("LOS", 1, i);
      watch(ops, o, few);
      ops.write("LOS", 0, i);
      watch(ops, o, few);
      ops.write("DEAD", 1, o);
      watch(ops, o, 2);
      ops.write("DEAD", 0, o);
      ops.advance(times[0] - times[1]);
      look(ops, o);
      ops.write("RATE", rate ^ 1U, i);
      ops.advance(pattern);
      look(ops, o);
      connect(ops, o, i);  // where it stands
      watch(ops, o, few);
      connect(ops, o, other);
      watch(ops, o, few);
      ops.write("STUCK", 0, o);
      ops.write("RETRY", 1, o);
      watch(ops, o, few);
      ops.write("KEEPS", 0, o);
      for (const Number p : {i, other}) ops.write("STOP", 1, p);
      disconnect(ops, o);
      ops.read("SEG", o);
      ops.write("SEG_FULL", 1, o);
      ops.drain();
    }
  return ops.list();
}

}  // namespace ocs::conformance
