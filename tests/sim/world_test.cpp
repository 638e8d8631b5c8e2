// Virtual time and processes: the order of everything is the seed's.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace ocs::sim {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::ElementsAre;

TEST(SimulatedWorld, PassesTimeOnlyWhereSomebodyWaits) {
  World world(1);
  std::vector<Nanos> seen;
  const Nanos from = world.now();
  world.spawn("a", nullptr, [&] {
    for (int k = 0; k < 2; ++k) {
      world.wait(world.now() + milliseconds(5));
      seen.push_back(world.now() - from);
    }
    return std::string("ended");
  });
  world.run();
  EXPECT_THAT(seen, ElementsAre(milliseconds(5), milliseconds(10)));
}

TEST(SimulatedWorld, LetsTheSeedDecideWhoGoesFirst) {
  const auto order = [](std::uint64_t seed) {
    World world(seed);
    std::string text;
    for (const char* name : {"a", "b", "c", "d", "e", "f"})
      world.spawn(name, nullptr, [&text, name] {
        text += name;
        return std::string("ended");
      });
    world.run();
    return text;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST(SimulatedWorld, EndsAKilledProcessWhereItWaitsAndItsChildrenToo) {
  World world(1);
  bool freed = false, went_on = false;
  Process* child = nullptr;
  Process& parent = world.spawn("parent", nullptr, [&] {
    child = &world.spawn("child", world.self(), [&] {
      world.wait(never_again);
      went_on = true;
      return std::string("ended");
    });
    struct Guard {
      bool& freed;
      ~Guard() { freed = true; }
    } guard{freed};
    world.wait(never_again);
    went_on = true;
    return std::string("ended");
  });
  world.at(world.now() + milliseconds(1), [&] { world.kill(parent); });
  world.run();
  EXPECT_TRUE(freed);
  EXPECT_FALSE(went_on);
  EXPECT_EQ(child->ended, "was ended by signal 9 (Killed)");
}

TEST(SimulatedWorld, KeepsExceptionsThatAreHandledApart) {
  World world(3);
  std::vector<std::string> caught;
  for (const std::string name : {"a", "b"})
    world.spawn(name, nullptr, [&world, &caught, name] {
      try {
        throw std::runtime_error(name);
      } catch (const std::runtime_error&) {
        world.wait(world.now() + milliseconds(1));  // the other one throws meanwhile
        try {
          throw;
        } catch (const std::runtime_error& again) {
          caught.push_back(name + again.what());
        }
      }
      return std::string("ended");
    });
  world.run();
  EXPECT_THAT(caught, testing::UnorderedElementsAre("aa", "bb"));
}

TEST(SimulatedWorld, NoticesWhoNeverEnds) {
  World world(1);
  world.spawn("a", nullptr, [&] {
    for (;;) world.wait(world.now() + hours(1));
    return std::string();
  });
  EXPECT_THROW(world.run(), World::Stuck);
}

}  // namespace
}  // namespace ocs::sim
