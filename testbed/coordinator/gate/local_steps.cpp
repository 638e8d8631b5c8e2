// Workers that don't wait for pulls: they take local steps back to back, push by quota, and stall when they are as far
// past a push that isn't answered as they may be.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/gate/gate.hpp"

namespace ocs {

/// For the payload of real learning.
void Gate::note(PastEvent::What what, std::size_t w) {
  if (!job_.learning) return;
  const bool step = what == PastEvent::What::stepped;
  local_program_.push_back({what,
                            job_.workers[w],
                            {},
                            step ? workers_[w].steps.done - 1 : workers_[w].iteration,
                            step ? static_cast<std::int32_t>(samples(workers_[w])) : 0});
}

std::vector<Order> Gate::stepped(Node node, Picos now) {
  const std::size_t w = number_of(node);
  Worker& worker = workers_.at(w);
  std::vector<Order> orders;
  worker.steps.running = false;
  if (!active(worker)) return orders;
  ++worker.steps.done;
  note(PastEvent::What::stepped, w);
  measures_.step(now);
  notify_scheme(GateEvent::Kind::computed, w, worker.steps.done - 1, now);
  if (!ended_)
    go_on(w, orders);
  else if (!worker.steps.waits || worker.steps.model_here)
    finish(w, now);
  order_released(now, orders);
  return orders;
}

/// At the boundary of a step, or when the model has come to a worker that stalls.
void Gate::go_on(std::size_t w, std::vector<Order>& orders) {
  Worker& worker = workers_[w];
  Steps& steps = worker.steps;
  const Node node = job_.workers[w];
  if (steps.waits && steps.model_here) {
    steps.waits = steps.model_here = false;
    note(PastEvent::What::merged, w);
  }
  if (!steps.waits && steps.done - steps.covered >= steps.quota) {
    steps.covered = steps.done;
    steps.waits = true;
    note(PastEvent::What::sent, w);
    orders.push_back({Order::What::push, worker.iteration, {node}});
  }
  const bool last = steps.waits && worker.iteration + 1 >= job_.iterations;
  const bool stalls = steps.waits && steps.done - steps.covered >= steps.ahead;
  steps.running = !last && !stalls;
  orders.push_back({steps.running ? Order::What::step : Order::What::stall, steps.done, {node}});
}

}  // namespace ocs
