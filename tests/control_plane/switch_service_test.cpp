// The switch service: changes as a whole, what is in the way is named, states, ports switched off.
// SPDX-License-Identifier: Apache-2.0
#include "tests/control_plane/rig.hpp"

namespace ocs::test {
namespace {

using namespace serve;

constexpr Port output(int number) { return {.output = true, .number = static_cast<std::uint16_t>(number)}; }
constexpr Port input(int number) { return {.output = false, .number = static_cast<std::uint16_t>(number)}; }

std::optional<Complaint> add(SwitchService& service, std::vector<CrossConnect> circuits, Mode mode = Mode::safe) {
  return service.change({.remove = {}, .add = std::move(circuits), .mode = mode});
}

TEST(Service, GoesThroughTheStatesOfSonic) {
  Rig rig;
  EXPECT_EQ(rig.service.light(output(1)), Light::blocked);
  EXPECT_FALSE(add(rig.service, {circuit(0, 1)}));
  EXPECT_EQ(rig.service.light(output(1)), Light::tuning);
  EXPECT_EQ(rig.service.light(input(0)), Light::tuning);
  rig.pass(10);  // locking now
  EXPECT_EQ(rig.service.light(output(1)), Light::tuned);
  EXPECT_FALSE(rig.service.settled());
  rig.pass(5);
  EXPECT_TRUE(rig.service.settled());
  EXPECT_FALSE(rig.service.set_dead(1, true));
  rig.pass(2);
  EXPECT_EQ(rig.service.light(output(1)), Light::failed);
  EXPECT_EQ(rig.service.light(circuit(0, 1)), Light::failed);
  EXPECT_EQ(rig.service.failed(), 1);
  EXPECT_FALSE(rig.service.set_dead(1, false));
  rig.pass(10);
  EXPECT_EQ(rig.service.light(output(1)), Light::tuned);
  EXPECT_FALSE(rig.service.clear());
  EXPECT_EQ(rig.service.light(output(1)), Light::blocked);
  EXPECT_EQ(rig.service.failed(), 0);
}

TEST(Service, NamesTheCircuitInTheWay) {
  Rig rig;
  ASSERT_FALSE(add(rig.service, {circuit(0, 1), circuit(1, 2)}));
  const auto by_output = add(rig.service, {circuit(3, 3), circuit(2, 1)});
  ASSERT_TRUE(by_output);
  EXPECT_EQ(by_output->fault, Fault::busy);
  EXPECT_EQ(by_output->asked, circuit(2, 1));
  EXPECT_EQ(by_output->blocked_by, circuit(0, 1));
  const auto by_input = add(rig.service, {circuit(1, 3)});
  EXPECT_EQ(by_input->blocked_by, circuit(1, 2));
  const auto gone = rig.service.change({.remove = {circuit(0, 2)}, .add = {}, .mode = Mode::safe});
  EXPECT_EQ(gone->fault, Fault::no_such_circuit);
  EXPECT_EQ(gone->blocked_by, circuit(0, 1));
  const auto twice = add(rig.service, {circuit(2, 3), circuit(3, 3)}, Mode::update);
  EXPECT_EQ(twice->fault, Fault::named_twice);
  EXPECT_EQ(twice->blocked_by, circuit(2, 3));
  EXPECT_EQ(add(rig.service, {circuit(4, 0)})->fault, Fault::no_such_port);
  EXPECT_EQ(add(rig.service, {circuit(0, 4)})->port, output(4));
  EXPECT_EQ(rig.service.circuits(), (std::vector{circuit(0, 1), circuit(1, 2)}));  // nothing of it had an effect
}

TEST(Service, LeavesACircuitAloneThatIsSetAgain) {
  Rig rig;
  ASSERT_FALSE(add(rig.service, {circuit(0, 1), circuit(1, 2)}));
  rig.pass(20);
  const std::uint64_t commits = rig.service.commits(), events = rig.service.last_event();
  for (const Mode mode : {Mode::safe, Mode::update, Mode::overwrite})
    EXPECT_FALSE(add(rig.service, {circuit(1, 2), circuit(0, 1)}, mode));
  EXPECT_EQ(rig.service.commits(), commits);
  EXPECT_EQ(rig.service.last_event(), events);
  EXPECT_FALSE(add(rig.service, {circuit(0, 1), circuit(3, 3)}));  // beside a new one
  EXPECT_EQ(rig.service.circuits(), (std::vector{circuit(0, 1), circuit(1, 2), circuit(3, 3)}));
  EXPECT_EQ(add(rig.service, {circuit(0, 1), circuit(0, 1)})->fault, Fault::named_twice);
  EXPECT_EQ(add(rig.service, {circuit(0, 1), circuit(2, 1)})->fault, Fault::named_twice);
  EXPECT_EQ(add(rig.service, {circuit(0, 1), circuit(2, 2)})->fault, Fault::busy);
  rig.pass(20);
  EXPECT_EQ(rig.service.counters(1).reconfigurations, 1);
}

TEST(Service, UpdatesAndOverwrites) {
  Rig rig;
  ASSERT_FALSE(add(rig.service, {circuit(0, 1), circuit(1, 2), circuit(2, 3)}));
  rig.pass(20);
  const auto tunings = [&](std::uint16_t port) { return rig.service.counters(port).reconfigurations; };
  EXPECT_EQ(tunings(3), 1);
  ASSERT_FALSE(add(rig.service, {circuit(0, 2)}, Mode::update));
  EXPECT_EQ(rig.service.circuits(), (std::vector{circuit(0, 2), circuit(2, 3)}));
  ASSERT_FALSE(add(rig.service, {circuit(2, 3), circuit(3, 0)}, Mode::overwrite));
  EXPECT_EQ(rig.service.circuits(), (std::vector{circuit(2, 3), circuit(3, 0)}));
  rig.pass(20);
  EXPECT_EQ(tunings(3), 1);  // its circuit stayed
  EXPECT_EQ(tunings(2), 2);
}

TEST(Service, ReplacesWithinOneCommit) {
  Rig rig;
  ASSERT_FALSE(add(rig.service, {circuit(0, 1)}));
  const std::uint64_t commits = rig.service.commits();
  ASSERT_FALSE(rig.service.change({.remove = {circuit(0, 1)}, .add = {circuit(2, 1)}, .mode = Mode::safe}));
  EXPECT_EQ(rig.service.commits(), commits + 1);
  EXPECT_EQ(rig.service.light(output(1)), Light::tuning);
}

TEST(Service, KeepsTheCircuitOfAPortThatIsOff) {
  Rig rig;
  ASSERT_FALSE(add(rig.service, {circuit(0, 1), circuit(2, 3)}));
  rig.pass(20);
  ASSERT_FALSE(rig.service.switch_off(std::vector{input(0), output(3)}, true));
  rig.pass(1);
  EXPECT_EQ(rig.service.light(output(1)), Light::blocked);
  EXPECT_EQ(rig.service.light(input(2)), Light::blocked);
  EXPECT_EQ(rig.service.circuits().size(), 2U);
  ASSERT_FALSE(rig.service.switch_off(std::vector{input(0)}, false));
  EXPECT_EQ(rig.service.light(output(1)), Light::tuning);
  EXPECT_EQ(rig.service.light(output(3)), Light::blocked);
  EXPECT_EQ(rig.service.switch_off(std::vector{input(9)}, true)->fault, Fault::no_such_port);
}

TEST(Service, NumbersItsEvents) {
  Rig rig;
  ASSERT_FALSE(add(rig.service, {circuit(0, 1)}));
  rig.pass(20);
  std::vector<ServiceEventKind> kinds;
  rig.service.events_since(0, [&](const ServiceEvent& event) {
    EXPECT_EQ(event.number, kinds.size() + 1);
    kinds.push_back(event.kind);
  });
  EXPECT_EQ(kinds, (std::vector{ServiceEventKind::light, ServiceEventKind::connected, ServiceEventKind::light}));
  EXPECT_EQ(rig.service.events().back().light, Light::tuned);
  EXPECT_EQ(rig.service.events().back().at, Cycles{11});
  for (int k = 0; k < 1000; ++k) {
    ASSERT_FALSE(rig.service.clear());
    ASSERT_FALSE(add(rig.service, {circuit(0, 1)}));
  }
  EXPECT_EQ(rig.service.events().size(), 1024U);
}

}  // namespace
}  // namespace ocs::test
