// Random commits and bursts: the driver's accounts always close, and its events agree with all counters.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "host/device/registers/register_switch.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

constexpr int ports = 4;

/// Does anything that the seam allows, and some that it refuses, in random order and at random times.
class Monkey {
 public:
  Monkey(Switch& plane, bool multicast) : switch_(plane), multicast_(multicast) {}

  void act() {
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
      case 1:
        commit();
        break;
      case 2:
      case 3:
        start();
        break;
      case 4:
        if (next_ > 1) (void)switch_.stop(Id{*rc::gen::inRange<std::uint32_t>(1, next_)});
        break;
      default:
        run(switch_.clock().now() + Cycles{*rc::gen::inRange(1, 12)});
    }
  }

  void stop_bursts() {
    run(switch_.clock().now() + Cycles{1});  // a burst can't be stopped in the cycle of its start
    for (std::uint32_t id = 1; id < next_; ++id) (void)switch_.stop(Id{id});
    run(switch_.clock().now() + Cycles{100});
  }

  void check() {
    std::int64_t passed = 0, lost = 0, unrouted = 0, sent = 0;
    for (std::uint16_t p = 0; p < ports; ++p) {
      const Counters counters = switch_.counters(p);
      RC_ASSERT(counters.passed.n == ran_[p]);
      passed += counters.passed.n;
      lost += counters.lost.n;
      unrouted += counters.unrouted.n;
    }
    for (const auto& [id, words] : sent_) sent += words;
    RC_ASSERT(multicast_ || passed + lost + unrouted == sent);
    RC_ASSERT(running_ == 0);
  }

 private:
  void commit() {
    Commit commit{.at = switch_.clock().now() + Cycles{*rc::gen::weightedElement<int>({{8, 0}, {1, 3}})}, .change = {}};
    for (int n = *rc::gen::inRange(1, 4); n > 0; --n) {
      const Output out{*rc::gen::inRange<std::uint16_t>(0, ports)};
      const auto in = *rc::gen::inRange<std::uint16_t>(0, ports + 1);
      commit.change.push_back({out, in == ports ? std::nullopt : std::optional(Input{in})});
    }
    (void)switch_.commit(commit);
  }

  void start() {
    const Burst burst{.id = Id{next_},
                      .in = Input{*rc::gen::inRange<std::uint16_t>(0, ports)},
                      .length = Words{*rc::gen::inRange(0, 25)},
                      .not_before = Cycles{switch_.clock().now().n + *rc::gen::inRange(-2, 6)},
                      .gated = *rc::gen::arbitrary<bool>()};
    if (switch_.start(burst)) return;
    ++next_;
    ++running_;
  }

  void run(Cycles limit) {
    std::vector<Event> events;
    while (switch_.clock().now() < limit) {
      switch_.clock().run_until(limit);
      switch_.take_events(events);
    }
    for (const Event& event : events) {
      RC_ASSERT(event.at >= last_);
      last_ = event.at;
      if (event.kind == EventKind::run) ran_[event.port] += event.words.count.n;
      if (event.kind != EventKind::burst_done) continue;
      --running_;
      RC_ASSERT(sent_.emplace(event.burst, event.words.count.n).second);
    }
  }

  Switch& switch_;
  bool multicast_;
  std::uint32_t next_ = 1;
  int running_ = 0;
  Cycles last_{0};
  std::map<std::uint16_t, std::int64_t> ran_;
  std::map<Id, std::int64_t> sent_;
};

/// Whom a mirror that moves disturbs on a switch of so few ports, and for how long.
Neighbours drawn_neighbours() {
  return {.disturbed = Cycles{*rc::gen::inRange(1, 5)}, .distances = *rc::gen::inRange<std::uint32_t>(1, 8)};
}

/// A loss of light is reported before a ring is over: a switch has one place for words that nobody has read yet.
LightLevel drawn_light() {
  const int lost = *rc::gen::inRange(0, 4);
  return {.laser = -300,
          .loss = 250,
          .detected = true,
          .threshold = -1400,
          .hysteresis = 50,
          .lost = Cycles{lost},
          .back = Cycles{*rc::gen::inRange(0, 6)},
          .ring_after = Cycles{*rc::gen::inRange(0, 8)},
          .ring = Cycles{lost + *rc::gen::inRange(1, 6)},
          .rings = *rc::gen::inRange(0, 4)};
}

class Accounting : public ::testing::TestWithParam<std::string> {
 protected:
  void closes(const Neighbours& neighbours, const std::optional<LightLevel>& light = {}) {
    const SwitchConfig config{.delays = {.tuning = Cycles{*rc::gen::inRange(0, 5)},
                                         .locking = Cycles{*rc::gen::inRange(0, 4)},
                                         .neighbours = neighbours,
                                         .light = light},
                              .all_stop = *rc::gen::arbitrary<bool>(),
                              .multicast = *rc::gen::arbitrary<bool>()};
    const auto device = make_device(GetParam(), {.ports = ports});
    const auto plane = make_register_switch(*device, config);
    Monkey monkey(*plane, config.multicast);
    for (int n = *rc::gen::inRange(0, 80); n > 0; --n) monkey.act();
    monkey.stop_bursts();
    monkey.check();
  }
};

TEST_P(Accounting, ClosesAfterAnything) {
  EXPECT_TRUE(rc::check([&] { closes({}); }));
}

TEST_P(Accounting, ClosesWhereMirrorsDisturbOthers) {
  EXPECT_TRUE(rc::check([&] { closes(drawn_neighbours()); }));
}

TEST_P(Accounting, ClosesWhereMirrorsRing) {
  EXPECT_TRUE(rc::check([&] { closes({}, drawn_light()); }));
}

OCS_ON_EVERY_DEVICE(Accounting);

}  // namespace
}  // namespace ocs::test
