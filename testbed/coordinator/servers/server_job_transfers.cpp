// Transfers of a job: offered to the network, or local; delivered.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "testbed/coordinator/resend.hpp"
#include "testbed/coordinator/servers/server_job.hpp"

namespace ocs {
namespace {

bool is_local(const TransferKey& key) { return key.worker == key.server; }

constexpr std::uint32_t first_migration = std::uint32_t{1} << 31;  // coflows above it are migrations

}  // namespace

/// Of a scheme with phases, all that is pushed or pulled in an iteration belongs together; else, what a worker pushes
/// or pulls. They are numbered as they come: with phases a pull is behind the push of its iteration, else before it.
Id ServerJob::coflow_of(const TransferKey& key) const {
  if (key.phase == TransferPhase::migrate) return Id{first_migration + key.iteration};
  if (phases_) return Id{key.iteration * 2 + index(key.phase)};
  const std::uint32_t phase = key.iteration * 2 + (key.phase == TransferPhase::push);
  return Id{phase * static_cast<std::uint32_t>(job_.workers.size()) +
            static_cast<std::uint32_t>(job_.worker_index(key.worker))};
}

void ServerJob::check_key(const TransferKey& key, Node from) const {
  const std::uint32_t iterations = job_.iterations + (key.phase == TransferPhase::pull && !phases_);
  if (key.iteration < iterations && job_.slice_of(key) &&
      (key.phase == TransferPhase::migrate ? job_.by_keys() && job_.server_at(key.worker) != nullptr
                                           : job_.worker_index(key.worker) >= 0))
    return;
  throw Error(ErrorKind::run,
              participant_name(index(from)) + " spoke of a transfer that the job hasn't: " + describe(key));
}

void ServerJob::offer(const Offer& one) {
  const TransferKey& key = one.key;
  if (key.phase == TransferPhase::push && one.attempt == 0 && key.iteration < result_.iterations.size())
    if (IterationResult& iteration = result_.iterations[key.iteration]; iteration.sync_start == Picos{0})
      iteration.sync_start = actions_.now() - job_.control_latency;
  const Id id = actions_.new_transfer();
  open_.emplace(id, one);
  const Slice& slice = *job_.slice_of(key);
  note(JobMoment::What::offered, key, slice.ahead > 0);
  if (key_map_ && key.phase == TransferPhase::pull) key_map_->check(key, one.map);
  if (key.phase == TransferPhase::push && gate_.stepping(key.worker))  // it goes on
    note(JobMoment::What::computes, {key.iteration, TransferPhase::push, key.worker, {}});
  if (is_local(key)) {
    actions_.deliver({actions_.now(), key.to(), id, {{Words{0}, one.words}}, true, actions_.now()});
    return;
  }
  const Words words = one.carried();
  count_again(result_, one);
  Transfer transfer{id,
                    by_layer_ ? id : coflow_of(key),
                    key.from(),
                    {key.to()},
                    Bytes{words.n * job_.word_bytes},
                    actions_.now(),
                    slice.priority,
                    one.sent};
  // The rate of a server is that of what it serves; its node's worker may use the same port.
  if (key_map_ && key.phase != TransferPhase::migrate) transfer.counted_at = key.server;
  actions_.offer(std::move(transfer));
}

/// A pull that was granted before the map changed is sent after it.
void ServerJob::keep_snapshot(const TransferKey& key, Picos began) {
  std::uint64_t version = began == never<Picos> ? gate_.version_of(key.worker) : gate_.version_at(began);
  std::size_t maps = 0;
  if (key_map_ && !key_map_->map_changes().empty()) {
    maps = key_map_->map_changes().size();
    version = std::max(version, key_map_->map_changes().back().updates);
  }
  snapshots_.emplace(std::pair(version, maps), key);
}

void ServerJob::on(Delivery delivery) {
  const Offer* const found = open_.find(delivery.transfer);
  if (found == nullptr || found->key.to() != delivery.to)
    throw Error(ErrorKind::internal, "the network delivered transfer " + std::to_string(index(delivery.transfer)) +
                                         " to node " + std::to_string(index(delivery.to)) +
                                         ", which doesn't wait for it");
  const Offer one = *found;
  if (!is_local(one.key))
    for (const WordRun& run : delivery.arrived) result_.words_delivered += run.count.n;
  if (dead_.contains(one.key.worker)) {
    if (delivery.final) open_.erase(delivery.transfer);
    return change_map_when_quiet();
  }
  if (delivery.final && one.attempt == 0 && one.key.phase == TransferPhase::pull && delivery.began != never<Picos>)
    gate_.pull_began(one.key.worker, delivery.began);
  if (delivery.final && one.attempt == 0 && one.key.phase == TransferPhase::pull && job_.payload != PayloadMode::none &&
      job_.memory == ServerMemory::model)
    keep_snapshot(one.key, delivery.began);
  const Bytes bytes = job_.slice_of(one.key)->bytes;
  if (is_local(one.key))
    result_.bytes_local += bytes;
  else if (delivery.final && one.attempt == 0)
    result_.bytes_delivered += bytes;  // what it lost comes later
  if (delivery.final) {
    open_.erase(delivery.transfer);
    note(JobMoment::What::delivered, one.key);
  }
  const Node to = delivery.to;
  talk_.post(to, make_message(index(to), actions_.now(), delivered_fields(one, std::move(delivery))));
}

void ServerJob::note(JobMoment::What what, const TransferKey& key, bool early) const {
  if (on_moment_ && key.phase != TransferPhase::migrate) on_moment_({what, actions_.now(), key, early});
}

}  // namespace ocs
