// A worker that has missed a map: servers refuse what it pushes under the old one, and it pushes again under the new.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "host/transport/fields.hpp"
#include "testbed/coordinator/job.hpp"
#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/small_job.hpp"

namespace ocs {
namespace {

constexpr Node stale{3};

template <class Action>
std::string failure_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "it ended well";
}

/// Its ports say that node 0 is eight times slower than the others.
class MeasuredNetwork : public FakeNetwork {
 public:
  using FakeNetwork::FakeNetwork;
  PortUse use(Node node) const override {
    PortUse sum;
    for (const Transfer& each : offered())
      if (each.from == node || each.to.front() == node)
        sum += {each.size, Picos{each.size.n * (node == Node{0} ? 640 : 80)}};
    return sum;
  }
};

/// Acknowledges a map without taking it, until it is told of it again.
class MissesAMap : public NodeLogic {
 public:
  explicit MissesAMap(std::unique_ptr<NodeLogic> logic) : logic_(std::move(logic)) {}
  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    Picos promise = never<Picos>;
    for (const Message& message : batch) {
      if (kind_of(message) == MessageKind::map && !missed_) {
        missed_ = true;
        const auto version = decode_fields<MapFields>(message).version;
        out.push_back(make_message(coordinator_id, now, MapAckFields{version}));
        continue;
      }
      promise = std::min(promise, logic_->on({&message, 1}, now, out));
    }
    return promise;
  }

 private:
  std::unique_ptr<NodeLogic> logic_;
  bool missed_ = false;
};

/// Three workers, two servers, 16 keys; the first one is found to be slow.
JobSpec keyed_job(const std::string& sync) {
  JobSpec spec = small_job(3, 2, false, 64'000);
  spec.slicing.slice = Bytes{8000};
  spec.sync = sync;
  spec.iterations = 4;
  spec.payload = PayloadMode::none;
  spec.load = LoadRule{{.adaptive = true}, 100'000'000'000};
  return spec;
}

JobHooks one_misses_a_map() {
  JobHooks hooks;
  hooks.logic = [](std::unique_ptr<NodeLogic> logic, Node node) -> std::unique_ptr<NodeLogic> {
    if (node != stale) return logic;
    return std::make_unique<MissesAMap>(std::move(logic));
  };
  return hooks;
}

TEST(WrongOwner, IsWhatAPushUnderAnOldMapIsAnsweredAndItComesAgain) {
  for (const char* sync : {"bsp", "bsp_phase"}) {
    const JobSpec spec = keyed_job(sync);
    MeasuredNetwork all_well(spec.word_bytes), one_stale(spec.word_bytes);
    const JobResult usual = run_job(spec, all_well);
    ASSERT_TRUE(usual.load);
    ASSERT_EQ(usual.load->versions, 1u) << "all estimates agree after one move";
    EXPECT_EQ(usual.load->refused, 0);
    const JobResult result = run_job(spec, one_stale, nullptr, one_misses_a_map());
    EXPECT_EQ(result.load->refused, result.load->keys) << "its whole push went by the old map";
    EXPECT_EQ(result.sync.updates, usual.sync.updates) << "each push entered the model once";
    EXPECT_EQ(result.load->keys_moved, usual.load->keys_moved);
    EXPECT_GT(result.end, usual.end);
  }
}

TEST(WrongOwner, EndsTheRunWhereThePushsPayloadIsGone) {
  JobSpec spec = keyed_job("bsp");
  spec.payload = PayloadMode::digest;
  MeasuredNetwork network(spec.word_bytes);
  const std::string why = failure_of([&] { run_job(spec, network, nullptr, one_misses_a_map()); });
  EXPECT_NE(why.find("went by an old version of the map of keys"), std::string::npos) << why;
}

/// A server that accepts whatever comes.
class BelievesAnybody : public NodeLogic {
 public:
  explicit BelievesAnybody(std::unique_ptr<NodeLogic> logic) : logic_(std::move(logic)) {}
  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    const Picos promise = logic_->on(batch, now, out);
    for (Message& message : out) {
      if (kind_of(message) != MessageKind::wrong_owner) continue;
      const auto refusal = decode_fields<WrongOwnerFields>(message);
      message = make_message(coordinator_id, now, PushedFields{refusal.key, refusal.version});
    }
    return promise;
  }

 private:
  std::unique_ptr<NodeLogic> logic_;
};

TEST(KeyMapManager, BreaksARunInWhichAServerTakesAKeyThatIsNotItsOwn) {
  const JobSpec spec = keyed_job("bsp");
  MeasuredNetwork network(spec.word_bytes);
  JobHooks hooks;
  hooks.logic = [](std::unique_ptr<NodeLogic> logic, Node node) -> std::unique_ptr<NodeLogic> {
    if (node == stale) return std::make_unique<MissesAMap>(std::move(logic));
    return std::make_unique<BelievesAnybody>(std::move(logic));
  };
  const std::string why = failure_of([&] { run_job(spec, network, nullptr, hooks); });
  EXPECT_NE(why.find("goes by version 1 of the map of keys; by the present one, 1, its key is server"),
            std::string::npos)
      << why;
}

TEST(KeyMapManager, LetsValuesMigrateWithEveryPayload) {
  for (const char* sync : {"bsp", "bsp_phase"})
    for (const PayloadMode payload : {PayloadMode::full, PayloadMode::digest, PayloadMode::none})
      for (const Picos latency : {Picos{0}, Picos{3'000'000}}) {
        JobSpec spec = keyed_job(sync);
        spec.payload = payload;
        spec.control_latency = latency;
        MeasuredNetwork network(spec.word_bytes);
        const JobResult result = run_job(spec, network);
        EXPECT_EQ(result.crc_errors, 0) << sync;
        EXPECT_EQ(result.sum_errors, 0) << sync;
        EXPECT_GT(result.load->keys_moved, 0);
        EXPECT_GE(result.load->migrating, latency);
        EXPECT_EQ(result.sync.updates, 12);
      }
}

TEST(KeyMapManager, RefusesJobsWithoutABarrierOrWithServersOnWorkers) {
  JobSpec spec = keyed_job("asp");
  MeasuredNetwork network(spec.word_bytes);
  EXPECT_NE(failure_of([&] { run_job(spec, network); }).find("it should be bsp or bsp_phase"), std::string::npos);
  spec = small_job(2, 2, true);
  spec.sync = "bsp";
  spec.load = LoadRule{{.adaptive = true}, 100'000'000'000};
  EXPECT_NE(failure_of([&] { run_job(spec, network); }).find("is a worker and a server"), std::string::npos);
}

}  // namespace
}  // namespace ocs
