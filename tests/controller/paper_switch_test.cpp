// A switch on paper has the events of the model, but for LOCKING and commits, and refuses what it can't do.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/paper_switch.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/core/error.hpp"
#include "host/device/model/model.hpp"
#include "host/device/registers/register_switch.hpp"

namespace ocs::test {
namespace {

constexpr int ports = 4;

ControlTimes times_of(std::int64_t tuning, std::int64_t locking) {
  ControlTimes times;
  times.tuning = Cycles{tuning};
  times.locking = Cycles{locking};
  return times;
}

bool is_the_papers(const Event& event) {
  return event.kind != EventKind::locking && event.kind != EventKind::committed;
}

std::string text(const std::vector<Event>& events) {
  std::string all;
  for (const Event& event : events) {
    if (!is_the_papers(event)) continue;
    all += std::to_string(event.at.n) + ":" + std::to_string(static_cast<int>(event.kind)) + "." +
           std::to_string(event.port) + "/" + std::to_string(index(event.burst)) + "+" +
           std::to_string(event.words.count.n) + " ";
  }
  return all;
}

/// Commits, bursts and stops as a controller gives them: nothing changes below a burst, an input has one burst.
class Driver {
 public:
  explicit Driver(Switch& plane) : plane_(plane) {}

  void set(Output out, std::optional<Input> in) { set({{out, in}}); }
  void set(const std::vector<Select>& change) { ASSERT_FALSE(plane_.commit({plane_.clock().now(), change})); }
  void burst(Input in, std::int64_t length, std::int64_t wait, std::int64_t word) {
    ASSERT_FALSE(plane_.start({.id = Id{++last_},
                               .in = in,
                               .length = Words{length},
                               .not_before = plane_.clock().now() + Cycles{wait},
                               .gated = true,
                               .word = Cycles{word}}));
  }
  void stop() { ASSERT_FALSE(plane_.stop(Id{last_})); }
  void go(std::int64_t cycles) {
    const Cycles limit = plane_.clock().now() + Cycles{cycles};
    while (plane_.clock().now() < limit) {
      plane_.clock().run_until(limit);
      plane_.take_events(seen_);
    }
  }
  const std::vector<Event>& seen() const { return seen_; }
  bool has_ended() const {
    return std::any_of(seen_.begin(), seen_.end(), [&](const Event& event) {
      return event.kind == EventKind::burst_done && event.burst == Id{last_};
    });
  }

 private:
  Switch& plane_;
  std::uint32_t last_ = 0;
  std::vector<Event> seen_;
};

TEST(PaperSwitch, HasTheEventsOfTheModel) {
  EXPECT_TRUE(rc::check([] {
    const ControlTimes times = times_of(*rc::gen::element(1, 7), *rc::gen::element(0, 2));
    const auto body = make_model({.ports = ports});
    const auto model = make_register_switch(*body, {.delays = {.tuning = times.tuning, .locking = times.locking}});
    PaperSwitch paper(ports, 64, body->clock().cycle(), times);
    Driver on_model(*model), on_paper(paper);
    const auto both = [&](const auto& action) { action(on_model), action(on_paper); };
    for (int round = *rc::gen::inRange(1, 6); round > 0; --round) {
      const auto in = static_cast<Input>(*rc::gen::inRange(0, ports));
      const auto out = static_cast<Output>(*rc::gen::inRange(0, ports));
      for (int o = 0; o < ports; ++o) both([&](Driver& d) { d.set(static_cast<Output>(o), std::nullopt), d.go(1); });
      both([&](Driver& d) { d.set(out, in); });
      const int dark = *rc::gen::inRange(0, 12), length = *rc::gen::inRange(1, 20), wait = *rc::gen::inRange(0, 15);
      const int word = *rc::gen::element(1, 2, 4), later = *rc::gen::inRange(1, 25);
      const bool stops = *rc::gen::arbitrary<bool>();
      both([&](Driver& d) { d.go(dark), d.burst(in, length, wait, word), d.go(later); });
      if (stops && !on_model.has_ended()) both([&](Driver& d) { d.stop(); });
      both([&](Driver& d) { d.go(200); });
    }
    RC_ASSERT(text(on_paper.seen()) == text(on_model.seen()));
  }));
}

/// Maps that come while mirrors of the ones before still wait; the outputs of a commit are named in any order.
TEST(PaperSwitch, ProgramsInTurnAsTheModelDoes) {
  EXPECT_TRUE(rc::check([] {
    ControlTimes times = times_of(*rc::gen::element(1, 7), *rc::gen::element(0, 2));
    times.programming = Cycles{*rc::gen::inRange(0, 6)};
    times.lanes = *rc::gen::inRange(1, 4);
    const auto body = make_model({.ports = ports});
    const auto model = make_register_switch(*body, {.delays = {.tuning = times.tuning,
                                                               .locking = times.locking,
                                                               .programming = times.programming,
                                                               .lanes = times.lanes}});
    PaperSwitch paper(ports, 64, body->clock().cycle(), times);
    Driver on_model(*model), on_paper(paper);
    for (int round = *rc::gen::inRange(1, 8); round > 0; --round) {
      const int shift = *rc::gen::inRange(0, ports), dark = *rc::gen::inRange(0, 1 << ports);
      std::vector<Select> change;
      for (int o = 0; o < ports; ++o) {
        const std::optional<Input> in{static_cast<Input>((o + shift) % ports)};
        change.push_back({static_cast<Output>(o), (dark >> o & 1) != 0 ? std::nullopt : in});
      }
      if (*rc::gen::arbitrary<bool>()) std::reverse(change.begin(), change.end());
      const int later = *rc::gen::inRange(1, 40);
      for (Driver* driver : {&on_model, &on_paper}) driver->set(change), driver->go(later);
    }
    for (Driver* driver : {&on_model, &on_paper}) driver->go(100);
    RC_ASSERT(text(on_paper.seen()) == text(on_model.seen()));
  }));
}

TEST(PaperSwitch, SaysWhatItHasNot) {
  PaperSwitch paper(ports, 64, Picos{5120}, times_of(7, 2));
  EXPECT_THROW(paper.counters(0), Error);
  EXPECT_THROW(paper.set_dead(0, true), Error);
  EXPECT_THROW(paper.repeat({}, Cycles{1}), Error);
  EXPECT_THROW(paper.stop(Id{1}), Error);
  EXPECT_THROW(paper.commit({Cycles{4}, {}}), Error);
  EXPECT_THROW(
      paper.start(
          {.id = Id{1}, .in = Input{0}, .length = Words{1}, .not_before = {}, .gated = true, .word = Cycles{1}}),
      Error)
      << "no circuit";
}

}  // namespace
}  // namespace ocs::test
