// A worker that has missed a map: servers refuse what it pushes under the old one, and it pushes again under the new.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "host/transport/fields.hpp"
#include "testbed/coordinator/job.hpp"
#include "testbed/sync/catalogue.hpp"
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
      if ((each.from == node || each.to.front() == node) && each.counts_at(node))
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

/// Schemes whose workers share no iterations.
constexpr const char* eager_schemes[] = {"asp", "ssp", "dssp", "r2sp", "p_of_n", "elastic", "predictive"};

/// Six iterations of workers that compute for different times.
JobSpec staggered_job(const std::string& sync) {
  JobSpec spec = keyed_job(sync);
  spec.iterations = 6;
  spec.sync_settings.p = 2;
  spec.compute_of = [](std::size_t worker, std::uint32_t iteration) {
    return Picos{100'000'000 + static_cast<std::int64_t>((worker * 7 + iteration * 5) % 11) * 40'000'000};
  };
  return spec;
}

TEST(KeyMapManager, LetsValuesMigrateWhereWorkersShareNoIterations) {
  for (const char* sync : eager_schemes)
    for (const PayloadMode payload : {PayloadMode::none, PayloadMode::digest, PayloadMode::full})
      for (const Picos latency : {Picos{0}, Picos{3'000'000}}) {
        SCOPED_TRACE(std::string(sync) + ", latency " + std::to_string(latency.n) + ", payload " +
                     std::string(name_of(payload)));
        JobSpec spec = staggered_job(sync);
        spec.payload = payload;
        spec.control_latency = latency;
        MeasuredNetwork network(spec.word_bytes);
        const JobResult result = run_job(spec, network);
        EXPECT_EQ(result.crc_errors, 0);
        EXPECT_EQ(result.sum_errors, 0);
        EXPECT_GT(result.load->versions, 0u);
        EXPECT_GT(result.load->keys_moved, 0);
        EXPECT_EQ(result.load->refused, 0);
        EXPECT_GE(result.load->migrating, latency);
      }
}

/// Applies pushes two by two, and lets both workers go on.
class Pairs : public SyncScheme {
 public:
  GateActions on(const GateEvent& event) override {
    GateActions actions;
    if (event.kind == GateEvent::Kind::asked && event.iteration == 0) actions.grants.push_back({event.worker, 0, 0, 0});
    if (event.kind != GateEvent::Kind::asked || event.iteration == 0) return actions;
    if (!first_) {
      first_ = {event.worker, event.iteration};
      return actions;
    }
    for (const auto& [worker, iteration] : {*first_, std::pair(event.worker, event.iteration)}) {
      actions.pushes.push_back({worker, iteration - 1, Verdict::What::apply, 2});
      actions.grants.push_back({worker, 0, 0, 0});
    }
    first_.reset();
    return actions;
  }

 private:
  std::optional<std::pair<std::uint16_t, std::uint32_t>> first_;
};

TEST(KeyMapManager, EndsARunInWhichAPushWaitsWhileKeysAreToMove) {
  JobSpec spec = staggered_job("asp");
  SyncEntry pairs = find_scheme("asp");
  pairs.make = [](std::uint16_t, const SyncSettings&) { return std::make_unique<Pairs>(); };
  spec.own_sync = std::make_shared<const SyncEntry>(pairs);
  MeasuredNetwork network(spec.word_bytes);
  const std::string why = failure_of([&] { run_job(spec, network); });
  EXPECT_NE(why.find("waits at its servers for a decision of the scheme"), std::string::npos) << why;
}

TEST(KeyMapManager, LosesNoWorkerThatDiesWhileKeysMove) {
  for (const char* sync : {"asp", "r2sp", "p_of_n"})
    for (std::int64_t at = 500'000'000; at < 3'000'000'000; at += 250'000'000) {
      SCOPED_TRACE(std::string(sync) + ", dies at " + std::to_string(at));
      JobSpec spec = staggered_job(sync);
      spec.payload = PayloadMode::digest;
      spec.deaths = {{Node{4}, Picos{at}}};
      MeasuredNetwork network(spec.word_bytes);
      const JobResult result = run_job(spec, network);
      EXPECT_EQ(result.crc_errors, 0);
      EXPECT_GT(result.load->keys_moved, 0);
    }
}

/// Four workers, two of them with a server on their nodes, or one where a server has a node of its own.
JobSpec colocated_job(const std::string& sync, bool all) {
  JobSpec spec = staggered_job(sync);
  spec.ports = 6;
  spec.workers.clear();
  for (std::uint16_t w = 0; w < 4; ++w) spec.workers.push_back(Node{static_cast<std::uint16_t>(all ? w : w + 1)});
  return spec;
}

void expect_all_words(const JobSpec& spec, const JobResult& result) {
  const SyncEntry& sync = find_scheme(spec.sync);
  std::int64_t model = 0;
  for (const Block& block : spec.blocks) model += block.size.n;
  const auto workers = static_cast<std::int64_t>(spec.workers.size());
  const bool pulls_first = sync.compute == ComputeStart::after_own_pull;
  if (sync.compute == ComputeStart::local_steps) return;  // some pulls never come
  EXPECT_EQ(result.bytes_delivered.n + result.bytes_local.n,
            (2 * spec.iterations + (pulls_first ? 1 : 0)) * workers * model + result.load->bytes_moved.n);
}

TEST(KeyMapManager, LetsValuesMigrateWhereServersAreOnNodesOfWorkers) {
  for (const SyncEntry& entry : sync_schemes())
    for (const PayloadMode payload : {PayloadMode::digest, PayloadMode::full})
      for (const bool all : {true, false}) {
        if (payload == PayloadMode::full && entry.whole_rounds != all) continue;  // schemes share the payload's code
        SCOPED_TRACE(std::string(entry.name) + ", payload " + std::string(name_of(payload)) +
                     (all ? ", all servers" : ", one server"));
        JobSpec spec = colocated_job(std::string(entry.name), all);
        spec.payload = payload;
        spec.control_latency = Picos{3'000'000};
        MeasuredNetwork network(spec.word_bytes);
        const JobResult result = run_job(spec, network);
        EXPECT_EQ(result.crc_errors, 0);
        EXPECT_EQ(result.sum_errors, 0);
        ASSERT_GT(result.load->versions, 0u);
        EXPECT_EQ(result.load->keys_moved, all ? 4 : 6)
            << "of 8, or of the 7 of a server on a node of its own, which keeps 1";
        EXPECT_EQ(result.load->refused, 0);
        EXPECT_GE(result.load->migrating, spec.control_latency);
        expect_all_words(spec, result);
      }
}

}  // namespace
}  // namespace ocs
