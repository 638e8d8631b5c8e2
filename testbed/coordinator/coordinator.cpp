// Virtual time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/coordinator.hpp"

#include <algorithm>
#include <utility>

#include "host/transport/run_set.hpp"

namespace ocs {
namespace {

Id coflow_of(const TransferKey& key) { return Id{key.iteration * 2 + index(key.phase)}; }

bool is_local(const TransferKey& key) { return key.worker == key.server; }

}  // namespace

Coordinator::Coordinator(const NodeJob& job, const SyncEntry& sync, std::vector<Node> nodes,
                         std::chrono::milliseconds timeout, Transport& transport, Network& network, Progress* progress,
                         std::function<void(const JobMoment&)> on_moment)
    : job_(job),
      nodes_(std::move(nodes)),
      network_(network),
      progress_(progress),
      on_moment_(std::move(on_moment)),
      talk_(transport, nodes_, timeout, [this](const std::string& who) { show(who); }),
      gate_(job, sync) {
  result_.iterations.resize(job.iterations);
}

JobResult Coordinator::run() {
  carry_out(gate_.start());
  for (;;) {
    talk_.exchange(now_);
    if (gate_.finished() && open_.empty()) break;
    if (progress_) show(gate_.summary());
    move_to(next_time());
    if (!deliveries_.empty()) {  // what they set off comes before the other things of this instant, by phase
      for (Delivery& delivery : std::exchange(deliveries_, {})) tell(std::move(delivery));
      continue;
    }
    for (const Stamped& said : talk_.take(now_)) act(said);
    talk_.wake_promised(now_);
  }
  result_.end = now_;
  collect_payload_results();
  result_.rounds = talk_.rounds();
  result_.messages = talk_.messages();
  return std::move(result_);
}

Picos Coordinator::next_time() {
  if (!deliveries_.empty()) return now_;  // local ones
  const Picos t = std::min(talk_.earliest(), network_.next());
  if (t == never<Picos>) deadlock();
  return t;
}

void Coordinator::move_to(Picos t) {
  const Picos before = now_;
  if (deliveries_.empty()) now_ = std::max(now_, network_.advance(t, deliveries_));
  guard_against_standstill(before);
}

void Coordinator::guard_against_standstill(Picos before) {
  rounds_here_ = now_ == before ? rounds_here_ + 1 : 0;
  if (rounds_here_ <= max_rounds_at_one_time) return;
  throw Error(ErrorKind::run, "more than " + std::to_string(max_rounds_at_one_time) + " rounds at " +
                                  std::to_string(now_.n) +
                                  " ps, so time stands still; the last messages: " + talk_.last_messages());
}

void Coordinator::carry_out(const std::vector<Order>& orders) {
  for (const Order& order : orders) {
    if (order.what == Order::What::compute) {
      for (Node worker : order.workers) {
        note(JobMoment::What::computes, {order.iteration, TransferPhase::push, worker, {}});
        talk_.post(worker, make_message(index(worker), now_, ComputeFields{order.iteration}));
      }
      continue;
    }
    result_.iterations.at(order.iteration).push_end = now_;
    for (const Served& server : job_.servers)
      talk_.post(server.node, make_message(index(server.node), now_, ReleaseFields{order.iteration, order.workers}));
  }
}

void Coordinator::act(const Stamped& said) {
  switch (kind_of(said.message)) {
    case MessageKind::offers:
      for (const Offer& one : decode_fields<OffersFields>(said.message).list) {
        check_key(one.key, said.from);
        offer(one);
      }
      return;
    case MessageKind::pushed: {
      const auto key = decode_fields<PushedFields>(said.message).key;
      check_key(key, said.from);
      return carry_out(gate_.pushed(key, now_));
    }
    case MessageKind::pulled: {
      const auto iteration = decode_fields<PulledFields>(said.message).iteration;
      check_key({iteration, TransferPhase::pull, said.from, job_.servers.front().node}, said.from);
      result_.iterations.at(iteration).sync_end = now_ - job_.control_latency;
      return carry_out(gate_.pulled(said.from, iteration));
    }
    case MessageKind::missing: {
      const auto missing = decode_fields<MissingFields>(said.message);
      check_key(missing.key, said.from);
      if (missing.sent >= job_.attempts) words_are_missing(missing);
      const Node sender = missing.key.from();
      return talk_.post(sender, make_message(index(sender), now_, missing));
    }
    default:
      throw Error(ErrorKind::run, participant_name(index(said.from)) + " said \"" +
                                      std::string(name_of(kind_of(said.message))) + "\" to the coordinator");
  }
}

void Coordinator::check_key(const TransferKey& key, Node from) const {
  if (key.iteration < job_.iterations && job_.worker_index(key.worker) >= 0 && job_.server_at(key.server)) return;
  throw Error(ErrorKind::run,
              participant_name(index(from)) + " spoke of a transfer that the job hasn't: " + describe(key));
}

void Coordinator::offer(const Offer& one) {
  const TransferKey& key = one.key;
  IterationResult& iteration = result_.iterations.at(key.iteration);
  if (key.phase == TransferPhase::push && one.attempt == 0 && iteration.sync_start == Picos{0})
    iteration.sync_start = now_ - job_.control_latency;
  const Id id{next_id_++};
  open_.emplace(id, one);
  note(JobMoment::What::offered, key);
  if (is_local(key)) {
    deliveries_.push_back({now_, key.to(), id, {{Words{0}, one.words}}, true});
    return;
  }
  const Words words = one.carried();
  if (one.attempt > 0) {
    ++result_.retransmissions;
    result_.words_retransmitted += words.n;
  }
  network_.offer({id, coflow_of(key), key.from(), {key.to()}, Bytes{words.n * job_.word_bytes}, now_, 0, one.sent});
}

void Coordinator::tell(Delivery delivery) {
  const auto found = open_.find(delivery.transfer);
  if (found == open_.end() || found->second.key.to() != delivery.to)
    throw Error(ErrorKind::internal, "the network delivered transfer " + std::to_string(index(delivery.transfer)) +
                                         " to node " + std::to_string(index(delivery.to)) +
                                         ", which doesn't wait for it");
  const Offer one = found->second;
  const Bytes bytes = job_.server_at(one.key.server)->bytes;
  if (is_local(one.key)) {
    result_.bytes_local += bytes;
  } else {
    for (const WordRun& run : delivery.arrived) result_.words_delivered += run.count.n;
    if (delivery.final && one.attempt == 0) result_.bytes_delivered += bytes;  // what it lost comes later
  }
  DeliveredFields told{one.key, one.words, delivery.final, std::move(delivery.arrived), one.attempt};
  if (one.attempt > 0) told.runs = words_of(one.runs, told.runs);
  if (delivery.final) {
    open_.erase(found);
    note(JobMoment::What::delivered, one.key);
  }
  talk_.post(delivery.to, make_message(index(delivery.to), now_, told));
}

void Coordinator::note(JobMoment::What what, const TransferKey& key) const {
  if (on_moment_) on_moment_({what, now_, key});
}

void Coordinator::collect_payload_results() {
  for (const DoneFields& done : talk_.finish(now_)) {
    result_.crc_errors += static_cast<std::int64_t>(done.crc_errors);
    result_.sum_errors += static_cast<std::int64_t>(done.sum_errors);
    result_.chunks += static_cast<std::int64_t>(done.chunks);
    result_.payload_buffers += static_cast<std::int64_t>(done.buffers);
    result_.peak_rss += Bytes{static_cast<std::int64_t>(done.peak_rss)};
  }
  talk_.stop();
}

void Coordinator::show(const std::string& waiting_for) const {
  if (!progress_) return;
  std::int64_t words = 0;  // of one phase of one iteration, over the network
  for (const Served& server : job_.servers)
    words += server.words.n * static_cast<std::int64_t>(job_.workers.size() - (job_.worker_index(server.node) >= 0));
  const double all = 2.0 * static_cast<double>(words) * job_.iterations;
  const double done = all > 0 ? static_cast<double>(result_.words_delivered) / all : 1.0;
  progress_->tick({now_, done, waiting_for, talk_.slowest()});
}

void Coordinator::deadlock() const {
  std::string text =
      "deadlock at " + std::to_string(now_.n) + " ps: all nodes only wait, the network is idle and the job isn't done";
  for (Node node : nodes_) text += "; node " + std::to_string(index(node)) + ": " + gate_.state_of(node);
  for (const auto& [id, one] : open_) text += "; not delivered: " + describe(one.key);
  throw Error(ErrorKind::run, text);
}

void Coordinator::words_are_missing(const MissingFields& missing) const {
  std::int64_t words = 0;
  for (const WordRun& run : missing.runs) words += run.count.n;
  throw Error(ErrorKind::run,
              "the " + describe(missing.key) + ", ended at " + std::to_string(now_.n) + " ps without " +
                  std::to_string(words) + " of its " + std::to_string(job_.server_at(missing.key.server)->words.n) +
                  " words (" + describe(missing.runs) + "); the switch lost them and " +
                  (job_.attempts == 1 ? "nothing sends them again"
                                      : "so it did in each of " + std::to_string(job_.attempts) + " attempts"));
}

}  // namespace ocs
