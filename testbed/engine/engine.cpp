// The one loop of virtual time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/engine/engine.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {

/// A job under way, and what it may do.
class Engine::Seat final : public JobActions {
 public:
  Seat(Engine& engine, std::uint32_t number, JobArrival arrival)
      : engine_(engine), number_(number), arrival_(std::move(arrival)) {}

  Picos now() const override { return engine_.now_; }
  Id new_transfer() override {
    engine_.owners_.push_back(number_);
    return Id{engine_.first_owned_ + static_cast<std::uint32_t>(engine_.owners_.size()) - 1};
  }
  void offer(Transfer transfer) override {
    transfer.coflow = engine_.coflow_of(number_, transfer.coflow);
    transfer.from = placed(transfer.from);
    for (Node& node : transfer.to) node = placed(node);
    if (transfer.counted_at) transfer.counted_at = placed(*transfer.counted_at);
    transfer.priority = among_jobs(transfer.priority);
    if (engine_.added_ > 1) transfer.owner = number_;
    engine_.network_.offer(std::move(transfer));
  }
  void deliver(Delivery delivery) override {
    delivery.to = placed(delivery.to);
    engine_.deliveries_.push_back(std::move(delivery));
  }
  void abort(Id transfer) override { engine_.network_.abort(transfer, engine_.now_); }
  void prioritise(Id transfer, std::int32_t priority) override {
    engine_.network_.prioritise(transfer, among_jobs(priority));
  }
  Words sent(Id transfer) override { return engine_.network_.sent(transfer); }
  PortUse use(Node node) const override { return engine_.network_.use(placed(node)); }

  std::uint32_t number() const { return number_; }
  /// A delivery of the network, with the job's own number of the node.
  void take(Delivery delivery) {
    if (arrival_.ports > 0)
      delivery.to = Node{
          static_cast<std::uint16_t>((index(delivery.to) + arrival_.ports - arrival_.first_node) % arrival_.ports)};
    job->on(std::move(delivery));
  }
  /// Frees what belonged to the job.
  void leave() {
    job.reset();
    if (arrival_.over) arrival_.over();
  }
  std::shared_ptr<RunningJob> job;

 private:
  Node placed(Node node) const {
    if (arrival_.ports == 0) return node;
    return Node{static_cast<std::uint16_t>((arrival_.first_node + index(node)) % arrival_.ports)};
  }
  /// What a job says of its own transfers decides between these alone.
  std::int32_t among_jobs(std::int32_t priority) const {
    constexpr std::int32_t own = std::numeric_limits<std::int32_t>::max() / most_urgencies;
    return arrival_.urgency == 0 ? priority : arrival_.urgency * own + std::clamp(priority, 0, own - 1);
  }

  Engine& engine_;
  std::uint32_t number_;
  JobArrival arrival_;
};

Engine::Engine(Network& network, Progress* progress) : network_(network), progress_(progress) {}
Engine::~Engine() = default;

void Engine::add(JobArrival arrival, MakeJob make) {
  const Picos at = arrival.at;
  arrivals_.emplace(at, std::pair(std::move(arrival), std::move(make)));
  ++added_;
}

void Engine::run() {
  while (arrive()) {
  }
  for (;;) {
    exchange();
    end_jobs();
    if (seats_.empty() && arrivals_.empty()) return;
    if (progress_) show({});
    move_to(next_time());
    if (deliver()) continue;
    if (!act() && wake()) continue;
    for (const auto& seat : seats_)
      if (NodeExchange* nodes = seat->job->nodes()) nodes->wake_promised(now_);
  }
}

/// The next job that is due. @returns whether there was one
bool Engine::arrive() {
  if (arrivals_.empty() || arrivals_.begin()->first > now_) return false;
  auto next = arrivals_.extract(arrivals_.begin());
  auto& [arrival, make] = next.mapped();
  auto seat = std::make_unique<Seat>(*this, next_seat_++, std::move(arrival));
  seat->job = make(*seat);
  seats_.push_back(std::move(seat));
  seats_.back()->job->begin();
  return true;
}

void Engine::exchange() {
  for (const auto& seat : seats_)
    if (NodeExchange* nodes = seat->job->nodes()) nodes->exchange(now_);
}

/// Frees what belonged to jobs that are over. While one ends its nodes, a heartbeat may look at all seats: they stay where
/// they are until all have ended theirs.
void Engine::end_jobs() {
  std::set<Seat*> over;
  for (const auto& seat : seats_) {
    if (!seat->job->is_over()) continue;
    seat->job->finish();
    over.insert(seat.get());
  }
  if (over.empty()) return;
  for (const auto& seat : seats_)
    if (over.contains(seat.get())) seat->leave();
  std::erase_if(seats_, [&](const auto& seat) { return over.contains(seat.get()); });
  std::uint32_t oldest = next_seat_;
  for (const auto& seat : seats_) oldest = std::min(oldest, seat->number());
  for (; !owners_.empty() && owners_.front() < oldest; ++first_owned_) owners_.pop_front();
  std::erase_if(coflows_, [&](const auto& one) { return one.first.first < oldest; });
}

/// Until when nothing can happen that the network doesn't stop at by itself.
Picos Engine::next_time() {
  if (!deliveries_.empty()) return now_;  // local ones
  Picos t = arrivals_.empty() ? never<Picos> : arrivals_.begin()->first;
  for (const auto& seat : seats_) {
    t = std::min(t, std::max(now_, seat->job->next()));  // what was due before the job came, when it comes
    if (const NodeExchange* nodes = seat->job->nodes()) t = std::min(t, nodes->earliest());
  }
  if (t == never<Picos> && network_.next() == never<Picos>) deadlock();
  return t;
}

void Engine::move_to(Picos t) {
  const Picos before = now_;
  network_.expect(t);
  if (deliveries_.empty()) now_ = std::max(now_, network_.advance(t, deliveries_));
  guard_against_standstill(before);
}

/// What deliveries set off comes before the other things of this instant. @returns whether there were any
bool Engine::deliver() {
  if (deliveries_.empty()) return false;
  told_.clear();
  told_.swap(deliveries_);
  for (Delivery& delivery : told_) {
    Seat& owner = owner_of(delivery.transfer);
    owner.take(std::move(delivery));
  }
  return true;
}

/// What nodes have said for this instant, job by job. @returns whether there was anything
bool Engine::act() {
  bool any = false;
  for (const auto& seat : seats_) {
    NodeExchange* nodes = seat->job->nodes();
    if (nodes == nullptr) continue;
    for (const Stamped& said : nodes->take(now_)) {
      seat->job->on(said);
      any = true;
    }
  }
  return any;
}

/// What comes last at an instant. @returns whether there was anything
bool Engine::wake() {
  for (const auto& seat : seats_)
    if (seat->job->wake()) return true;
  return arrive();
}

void Engine::guard_against_standstill(Picos before) {
  rounds_here_ = now_ == before ? rounds_here_ + 1 : 0;
  if (rounds_here_ <= max_rounds_at_one_time) return;
  std::string text = "more than " + std::to_string(max_rounds_at_one_time) + " rounds at " + std::to_string(now_.n) +
                     " ps, so time stands still";
  for (const auto& seat : seats_)
    if (const NodeExchange* nodes = seat->job->nodes()) text += "; the last messages: " + nodes->last_messages();
  throw Error(ErrorKind::run, text);
}

Engine::Seat& Engine::owner_of(Id transfer) {
  const std::uint32_t place = index(transfer) - first_owned_;
  const std::uint32_t number = place < owners_.size() ? owners_[place] : next_seat_;
  const auto seat = std::lower_bound(seats_.begin(), seats_.end(), number,
                                     [](const auto& one, std::uint32_t wanted) { return one->number() < wanted; });
  if (seat == seats_.end() || (*seat)->number() != number)
    throw Error(ErrorKind::internal, "the network delivered transfer " + std::to_string(index(transfer)) +
                                         ", which no job under way has offered");
  return **seat;
}

/// The only job of a run numbers the coflows of the network. Coflows of several jobs are numbered as they come.
Id Engine::coflow_of(std::uint32_t seat, Id coflow) {
  if (added_ == 1) return coflow;
  const auto [known, is_new] = coflows_.try_emplace({seat, coflow}, Id{next_coflow_});
  if (is_new) ++next_coflow_;
  return known->second;
}

void Engine::show(const std::string& waiting_for) const {
  if (!progress_ || seats_.empty()) return;
  double done = static_cast<double>(added_ - seats_.size() - arrivals_.size());
  Answered slowest;
  for (const auto& seat : seats_) {
    done += seat->job->fraction();
    if (const NodeExchange* nodes = seat->job->nodes(); nodes && nodes->slowest().took > slowest.took)
      slowest = nodes->slowest();
  }
  progress_->tick({now_, done / static_cast<double>(added_),
                   waiting_for.empty() ? seats_.front()->job->waits_for() : waiting_for, slowest});
}

void Engine::deadlock() const {
  std::string text =
      "deadlock at " + std::to_string(now_.n) + " ps: all nodes only wait, the network is idle and the job isn't done";
  for (const auto& seat : seats_) text += seat->job->states();
  throw Error(ErrorKind::run, text);
}

}  // namespace ocs
