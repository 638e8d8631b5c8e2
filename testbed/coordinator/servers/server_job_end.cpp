// When virtual time is over: what the payload went through, and what learning came to.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <utility>
#include <vector>

#include "testbed/coordinator/servers/server_job.hpp"
#include "testbed/nodes/memory/payload_math.hpp"

namespace ocs {

/// What workers do in real learning, worker by worker in its order. Those that take no local steps merge what they have
/// pulled, take one step, and push it.
std::vector<PastEvent> ServerJob::program(const std::vector<PastEvent>& decisions) const {
  if (!gate_.local_program().empty()) return gate_.local_program();
  std::vector<PastEvent> events;
  for (const PastEvent& push : decisions) {
    const std::uint32_t k = push.iteration;
    if (k > 0 || !phases_) events.push_back({PastEvent::What::merged, push.worker, {}, phases_ ? k - 1 : k, 0});
    events.push_back({PastEvent::What::stepped, push.worker, {}, k, push.weight});
    events.push_back({PastEvent::What::sent, push.worker, {}, k, 0});
  }
  return events;
}

/// What each model went through, and what each pull got of it.
void ServerJob::tell_history() {
  if (job_.memory != ServerMemory::model || job_.payload == PayloadMode::none) return;
  std::map<Node, std::vector<PastEvent>> told;
  std::int32_t weight = 0;
  std::uint64_t version = 0;
  auto snapshot = snapshots_.begin();
  std::size_t change = 0, decided = 0;
  const auto tell_snapshots = [&](bool rest) {
    for (; snapshot != snapshots_.end() && (rest || snapshot->first <= std::pair(version, change)); ++snapshot) {
      const TransferKey& key = snapshot->second;
      if (dead_.contains(key.worker) && key.iteration >= pulled_[key.worker]) continue;  // some of its words never came
      const PastEvent event{PastEvent::What::pulled, key.worker, key.server, key.iteration, weight, key.slice};
      told[key.server].push_back(event);
      if (key.worker != key.server) told[key.worker].push_back(event);
    }
  };
  const std::vector<PastEvent> decisions = gate_.decisions();
  std::uint32_t score = 0;
  const auto tell_scores = [&] {
    for (; evaluator_ && score < evaluator_->points().size() && evaluator_->points()[score].updates <= version; ++score)
      for (const Served& server : job_.servers)
        told[server.node].push_back({PastEvent::What::scored, {}, server.node, score, 0});
  };
  if (evaluator_) {
    evaluator_->plan(gate_.whole_updates());
    for (const PastEvent& event : program(decisions)) told[event.worker].push_back(event);
  }
  const std::vector<MapChange> no_map_changes;
  const std::vector<MapChange>& map_changes = key_map_ ? key_map_->map_changes() : no_map_changes;
  const auto send_map_change = [&] {
    for (const KeyMove& move : map_changes[change].moves) {
      const Node from = job_.servers[move.from].node, to = job_.servers[move.to].node;
      told[from].push_back({PastEvent::What::gave, to, from, map_changes[change].first, weight, move.key});
      told[to].push_back({PastEvent::What::took, from, to, map_changes[change].first, weight, move.key});
    }
  };
  const auto tell_what_followed = [&] {  // pulls by the old map come before keys migrate, others after it
    tell_scores();
    tell_snapshots(false);
    for (; change < map_changes.size() && map_changes[change].decisions <= decided; tell_snapshots(false)) {
      send_map_change();
      ++change;
    }
  };
  tell_what_followed();
  for (PastEvent event : decisions) {
    for (const Served& server : job_.servers) {
      event.server = server.node;
      told[server.node].push_back(event);
    }
    ++decided;
    if (event.what == PastEvent::What::applied) ++version;
    if (event.what == PastEvent::What::applied && !job_.learning)
      weight += Pattern::push_weight(static_cast<std::size_t>(job_.worker_index(event.worker)), event.iteration);
    if (std::abs(weight) > Pattern::largest_sum)
      throw Error(ErrorKind::run, "the payload's model left what fp32 holds exactly after " + std::to_string(version) +
                                      " updates; use fewer iterations, or payload \"none\"");
    tell_what_followed();
  }
  tell_snapshots(true);
  for (const Node node : dead_) {
    PastEvent left{PastEvent::What::left, node, node, gate_.whole_pushes(node), 0};
    told[node].push_back(left);
    for (const Served& server : job_.servers) {
      left.server = server.node;
      told[server.node].push_back(left);
    }
  }
  for (const auto& [node, events] : told) talk_.post_history(node, events, actions_.now());
}

void end_nodes(JobResult& result, NodeExchange& talk, Picos now) {
  for (const DoneFields& done : talk.finish(now)) {
    result.crc_errors += static_cast<std::int64_t>(done.crc_errors);
    result.sum_errors += static_cast<std::int64_t>(done.sum_errors);
    result.chunks += static_cast<std::int64_t>(done.chunks);
    result.payload_buffers += static_cast<std::int64_t>(done.buffers);
    result.peak_rss += Bytes{static_cast<std::int64_t>(done.peak_rss)};
  }
  talk.stop();
  result.rounds = talk.rounds();
  result.messages = talk.messages();
}

void add_learning(JobResult& result, const Evaluator& evaluator, std::vector<std::int64_t> samples) {
  LearningResult& learning = result.learning.emplace(evaluator.result());
  learning.samples = std::move(samples);
  result.crc_errors += static_cast<std::int64_t>(learning.crc_errors);
}

void ServerJob::collect_payload_results() {
  tell_history();
  if (evaluator_)
    talk_.take_snapshots([this](Node server, const Message& message) { evaluator_->take(server, message); });
  end_nodes(result_, talk_, actions_.now());
  if (!evaluator_) return;
  std::vector<std::int64_t> samples(job_.workers.size(), 0);
  for (const PastEvent& event : program(gate_.decisions()))
    if (event.what == PastEvent::What::stepped)
      samples[static_cast<std::size_t>(job_.worker_index(event.worker))] += event.weight;
  add_learning(result_, *evaluator_, std::move(samples));
}

}  // namespace ocs
