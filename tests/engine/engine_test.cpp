// The engine: several jobs on one network, over time, without nodes of their own.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/engine/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/core/error.hpp"
#include "tests/nodes/fake_network.hpp"

namespace ocs {
namespace {

using testing::HasSubstr;

/// Sends a word a number of times, each when the one before has come, and notes when they came.
class Sender final : public RunningJob {
 public:
  struct Rules {
    Node from{0}, to{1};
    int times = 1;
    Picos pause{};  ///< between an arrival and the next offer
  };
  Sender(JobActions& actions, const Rules& rules, std::vector<Picos>& came, int* alive = nullptr)
      : actions_(actions), rules_(rules), came_(came), alive_(alive) {
    if (alive_) ++*alive_;
  }
  ~Sender() override {
    if (alive_) --*alive_;
  }
  void begin() override { offer(); }
  void on(Delivery delivery) override {
    came_.push_back(delivery.at);
    if (++sent_ == rules_.times) return;
    if (rules_.pause == Picos{0}) return offer();
    next_ = actions_.now() + rules_.pause;
  }
  void on(const Stamped&) override { FAIL() << "it has no nodes"; }
  Picos next() const override { return next_; }
  bool wake() override {
    if (next_ > actions_.now()) return false;
    next_ = never<Picos>;
    offer();
    return true;
  }
  bool is_over() const override { return sent_ == rules_.times; }
  void finish() override {}
  NodeExchange* nodes() override { return nullptr; }
  double fraction() const override { return static_cast<double>(sent_) / rules_.times; }
  std::string waits_for() const override { return "a word"; }
  std::string states() const override { return "; sender " + std::to_string(index(rules_.from)) + " waits"; }

 private:
  void offer() {
    actions_.offer({actions_.new_transfer(), Id{7}, rules_.from, {rules_.to}, Bytes{64}, actions_.now()});
  }
  JobActions& actions_;
  Rules rules_;
  std::vector<Picos>& came_;
  int* alive_;
  int sent_ = 0;
  Picos next_ = never<Picos>;
};

constexpr Picos setup{1000}, word{10};

Engine::MakeJob sender(const Sender::Rules& rules, std::vector<Picos>& came, int* alive = nullptr) {
  return [=, &came](JobActions& actions) { return std::make_unique<Sender>(actions, rules, came, alive); };
}

TEST(Engine, RunsJobsSideBySide) {
  FakeNetwork network(64, setup, word);
  Engine engine(network);
  std::vector<Picos> first, second;
  engine.add({.at = Picos{0}}, sender({Node{0}, Node{1}, 3, Picos{0}}, first));
  engine.add({.at = Picos{500}}, sender({Node{2}, Node{3}, 2, Picos{300}}, second));
  engine.run();
  EXPECT_THAT(first, testing::ElementsAre(Picos{1010}, Picos{2020}, Picos{3030}));
  EXPECT_THAT(second, testing::ElementsAre(Picos{1510}, Picos{1510 + 300 + 1010}));
  EXPECT_EQ(engine.now(), Picos{3030});
}

TEST(Engine, BeginsJobsOfOneInstantInTheirOrder) {
  FakeNetwork network(64, setup, word);
  Engine engine(network);
  std::vector<Picos> first, second;
  engine.add({.at = Picos{50}}, sender({Node{0}, Node{1}, 1, Picos{0}}, first));
  engine.add({.at = Picos{50}}, sender({Node{0}, Node{1}, 1, Picos{0}}, second));
  engine.run();
  EXPECT_THAT(first, testing::ElementsAre(Picos{1060}));
  EXPECT_THAT(second, testing::ElementsAre(Picos{2070}));  // it has the same ports
}

TEST(Engine, LetsGoOfAJobThatIsOver) {
  FakeNetwork network(64, setup, word);
  Engine engine(network);
  int alive = 0, most = 0;
  std::vector<Picos> came;
  for (int k = 0; k < 1000; ++k)
    engine.add({.at = Picos{5000 * k}}, [&](JobActions& actions) {
      auto job = std::make_unique<Sender>(actions, Sender::Rules{}, came, &alive);
      most = std::max(most, alive);
      return job;
    });
  engine.run();
  EXPECT_EQ(came.size(), 1000u);
  EXPECT_EQ(most, 1);
  EXPECT_EQ(alive, 0);
}

TEST(Engine, KeepsCoflowsOfSeveralJobsApart) {
  FakeNetwork network(64, setup, word);
  Engine engine(network);
  std::vector<Picos> came;
  engine.add({.at = Picos{0}}, sender({Node{0}, Node{1}, 2, Picos{0}}, came));
  engine.add({.at = Picos{0}}, sender({Node{2}, Node{3}, 2, Picos{0}}, came));
  engine.run();
  ASSERT_EQ(network.offered().size(), 4u);
  std::map<Node, std::set<Id>> coflows;
  std::set<Id> transfers;
  for (const Transfer& one : network.offered()) {
    coflows[one.from].insert(one.coflow);
    transfers.insert(one.id);
  }
  EXPECT_EQ(transfers.size(), 4u);
  EXPECT_EQ(coflows[Node{0}].size(), 1u);
  EXPECT_EQ(coflows[Node{2}].size(), 1u);
  EXPECT_NE(coflows[Node{0}], coflows[Node{2}]);
}

TEST(Engine, LeavesTheCoflowsOfAnOnlyJobAsTheyAre) {
  FakeNetwork network(64, setup, word);
  Engine engine(network);
  std::vector<Picos> came;
  engine.add({.at = Picos{0}}, sender({}, came));
  engine.run();
  EXPECT_EQ(network.offered().at(0).coflow, Id{7});
}

TEST(Engine, NamesEveryJobInADeadlock) {
  FakeNetwork network(64, setup, word);
  network.stop_after(1);
  Engine engine(network);
  std::vector<Picos> came;
  engine.add({.at = Picos{0}}, sender({Node{0}, Node{1}, 2, Picos{0}}, came));
  engine.add({.at = Picos{0}}, sender({Node{2}, Node{3}, 2, Picos{0}}, came));
  try {
    engine.run();
    FAIL() << "it ended";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    EXPECT_THAT(error.what(), HasSubstr("deadlock at 1010 ps"));
    EXPECT_THAT(error.what(), HasSubstr("; sender 0 waits; sender 2 waits"));
  }
}

/// Offers nothing, and is awake for ever.
class Restless final : public RunningJob {
 public:
  void begin() override {}
  void on(Delivery) override {}
  void on(const Stamped&) override {}
  Picos next() const override { return Picos{30}; }
  bool wake() override { return false; }
  bool is_over() const override { return false; }
  void finish() override {}
  NodeExchange* nodes() override { return nullptr; }
  double fraction() const override { return 0; }
  std::string waits_for() const override { return {}; }
  std::string states() const override { return {}; }
};

TEST(Engine, EndsWhereTimeStandsStill) {
  FakeNetwork network(64, setup, word);
  Engine engine(network);
  engine.add({.at = Picos{0}}, [](JobActions&) { return std::make_unique<Restless>(); });
  try {
    engine.run();
    FAIL() << "it ended";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("rounds at 30 ps, so time stands still"));
  }
}

}  // namespace
}  // namespace ocs
