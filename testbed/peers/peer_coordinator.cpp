// Rounds of peers in virtual time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/peers/peer_coordinator.hpp"

#include <algorithm>
#include <utility>

#include "testbed/coordinator/coordinator.hpp"

namespace ocs {
PeerCoordinator::PeerCoordinator(const PeerSpec& spec, const NodeJob& job, Transport& transport, Network& network,
                                 Progress* progress, const PeerHooks& hooks)
    : spec_(spec),
      job_(job),
      network_(network),
      progress_(progress),
      hooks_(hooks),
      words_(job.servers.front().words),
      policy_(spec.rules.selection->make()),
      talk_(transport, job.workers, spec.timeout, [this](const std::string& who) { show(who); }),
      history_(job.workers.size(), spec.rules.settings.k),
      measures_(job.workers.size(), never<Picos>),
      peers_(job.workers.size()) {
  if (job.learning) evaluator_.emplace(job);
}

PeerResult PeerCoordinator::run() {
  for (std::size_t i = 0; i < peers_.size(); ++i) compute(i);
  for (;;) {
    talk_.exchange(now_);
    if (finished() && casts_.empty() && deliveries_.empty() && talk_.earliest() == never<Picos>) break;
    show("");
    const Picos before = now_;
    if (deliveries_.empty()) now_ = std::max(now_, network_.advance(next_time(), deliveries_));
    rounds_here_ = now_ == before ? rounds_here_ + 1 : 0;
    if (rounds_here_ > Coordinator::max_rounds_at_one_time)
      throw Error(ErrorKind::run, "more than " + std::to_string(Coordinator::max_rounds_at_one_time) + " rounds at " +
                                      std::to_string(now_.n) +
                                      " ps, so time stands still; the last messages: " + talk_.last_messages());
    if (!deliveries_.empty()) {  // what they set off comes before the other things of this instant, by phase
      for (const Delivery& delivery : std::exchange(deliveries_, {})) take(delivery);
      continue;
    }
    for (const Stamped& said : talk_.take(now_)) act(said);
    talk_.wake_promised(now_);
  }
  result_.job.end = now_;
  result_.job.slices = 1;
  result_.job.sync = measures_.result();
  result_.job.sync.dropped = result_.aborted + result_.unused;
  for (std::size_t i = 0; i < peers_.size(); ++i) average(i, true);
  talk_.exchange(now_);
  collect_payload_results();
  result_.job.rounds = talk_.rounds();
  result_.job.messages = talk_.messages();
  return std::move(result_);
}

bool PeerCoordinator::finished() const {
  return std::all_of(peers_.begin(), peers_.end(), [](const Peer& p) { return p.state == Peer::State::finished; });
}

std::size_t PeerCoordinator::number_of(Node node) const {
  const int number = job_.worker_index(node);
  if (number < 0) throw Error(ErrorKind::run, participant_name(index(node)) + " is no peer of this job");
  return static_cast<std::size_t>(number);
}

Picos PeerCoordinator::next_time() {
  const Picos t = talk_.earliest();
  if (t == never<Picos> && network_.next() == never<Picos>) deadlock();
  return t;
}

void PeerCoordinator::compute(std::size_t i) {
  Peer& peer = peers_[i];
  const Picos length = spec_.compute(i, peer.round);
  peer.state = Peer::State::computing;
  peer.until = now_ + length;
  const Node node = job_.workers[i];
  talk_.post(node, make_message(index(node), now_, ComputeFields{peer.round, length, 0}));
}

void PeerCoordinator::act(const Stamped& said) {
  const std::size_t i = number_of(said.from);
  switch (kind_of(said.message)) {
    case MessageKind::computed:
      if (peers_[i].state != Peer::State::computing ||
          decode_fields<ComputedFields>(said.message).iteration != peers_[i].round)
        throw Error(ErrorKind::run, participant_name(index(said.from)) + " has computed a round that it isn't in");
      return computed(i);
    case MessageKind::offers:
      return offered(i, decode_fields<OffersFields>(said.message));
    case MessageKind::pushed:
      return pushed(decode_fields<PushedFields>(said.message).key);
    case MessageKind::missing:
      throw Error(ErrorKind::run, "the " + describe(decode_fields<MissingFields>(said.message).key) +
                                      ", came with words missing; peers go by confirmation, which loses none");
    default:
      throw Error(ErrorKind::run, participant_name(index(said.from)) + " said \"" +
                                      std::string(name_of(kind_of(said.message))) + "\" to the coordinator of peers");
  }
}

// ---- receivers ------------------------------------------------------------------------------------------------------

void PeerCoordinator::computed(std::size_t i) {
  peers_[i].state = Peer::State::ready;
  if (spec_.rules.selection->while_sending) return choose_for(i);
  if (std::all_of(peers_.begin(), peers_.end(), [](const Peer& p) { return p.state == Peer::State::ready; }))
    choose_for_all();
}

Ticks PeerCoordinator::ticks(std::size_t i, Words words) const {
  const PeerRules& rules = spec_.rules;
  const std::int64_t word = rules.word_cycles.empty() ? 1 : rules.word_cycles[index(job_.workers[i])].n;
  return {words.n * word + (rules.settings.delta ? to_cycles(rules.set_up, rules.cycle).n : 0)};
}

/// As if all of every model were to be sent.
SelectionProblem PeerCoordinator::problem() const {
  const std::size_t n = peers_.size();
  SelectionProblem problem;
  problem.peers = n;
  problem.least.assign(n, std::min(spec_.rules.settings.p, static_cast<std::uint32_t>(n) - 1));
  problem.unsent = history_.unsent();
  problem.must = history_.must();
  problem.layer = spec_.rules.settings.layer;
  problem.seed = spec_.seed + plans_;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      problem.at_sender.push_back(ticks(i, words_));
      problem.at_receiver.push_back(ticks(j, words_));
    }
  return problem;
}

Selection PeerCoordinator::ask(const SelectionProblem& problem) {
  Selection selection = policy_->select(problem);
  ++plans_;
  ++result_.plans;
  if (hooks_.plan) hooks_.plan({now_, plans_, selection});
  return selection;
}

void PeerCoordinator::choose_for_all() {
  const Selection selection = ask(problem());
  for (std::size_t i = 0; i < peers_.size(); ++i) send_to(i, selection.selected[i], plans_);
  for (std::size_t i = 0; i < peers_.size(); ++i)
    if (peers_[i].left == 0) one_less(i);
}

/// How long it would wait if it had sent everything now: until the slowest has computed, as far as that is known.
Ticks PeerCoordinator::slack_of(std::size_t i) const {
  const std::uint32_t least = slowest();
  if (peers_[i].round + 1 <= least + spec_.rules.settings.s) return {};
  Picos until = now_;
  for (const Peer& peer : peers_)
    if (peer.state == Peer::State::computing && peer.round == least) until = std::max(until, peer.until);
  return {to_cycles(until - now_, spec_.rules.cycle).n};
}

void PeerCoordinator::choose_for(std::size_t i) {
  SelectionProblem now = problem();
  const std::size_t n = peers_.size();
  Sending sending;
  sending.ready = static_cast<std::uint16_t>(i);
  sending.plan.resize(n);
  sending.mostly_sent.resize(n);
  for (std::size_t s = 0; s < n; ++s) {
    sending.slack.push_back(slack_of(s));
    if (peers_[s].state != Peer::State::sending || peers_[s].wanted.none()) continue;
    sending.senders.push_back(static_cast<std::uint16_t>(s));
    sending.plan[s] = peers_[s].wanted;
    for (std::size_t j = 0; j < n; ++j) {
      if (!peers_[s].wanted.test(j)) continue;
      const Words left = left_of(s, j);
      now.at_sender[s * n + j] = ticks(s, left);
      now.at_receiver[s * n + j] = ticks(j, left);
      sending.mostly_sent[s].set(j, left.n * spec_.rules.settings.eta_den < words_.n * spec_.rules.settings.eta_num);
    }
  }
  now.sending = std::move(sending);
  const Selection selection = ask(now);
  for (const PeerPair& pair : selection.aborted) abort(pair);
  hurry(selection);
  send_to(i, selection.selected[i], plans_);
  if (peers_[i].left == 0) one_less(i);
}

/// The earlier a sender's deadline, the more urgent what it sends: a further pair was selected because all of its
/// ports' loads end by its own sender's deadline, which may be after those of others that load them.
void PeerCoordinator::hurry(const Selection& selection) {
  for (const auto& [i, deadline] : selection.deadlines)
    peers_[i].priority = static_cast<std::int32_t>(
        std::count_if(selection.deadlines.begin(), selection.deadlines.end(),
                      [limit = deadline](const auto& other) { return other.second < limit; }));
  for (const auto& [id, cast] : casts_)
    if (!cast.cut) network_.prioritise(id, peers_[cast.sender].priority);
}

void PeerCoordinator::send_to(std::size_t i, const Outputs& receivers, std::uint32_t plan) {
  Peer& peer = peers_[i];
  peer.state = Peer::State::sending;
  peer.wanted = receivers;
  peer.served.reset();
  peer.left = receivers.count();
  result_.pairs += static_cast<std::int64_t>(peer.left);
  if (peer.left == 0) return;
  ReceiversFields fields;
  fields.round = peer.round;
  fields.plan = plan;
  for (std::size_t j = 0; j < peers_.size(); ++j)
    if (receivers.test(j)) fields.nodes.push_back(job_.workers[j]);
  const Node node = job_.workers[i];
  talk_.post(node, make_message(index(node), now_, fields));
}

// ---- transfers ------------------------------------------------------------------------------------------------------

void PeerCoordinator::offered(std::size_t i, const OffersFields& offers) {
  const bool together = spec_.rules.settings.layer == Layer::network;
  Cast cast{.sender = i, .round = peers_[i].round, .first = {}, .to = {}, .came = {}};
  for (const Offer& one : offers.list) {
    const TransferKey& key = one.key;
    if (key.worker != job_.workers[i] || key.phase != TransferPhase::push || key.iteration != peers_[i].round ||
        one.words != words_ || one.attempt != 0)
      throw Error(ErrorKind::run,
                  participant_name(index(job_.workers[i])) + " offered what it wasn't told to: the " + describe(key));
    const std::size_t j = number_of(key.server);
    if (!peers_[i].wanted.test(j)) continue;  // it was aborted before it was heard
    cast.to.push_back(j);
    if (together) continue;
    offer(cast);
    cast.to.clear();
  }
  if (!cast.to.empty()) offer(std::move(cast));
}

void PeerCoordinator::offer(Cast cast) {
  const Id id{next_id_++};
  const auto n = static_cast<std::uint32_t>(peers_.size()), i = static_cast<std::uint32_t>(cast.sender);
  Transfer transfer{.id = id,
                    .coflow = Id{spec_.rules.selection->while_sending ? cast.round * n + i : cast.round},
                    .from = job_.workers[cast.sender],
                    .to = {},
                    .size = Bytes{(words_ - cast.first).n * job_.word_bytes},
                    .ready = now_,
                    .priority = peers_[cast.sender].priority};
  for (const std::size_t j : cast.to) transfer.to.push_back(job_.workers[j]);
  cast.open = cast.to.size();
  casts_.emplace(id, std::move(cast));
  network_.offer(std::move(transfer));
}

/// How many words of its model the sender has still to send to j.
Words PeerCoordinator::left_of(std::size_t i, std::size_t j) {
  for (const auto& [id, cast] : casts_)
    if (cast.sender == i && std::find(cast.to.begin(), cast.to.end(), j) != cast.to.end())
      return words_ - cast.first - std::min(network_.sent(id), words_ - cast.first);
  return words_;
}

/// The whole transfer is stopped; who is still to have the model gets the rest in another one.
void PeerCoordinator::abort(const PeerPair& pair) {
  const auto [i, j] = std::pair(std::size_t{pair.first}, std::size_t{pair.second});
  const Words sent = words_ - left_of(i, j);
  peers_[i].wanted.reset(j);
  ++result_.aborted;
  const Node node = job_.workers[i];
  talk_.post(node, make_message(index(node), now_,
                                AbortedFields{{peers_[i].round, TransferPhase::push, node, job_.workers[j], 0}, sent}));
  for (auto& [id, cast] : casts_) {
    if (cast.sender != i || cast.cut || std::find(cast.to.begin(), cast.to.end(), j) == cast.to.end()) continue;
    cast.cut = true;
    network_.abort(id, now_);
  }
  one_less(i);
}

void PeerCoordinator::take(const Delivery& delivery) {
  const auto found = casts_.find(delivery.transfer);
  if (found == casts_.end())
    throw Error(ErrorKind::internal, "the network delivered transfer " + std::to_string(index(delivery.transfer)) +
                                         ", which no peer waits for");
  Cast& cast = found->second;
  const std::size_t j = number_of(delivery.to);
  Words& came = cast.came[j];
  for (const WordRun& run : delivery.arrived) {
    if (run.first != came)
      throw Error(ErrorKind::run, "words of node " + std::to_string(index(job_.workers[cast.sender])) +
                                      "'s model came to node " + std::to_string(index(delivery.to)) +
                                      " out of order, twice, or not at all: from word " + std::to_string(run.first.n) +
                                      " on, after " + std::to_string(came.n));
    came += run.count;
    result_.job.words_delivered += run.count.n;
    result_.job.bytes_delivered += Bytes{run.count.n * job_.word_bytes};
  }
  if (!delivery.final) return;
  const bool whole = cast.first + came == words_;
  if (!whole && !cast.cut)
    throw Error(ErrorKind::run, "node " + std::to_string(index(job_.workers[cast.sender])) + "'s model ended at node " +
                                    std::to_string(index(delivery.to)) + " with " +
                                    std::to_string((words_ - cast.first - came).n) + " words too few");
  if (whole && peers_[cast.sender].wanted.test(j)) complete(cast.sender, cast.round, j);
  if (--cast.open == 0) end_of(found);
}

/// All of the model has passed to j.
void PeerCoordinator::complete(std::size_t i, std::uint32_t round, std::size_t j) {
  peers_[i].wanted.reset(j);
  peers_[i].served.set(j);
  const Node to = job_.workers[j];
  const TransferKey key{round, TransferPhase::push, job_.workers[i], to, 0};
  talk_.post(to, make_message(index(to), now_, DeliveredFields{key, words_, true, {{Words{0}, words_}}, 0, 0}));
}

void PeerCoordinator::end_of(std::map<Id, Cast>::iterator ended) {
  const Cast cast = std::move(ended->second);
  casts_.erase(ended);
  Cast rest{.sender = cast.sender, .round = cast.round, .first = cast.first, .to = {}, .came = {}};
  for (const auto& [j, came] : cast.came) rest.first = std::max(rest.first, cast.first + came);
  for (const std::size_t j : cast.to)
    if (cast.round == peers_[cast.sender].round && peers_[cast.sender].wanted.test(j)) rest.to.push_back(j);
  if (rest.to.empty()) return;
  for (const std::size_t j : rest.to) {
    const auto came = cast.came.find(j);
    if ((came == cast.came.end() ? cast.first : cast.first + came->second) != rest.first)
      throw Error(ErrorKind::run, "a multicast of node " + std::to_string(index(job_.workers[cast.sender])) +
                                      " came to its receivers with different numbers of words");
  }
  offer(std::move(rest));
}

// ---- rounds ---------------------------------------------------------------------------------------------------------

void PeerCoordinator::pushed(const TransferKey& key) {
  const std::size_t i = number_of(key.worker), j = number_of(key.server);
  if (i == j || key.iteration != peers_[i].round || peers_[i].state != Peer::State::sending)
    throw Error(ErrorKind::run, "the " + describe(key) + ", is in, but isn't under way");
  const auto [newest, first] = peers_[j].newest.try_emplace(i, key.iteration);
  if (!first) {
    peers_[j].unused.push_back({key.worker, std::exchange(newest->second, key.iteration)});
    ++result_.unused;
  }
  one_less(i);
}

/// One model fewer is on its way, or there was none. Who has no more to send has ended its round.
void PeerCoordinator::one_less(std::size_t i) {
  Peer& peer = peers_[i];
  if (peer.left > 0) --peer.left;
  if (peer.left > 0) return;
  peer.state = Peer::State::waiting;
  peer.asked = now_;
  ++peer.round;
  history_.round(i, peer.served);
  measures_.pushed(i, now_);
  measures_.step(now_);
  release_who_may();
}

std::uint32_t PeerCoordinator::slowest() const {
  std::uint32_t least = spec_.rounds;
  for (const Peer& peer : peers_) least = std::min(least, peer.round);
  return least;
}

void PeerCoordinator::release_who_may() {
  const bool together = !spec_.rules.selection->while_sending;
  const std::uint32_t least = slowest();
  if (together && std::any_of(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.round > least; })) return;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    Peer& peer = peers_[i];
    if (peer.state != Peer::State::waiting || (!together && peer.round > least + spec_.rules.settings.s)) continue;
    measures_.granted(peer.asked, now_);
    measures_.gap(peer.round - least);
    average(i, false);
    if (peer.round < spec_.rounds)
      compute(i);
    else
      peer.state = Peer::State::finished;
  }
  note_means();
}

/// What happens at one instant is one entry; of those between two evaluations that are due, none is kept.
void PeerCoordinator::note_means() {
  if (!evaluator_) return;
  Means now{now_, 0, {}};
  const auto means_of = [](const Peer& p) { return p.round - (p.state == Peer::State::waiting ? 1U : 0U); };
  for (const Peer& peer : peers_) now.all += means_of(peer);
  for (const Node node : evaluator_->replicas()) now.replicas.push_back(means_of(peers_[number_of(node)]));
  const std::uint64_t every = job_.learning->spacing(peers_.size());
  const auto is_due = [&](std::size_t k) { return means_[k].all / every > (k == 0 ? 0 : means_[k - 1].all / every); };
  if (now.all == (means_.empty() ? 0 : means_.back().all)) return;
  if (!means_.empty() && (means_.back().at == now_ || !is_due(means_.size() - 1))) means_.pop_back();
  means_.push_back(std::move(now));
}

void PeerCoordinator::average(std::size_t i, bool last) {
  Peer& peer = peers_[i];
  AverageFields fields;
  fields.round = last ? spec_.rounds : peer.round - 1;
  fields.last = static_cast<std::uint8_t>(last);
  fields.unused = std::exchange(peer.unused, {});
  for (const auto& [j, round] : std::exchange(peer.newest, {})) {
    const PeerRound model{job_.workers[j], round};
    if (last) {
      fields.unused.push_back(model);
      ++result_.unused;
      continue;
    }
    fields.models.push_back(model);
    measures_.applied(fields.round > round ? fields.round - round : 0, now_);
  }
  std::sort(fields.unused.begin(), fields.unused.end());
  if (last && fields.unused.empty()) return;
  const Node node = job_.workers[i];
  talk_.post(node, make_message(index(node), now_, fields));
  if (hooks_.average && !last) hooks_.average(node, fields, now_);
}

// ---- ends -----------------------------------------------------------------------------------------------------------

void PeerCoordinator::show(const std::string& waiting_for) const {
  if (!progress_) return;
  double rounds = 0;
  for (const Peer& peer : peers_) rounds += peer.round;
  const std::string network = "the switch";
  progress_->tick({now_, rounds / (static_cast<double>(spec_.rounds) * static_cast<double>(peers_.size())),
                   waiting_for.empty() ? network : waiting_for, talk_.slowest()});
}

void PeerCoordinator::collect_payload_results() {
  JobResult& job = result_.job;
  if (evaluator_) tell_scores();
  for (const DoneFields& done : talk_.finish(now_)) {
    job.crc_errors += static_cast<std::int64_t>(done.crc_errors);
    job.sum_errors += static_cast<std::int64_t>(done.sum_errors);
    job.chunks += static_cast<std::int64_t>(done.chunks);
    job.payload_buffers += static_cast<std::int64_t>(done.buffers);
    job.peak_rss += Bytes{static_cast<std::int64_t>(done.peak_rss)};
  }
  talk_.stop();
  if (evaluator_) add_learning();
}

/// Which of their models peers are to send.
void PeerCoordinator::tell_scores() {
  std::vector<std::pair<Picos, std::uint64_t>> whole;
  for (const Means& means : means_) whole.emplace_back(means.at, means.all);
  evaluator_->plan(whole);
  std::vector<std::vector<PastEvent>> told(evaluator_->replicas().size());
  auto means = means_.begin();
  for (std::uint32_t number = 0; number < evaluator_->points().size(); ++number) {
    while (means != means_.end() && means->all < evaluator_->points()[number].updates) ++means;
    for (std::size_t k = 0; k < told.size(); ++k) {
      const Node node = evaluator_->replicas()[k];
      const auto taken = number == 0 ? 0 : static_cast<std::int32_t>(means->replicas[k]);
      told[k].push_back({PastEvent::What::scored, node, node, number, taken});
    }
  }
  for (std::size_t k = 0; k < told.size(); ++k) talk_.post_history(evaluator_->replicas()[k], told[k], now_);
  talk_.take_snapshots([this](Node node, const Message& message) { evaluator_->take(node, message); });
}

void PeerCoordinator::add_learning() {
  LearningResult& learning = result_.job.learning.emplace(evaluator_->result());
  learning.samples.assign(peers_.size(), std::int64_t{spec_.rounds} * job_.learning->batch);
  result_.job.crc_errors += static_cast<std::int64_t>(learning.crc_errors);
}

void PeerCoordinator::deadlock() const {
  std::string text =
      "deadlock at " + std::to_string(now_.n) + " ps: all peers only wait, the network is idle and the job isn't done";
  for (std::size_t i = 0; i < peers_.size(); ++i)
    text += "; node " + std::to_string(index(job_.workers[i])) + ": round " + std::to_string(peers_[i].round) + ", " +
            std::to_string(peers_[i].left) + " models on their way";
  throw Error(ErrorKind::run, text);
}

}  // namespace ocs
