// The switch office: changes as a whole, what is in the way is named, states, ports switched off.
// SPDX-License-Identifier: Apache-2.0
#include "tests/control_plane/rig.hpp"

namespace ocs::test {
namespace {

using namespace serve;

constexpr Port output(int number) { return {.output = true, .number = static_cast<std::uint16_t>(number)}; }
constexpr Port input(int number) { return {.output = false, .number = static_cast<std::uint16_t>(number)}; }

std::optional<Complaint> add(SwitchOffice& office, std::vector<Circuit> circuits, Mode mode = Mode::safe) {
  return office.change({.remove = {}, .add = std::move(circuits), .mode = mode});
}

TEST(Office, GoesThroughTheStatesOfSonic) {
  Rig rig;
  EXPECT_EQ(rig.office.light(output(1)), Light::blocked);
  EXPECT_FALSE(add(rig.office, {circuit(0, 1)}));
  EXPECT_EQ(rig.office.light(output(1)), Light::tuning);
  EXPECT_EQ(rig.office.light(input(0)), Light::tuning);
  rig.pass(10);  // locking now
  EXPECT_EQ(rig.office.light(output(1)), Light::tuned);
  EXPECT_FALSE(rig.office.settled());
  rig.pass(5);
  EXPECT_TRUE(rig.office.settled());
  EXPECT_FALSE(rig.office.set_dead(1, true));
  rig.pass(2);
  EXPECT_EQ(rig.office.light(output(1)), Light::failed);
  EXPECT_EQ(rig.office.light(circuit(0, 1)), Light::failed);
  EXPECT_EQ(rig.office.failed(), 1);
  EXPECT_FALSE(rig.office.set_dead(1, false));
  rig.pass(10);
  EXPECT_EQ(rig.office.light(output(1)), Light::tuned);
  EXPECT_FALSE(rig.office.clear());
  EXPECT_EQ(rig.office.light(output(1)), Light::blocked);
  EXPECT_EQ(rig.office.failed(), 0);
}

TEST(Office, NamesTheCircuitInTheWay) {
  Rig rig;
  ASSERT_FALSE(add(rig.office, {circuit(0, 1), circuit(1, 2)}));
  const auto by_output = add(rig.office, {circuit(3, 3), circuit(2, 1)});
  ASSERT_TRUE(by_output);
  EXPECT_EQ(by_output->fault, Fault::busy);
  EXPECT_EQ(by_output->asked, circuit(2, 1));
  EXPECT_EQ(by_output->blocked_by, circuit(0, 1));
  const auto by_input = add(rig.office, {circuit(1, 3)});
  EXPECT_EQ(by_input->blocked_by, circuit(1, 2));
  const auto gone = rig.office.change({.remove = {circuit(0, 2)}, .add = {}, .mode = Mode::safe});
  EXPECT_EQ(gone->fault, Fault::no_such_circuit);
  EXPECT_EQ(gone->blocked_by, circuit(0, 1));
  const auto twice = add(rig.office, {circuit(2, 3), circuit(3, 3)}, Mode::update);
  EXPECT_EQ(twice->fault, Fault::named_twice);
  EXPECT_EQ(twice->blocked_by, circuit(2, 3));
  EXPECT_EQ(add(rig.office, {circuit(4, 0)})->fault, Fault::no_such_port);
  EXPECT_EQ(add(rig.office, {circuit(0, 4)})->port, output(4));
  EXPECT_EQ(rig.office.circuits(), (std::vector{circuit(0, 1), circuit(1, 2)}));  // nothing of it had an effect
}

TEST(Office, LeavesACircuitAloneThatIsSetAgain) {
  Rig rig;
  ASSERT_FALSE(add(rig.office, {circuit(0, 1), circuit(1, 2)}));
  rig.pass(20);
  const std::uint64_t commits = rig.office.commits(), events = rig.office.last_event();
  for (const Mode mode : {Mode::safe, Mode::update, Mode::overwrite})
    EXPECT_FALSE(add(rig.office, {circuit(1, 2), circuit(0, 1)}, mode));
  EXPECT_EQ(rig.office.commits(), commits);
  EXPECT_EQ(rig.office.last_event(), events);
  EXPECT_FALSE(add(rig.office, {circuit(0, 1), circuit(3, 3)}));  // beside a new one
  EXPECT_EQ(rig.office.circuits(), (std::vector{circuit(0, 1), circuit(1, 2), circuit(3, 3)}));
  EXPECT_EQ(add(rig.office, {circuit(0, 1), circuit(0, 1)})->fault, Fault::named_twice);
  EXPECT_EQ(add(rig.office, {circuit(0, 1), circuit(2, 1)})->fault, Fault::named_twice);
  EXPECT_EQ(add(rig.office, {circuit(0, 1), circuit(2, 2)})->fault, Fault::busy);
  rig.pass(20);
  EXPECT_EQ(rig.office.counters(1).reconfigurations, 1);
}

TEST(Office, UpdatesAndOverwrites) {
  Rig rig;
  ASSERT_FALSE(add(rig.office, {circuit(0, 1), circuit(1, 2), circuit(2, 3)}));
  rig.pass(20);
  const auto tunings = [&](std::uint16_t port) { return rig.office.counters(port).reconfigurations; };
  EXPECT_EQ(tunings(3), 1);
  ASSERT_FALSE(add(rig.office, {circuit(0, 2)}, Mode::update));
  EXPECT_EQ(rig.office.circuits(), (std::vector{circuit(0, 2), circuit(2, 3)}));
  ASSERT_FALSE(add(rig.office, {circuit(2, 3), circuit(3, 0)}, Mode::overwrite));
  EXPECT_EQ(rig.office.circuits(), (std::vector{circuit(2, 3), circuit(3, 0)}));
  rig.pass(20);
  EXPECT_EQ(tunings(3), 1);  // its circuit stayed
  EXPECT_EQ(tunings(2), 2);
}

TEST(Office, ReplacesWithinOneCommit) {
  Rig rig;
  ASSERT_FALSE(add(rig.office, {circuit(0, 1)}));
  const std::uint64_t commits = rig.office.commits();
  ASSERT_FALSE(rig.office.change({.remove = {circuit(0, 1)}, .add = {circuit(2, 1)}, .mode = Mode::safe}));
  EXPECT_EQ(rig.office.commits(), commits + 1);
  EXPECT_EQ(rig.office.light(output(1)), Light::tuning);
}

TEST(Office, KeepsTheCircuitOfAPortThatIsOff) {
  Rig rig;
  ASSERT_FALSE(add(rig.office, {circuit(0, 1), circuit(2, 3)}));
  rig.pass(20);
  ASSERT_FALSE(rig.office.switch_off(std::vector{input(0), output(3)}, true));
  rig.pass(1);
  EXPECT_EQ(rig.office.light(output(1)), Light::blocked);
  EXPECT_EQ(rig.office.light(input(2)), Light::blocked);
  EXPECT_EQ(rig.office.circuits().size(), 2U);
  ASSERT_FALSE(rig.office.switch_off(std::vector{input(0)}, false));
  EXPECT_EQ(rig.office.light(output(1)), Light::tuning);
  EXPECT_EQ(rig.office.light(output(3)), Light::blocked);
  EXPECT_EQ(rig.office.switch_off(std::vector{input(9)}, true)->fault, Fault::no_such_port);
}

TEST(Office, NumbersItsEvents) {
  Rig rig;
  ASSERT_FALSE(add(rig.office, {circuit(0, 1)}));
  rig.pass(20);
  std::vector<OfficeEventKind> kinds;
  rig.office.events_since(0, [&](const OfficeEvent& event) {
    EXPECT_EQ(event.number, kinds.size() + 1);
    kinds.push_back(event.kind);
  });
  EXPECT_EQ(kinds, (std::vector{OfficeEventKind::light, OfficeEventKind::connected, OfficeEventKind::light}));
  EXPECT_EQ(rig.office.events().back().light, Light::tuned);
  EXPECT_EQ(rig.office.events().back().at, Cycles{11});
  for (int k = 0; k < 1000; ++k) {
    ASSERT_FALSE(rig.office.clear());
    ASSERT_FALSE(add(rig.office, {circuit(0, 1)}));
  }
  EXPECT_EQ(rig.office.events().size(), 1024U);
}

}  // namespace
}  // namespace ocs::test
