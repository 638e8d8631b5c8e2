// Each work goes through its rounds; what ends sets off what comes next.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/jobs/coflows_job.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/coordinator/node_job_of.hpp"
#include "testbed/coordinator/resend.hpp"
#include "testbed/coordinator/runners/job_nodes.hpp"
#include "testbed/engine/engine.hpp"
#include "testbed/nodes/payload/coflow_payload.hpp"
#include "testbed/nodes/process/memory_use.hpp"

namespace ocs {

CoflowsJob::CoflowsJob(const CoflowsSpec& spec, JobActions& actions, CoflowsResult& result, NodeExchange* talk)
    : spec_(spec), actions_(actions), result_(result), talk_(talk), deaths_(spec.deaths) {
  std::stable_sort(deaths_.begin(), deaths_.end(), [](const NodeDeath& a, const NodeDeath& b) { return a.at > b.at; });
}

void CoflowsJob::begin() {
  result_ = {};
  result_.carried.ended.resize(spec_.works.size());
  result_.carried.first = spec_.works.empty() ? Cycles{0} : spec_.works.front().arrival;
  for (std::uint32_t w = 0; w < spec_.works.size(); ++w) begin_round(w, 0, spec_.works[w].arrival);
}

/// @param at when the one before ended.
void CoflowsJob::begin_round(std::uint32_t w, std::uint32_t round, Cycles at) {
  const Work& work = spec_.works[w];
  for (; round < static_cast<std::uint32_t>(work.iterations) * 2; ++round) {
    const bool push = round % 2 == 0;
    if (push) at += work.compute_of(round / 2);
    if ((push ? work.push : work.pull).empty()) continue;
    pending_.emplace(at, Due{Id{++last_coflow_}, w, round});
    return;
  }
  result_.carried.ended[w] = at;
  result_.carried.last = std::max(result_.carried.last, at);
  ++over_;
}

void CoflowsJob::release(Cycles at, const Due& due) {
  const Work& work = spec_.works[due.work];
  std::vector<CoflowPart> parts = due.round % 2 == 0 ? work.push : work.pull;
  std::sort(parts.begin(), parts.end());
  open_.emplace(due.coflow, Open{{due.work, due.round, at, {}}, parts.size()});
  const bool has_node = talk_ != nullptr && (work.payload || spec_.nodes);
  if (talk_ != nullptr && work.payload) announce_transfers(due.coflow, parts);
  for (const CoflowPart& part : parts)
    send({.key = {index(due.coflow), TransferPhase::push, Node{part.from}, Node{part.to},
                  work.payload ? payload_slice : silent_slice},
          .words = part.words},
         due.work, has_node);
}

void CoflowsJob::send(const Offer& offer, std::uint32_t work, bool has_node) {
  const Id id = actions_.new_transfer();
  const Words words = offer.carried();
  check_alive(offer.key);
  parts_.emplace(id, Part{offer, words, work, has_node});
  actions_.offer({.id = id,
                  .coflow = Id{offer.key.iteration},
                  .from = offer.key.from(),
                  .to = {offer.key.to()},
                  .size = Bytes{words.n * spec_.word_bytes},
                  .ready = actions_.now(),
                  .priority = spec_.works[work].priority,
                  .sent_before = offer.sent,
                  .owner = work});
}

/// Each sender what it sends. @param parts by sender and receiver
void CoflowsJob::announce_transfers(Id coflow, const std::vector<CoflowPart>& parts) {
  for (auto part = parts.begin(); part != parts.end();) {
    const std::uint16_t from = part->from;
    SendsFields fields{index(coflow), {}};
    for (; part != parts.end() && part->from == from; ++part) fields.list.push_back({Node{part->to}, part->words});
    talk_->post(Node{from}, make_message(from, actions_.now(), fields));
  }
}

Picos CoflowsJob::next() const {
  if (!ended_.empty()) return actions_.now();
  const Picos release = pending_.empty() ? never<Picos> : to_picos(pending_.begin()->first, spec_.cycle);
  return deaths_.empty() ? release : std::min(release, deaths_.back().at);
}

void CoflowsJob::check_alive(const TransferKey& key) const {
  for (const Node node : {key.from(), key.to()})
    if (const auto dead = dead_.find(node); dead != dead_.end())
      throw Error(ErrorKind::run, describe(NodeDeath{node, dead->second}) + ", and coflow " +
                                      std::to_string(key.iteration) + " needs it");
}

/// @returns whether a node dies now; of what needs it the first in the order of keys ends the run.
bool CoflowsJob::let_die() {
  if (deaths_.empty() || deaths_.back().at > actions_.now()) return false;
  for (; !deaths_.empty() && deaths_.back().at <= actions_.now(); deaths_.pop_back())
    dead_.emplace(deaths_.back().node, deaths_.back().at);
  std::set<TransferKey> under_way;
  parts_.for_each([&](Id, const Part& part) { under_way.insert(part.offer.key); });
  for (const TransferKey& key : under_way) check_alive(key);
  return true;
}

bool CoflowsJob::wake() {
  const Cycles now = to_cycles(actions_.now(), spec_.cycle);
  const auto is_due = [&] {
    return !pending_.empty() && to_picos(pending_.begin()->first, spec_.cycle) <= actions_.now();
  };
  const bool any = let_die() || !ended_.empty() || is_due();
  std::sort(ended_.begin(), ended_.end());
  for (const Id coflow : std::exchange(ended_, {})) {
    CoflowTime time = open_.extract(coflow).mapped().time;
    time.ended = now;
    result_.carried.coflows.push_back(time);
    begin_round(time.work, time.round + 1, now);
  }
  for (; is_due(); pending_.erase(pending_.begin())) release(now, pending_.begin()->second);
  return any;
}

void CoflowsJob::on(Delivery delivery) {
  Part* const found = parts_.find(delivery.transfer);
  if (found == nullptr) throw Error(ErrorKind::internal, "a coflow was delivered a transfer that it doesn't wait for");
  Part& part = *found;
  for (const WordRun& run : delivery.arrived) {
    part.missing -= run.count;
    result_.job.words_delivered += run.count.n;
  }
  const Id transfer = delivery.transfer;
  const bool final = delivery.final;
  if (part.has_node) {
    const Node to = delivery.to;
    talk_->post(to, make_message(index(to), actions_.now(), delivered_fields(part.offer, std::move(delivery))));
  }
  if (!final) return;
  const Part ended = std::move(part);
  parts_.erase(transfer);
  if (ended.has_node) return;  // it says what it has, and what it misses
  ended.missing == Words{0} ? in(Id{ended.offer.key.iteration}) : send_rest(ended);
}

/// Words without a node that asks for them.
void CoflowsJob::send_rest(const Part& part) {
  Offer rest = part.offer;
  rest.words = part.missing;
  if (++rest.sent >= spec_.attempts)
    throw Error(ErrorKind::run,
                "a transfer of coflow " + std::to_string(rest.key.iteration) + " ended at " +
                    std::to_string(actions_.now().n) + " ps with " + std::to_string(rest.words.n) + " words too few; " +
                    (spec_.attempts == 1 ? "nothing sends them again"
                                         : "so they were in each of " + std::to_string(spec_.attempts) + " attempts"));
  count_again(result_.job, rest.words);
  send(rest, part.work, false);
}

/// One more of its transfers.
void CoflowsJob::in(Id coflow) {
  if (--open_.at(coflow).left == 0) ended_.push_back(coflow);
}

void CoflowsJob::on(const Stamped& said) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::run, participant_name(index(said.from)) + " said " + what);
  };
  const auto check = [&](const TransferKey& key, Node who) {
    if (who != said.from || !open_.contains(Id{key.iteration}))
      refuse("something of the " + describe(key) + ", which isn't its own, or is over");
  };
  if (kind_of(said.message) == MessageKind::missing) {
    const auto missing = decode_fields<MissingFields>(said.message);
    check(missing.key, missing.key.to());
    return pass_on(*talk_, missing, spec_.attempts, actions_.now());
  }
  if (kind_of(said.message) == MessageKind::offers) {
    for (const Offer& offer : decode_fields<OffersFields>(said.message).list) {
      check(offer.key, offer.key.from());
      if (offer.attempt == 0) refuse("that it has the " + describe(offer.key) + ", which is not lost");
      count_again(result_.job, offer);
      send(offer, open_.at(Id{offer.key.iteration}).time.work, true);
    }
    return;
  }
  if (kind_of(said.message) != MessageKind::pushed)
    refuse("\"" + std::string(name_of(kind_of(said.message))) + "\" to coflows, which do not wait for that");
  const Id coflow{decode_fields<PushedFields>(said.message).key.iteration};
  if (!open_.contains(coflow))
    refuse("that it has words of coflow " + std::to_string(index(coflow)) + ", which is over");
  in(coflow);
}

void CoflowsJob::finish() {
  result_.job.end = actions_.now();
  if (talk_ == nullptr) return;
  end_nodes(result_.job, *talk_, actions_.now());
}

double CoflowsJob::fraction() const {
  return spec_.works.empty() ? 1 : static_cast<double>(over_) / static_cast<double>(spec_.works.size());
}

std::string CoflowsJob::states() const {
  return "; " + std::to_string(spec_.works.size() - over_) + " of " + std::to_string(spec_.works.size()) +
         " works aren't over";
}

namespace {

/// Pairs of nodes that words with payload cross between.
std::size_t pairs_with_payload(const CoflowsSpec& spec) {
  std::set<std::pair<std::uint16_t, std::uint16_t>> pairs;
  for (const Work& work : spec.works)
    if (work.payload)
      for (const auto* parts : {&work.push, &work.pull})
        for (const CoflowPart& part : *parts) pairs.insert({part.from, part.to});
  return pairs.size();
}

NodeJob node_job(const CoflowsSpec& spec) {
  NodeJob job;
  job.workers = nodes_of(spec.works, spec.nodes);
  job.memory = ServerMemory::coflows;
  job.word_bytes = spec.word_bytes;
  job.iterations = 1;  // coflows are released one by one
  job.payload = spec.payload;
  job.seed = spec.seed;
  job.control_latency = spec.control_latency;
  job.attempts = spec.attempts;
  // Without bytes a chunk costs its message alone: it is the whole transfer.
  job.chunk = Words{NodeJob::most_digest_words};
  if (spec.payload == PayloadMode::full)
    job.chunk = Words{std::max<std::int64_t>(1, chunk_bytes(pairs_with_payload(spec)) / spec.word_bytes)};
  return job;
}

}  // namespace

CoflowsResult run_coflows(const CoflowsSpec& spec, Network& network, NodeRunner* runner, Progress* progress) {
  const NodeJob job = node_job(spec);
  reset_peak_rss();
  CoflowsResult result;
  Engine engine(network, progress);
  std::optional<JobNodes> nodes;
  if (!job.workers.empty())
    nodes.emplace(job, job.workers, NodePlaces{.runner = runner, .endpoint = spec.endpoint}, spec.timeout, engine);
  engine.add({}, [&](JobActions& actions) {
    return std::make_unique<CoflowsJob>(spec, actions, result, nodes ? &nodes->talk() : nullptr);
  });
  engine.run();
  if (nodes) result.job.payload_buffers += nodes->buffers();
  result.job.peak_rss += peak_rss();
  return result;
}

}  // namespace ocs
