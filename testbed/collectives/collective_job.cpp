// A collective leg by leg, as a job of the engine.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/collective_job.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "testbed/collectives/collective_learning.hpp"
#include "testbed/collectives/rank_steps.hpp"
#include "testbed/coordinator/node_job_of.hpp"
#include "testbed/coordinator/resend.hpp"
#include "testbed/engine/engine.hpp"
#include "testbed/nodes/process/memory_use.hpp"

namespace ocs {
namespace {

class CollectiveJob final : public RunningJob {
 public:
  CollectiveJob(const CollectiveSpec& spec, const NodeJob& job, NodeExchange& talk, JobActions& actions,
                CollectiveResult& result)
      : spec_(spec), job_(job), talk_(talk), actions_(actions), result_(result) {
    for (const NodeDeath& death : spec.deaths)
      if (!first_death_ || death.at < first_death_->at) first_death_ = death;
    if (!spec.maps.plans.empty()) plan_ = &spec.maps.plans.front();
    if (job.learning) evaluator_.emplace(job);
  }

  void begin() override { compute(); }
  void on(Delivery delivery) override;
  void on(const Stamped& said) override;
  Picos next() const override { return std::min(first_death_ ? first_death_->at : never<Picos>, hold_); }
  bool wake() override;
  bool is_over() const override { return over_; }
  void finish() override;
  NodeExchange* nodes() override { return &talk_; }
  double fraction() const override;
  std::string waits_for() const override { return "the switch"; }
  std::string states() const override;

 private:
  /// What waits for the clock.
  enum class Held : std::uint8_t { nothing, computing, circuits, tail };

  struct Open {
    Offer offer;
    Words missing;  ///< of what it carries
  };

  void compute();
  void computed(const Stamped& said);
  void pushed(const TransferKey& key);
  void send(const Offer& offer, Picos ready);
  void begin_hop();
  void offer_leg();
  void offer_hop();
  void set_map();
  void leg_is_in();
  void go_on();
  void compute_for(Picos time, Held what);
  void hold_until(Picos at, Held what);
  void let_go();
  const std::vector<Leg>& legs() const;
  std::int64_t gap() const { return plan_ ? hop()->gap : legs()[leg_].gap; }
  const Hop* hop() const { return plan_ ? &plan_->hops[leg_] : nullptr; }
  bool is_last() const { return leg_ + 1 == (plan_ ? plan_->hops.size() : legs().size()); }
  void ask_again(const Stamped& said);
  void send_again(const Stamped& said);
  void begin_leg();
  void make_steps();
  void tell_steps();
  void end_if_last();
  void end_iteration();
  [[noreturn]] void refuse(const Stamped& said) const;

  const CollectiveSpec& spec_;
  const NodeJob& job_;
  NodeExchange& talk_;
  JobActions& actions_;
  CollectiveResult& result_;
  std::vector<std::vector<std::vector<RankStep>>> steps_;  ///< of each leg, of each rank; empty without payload
  std::optional<std::size_t> made_;                        ///< whose lists `steps_` are of
  std::uint32_t iteration_ = 0;
  std::size_t leg_ = 0;       ///< that is under way, or begins when all have computed
  std::size_t waiting_ = 0;   ///< ranks that compute; else transfers of the leg that aren't known to be in
  std::uint32_t coflow_ = 0;  ///< of the next leg
  bool over_ = false;
  const CollectiveMaps::Iteration* plan_ = nullptr;  ///< of the iteration; nullptr: the network sets up circuits
  Picos set_at_{0};                                  ///< when the map was set the last time
  Picos hold_ = never<Picos>;                        ///< until then a gap, circuits that tune, or the tail last
  Held held_ = Held::nothing;
  std::optional<NodeDeath> first_death_;
  std::optional<Evaluator> evaluator_;  ///< of real learning
  std::map<Id, Open> open_;             ///< transfers of the leg that the network carries
  std::set<TransferKey> torn_, in_;     ///< of the leg: that words were lost of, and that are known to be in
};

/// Something that was waited for is over, or a rank dies.
bool CollectiveJob::wake() {
  if (next() > actions_.now()) return false;
  if (hold_ <= actions_.now()) {
    let_go();
    return true;
  }
  throw Error(ErrorKind::run, describe(*first_death_) + ", and a collective needs every rank");
}

void CollectiveJob::compute() {
  leg_ = 0;
  waiting_ = job_.workers.size();
  for (std::size_t w = 0; w < job_.workers.size(); ++w) {
    const Node node = job_.workers[w];
    const ComputeFields order{iteration_, spec_.compute(w, iteration_), 0};
    talk_.post(node, make_message(index(node), actions_.now(), order));
  }
}

void CollectiveJob::on(const Stamped& said) {
  switch (kind_of(said.message)) {
    case MessageKind::computed:
      return computed(said);
    case MessageKind::pushed:
      return pushed(decode_fields<PushedFields>(said.message).key);
    case MessageKind::missing:
      return ask_again(said);
    case MessageKind::offers:
      return send_again(said);
    default:
      refuse(said);
  }
}

void CollectiveJob::refuse(const Stamped& said) const {
  throw Error(ErrorKind::run, participant_name(index(said.from)) + " said \"" +
                                  std::string(name_of(kind_of(said.message))) +
                                  "\" to a collective, which doesn't wait for that");
}

void CollectiveJob::computed(const Stamped& said) {
  const bool computing = open_.empty() && leg_ == 0 && waiting_ > 0 && held_ == Held::nothing;
  if (!computing || decode_fields<ComputedFields>(said.message).iteration != iteration_) refuse(said);
  if (--waiting_ > 0) return;
  result_.begins.push_back(actions_.now());
  begin_leg();
}

void CollectiveJob::compute_for(Picos time, Held what) {
  const Picos now = actions_.now();
  if (spec_.between && time > Picos{0}) spec_.between(iteration_, now, now + time);
  hold_until(now + time, what);
}

void CollectiveJob::hold_until(Picos at, Held what) {
  hold_ = at;
  held_ = what;
  if (hold_ <= actions_.now()) let_go();
}

void CollectiveJob::let_go() {
  hold_ = never<Picos>;
  switch (std::exchange(held_, Held::nothing)) {
    case Held::computing:
      return plan_ ? offer_hop() : offer_leg();
    case Held::circuits:
      return go_on();
    case Held::tail:
      return end_iteration();
    case Held::nothing:
      break;
  }
}

const std::vector<Leg>& CollectiveJob::legs() const {
  if (iteration_ == 0 || spec_.later.empty()) return spec_.legs;
  return spec_.later[std::min<std::size_t>(iteration_, spec_.later.size()) - 1];
}

void CollectiveJob::begin_leg() {
  if (plan_) return begin_hop();
  if (spec_.payload != PayloadMode::none) tell_steps();
  compute_for(spec_.cycle * gap(), Held::computing);
}

/// Of the iteration that begins. Hops depend on the maps that it finds, too.
void CollectiveJob::make_steps() {
  const std::size_t which = std::min<std::size_t>(iteration_, spec_.phases.size() - 1);
  if (!plan_ && made_ == which) return;
  made_ = which;
  BlockStretch blocks{0, static_cast<std::uint32_t>(job_.servers.front().slices.size())};
  for (std::size_t k = 0; k < which; ++k)
    for (const PhaseList& phase : spec_.phases[k]) blocks.first += phase.list.blocks;
  const std::vector<PhaseList>& phases = spec_.phases[which];
  steps_ = plan_ ? rank_steps(phases, plan_->hops, blocks) : rank_steps(phases, legs(), blocks);
}

void CollectiveJob::offer_leg() {
  const Leg& leg = legs()[leg_];
  for (const LegTransfer& one : leg.transfers)
    send({.key = {iteration_, TransferPhase::push, Node{one.sender}, Node{one.receiver},
                  static_cast<std::uint32_t>(leg_)},
          .words = one.words},
         actions_.now());
  in_.clear();
  waiting_ = leg.transfers.size();
  ++coflow_;
}

/// As begin_leg(), for one burst of every message on its way.
void CollectiveJob::begin_hop() {
  if (spec_.payload != PayloadMode::none) tell_steps();
  if (spec_.maps.preset) set_map();
  compute_for(spec_.cycle * gap(), Held::computing);
}

void CollectiveJob::set_map() {
  for (const PlaneMap& one : hop()->maps) spec_.maps.set(one);
  if (!hop()->maps.empty()) set_at_ = actions_.now();
}

void CollectiveJob::offer_hop() {
  if (!spec_.maps.preset) set_map();
  const Picos ready = actions_.now() + spec_.cycle * hop()->wait;
  if (!hop()->parts.empty()) spec_.maps.split(hop()->parts);
  for (const HopBurst& one : hop()->bursts)
    send({.key = {iteration_, TransferPhase::push, Node{one.from}, Node{one.to}, static_cast<std::uint32_t>(leg_)},
          .words = one.words},
         ready);
  in_.clear();
  waiting_ = hop()->bursts.size();
  ++coflow_;
}

void CollectiveJob::send(const Offer& offer, Picos ready) {
  const Id id = actions_.new_transfer();
  const Words words = offer.carried();
  open_.emplace(id, Open{offer, words});
  actions_.offer({.id = id,
                  .coflow = Id{coflow_},
                  .from = offer.key.from(),
                  .to = {offer.key.to()},
                  .size = Bytes{words.n * spec_.word_bytes},
                  .ready = ready,
                  .priority = 0,
                  .sent_before = offer.sent});
}

/// A receiver misses words.
void CollectiveJob::ask_again(const Stamped& said) {
  const auto missing = decode_fields<MissingFields>(said.message);
  const TransferKey& key = missing.key;
  if (key.to() != said.from || key.iteration != iteration_ || key.slice != leg_ || in_.contains(key)) refuse(said);
  torn_.insert(key);
  pass_on(talk_, missing, job_.attempts, actions_.now());
}

/// A sender offers words that were lost.
void CollectiveJob::send_again(const Stamped& said) {
  for (const Offer& offer : decode_fields<OffersFields>(said.message).list) {
    if (offer.attempt == 0 || offer.key.from() != said.from || !torn_.contains(offer.key)) refuse(said);
    count_again(result_.job, offer);
    send(offer, actions_.now());
  }
}

void CollectiveJob::tell_steps() {
  if (leg_ == 0) make_steps();
  for (std::size_t w = 0; w < job_.workers.size(); ++w) {
    const auto& list = steps_[leg_][w];
    if (list.empty()) continue;
    const StepsFields fields{iteration_, static_cast<std::uint32_t>(leg_), static_cast<std::uint8_t>(is_last()), list};
    talk_.post(job_.workers[w], make_message(index(job_.workers[w]), actions_.now(), fields));
  }
}

void CollectiveJob::on(Delivery delivery) {
  const auto found = open_.find(delivery.transfer);
  if (found == open_.end() || found->second.offer.key.to() != delivery.to)
    throw Error(ErrorKind::internal, "a collective was delivered a transfer that it doesn't wait for");
  Open& one = found->second;
  for (const WordRun& run : delivery.arrived) one.missing -= run.count, result_.job.words_delivered += run.count.n;
  const Node to = delivery.to;
  const bool final = delivery.final;
  talk_.post(to, make_message(index(to), actions_.now(), delivered_fields(one.offer, std::move(delivery))));
  if (!final) return;
  if (one.missing > Words{0} && !in_.contains(one.offer.key)) torn_.insert(one.offer.key);
  open_.erase(found);
  end_if_last();
}

/// Of the last leg nobody waits until it is heard that a transfer is in, unless words of it were lost.
void CollectiveJob::end_if_last() {
  if (open_.empty() && torn_.empty() && is_last() && held_ == Held::nothing) leg_is_in();
}

/// That a transfer is in is heard.
void CollectiveJob::pushed(const TransferKey& key) {
  if (key.iteration != iteration_ || key.slice != leg_) return;
  const bool was_torn = torn_.erase(key) > 0;
  in_.insert(key);
  if (is_last()) {
    if (was_torn) end_if_last();
    return;
  }
  if (--waiting_ == 0) leg_is_in();
}

/// Everything has arrived. Nothing tunes across legs.
void CollectiveJob::leg_is_in() {
  hold_until(hop() && hop()->least ? set_at_ + spec_.cycle * *hop()->least : actions_.now(), Held::circuits);
}

void CollectiveJob::go_on() {
  if (is_last()) {
    const Picos tail = spec_.tails[std::min<std::size_t>(iteration_, spec_.tails.size() - 1)];
    return compute_for(tail, Held::tail);
  }
  ++leg_;
  begin_leg();
}

void CollectiveJob::end_iteration() {
  result_.ends.push_back(actions_.now());
  if (plan_) plan_ = &spec_.maps.plans[plan_->next];
  over_ = ++iteration_ == spec_.iterations || actions_.now() >= spec_.duration;
  if (!over_) compute();
}

double CollectiveJob::fraction() const {
  if (spec_.duration == never<Picos>) return static_cast<double>(iteration_) / spec_.iterations;
  return std::min(1.0, static_cast<double>(actions_.now().n) / static_cast<double>(spec_.duration.n));
}

void CollectiveJob::finish() {
  JobResult& job = result_.job;
  job.end = actions_.now();
  job.slices = static_cast<std::int64_t>(spec_.legs.size());
  job.bytes_delivered = Bytes{job.words_delivered * spec_.word_bytes};
  if (evaluator_) tell_scores(*evaluator_, job_, result_.ends, talk_, actions_.now());
  end_nodes(job, talk_, actions_.now());
  if (!evaluator_) return;
  const std::int64_t samples = static_cast<std::int64_t>(result_.ends.size()) * job_.learning->batch;
  add_learning(job, *evaluator_, std::vector(job_.workers.size(), samples));
}

std::string CollectiveJob::states() const {
  std::string text = "; iteration " + std::to_string(iteration_) + ", leg " + std::to_string(leg_);
  for (const auto& [id, one] : open_) text += "; not delivered: " + describe(one.offer.key);
  return text;
}

/// A list that is no phase of others is one by itself.
CollectiveSpec in_phases(CollectiveSpec spec) {
  if (spec.phases.empty()) spec.phases = {{list_of(spec.list, spec.sizes)}};
  return spec;
}

/// Nodes that send and those that they send to: each of these pairs may have chunks under way at one time.
std::size_t pairs_of(const CollectiveSpec& spec) {
  std::set<std::pair<std::uint16_t, std::uint16_t>> pairs;
  const auto add = [&](const std::vector<Leg>& legs) {
    for (const Leg& leg : legs)
      for (const LegTransfer& one : leg.transfers) pairs.emplace(one.sender, one.receiver);
  };
  add(spec.legs);
  for (const std::vector<Leg>& legs : spec.later) add(legs);
  return pairs.size();
}

/// @param spec in_phases()
NodeJob node_job(const CollectiveSpec& spec) {
  NodeJob job;
  for (std::uint32_t w = 0; w < spec.list.ranks; ++w) job.workers.push_back(Node{static_cast<std::uint16_t>(w)});
  Served layout{.node = job.workers.front(), .words = {}, .bytes = {}, .slices = {}};
  for (const std::vector<PhaseList>& iteration : spec.phases)
    for (const PhaseList& phase : iteration)
      for (const Words size : phase.sizes) {
        layout.slices.push_back({layout.words, size, Bytes{size.n * spec.word_bytes}});
        layout.words += size;
      }
  // Phases say their blocks only for payload. A node in a process of its own takes no layout without words.
  if (layout.slices.empty()) {
    layout.words = Words{1};
    layout.slices.push_back({Words{0}, layout.words, Bytes{spec.word_bytes}});
  }
  layout.bytes = Bytes{layout.words.n * spec.word_bytes};
  job.servers.push_back(std::move(layout));
  job.memory = ServerMemory::ranks;
  job.word_bytes = spec.word_bytes;
  job.iterations = spec.iterations;
  job.control_latency = spec.control_latency;
  job.attempts = spec.attempts;
  job.payload = spec.payload;
  job.seed = spec.seed;
  job.chunk = Words{std::max<std::int64_t>(1, chunk_bytes(pairs_of(spec)) / spec.word_bytes)};
  if (spec.learning) place_gradient(spec, job);
  return job;
}

/// All that a job needs, as long as it runs.
class CollectiveOnNodes {
 public:
  CollectiveOnNodes(CollectiveSpec given, NodePlaces places, const Engine& engine, JobActions& actions,
                    CollectiveResult& result)
      : spec_(in_phases(std::move(given))), job_(node_job(spec_)), result_(result) {
    nodes_.emplace(job_, job_.workers, std::move(places), spec_.timeout, engine);
    running_.emplace(spec_, job_, nodes_->talk(), actions, result_);
  }
  ~CollectiveOnNodes() { result_.job.payload_buffers += nodes_->buffers(); }
  CollectiveOnNodes(const CollectiveOnNodes&) = delete;
  CollectiveOnNodes& operator=(const CollectiveOnNodes&) = delete;

  RunningJob* running() { return &*running_; }

 private:
  CollectiveSpec spec_;
  NodeJob job_;
  CollectiveResult& result_;
  std::optional<JobNodes> nodes_;
  std::optional<CollectiveJob> running_;
};

CollectiveResult run(const CollectiveSpec& spec, Network& network, NodePlaces places, Progress* progress) {
  reset_peak_rss();
  CollectiveResult result;
  Engine engine(network, progress);
  engine.add(
      {}, [&](JobActions& actions) { return collective_on_nodes(spec, std::move(places), engine, actions, result); });
  engine.run();
  result.job.peak_rss += peak_rss();
  return result;
}

}  // namespace

std::shared_ptr<RunningJob> collective_on_nodes(CollectiveSpec spec, NodePlaces places, const Engine& engine,
                                                JobActions& actions, CollectiveResult& result) {
  const auto held = std::make_shared<CollectiveOnNodes>(std::move(spec), std::move(places), engine, actions, result);
  return {held, held->running()};
}

CollectiveResult run_collective_job(const CollectiveSpec& spec, Network& network, NodeRunner& runner,
                                    Progress* progress) {
  return run(spec, network, {.runner = &runner}, progress);
}

CollectiveResult run_collective_job(const CollectiveSpec& spec, Network& network, Progress* progress) {
  return run(spec, network, {.endpoint = spec.endpoint}, progress);
}

}  // namespace ocs
