// Rounds of peers in virtual time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/peers/peer_rounds.hpp"

#include <algorithm>
#include <utility>

#include "testbed/coordinator/job.hpp"

namespace ocs {
PeerRounds::PeerRounds(const PeerSpec& spec, const NodeJob& job, NodeExchange& talk, JobActions& actions,
                       const PeerHooks& hooks, PeerResult& result)
    : spec_(spec),
      job_(job),
      actions_(actions),
      hooks_(hooks),
      words_(job.servers.front().words),
      policy_(spec.rules.selection->make()),
      talk_(talk),
      history_(job.workers.size(), spec.rules.settings.k),
      measures_(job.workers.size(), never<Picos>),
      peers_(job.workers.size()),
      result_(result) {
  if (job.learning) evaluator_.emplace(job);
  for (const NodeDeath& death : spec.deaths)
    if (!first_death_ || death.at < first_death_->at) first_death_ = death;
}

/// A peer dies.
bool PeerRounds::wake() {
  if (next() > actions_.now()) return false;
  throw Error(ErrorKind::run, describe(*first_death_) + ", and the others wait for its models");
}

void PeerRounds::begin() {
  for (std::size_t i = 0; i < peers_.size(); ++i) compute(i);
}

bool PeerRounds::is_over() const {
  return model_transfers_.empty() && talk_.earliest() == never<Picos> &&
         std::all_of(peers_.begin(), peers_.end(), [](const Peer& p) { return p.state == Peer::State::finished; });
}

void PeerRounds::finish() {
  result_.job.end = actions_.now();
  result_.job.slices = 1;
  result_.job.sync = measures_.result();
  result_.job.sync.dropped = result_.aborted + result_.unused;
  for (std::size_t i = 0; i < peers_.size(); ++i) average(i, true);
  talk_.exchange(actions_.now());
  collect_payload_results();
}

std::size_t PeerRounds::number_of(Node node) const {
  const int number = job_.worker_index(node);
  if (number < 0) throw Error(ErrorKind::run, participant_name(index(node)) + " is no peer of this job");
  return static_cast<std::size_t>(number);
}

void PeerRounds::compute(std::size_t i) {
  Peer& peer = peers_[i];
  const Picos length = spec_.compute(i, peer.round);
  peer.state = Peer::State::computing;
  peer.until = actions_.now() + length;
  const Node node = job_.workers[i];
  talk_.post(node, make_message(index(node), actions_.now(), ComputeFields{peer.round, length, 0}));
}

void PeerRounds::on(const Stamped& said) {
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
      throw Error(ErrorKind::run, participant_name(index(said.from)) + " said that words of the " +
                                      describe(decode_fields<MissingFields>(said.message).key) +
                                      ", are missing, but the coordinator gave it a whole model");
    default:
      throw Error(ErrorKind::run, participant_name(index(said.from)) + " said \"" +
                                      std::string(name_of(kind_of(said.message))) + "\" to the coordinator of peers");
  }
}

// ---- rounds ---------------------------------------------------------------------------------------------------------

void PeerRounds::pushed(const TransferKey& key) {
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
void PeerRounds::one_less(std::size_t i) {
  Peer& peer = peers_[i];
  if (peer.left > 0) --peer.left;
  if (peer.left > 0) return;
  peer.state = Peer::State::waiting;
  peer.asked = actions_.now();
  ++peer.round;
  history_.round(i, peer.served);
  measures_.pushed(i, actions_.now());
  measures_.step(actions_.now());
  release_who_may();
}

std::uint32_t PeerRounds::slowest() const {
  std::uint32_t least = spec_.rounds;
  for (const Peer& peer : peers_)
    if (peer.state != Peer::State::finished) least = std::min(least, peer.round);
  return least;
}

void PeerRounds::release_who_may() {
  const bool together = !spec_.rules.selection->while_sending;
  const std::uint32_t least = slowest();
  if (together && std::any_of(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.round > least; })) return;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    Peer& peer = peers_[i];
    if (peer.state != Peer::State::waiting || (!together && peer.round > least + spec_.rules.settings.s)) continue;
    measures_.granted(peer.asked, actions_.now());
    measures_.gap(peer.round - least);
    average(i, false);
    if (peer.round < spec_.rounds && actions_.now() < spec_.duration)
      compute(i);
    else
      peer.state = Peer::State::finished;
  }
  note_means();
}

/// What happens at one instant is one entry; of those between two evaluations that are due, none is kept.
void PeerRounds::note_means() {
  if (!evaluator_) return;
  Means now{actions_.now(), 0, {}};
  const auto means_of = [](const Peer& p) { return p.round - (p.state == Peer::State::waiting ? 1U : 0U); };
  for (const Peer& peer : peers_) now.all += means_of(peer);
  for (const Node node : evaluator_->replicas()) now.replicas.push_back(means_of(peers_[number_of(node)]));
  const std::uint64_t every = job_.learning->spacing(peers_.size());
  const auto is_due = [&](std::size_t k) { return means_[k].all / every > (k == 0 ? 0 : means_[k - 1].all / every); };
  if (now.all == (means_.empty() ? 0 : means_.back().all)) return;
  if (!means_.empty() && (means_.back().at == actions_.now() || !is_due(means_.size() - 1))) means_.pop_back();
  means_.push_back(std::move(now));
}

void PeerRounds::average(std::size_t i, bool last) {
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
    measures_.applied(fields.round > round ? fields.round - round : 0, actions_.now());
  }
  std::sort(fields.unused.begin(), fields.unused.end());
  if (last && fields.unused.empty()) return;
  const Node node = job_.workers[i];
  talk_.post(node, make_message(index(node), actions_.now(), fields));
  if (hooks_.average && !last) hooks_.average(node, fields, actions_.now());
}

// ---- ends -----------------------------------------------------------------------------------------------------------

double PeerRounds::fraction() const {
  if (spec_.duration != never<Picos>)
    return std::min(1.0, static_cast<double>(actions_.now().n) / static_cast<double>(spec_.duration.n));
  double rounds = 0;
  for (const Peer& peer : peers_) rounds += peer.round;
  return rounds / (static_cast<double>(spec_.rounds) * static_cast<double>(peers_.size()));
}

void PeerRounds::collect_payload_results() {
  if (evaluator_) tell_scores();
  end_nodes(result_.job, talk_, actions_.now());
  if (!evaluator_) return;
  std::vector<std::int64_t> samples;
  samples.reserve(peers_.size());
  for (const Peer& peer : peers_) samples.push_back(std::int64_t{peer.round} * job_.learning->batch);
  add_learning(result_.job, *evaluator_, std::move(samples));
}

/// Which of their models peers are to send.
void PeerRounds::tell_scores() {
  std::vector<std::pair<Picos, std::uint64_t>> whole;
  whole.reserve(means_.size());
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
  for (std::size_t k = 0; k < told.size(); ++k) talk_.post_history(evaluator_->replicas()[k], told[k], actions_.now());
  talk_.take_snapshots([this](Node node, const Message& message) { evaluator_->take(node, message); });
}

std::string PeerRounds::states() const {
  std::string text;
  for (std::size_t i = 0; i < peers_.size(); ++i)
    text += "; node " + std::to_string(index(job_.workers[i])) + ": round " + std::to_string(peers_[i].round) + ", " +
            std::to_string(peers_[i].left) + " models on their way";
  return text;
}

}  // namespace ocs
