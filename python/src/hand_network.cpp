// The network of a row, without the row's job.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/hand_network.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "python/src/experiment.hpp"
#include "python/src/watched_work.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/run/point_network.hpp"

namespace ocs::python {
namespace {

class HandNetwork {
 public:
  explicit HandNetwork(std::shared_ptr<LoadedExperiment> loaded)
      : kept_(std::make_shared<Kept>(std::move(loaded))), point_(kept_->point) {}

  std::int64_t now() const { return now_.n; }
  int ports() const { return point_.fabric.ports; }
  std::int64_t next() { return network().next().n; }

  std::uint32_t offer(int from, const std::vector<int>& to, std::int64_t bytes, std::optional<std::int64_t> ready,
                      std::int32_t priority) {
    if (bytes < 1 || bytes > most_bytes)
      refuse("size is " + std::to_string(bytes) + " bytes, but must be from 1 to " + std::to_string(most_bytes));
    if (to.empty()) refuse("a transfer must go to at least one node");
    Transfer transfer{.id = Id{offered_ + 1},
                      .coflow = Id{offered_ + 1},
                      .from = node(from),
                      .to = {},
                      .size = {(bytes + point_.fabric.word.n - 1) / point_.fabric.word.n * point_.fabric.word.n},
                      .ready = ready ? Picos{*ready} : now_,
                      .priority = priority};
    for (const int one : to) transfer.to.push_back(node(one));
    if (transfer.ready < now_)
      refuse("the transfer is ready at " + std::to_string(transfer.ready.n) + " ps, but time is at " +
             std::to_string(now_.n) + " ps already");
    network().offer(std::move(transfer));
    return ++offered_;
  }

  /// Until the first delivery, or until `limit`.
  nb::list advance(std::int64_t limit) {
    if (limit < now_.n)
      refuse("time is to advance to " + std::to_string(limit) + " ps, but is at " + std::to_string(now_.n) +
             " ps already");
    const auto reached = std::make_shared<Reached>();
    if (kept_->loaded->functions.empty()) {
      const nb::gil_scoped_release release;
      reached->now = network().advance(Picos{limit}, reached->deliveries);
    } else {
      advance_watched(reached, limit);
    }
    now_ = reached->now;
    nb::list list;
    for (const Delivery& one : reached->deliveries) {
      std::int64_t words = 0;
      for (const WordRun& run : one.arrived) words += run.count.n;
      list.append(nb::make_tuple(one.at.n, index(one.transfer), index(one.to), words, one.final));
    }
    return list;
  }

 private:
  static constexpr std::int64_t most_bytes = std::int64_t{1} << 40;

  /// What a thread needs that a scheduler is left behind in.
  struct Kept {
    std::shared_ptr<LoadedExperiment> loaded;
    const Point& point;
    RunOptions options;
    std::optional<PointNetwork> network;

    explicit Kept(std::shared_ptr<LoadedExperiment> experiment) : loaded(std::move(experiment)), point(one(*loaded)) {
      const Policy& policy = find(policies(), point.policy, "policy");
      options.version = loaded->environment.version;
      const bool online = point.packets || plans_around_circuits(point, scheduler_name(point, policy));
      network.emplace(point, options, policy, CircuitRules{.online = online, .join_coflows = false});
    }
  };

  struct Reached {
    Picos now;
    std::vector<Delivery> deliveries;
  };

  /// A scheduler of Python plans. What fails half-way leaves a network that can't go on.
  void advance_watched(const std::shared_ptr<Reached>& reached, std::int64_t limit) {
    Network& of_kept = network();
    failed_ = true;
    const auto work = [kept = kept_, &of_kept, reached, limit] {
      set_patience(patience_of(kept->point));
      reached->now = of_kept.advance(Picos{limit}, reached->deliveries);
    };
    watch_work(work, ErrorKind::run);
    failed_ = false;
  }

  Network& network() {
    if (failed_) refuse("the network's scheduler has failed, so that it can't go on");
    return kept_->network->network();
  }

  static const Point& one(const LoadedExperiment& loaded) {
    if (loaded.experiment.points.size() != 1)
      refuse("the experiment has " + std::to_string(loaded.experiment.points.size()) +
             " rows, but a network must be that of one: a list is an axis");
    return loaded.experiment.points.front();
  }
  Node node(int number) const {
    if (number < 0 || number >= point_.fabric.ports)
      refuse("a node is " + std::to_string(number) + ", but must be from 0 to " +
             std::to_string(point_.fabric.ports - 1));
    return Node{static_cast<std::uint16_t>(number)};
  }

  std::shared_ptr<Kept> kept_;
  const Point& point_;
  Picos now_{};
  std::uint32_t offered_ = 0;
  bool failed_ = false;
};

}  // namespace

void add_network(nb::module_& m) {
  nb::class_<HandNetwork>(m, "Network")
      .def("__init__", [](HandNetwork* self,
                          std::shared_ptr<LoadedExperiment> loaded) { new (self) HandNetwork(std::move(loaded)); })
      .def_prop_ro("now", &HandNetwork::now)
      .def_prop_ro("ports", &HandNetwork::ports)
      .def("next", &HandNetwork::next)
      .def("offer", &HandNetwork::offer, nb::arg("src"), nb::arg("to"), nb::arg("size"), nb::arg("ready").none(),
           nb::arg("priority"))
      .def("advance", &HandNetwork::advance);
}

}  // namespace ocs::python
