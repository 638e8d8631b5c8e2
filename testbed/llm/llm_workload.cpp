// From passes to events, from events to phases.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/llm/llm_workload.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/routing.hpp"
#include "testbed/llm/pipeline.hpp"

namespace ocs {
namespace {

enum class LlmTraffic : std::uint8_t { none, tensor, dispatch, combine, forward_send, backward_send };

/// A part of a pass, and what crosses the switch after it.
struct PassPart {
  std::int64_t operations;  ///< of each rank
  LlmTraffic then;
  std::int64_t inside_bytes = 0;  ///< of a rank, that cross inside the node after it
};

/// Traffic of a stage that is due when so much has been computed.
struct LlmEvent {
  Picos at;
  int order;  ///< of events at one time: an end comes before the beginning that it allows
  LlmTraffic what;
  std::size_t stage;
};

constexpr int order_of_send = 1000, order_of_begin = 2000;

/// One iteration in the making.
class LlmIteration {
 public:
  LlmIteration(const LlmSettings& settings, const PhaseUnits& units, std::uint32_t number)
      : of_(settings), units_(units) {
    if (of_.ep > 1) route(number);
  }

  PhasedIteration build();

 private:
  bool crosses(LlmDimension which) const { return of_.crossing(which) > 1; }
  bool experts_cross() const { return of_.ep > 1 && !of_.is_inside(LlmDimension::dp); }
  std::uint16_t node(std::int64_t tp, std::int64_t dp, std::int64_t pp) const;
  Words words(Wide bytes) const { return to_words(Bytes{static_cast<std::int64_t>(bytes)}, units_.word_bytes); }
  Wide of_node(Wide bytes) const { return of_.is_inside(LlmDimension::dp) ? bytes * of_.dp : bytes; }
  std::int64_t activation() const { return of_.micro * of_.seq * of_.model.hidden * of_.activation_bytes; }

  void route(std::uint32_t number);
  std::vector<PassPart> forward_pass(std::size_t stage) const;
  std::vector<PassPart> backward_pass(std::size_t stage) const;
  PassPart attention(std::int64_t times) const;
  PassPart feed_forward(std::int64_t times) const;
  std::vector<Picos> times_of(const std::vector<PassPart>& parts, std::optional<Picos> whole) const;
  Picos inside_time(Wide bytes) const;
  void add_passes();
  void add_events(const StagePass& pass, const std::vector<PassPart>& parts, const std::vector<Picos>& times);
  void add_phases(PhasedIteration& to);
  bool merge(const LlmEvent& event, const LlmEvent& before, TrafficPhase& phase) const;
  TrafficPhase phase_of(const LlmEvent& event) const;
  PairPhase sends(const LlmEvent& event) const;
  GroupPhase tensor_groups(std::size_t stage) const;
  GroupPhase expert_groups(std::size_t stage, bool combine) const;
  void add_data(PhasedIteration& to);
  void add_data_phases(PhasedIteration& to, CollectiveKind kind, std::int64_t bytes) const;
  std::optional<TrafficPhase> data_phase(CollectiveKind kind, std::int64_t bytes, bool experts) const;
  std::optional<TrafficPhase> embedding_phase() const;
  Picos inside_data_time() const;
  std::int64_t stages_of(std::int64_t pp, bool experts) const;
  std::int64_t gap_until(Picos at);

  const LlmSettings& of_;
  PhaseUnits units_;
  std::vector<std::int64_t> received_;  ///< tokens of one source that go to each rank of a group of experts
  std::vector<LlmEvent> events_;
  Picos end_{0};
  Cycles passed_{0};  ///< computing before the phases so far
};

/// Node of a place in the crossing dimensions.
std::uint16_t LlmIteration::node(std::int64_t tp, std::int64_t dp, std::int64_t pp) const {
  const std::array<std::int64_t, 3> place{tp, dp, pp};
  std::int64_t number = 0, stride = 1;
  for (const LlmDimension which : of_.order) {
    number += place[static_cast<std::size_t>(which)] * stride;
    stride *= of_.crossing(which);
  }
  return static_cast<std::uint16_t>(number);
}

void LlmIteration::route(std::uint32_t number) {
  const std::int64_t share = divide_up(of_.micro * of_.seq * of_.model.top_k, crosses(LlmDimension::tp) ? of_.tp : 1);
  const std::vector<std::int64_t> counts =
      routed_tokens(share, of_.model.experts, of_.gini_milli, units_.seed, of_.gini_milli > 0 ? number : 0);
  received_.assign(static_cast<std::size_t>(of_.ep), 0);
  for (std::size_t e = 0; e < counts.size(); ++e) received_[e * received_.size() / counts.size()] += counts[e];
}

PassPart LlmIteration::attention(std::int64_t times) const {
  const TokenOperations per = token_operations(of_.model, of_.seq);
  PassPart part{divide_up(times * (per.attention + per.router) * of_.micro * of_.seq, of_.tp), LlmTraffic::none};
  if (crosses(LlmDimension::tp)) part.then = LlmTraffic::tensor;
  if (of_.tp > 1 && of_.is_inside(LlmDimension::tp)) part.inside_bytes = 2 * activation() / of_.tp * (of_.tp - 1);
  return part;
}

/// The rank with the most tokens decides.
PassPart LlmIteration::feed_forward(std::int64_t times) const {
  const TokenOperations per = token_operations(of_.model, of_.seq);
  PassPart part = attention(times);  // its traffic is alike
  std::int64_t tokens = of_.micro * of_.seq * of_.model.top_k;
  if (of_.ep > 1) {
    const std::int64_t most = *std::max_element(received_.begin(), received_.end());
    tokens = most * of_.ep * (crosses(LlmDimension::tp) ? of_.tp : 1);
  }
  part.operations = divide_up(times * per.expert * tokens, of_.tp);
  return part;
}

/// Of each layer attention, then experts; a rank that has experts gets their tokens in between.
std::vector<PassPart> LlmIteration::forward_pass(std::size_t stage) const {
  const std::int64_t exchanged = of_.ep > 1 && !experts_cross() ? activation() * of_.model.top_k / of_.tp : 0;
  std::vector<PassPart> parts;
  for (std::int64_t layer = 0; layer < of_.model.layers / of_.pp; ++layer) {
    PassPart first = attention(1), second = feed_forward(1);
    first.inside_bytes += exchanged, second.inside_bytes += exchanged;
    parts.push_back(first);
    if (experts_cross()) parts.push_back({0, LlmTraffic::dispatch});
    if (experts_cross()) parts.push_back({std::exchange(second.operations, 0), LlmTraffic::combine});
    parts.push_back(second);
  }
  if (stage + 1 == static_cast<std::size_t>(of_.pp))
    parts.push_back(
        {divide_up(token_operations(of_.model, of_.seq).head * of_.micro * of_.seq, of_.tp), LlmTraffic::none});
  return parts;
}

/// The same backwards, with twice the operations; what was sent comes back.
std::vector<PassPart> LlmIteration::backward_pass(std::size_t stage) const {
  const std::int64_t exchanged = of_.ep > 1 && !experts_cross() ? activation() * of_.model.top_k / of_.tp : 0;
  std::vector<PassPart> parts;
  if (stage + 1 == static_cast<std::size_t>(of_.pp))
    parts.push_back(
        {divide_up(2 * token_operations(of_.model, of_.seq).head * of_.micro * of_.seq, of_.tp), LlmTraffic::none});
  for (std::int64_t layer = 0; layer < of_.model.layers / of_.pp; ++layer) {
    PassPart first = feed_forward(2), second = attention(2);
    first.inside_bytes += exchanged, second.inside_bytes += exchanged;
    if (experts_cross()) parts.push_back({0, LlmTraffic::dispatch});
    if (experts_cross()) parts.push_back({std::exchange(first.operations, 0), LlmTraffic::combine});
    parts.push_back(first);
    parts.push_back(second);
  }
  return parts;
}

Picos LlmIteration::inside_time(Wide bytes) const {
  if (of_.inside_gbps == 0) return {};
  return {static_cast<std::int64_t>((bytes * 8000 + of_.inside_gbps - 1) / of_.inside_gbps)};
}

/// @param whole time of the pass as a table says it: it is shared out by operations
std::vector<Picos> LlmIteration::times_of(const std::vector<PassPart>& parts, std::optional<Picos> whole) const {
  const Wide rate = Wide{of_.tflops_milli} * of_.mfu_milli;
  Wide all = 0, so_far = 0, sum = 0;
  for (const PassPart& part : parts) all += part.operations;
  std::vector<Picos> times;
  for (const PassPart& part : parts) {
    Wide time = (Wide{part.operations} * 1'000'000 + rate - 1) / rate;
    if (whole) {
      time = whole->n * (so_far + part.operations) / all - whole->n * so_far / all;
      so_far += part.operations;
    }
    time += inside_time(part.inside_bytes).n;
    sum += time;
    if (sum > longest_pass)
      throw Error(ErrorKind::input, "must have a pass of a microbatch through a stage within 1000 s (tflops, mfu)");
    times.push_back(Picos{static_cast<std::int64_t>(time)});
  }
  return times;
}

void LlmIteration::add_events(const StagePass& pass, const std::vector<PassPart>& parts,
                              const std::vector<Picos>& times) {
  Picos at = pass.start;
  int order = order_of_begin;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    at += times[k];
    order = times[k].n > 0 ? 0 : order + 1;
    if (parts[k].then != LlmTraffic::none) events_.push_back({at, order, parts[k].then, pass.stage});
  }
  const bool sends = pass.backward ? pass.stage > 0 : pass.stage + 1 < static_cast<std::size_t>(of_.pp);
  if (sends && crosses(LlmDimension::pp))
    events_.push_back(
        {pass.end, order_of_send, pass.backward ? LlmTraffic::backward_send : LlmTraffic::forward_send, pass.stage});
}

void LlmIteration::add_passes() {
  const auto stages = static_cast<std::size_t>(of_.pp);
  std::vector<std::vector<PassPart>> parts[2];  // forward, backward
  std::vector<std::vector<Picos>> times[2];
  std::vector<PassTimes> whole;
  const Picos send = of_.pp > 1 && of_.is_inside(LlmDimension::pp) ? inside_time(activation() / of_.tp) : Picos{0};
  for (std::size_t s = 0; s < stages; ++s) {
    Picos sums[2];
    for (const int way : {0, 1}) {
      parts[way].push_back(way == 0 ? forward_pass(s) : backward_pass(s));
      std::optional<Picos> said;
      if (!of_.times.empty()) said = way == 0 ? of_.times[s].forward : of_.times[s].backward;
      times[way].push_back(times_of(parts[way][s], said));
      for (const Picos time : times[way][s]) sums[way] += time;
      if (way == 0 ? s + 1 < stages : s > 0) sums[way] += send;
    }
    whole.push_back({sums[0], sums[1]});
  }
  for (const StagePass& pass : one_forward_one_backward(whole, of_.microbatches())) {
    const int way = pass.backward ? 1 : 0;
    add_events(pass, parts[way][pass.stage], times[way][pass.stage]);
    end_ = std::max(end_, pass.end);
  }
  std::stable_sort(events_.begin(), events_.end(), [](const LlmEvent& a, const LlmEvent& b) {
    return std::tuple(a.at, a.order, a.what) < std::tuple(b.at, b.order, b.what);
  });
}

PairPhase LlmIteration::sends(const LlmEvent& event) const {
  const auto from = static_cast<std::int64_t>(event.stage);
  const std::int64_t to = event.what == LlmTraffic::forward_send ? from + 1 : from - 1;
  PairPhase pairs;
  for (std::int64_t d = 0; d < of_.crossing(LlmDimension::dp); ++d)
    for (std::int64_t t = 0; t < of_.crossing(LlmDimension::tp); ++t)
      pairs.pairs.push_back({node(t, d, from), node(t, d, to), words(of_node(activation()))});
  return pairs;
}

GroupPhase LlmIteration::tensor_groups(std::size_t stage) const {
  const std::int64_t ranks = of_.crossing(LlmDimension::tp);
  GroupPhase phase{make_collective(CollectiveKind::all_reduce, of_.tp_algorithm, static_cast<int>(ranks)), {}};
  phase.sizes = sizes_of(phase.list, words(of_node(activation())));
  const std::int64_t s = of_.is_inside(LlmDimension::pp) ? 0 : static_cast<std::int64_t>(stage);
  for (std::int64_t d = 0; d < of_.crossing(LlmDimension::dp); ++d) {
    auto& group = phase.groups.emplace_back();
    for (std::int64_t t = 0; t < ranks; ++t) group.push_back(node(t, d, s));
  }
  return phase;
}

GroupPhase LlmIteration::expert_groups(std::size_t stage, bool combine) const {
  const auto ranks = static_cast<std::size_t>(of_.ep);
  GroupPhase phase{make_collective(CollectiveKind::all_to_all, of_.ep_algorithm, static_cast<int>(ranks)), {}};
  DemandMatrix demand(ranks, std::vector<std::int64_t>(ranks, 0));
  for (std::size_t s = 0; s < ranks; ++s)
    for (std::size_t t = 0; t < ranks; ++t)
      if (s != t) demand[s][t] = words(Wide{received_[combine ? s : t]} * of_.model.hidden * of_.activation_bytes).n;
  phase.sizes = sizes_of(phase.list, demand);
  const std::int64_t pp = of_.is_inside(LlmDimension::pp) ? 0 : static_cast<std::int64_t>(stage);
  for (std::int64_t first = 0; first < of_.dp; first += of_.ep)
    for (std::int64_t t = 0; t < of_.crossing(LlmDimension::tp); ++t) {
      auto& group = phase.groups.emplace_back();
      for (std::int64_t d = first; d < first + of_.ep; ++d) group.push_back(node(t, d, pp));
    }
  return phase;
}

TrafficPhase LlmIteration::phase_of(const LlmEvent& event) const {
  switch (event.what) {
    case LlmTraffic::tensor:
      return {tensor_groups(event.stage)};
    case LlmTraffic::dispatch:
    case LlmTraffic::combine:
      return {expert_groups(event.stage, event.what == LlmTraffic::combine)};
    default:
      return {sends(event)};
  }
}

/// Events of one time are one phase if they are alike and use no port twice.
bool LlmIteration::merge(const LlmEvent& event, const LlmEvent& before, TrafficPhase& phase) const {
  if (event.at != before.at || event.order != before.order || of_.is_inside(LlmDimension::pp)) return false;
  TrafficPhase more = phase_of(event);
  if (auto* pairs = std::get_if<PairPhase>(&phase.what)) {
    const auto* others = std::get_if<PairPhase>(&more.what);
    if (others == nullptr) return false;
    for (const LegTransfer& a : pairs->pairs)
      for (const LegTransfer& b : others->pairs)
        if (a.sender == b.sender || a.receiver == b.receiver) return false;
    pairs->pairs.insert(pairs->pairs.end(), others->pairs.begin(), others->pairs.end());
    return true;
  }
  if (event.what != before.what) return false;
  auto& groups = std::get<GroupPhase>(phase.what).groups;
  const auto& others = std::get<GroupPhase>(more.what).groups;
  groups.insert(groups.end(), others.begin(), others.end());
  return true;
}

std::int64_t LlmIteration::gap_until(Picos at) {
  const Cycles now = to_cycles(at, units_.cycle);
  return (now - std::exchange(passed_, now)).n;
}

bool has_words(const TrafficPhase& phase) {
  const auto* groups = std::get_if<GroupPhase>(&phase.what);
  return groups == nullptr || std::any_of(groups->sizes.begin(), groups->sizes.end(), [](Words w) { return w.n > 0; });
}

void LlmIteration::add_phases(PhasedIteration& to) {
  if (events_.size() > most_llm_phases)
    throw Error(ErrorKind::input, "must have at most " + std::to_string(most_llm_phases) +
                                      " phases in an iteration; it has " + std::to_string(events_.size()));
  const LlmEvent* before = nullptr;
  for (const LlmEvent& event : events_) {
    if (before == nullptr || !merge(event, *before, to.phases.back())) {
      TrafficPhase phase = phase_of(event);
      if (!has_words(phase)) continue;
      phase.gap = gap_until(event.at);
      to.phases.push_back(std::move(phase));
    }
    before = &event;
  }
}

/// Parameters that the nodes at stage `pp` keep: with stages inside a node those of all.
std::int64_t LlmIteration::stages_of(std::int64_t pp, bool experts) const {
  std::int64_t sum = 0;
  for (std::int64_t s = 0; s < of_.pp; ++s) {
    const StageParameters each = stage_parameters(of_, s);
    if (s == pp || of_.is_inside(LlmDimension::pp)) sum += experts ? each.experts : each.dense;
  }
  return sum;
}

/// Groups of all stages at once, each with the words of its stage.
std::optional<TrafficPhase> LlmIteration::data_phase(CollectiveKind kind, std::int64_t bytes, bool experts) const {
  const std::int64_t step = experts ? of_.ep : 1, ranks = of_.crossing(LlmDimension::dp) / step;
  if (ranks < 2) return {};
  GroupPhase phase{make_collective(kind, of_.dp_algorithm, static_cast<int>(ranks)), {}};
  for (std::int64_t s = 0; s < of_.crossing(LlmDimension::pp); ++s)
    for (std::int64_t t = 0; t < of_.crossing(LlmDimension::tp); ++t)
      for (std::int64_t first = 0; first < step; ++first) {
        auto& group = phase.groups.emplace_back();
        for (std::int64_t r = 0; r < ranks; ++r) group.push_back(node(t, first + r * step, s));
        const Wide whole = Wide{stages_of(s, experts)} * bytes;
        const std::vector<Words> sizes =
            sizes_of(phase.list, words((whole + of_.crossing(LlmDimension::tp) - 1) / of_.crossing(LlmDimension::tp)));
        phase.sizes.insert(phase.sizes.end(), sizes.begin(), sizes.end());
      }
  return TrafficPhase{std::move(phase)};
}

/// The first and the last stage add their gradients of the embedding that they share.
std::optional<TrafficPhase> LlmIteration::embedding_phase() const {
  if (!of_.model.tied || !crosses(LlmDimension::pp)) return {};
  GroupPhase phase{make_collective(CollectiveKind::all_reduce, "ring", 2), {}};
  const Wide bytes = of_node(Wide{of_.model.vocabulary} * of_.model.hidden * of_.gradient_bytes);
  const std::int64_t tp = of_.crossing(LlmDimension::tp);
  phase.sizes = sizes_of(phase.list, words((bytes + tp - 1) / tp));
  for (std::int64_t d = 0; d < of_.crossing(LlmDimension::dp); ++d)
    for (std::int64_t t = 0; t < tp; ++t) phase.groups.push_back({node(t, d, 0), node(t, d, of_.pp - 1)});
  return TrafficPhase{std::move(phase)};
}

void LlmIteration::add_data_phases(PhasedIteration& to, CollectiveKind kind, std::int64_t bytes) const {
  for (const bool experts : {false, true})
    if (!experts || stage_parameters(of_, 0).experts > 0)
      if (auto phase = data_phase(kind, bytes, experts)) to.phases.push_back(std::move(*phase));
}

Picos LlmIteration::inside_data_time() const {
  if (!of_.is_inside(LlmDimension::dp) || of_.dp == 1) return {};
  Wide most = 0;
  for (std::int64_t s = 0; s < of_.pp; ++s) {
    const StageParameters each = stage_parameters(of_, s);
    most = std::max(most, Wide{each.dense + each.experts} / of_.tp * of_.gradient_bytes);
  }
  return inside_time(2 * most / of_.dp * (of_.dp - 1));
}

void LlmIteration::add_data(PhasedIteration& to) {
  const std::size_t first = to.phases.size();
  if (auto phase = embedding_phase()) to.phases.push_back(std::move(*phase));
  add_data_phases(to, of_.sharded ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce, of_.gradient_bytes);
  if (of_.sharded) add_data_phases(to, CollectiveKind::all_gather, of_.activation_bytes);
  if (to.phases.size() > first) to.phases[first].gap = gap_until(end_);
}

PhasedIteration LlmIteration::build() {
  PhasedIteration iteration;
  add_passes();
  add_phases(iteration);
  add_data(iteration);
  iteration.tail = {gap_until(end_ + inside_data_time())};
  return iteration;
}

class LlmWorkload final : public PhasedWorkload {
 public:
  explicit LlmWorkload(LlmSettings settings) : settings_(std::move(settings)) {}
  int nodes() const override { return static_cast<int>(std::min<std::int64_t>(settings_.nodes(), 1'000'000)); }
  bool changes() const override { return settings_.gini_milli > 0 && settings_.ep > 1; }
  PhasedIteration iteration(std::uint32_t number, const PhaseUnits& units) const override {
    return LlmIteration(settings_, units, number).build();
  }
  std::string summary() const override {
    const LlmSettings& s = settings_;
    return std::string(s.model.name) + ", " + std::to_string(s.model.parameters()) + " parameters, dp " +
           std::to_string(s.dp) + ", tp " + std::to_string(s.tp) + ", pp " + std::to_string(s.pp) + ", ep " +
           std::to_string(s.ep) + ": " + std::to_string(s.dp * s.tp * s.pp) + " ranks on " + std::to_string(s.nodes()) +
           " nodes, " + std::to_string(s.microbatches()) + " microbatches of " + std::to_string(s.micro * s.seq) +
           " tokens";
  }

 private:
  LlmSettings settings_;
};

}  // namespace

TokenOperations token_operations(const LlmModel& model, std::int64_t seq) {
  return {.attention = 2 * model.attention_weights() + 4 * seq * model.hidden,
          .expert = 2 * model.expert_weights(),
          .router = model.experts > 1 ? 2 * model.experts * model.hidden : 0,
          .head = 2 * model.vocabulary * model.hidden};
}

StageParameters stage_parameters(const LlmSettings& settings, std::int64_t stage) {
  const LlmModel& model = settings.model;
  const std::int64_t layers = model.layers / settings.pp;
  StageParameters each{layers * model.dense_parameters(), layers * model.expert_parameters() / settings.ep};
  if (stage == 0) each.dense += model.embedding_parameters();
  if (stage == settings.pp - 1) each.dense += model.head_parameters();
  if (stage == settings.pp - 1 && stage > 0 && model.tied) each.dense += model.vocabulary * model.hidden;
  return each;
}

std::unique_ptr<PhasedWorkload> make_llm_workload(LlmSettings settings) {
  if (settings.ep > 1 && settings.gini_milli > most_gini_milli(settings.model.experts))
    throw Error(ErrorKind::input, "must have gini at most " + std::to_string(most_gini_milli(settings.model.experts)) +
                                      " thousandths with " + std::to_string(settings.model.experts) + " experts");
  return std::make_unique<LlmWorkload>(std::move(settings));
}

Workload llm_table(const LlmModel& model, std::string_view name) {
  Workload table{.name = std::string(name), .tensors = {}, .total = {}};
  const auto add = [&](const std::string& tensor, std::int64_t elements) {
    table.tensors.push_back({tensor, {elements}, elements, Bytes{2 * elements}});
    table.total += Bytes{2 * elements};
  };
  add("embedding", model.embedding_parameters());
  for (std::int64_t layer = 0; layer < model.layers; ++layer)
    add("layer." + std::to_string(layer), model.dense_parameters() + model.expert_parameters());
  add("head", model.head_parameters());
  return table;
}

}  // namespace ocs
