// Steps end, what waited for them begins; exchanges go leg by leg.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/chakra/chakra_job.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/engine/engine.hpp"
#include "testbed/nodes/process/memory_use.hpp"

namespace ocs {
namespace {

class ChakraJob final : public RunningJob {
 public:
  ChakraJob(const ChakraSpec& spec, JobActions& actions, CollectiveResult& result);

  void begin() override { begin_iteration(), drain(); }
  void on(Delivery delivery) override;
  void on(const Stamped&) override { throw Error(ErrorKind::internal, "a trace has no nodes that say anything"); }
  Picos next() const override { return computing_.empty() ? never<Picos> : computing_.top().first; }
  bool wake() override;
  bool is_over() const override { return over_; }
  void finish() override;
  NodeExchange* nodes() override { return nullptr; }
  double fraction() const override;
  std::string waits_for() const override { return "the switch"; }
  std::string states() const override;

 private:
  using Timed = std::pair<Picos, std::uint32_t>;
  struct Unit {  ///< what computes one step at a time
    bool busy = false;
    std::deque<std::uint32_t> waiting;
  };
  struct Running {  ///< an exchange
    const std::vector<Leg>* legs = nullptr;
    std::size_t leg = 0, step = 0;  ///< step: of a leg whose circuits don't begin together
    bool whole = true;              ///< the leg is one burst a pair
    std::size_t missing = 0;        ///< transfers
  };
  struct Open {
    std::uint32_t exchange;
    std::uint16_t from, to;
    Words missing;
  };

  void begin_iteration();
  void ready(std::uint32_t step);
  void compute(std::uint32_t step);
  void end(std::uint32_t step);
  void drain();
  void begin_exchanges(const std::vector<std::uint16_t>& ranks);
  void begin_exchange(std::uint32_t number);
  void begin_leg(std::uint32_t number);
  void offer(std::uint32_t number, const std::vector<LegTransfer>& transfers);
  void next_part(std::uint32_t number);
  void end_exchange(std::uint32_t number);
  bool begins_together(const ChakraExchange& exchange, const Leg& leg) const;
  const std::vector<Leg>& legs_of_exchange(const ChakraExchange& exchange);
  Unit& unit_of(std::uint32_t step) {
    const ChakraGraph::Step& one = graph_.steps[step];
    return units_[std::size_t{one.rank} * 2 + (one.on_cpu ? 1 : 0)];
  }

  const ChakraSpec& spec_;
  const ChakraGraph& graph_;
  JobActions& actions_;
  CollectiveResult& result_;
  std::vector<std::vector<std::uint32_t>> members_;                              ///< steps of each exchange
  std::map<std::tuple<int, std::size_t, std::int64_t>, std::vector<Leg>> legs_;  ///< by kind, ranks, words
  std::uint32_t iteration_ = 0;
  std::size_t ended_ = 0;
  std::vector<std::uint32_t> waits_, missing_;  ///< of each step; of each exchange: steps that aren't ready
  std::vector<Unit> units_;
  std::priority_queue<Timed, std::vector<Timed>, std::greater<>> computing_;
  std::vector<std::uint32_t> ending_;              ///< steps, in the order in which they end now
  std::vector<std::deque<std::uint32_t>> queues_;  ///< of each rank: exchanges, the first may be under way
  std::unordered_map<std::uint32_t, Running> running_;
  std::unordered_map<std::uint32_t, Open> open_;        ///< by transfer
  std::vector<std::int32_t> sends_to_, receives_from_;  ///< of each rank: the last circuit that it used; -1: none
  std::uint32_t coflow_ = 0;
  bool over_ = false;
};

ChakraJob::ChakraJob(const ChakraSpec& spec, JobActions& actions, CollectiveResult& result)
    : spec_(spec), graph_(*spec.graph), actions_(actions), result_(result), members_(graph_.exchanges.size()) {
  for (std::uint32_t s = 0; s < graph_.steps.size(); ++s)
    if (graph_.steps[s].exchange >= 0) members_[static_cast<std::size_t>(graph_.steps[s].exchange)].push_back(s);
  units_.resize(std::size_t{graph_.ranks} * 2);
  queues_.resize(graph_.ranks);
  sends_to_.assign(graph_.ranks, -1);
  receives_from_ = sends_to_;
}

void ChakraJob::begin_iteration() {
  result_.begins.push_back(actions_.now());
  ended_ = 0;
  waits_.clear(), missing_.clear();
  for (const ChakraGraph::Step& step : graph_.steps) waits_.push_back(step.waits_for);
  for (const auto& steps : members_) missing_.push_back(static_cast<std::uint32_t>(steps.size()));
  for (std::uint32_t s = 0; s < graph_.steps.size(); ++s)
    if (waits_[s] == 0) ready(s);
}

void ChakraJob::ready(std::uint32_t step) {
  const ChakraGraph::Step& one = graph_.steps[step];
  if (one.exchange >= 0) {
    const auto number = static_cast<std::uint32_t>(one.exchange);
    if (--missing_[number] > 0) return;
    const ChakraExchange& exchange = graph_.exchanges[number];
    if (exchange.what == ChakraExchange::What::barrier) return end_exchange(number);
    for (const std::uint16_t rank : exchange.ranks) queues_[rank].push_back(number);
    return begin_exchanges({exchange.ranks.front()});
  }
  if (!one.computes || one.duration_us == 0) return ending_.push_back(step);
  Unit& unit = unit_of(step);
  if (unit.busy) return unit.waiting.push_back(step);
  compute(step);
}

void ChakraJob::compute(std::uint32_t step) {
  unit_of(step).busy = true;
  const Picos now = actions_.now(), end = now + Picos{graph_.steps[step].duration_us * 1'000'000};
  computing_.emplace(end, step);
  if (spec_.computing) spec_.computing(graph_.steps[step].rank, iteration_, now, end);
}

void ChakraJob::end(std::uint32_t step) {
  ++ended_;
  for (const std::uint32_t after : graph_.steps[step].after)
    if (--waits_[after] == 0) ready(after);
}

/// Ends steps until nothing more ends at this instant.
void ChakraJob::drain() {
  while (!over_) {
    while (!ending_.empty()) {
      const std::vector<std::uint32_t> now = std::exchange(ending_, {});
      for (const std::uint32_t step : now) end(step);
    }
    if (ended_ < graph_.steps.size()) return;
    result_.ends.push_back(actions_.now());
    over_ = ++iteration_ == spec_.iterations || actions_.now() >= spec_.duration;
    if (!over_) begin_iteration();
  }
}

bool ChakraJob::wake() {
  if (computing_.empty() || computing_.top().first > actions_.now()) return false;
  while (!computing_.empty() && computing_.top().first <= actions_.now()) {
    const std::uint32_t step = computing_.top().second;
    computing_.pop();
    Unit& unit = unit_of(step);
    unit.busy = false;
    ending_.push_back(step);
    if (unit.waiting.empty()) continue;
    const std::uint32_t next = unit.waiting.front();
    unit.waiting.pop_front();
    compute(next);
  }
  drain();
  return true;
}

/// Those that are the first of all their ranks.
void ChakraJob::begin_exchanges(const std::vector<std::uint16_t>& ranks) {
  for (const std::uint16_t rank : ranks) {
    if (queues_[rank].empty()) continue;
    const std::uint32_t number = queues_[rank].front();
    const std::vector<std::uint16_t>& all = graph_.exchanges[number].ranks;
    const bool first =
        std::all_of(all.begin(), all.end(), [&](std::uint16_t r) { return queues_[r].front() == number; });
    if (first && !running_.contains(number)) begin_exchange(number);
  }
}

const std::vector<Leg>& ChakraJob::legs_of_exchange(const ChakraExchange& exchange) {
  const bool message = exchange.what == ChakraExchange::What::message;
  const Words words = to_words(Bytes{exchange.bytes}, spec_.word_bytes);
  auto& legs = legs_[{message ? -1 : static_cast<int>(exchange.kind), exchange.ranks.size(), words.n}];
  if (!legs.empty()) return legs;
  if (message) {
    const std::vector<LegTransfer> one = {{0, 1, words}};
    legs.push_back({0, 0, one, {one}, 0, {0}});
  } else {
    const Collective list = make_collective(exchange.kind, algorithms_of(exchange.kind).front().name,
                                            static_cast<int>(exchange.ranks.size()));
    legs = legs_of(list, sizes_of(list, words), spec_.lag);
  }
  return legs;
}

void ChakraJob::begin_exchange(std::uint32_t number) {
  running_[number].legs = &legs_of_exchange(graph_.exchanges[number]);
  begin_leg(number);
}

/// All circuits of the leg are there, or none: they begin at once, and words can stream.
bool ChakraJob::begins_together(const ChakraExchange& exchange, const Leg& leg) const {
  std::size_t there = 0;
  for (const LegTransfer& one : leg.transfers) {
    const std::uint16_t from = exchange.ranks[one.sender], to = exchange.ranks[one.receiver];
    if (sends_to_[from] == to && receives_from_[to] == from) ++there;
  }
  return there == 0 || there == leg.transfers.size();
}

void ChakraJob::begin_leg(std::uint32_t number) {
  Running& one = running_.at(number);
  const Leg& leg = (*one.legs)[one.leg];
  one.step = 0;
  one.whole = leg.steps.size() == 1 || begins_together(graph_.exchanges[number], leg);
  offer(number, one.whole ? leg.transfers : leg.steps.front());
}

void ChakraJob::offer(std::uint32_t number, const std::vector<LegTransfer>& transfers) {
  const std::vector<std::uint16_t>& ranks = graph_.exchanges[number].ranks;
  running_.at(number).missing = transfers.size();
  for (const LegTransfer& one : transfers) {
    const std::uint16_t from = ranks[one.sender], to = ranks[one.receiver];
    const Id id = actions_.new_transfer();
    open_.emplace(index(id), Open{number, from, to, one.words});
    sends_to_[from] = to, receives_from_[to] = from;
    actions_.offer({.id = id,
                    .coflow = Id{coflow_},
                    .from = Node{from},
                    .to = {Node{to}},
                    .size = Bytes{one.words.n * spec_.word_bytes},
                    .ready = actions_.now()});
  }
  ++coflow_;
}

void ChakraJob::on(Delivery delivery) {
  const auto found = open_.find(index(delivery.transfer));
  if (found == open_.end())
    throw Error(ErrorKind::internal, "a trace was delivered a transfer that it doesn't wait for");
  Open& one = found->second;
  for (const WordRun& run : delivery.arrived) one.missing -= run.count, result_.job.words_delivered += run.count.n;
  if (!delivery.final) return;
  if (one.missing != Words{0})
    throw Error(ErrorKind::run, "words from node " + std::to_string(one.from) + " to node " + std::to_string(one.to) +
                                    " were lost, and nothing sends them again");
  const std::uint32_t number = one.exchange;
  open_.erase(found);
  if (--running_.at(number).missing == 0) next_part(number);
}

void ChakraJob::next_part(std::uint32_t number) {
  Running& one = running_.at(number);
  const Leg& leg = (*one.legs)[one.leg];
  if (!one.whole && ++one.step < leg.steps.size()) return offer(number, leg.steps[one.step]);
  if (++one.leg < one.legs->size()) return begin_leg(number);
  running_.erase(number);
  const std::vector<std::uint16_t>& ranks = graph_.exchanges[number].ranks;
  for (const std::uint16_t rank : ranks) queues_[rank].pop_front();
  end_exchange(number);
  drain();
  begin_exchanges(ranks);
}

void ChakraJob::end_exchange(std::uint32_t number) {
  ending_.insert(ending_.end(), members_[number].begin(), members_[number].end());
}

double ChakraJob::fraction() const {
  return (static_cast<double>(iteration_) + static_cast<double>(ended_) / static_cast<double>(graph_.steps.size())) /
         spec_.iterations;
}

void ChakraJob::finish() {
  result_.job.end = actions_.now();
  result_.job.slices = static_cast<std::int64_t>(graph_.exchanges.size());
  result_.job.bytes_delivered = Bytes{result_.job.words_delivered * spec_.word_bytes};
}

std::string ChakraJob::states() const {
  return "; iteration " + std::to_string(iteration_) + ", " + std::to_string(ended_) + " of " +
         std::to_string(graph_.steps.size()) + " steps have ended";
}

}  // namespace

CollectiveResult run_chakra_job(const ChakraSpec& spec, Network& network, Progress* progress) {
  reset_peak_rss();
  CollectiveResult result;
  Engine engine(network, progress);
  engine.add({}, [&](JobActions& actions) { return std::make_shared<ChakraJob>(spec, actions, result); });
  engine.run();
  result.job.peak_rss += peak_rss();
  return result;
}

}  // namespace ocs
