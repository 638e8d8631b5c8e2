// Puts device, switch, scheduler and network together.
// SPDX-License-Identifier: Apache-2.0
#include "tests/controller/rig.hpp"

#include <gtest/gtest.h>

#include "host/controller/paper_switch.hpp"
#include "host/device/registers/register_switch.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {

namespace {

std::unique_ptr<Switch> plane_of(const RigConfig& config, Device& device) {
  ControlTimes times = config.control;
  times.tuning = Cycles{config.tuning};
  times.locking = Cycles{config.locking};
  if (config.paper) return std::make_unique<PaperSwitch>(config.ports, 64, Picos{cycle_ps}, times);
  return make_register_switch(device, {.delays = {.tuning = times.tuning,
                                                  .locking = times.locking,
                                                  .pair_tuning = config.control.pair_tuning,
                                                  .output_locking = config.control.output_locking,
                                                  .programming = config.control.programming,
                                                  .lanes = config.control.lanes,
                                                  .jitter = Cycles{config.jitter},
                                                  .seed = config.seed,
                                                  .neighbours = config.neighbours,
                                                  .light = config.light},
                                       .all_stop = config.all_stop,
                                       .multicast = config.multicast});
}

}  // namespace

Rig::Rig(const RigConfig& config, std::unique_ptr<Scheduler> own)
    : device(make_device(config.device,
                         {.ports = config.ports, .time_warp = config.time_warp, .stride_seed = config.stride_seed})),
      plane(plane_of(config, *device)),
      scheduler(own ? std::move(own) : make(schedulers(), config.scheduler, "scheduler")) {
  CircuitConfig circuit{.times = config.control};
  circuit.times.tuning = Cycles{config.tuning};
  circuit.times.locking = Cycles{config.locking};
  circuit.outages = config.outages;
  circuit.mirror_changes = config.mirror_changes;
  circuit.neighbours = config.neighbours;
  circuit.online = config.online;
  circuit.check = [this](const Problem& problem, const Plan& plan) {
    problems.push_back(problem);
    check_plan(problem, plan);
  };
  circuit.on_event = [this](const Event& event) {
    events.push_back(event);
    hash.add(event);
  };
  circuit.on_carried = [this](const Carried& done) { carried.push_back(done); };
  network = std::make_unique<CircuitNetwork>(*plane, *scheduler, circuit);
}

void Rig::offer(std::uint32_t id, std::uint16_t from, std::vector<std::uint16_t> to, std::int64_t words,
                std::int64_t ready) {
  Transfer transfer{.id = Id{id},
                    .coflow = Id{1},
                    .from = Node{from},
                    .to = {},
                    .size = Bytes{64 * words},
                    .ready = Picos{ready * cycle_ps}};
  for (const std::uint16_t node : to) transfer.to.push_back(Node{node});
  network->offer(transfer);
}

void Rig::offer_again(std::uint32_t id, std::uint16_t from, std::uint16_t to, std::int64_t words, std::int64_t ready) {
  network->offer({.id = Id{id},
                  .coflow = Id{1},
                  .from = Node{from},
                  .to = {Node{to}},
                  .size = Bytes{64 * words},
                  .ready = Picos{ready * cycle_ps},
                  .sent_before = 1});
}

std::vector<Delivery> Rig::deliver_next() {
  std::vector<Delivery> deliveries;
  const Picos bound = network->next();
  if (bound == never<Picos>) return deliveries;
  const Picos reached = network->advance(Picos{1'000'000'000 * cycle_ps}, deliveries);
  EXPECT_FALSE(deliveries.empty()) << "the network is stuck";
  for (const Delivery& delivery : deliveries) {
    EXPECT_EQ(delivery.at, reached);
    EXPECT_GE(delivery.at, bound);
  }
  return deliveries;
}

std::vector<Delivery> Rig::deliver_all() {
  std::vector<Delivery> all;
  for (;;) {
    const std::vector<Delivery> some = deliver_next();
    if (some.empty()) return all;
    all.insert(all.end(), some.begin(), some.end());
  }
}

std::string text_of(const Delivery& delivery) {
  std::string text = "at " + std::to_string(delivery.at.n / cycle_ps) + ": " +
                     std::to_string(index(delivery.transfer)) + " to " + std::to_string(index(delivery.to)) + " [";
  for (const WordRun& run : delivery.arrived)
    text += (text.back() == '[' ? "" : " ") + std::to_string(run.first.n) + "+" + std::to_string(run.count.n);
  return text + (delivery.final ? "] final" : "]");
}

std::vector<std::string> texts_of(const std::vector<Delivery>& deliveries) {
  std::vector<std::string> texts;
  for (const Delivery& delivery : deliveries) texts.push_back(text_of(delivery));
  return texts;
}

std::string text_of(const Carried& carried) {
  return "flow " + std::to_string(index(carried.planned.flow)) + ": " + std::to_string(carried.start.n) + " " +
         std::to_string(carried.up.n) + " " + std::to_string(carried.end.n);
}

Plan OneByOne::plan(const Problem& problem) const {
  Plan plan;
  Ticks free = problem.now;
  for (const Flow& flow : problem.flows) {
    Ticks up = free + problem.delta;
    Ticks start = free, offset{0};
    for (std::int64_t part = 1; part <= parts_; ++part) {
      const Ticks end_offset{flow.length.n * part / parts_};
      if (end_offset == offset) continue;
      const Ticks end = up + (end_offset - offset);
      plan.list.push_back({flow.id, Plane{0}, flow.in, flow.outs, start, up, end, offset});
      offset = end_offset;
      start = end + problem.delta;  // some idle time, so that the port is seen to be free
      up = start;
      free = end;
    }
  }
  return plan;
}

}  // namespace ocs::test
