// Chooses where nodes are, and begins to talk with them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/runners/job_nodes.hpp"

#include <string>
#include <utility>

#include "testbed/coordinator/runners/direct_runner.hpp"
#include "testbed/coordinator/runners/thread_runner.hpp"

namespace ocs {

JobNodes::JobNodes(const NodeJob& job, const std::vector<Node>& nodes, NodePlaces places,
                   std::chrono::milliseconds timeout, const Engine& engine)
    : places_(std::move(places)), runner_(places_.runner) {
  if (runner_ == nullptr) {
    // Without payload no two nodes have work at once: threads would only hand over to one another. Who puts something
    // between the parts or asks for another transport gets them all the same, on one core.
    const bool as_it_is = !places_.hooks.transport && !places_.hooks.logic && places_.endpoint == JobSpec{}.endpoint;
    const bool no_payload = job.payload == PayloadMode::none;
    if (no_payload && !as_it_is) one_core_.emplace();
    own_ = no_payload && as_it_is ? make_direct_runner() : make_thread_runner(places_.endpoint, places_.hooks);
    runner_ = own_.get();
  }
  Transport& end = runner_->begin(job, nodes);
  Transport& transport = places_.hooks.coordinator ? places_.hooks.coordinator(end) : end;
  talk_.emplace(transport, nodes, timeout, [&engine](const std::string& who) { engine.show(who); });
}

}  // namespace ocs
