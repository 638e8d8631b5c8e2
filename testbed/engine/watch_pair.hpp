// Two that look on at the same run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "testbed/engine/run_watch.hpp"

namespace ocs {

/// Tells both everything, the first one first.
class WatchPair final : public RunWatch {
 public:
  /// @param first, second outlive it.
  WatchPair(RunWatch& first, RunWatch& second) : first_(first), second_(second) {}

  void begin(const RunShape& shape) override {
    both([&](RunWatch& watch) { watch.begin(shape); });
  }
  void has_legs(std::uint32_t per_iteration) override {
    both([&](RunWatch& watch) { watch.has_legs(per_iteration); });
  }
  void has_servers(std::span<const Node> servers) override {
    both([&](RunWatch& watch) { watch.has_servers(servers); });
  }
  OutputWatcher* outputs(std::size_t plane) override {
    OutputWatcher *one = first_.outputs(plane), *other = second_.outputs(plane);
    if (one == nullptr || other == nullptr) return one == nullptr ? other : one;
    return outputs_.emplace_back(std::make_unique<Outputs>(*one, *other)).get();
  }
  void on(const Event& event) override {
    both([&](RunWatch& watch) { watch.on(event); });
  }
  void planned(const WatchedPlan& plan) override {
    both([&](RunWatch& watch) { watch.planned(plan); });
  }
  void carried(const Carried& carried) override {
    both([&](RunWatch& watch) { watch.carried(carried); });
  }
  void names_next(const TransferKey& key) override {
    both([&](RunWatch& watch) { watch.names_next(key); });
  }
  void offered(const Transfer& transfer) override {
    both([&](RunWatch& watch) { watch.offered(transfer); });
  }
  void delivered(const Delivery& delivery) override {
    both([&](RunWatch& watch) { watch.delivered(delivery); });
  }
  void crossed(Node from, Node to, Picos began, Picos arrived) override {
    both([&](RunWatch& watch) { watch.crossed(from, to, began, arrived); });
  }
  void granted(Node node, std::uint32_t iteration, Picos asked, Picos at) override {
    both([&](RunWatch& watch) { watch.granted(node, iteration, asked, at); });
  }
  void computes(Node node, std::uint32_t iteration, Picos from) override {
    both([&](RunWatch& watch) { watch.computes(node, iteration, from); });
  }
  void computed(Node node, std::uint32_t iteration, Picos from, Picos to) override {
    both([&](RunWatch& watch) { watch.computed(node, iteration, from, to); });
  }
  void computes_between(std::uint32_t iteration, Picos from, Picos to) override {
    both([&](RunWatch& watch) { watch.computes_between(iteration, from, to); });
  }

 private:
  class Outputs final : public OutputWatcher {
   public:
    Outputs(OutputWatcher& first, OutputWatcher& second) : first_(first), second_(second) {}
    void entered(Output out, EventKind state, std::optional<Input> in, Cycles at) override {
      first_.entered(out, state, in, at);
      second_.entered(out, state, in, at);
    }
    void passed(Output out, Input in, Cycles from, Cycles to) override {
      first_.passed(out, in, from, to);
      second_.passed(out, in, from, to);
    }
    void commanded(const Commit& commit, Cycles now) override {
      first_.commanded(commit, now);
      second_.commanded(commit, now);
    }
    void commanded(const Burst& burst, Cycles now) override {
      first_.commanded(burst, now);
      second_.commanded(burst, now);
    }

   private:
    OutputWatcher &first_, &second_;
  };
  template <class Notify>
  void both(const Notify& notify) {
    notify(first_);
    notify(second_);
  }

  RunWatch &first_, &second_;
  std::vector<std::unique_ptr<Outputs>> outputs_;
};

}  // namespace ocs
