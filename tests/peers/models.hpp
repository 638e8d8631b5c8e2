// Runs of peers that hold real numbers, in threads that talk over ZeroMQ, over the Verilated switch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "host/controller/circuits/circuit_network.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/switches.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/multicast_list.hpp"
#include "testbed/peers/peer_job.hpp"

namespace ocs::test {

inline constexpr std::size_t model_peers = 6;
inline constexpr std::uint32_t model_rounds = 12;
inline constexpr std::int64_t model_words = 300;  // of 64 bytes
inline constexpr std::size_t floats = model_words * 16;
inline constexpr std::int64_t learned_parameters = 170;  // softmax on pictures of 16 pixels

/// A step that depends on every bit of what was there before.
inline void train(std::size_t peer, std::uint32_t round, std::span<float> model) {
  for (std::size_t k = 0; k < model.size(); ++k)
    model[k] = model[k] * 0.9F + static_cast<float>((peer + 1) * (k % 97) + round) / 7.0F;
}

/// The models after every mean, as peers say them.
struct Log {
  std::mutex mutex;
  std::map<std::pair<std::size_t, std::uint32_t>, std::vector<float>> means;
};

class Trained final : public PeerModel {
 public:
  Trained(Log& log, std::size_t self) : log_(log), self_(self) {}
  void step(std::uint32_t round, std::span<float> model) override { train(self_, round, model); }
  std::uint64_t averaged(std::uint32_t round, std::span<const float> mean, std::span<const PeerRound>) override {
    const std::lock_guard lock(log_.mutex);
    log_.means[{self_, round}].assign(mean.begin(), mean.end());
    return 0;
  }

 private:
  Log& log_;
  std::size_t self_;
};

struct Order {
  std::size_t self;
  AverageFields fields;
  Picos at;
};

struct ModelRun {
  PeerResult result;
  std::vector<Order> orders;  ///< in virtual time
  std::map<std::pair<std::size_t, std::uint32_t>, std::vector<float>> means;
};

/// What a run lets its test see, in virtual time.
struct ModelHooks {
  std::function<void(const Selection&)> selected{};
  std::function<void(const Problem&, const Plan&)> planned{};
  std::function<void(CircuitConfig&)> network{};  ///< may change the network
  std::uint32_t attempts = JobSpec{}.attempts;    ///< as PeerSpec
};

inline ModelRun run_models(const std::string& policy, PeerSettings settings,
                           const std::vector<std::int64_t>& compute_us, const std::string& endpoint = "inproc://node-",
                           const std::optional<LearningJob>& learning = {}, const ModelHooks& watch = {}) {
  const bool while_sending = find(receiver_selections(), policy, "selection").while_sending;
  const auto device = make_device("verilated", {.ports = 8, .word_bytes = 64, .cycle = Picos{5120}});
  const SwitchConfig shape{.delays = {.tuning = Cycles{50}, .locking = Cycles{10}}, .multicast = true};
  const auto plane = make_switch(*device, shape);
  const MulticastList scheduler;
  CircuitConfig config;
  config.times.tuning = shape.delays.tuning;
  config.times.locking = shape.delays.locking;
  config.online = while_sending;
  config.check = [&](const Problem& problem, const Plan& plan) {
    check_plan(problem, plan);
    if (watch.planned) watch.planned(problem, plan);
  };
  if (watch.network) watch.network(config);
  CircuitNetwork network(*plane, scheduler, config);
  Log log;
  PeerSpec spec;
  for (std::uint16_t v = 0; v < model_peers; ++v) spec.peers.push_back(Node{v});
  spec.model = Bytes{model_words * 64};
  spec.rounds = model_rounds;
  spec.compute = [&](std::size_t w, std::uint32_t k) {
    return Picos{compute_us[(w * 5 + k * 3) % compute_us.size()] * 1'000'000};
  };
  spec.rules = {.selection = &find(receiver_selections(), policy, "selection"),
                .settings = settings,
                .set_up = Picos{61 * 5120},
                .cycle = Picos{5120}};
  spec.attempts = watch.attempts;
  if (learning)
    spec.learning = learning, spec.model = Bytes{learned_parameters * 4};
  else
    spec.peer_model = [&](Node self) { return std::make_unique<Trained>(log, index(self)); };
  spec.endpoint = endpoint;
  ModelRun all;
  PeerHooks hooks;
  hooks.average = [&](Node self, const AverageFields& fields, Picos at) {
    all.orders.push_back({index(self), fields, at});
  };
  hooks.plan = [&](const PeerPlan& plan) {
    if (watch.selected) watch.selected(plan.selection);
  };
  all.result = run_peers(spec, network, nullptr, hooks);
  all.means = std::move(log.means);
  return all;
}

using Step = std::function<void(std::size_t peer, std::uint32_t round, std::span<float> model)>;

/// The same orders executed one after another in one thread, with nothing between peers.
/// @returns the means, by peer and round
inline std::map<std::pair<std::size_t, std::uint32_t>, std::vector<float>> literally(const std::vector<Order>& orders,
                                                                                     const std::vector<float>& start,
                                                                                     const Step& train) {
  std::vector<std::vector<float>> model(model_peers, start);
  std::map<std::pair<std::size_t, std::uint32_t>, std::vector<float>> sent, means;
  for (std::size_t i = 0; i < model_peers; ++i) {
    train(i, 0, model[i]);
    sent[{i, 0}] = model[i];
  }
  for (const Order& order : orders) {
    const auto i = order.self;
    std::map<std::size_t, std::vector<float>> members{{i, model[i]}};
    for (const PeerRound& other : order.fields.models)
      members[index(other.node)] = sent.at({index(other.node), other.round});
    std::vector<float> mean(start.size(), 0.0F);
    for (const auto& [node, numbers] : members)
      for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += numbers[k];
    for (float& number : mean) number /= static_cast<float>(members.size());
    means[{i, order.fields.round}] = model[i] = mean;
    if (order.fields.round + 1 == model_rounds) continue;
    train(i, order.fields.round + 1, model[i]);
    sent[{i, order.fields.round + 1}] = model[i];
  }
  return means;
}

inline void expect_exact(const ModelRun& all) {
  EXPECT_EQ(all.result.job.crc_errors, 0);
  EXPECT_EQ(all.orders.size(), model_peers * model_rounds);
  EXPECT_EQ(all.means, literally(all.orders, std::vector<float>(floats, 0.0F), train));
}

}  // namespace ocs::test
