// Numbers nodes over all ranks, joins those that belong together, and looks for what can never go on.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/chakra/chakra_graph.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "host/core/error.hpp"
#include "host/core/fnv.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

[[noreturn]] void refuse_graph(const std::string& sentence) { throw Error(ErrorKind::input, sentence); }

class GraphBuilder {
 public:
  GraphBuilder(const std::vector<ChakraTrace>& traces, const ChakraGroups& groups) : traces_(traces), groups_(groups) {}
  ChakraGraph build();

 private:
  using Step = ChakraGraph::Step;
  const ChakraNode& node_of(std::uint32_t step) const {
    return traces_[graph_.steps[step].rank].nodes[graph_.steps[step].number];
  }
  std::string text_of(std::uint32_t step) const {
    const ChakraNode& node = node_of(step);
    return "node " + in_quotes(node.name) + " (id " + std::to_string(node.id) + ") of rank " +
           std::to_string(graph_.steps[step].rank);
  }
  [[noreturn]] void unsupported(std::uint32_t step, const std::string& what) const {
    refuse_graph(text_of(step) + " " + what);
  }

  void add_steps();
  void add_dependencies();
  void sort_out(std::uint32_t step);
  std::string group_key(std::uint32_t step);
  std::vector<std::uint16_t> members(std::uint32_t step, const std::string& group) const;
  void add_collectives();
  void add_collective(const std::string& group, std::size_t place, const std::vector<std::uint16_t>& ranks);
  void add_messages();
  void check_order() const;
  [[noreturn]] void deadlock(const std::vector<std::uint32_t>& waits) const;
  void add_hash();

  /// Of each group and rank its collectives, in the order of the trace.
  using OfRanks = std::map<std::uint16_t, std::vector<std::uint32_t>>;
  const std::vector<ChakraTrace>& traces_;
  const ChakraGroups& groups_;
  ChakraGraph graph_;
  std::map<std::string, OfRanks> collectives_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>,
           std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>>
      messages_;  ///< by sender, receiver and tag
};

void GraphBuilder::add_steps() {
  graph_.ranks = static_cast<std::uint16_t>(traces_.size());
  for (std::uint16_t rank = 0; rank < graph_.ranks; ++rank)
    for (std::uint32_t n = 0; n < traces_[rank].nodes.size(); ++n) {
      const ChakraNode& node = traces_[rank].nodes[n];
      Step& step = graph_.steps.emplace_back(Step{.rank = rank, .number = n, .after = {}});
      step.computes = node.type == ChakraType::compute;
      if (step.computes) step.duration_us = node.duration_us, step.on_cpu = node.on_cpu;
      sort_out(static_cast<std::uint32_t>(graph_.steps.size() - 1));
    }
}

void GraphBuilder::sort_out(std::uint32_t step) {
  const ChakraNode& node = node_of(step);
  const std::uint16_t rank = graph_.steps[step].rank;
  switch (node.type) {
    case ChakraType::mem_load:
    case ChakraType::mem_store:
      unsupported(step, "is a memory access, which is not supported");
    case ChakraType::collective:
      collectives_[node.group][rank].push_back(step);
      return;
    case ChakraType::send:
    case ChakraType::receive: {
      const bool sends = node.type == ChakraType::send;
      const std::int64_t other = sends ? node.destination : node.source;
      if (other < 0 || other >= graph_.ranks || other == rank)
        unsupported(step, std::string(sends ? "sends to comm_dst " : "receives from comm_src ") +
                              std::to_string(other) + ", but must name another of the " + std::to_string(graph_.ranks) +
                              " ranks");
      if (node.bytes < 1) unsupported(step, "has no comm_size of at least 1");
      auto& both = messages_[{sends ? rank : other, sends ? other : rank, node.tag}];
      (sends ? both.first : both.second).push_back(step);
      return;
    }
    default:
      return;
  }
}

void GraphBuilder::add_dependencies() {
  std::uint32_t first = 0;
  for (const ChakraTrace& trace : traces_) {
    std::unordered_map<std::uint64_t, std::uint32_t> steps;
    for (std::uint32_t n = 0; n < trace.nodes.size(); ++n) steps.emplace(trace.nodes[n].id, first + n);
    for (std::uint32_t n = 0; n < trace.nodes.size(); ++n) {
      graph_.steps[first + n].waits_for = static_cast<std::uint32_t>(trace.nodes[n].waits_for.size());
      for (const std::uint64_t id : trace.nodes[n].waits_for) graph_.steps[steps.at(id)].after.push_back(first + n);
    }
    first += static_cast<std::uint32_t>(trace.nodes.size());
  }
}

std::vector<std::uint16_t> GraphBuilder::members(std::uint32_t step, const std::string& group) const {
  const auto named = groups_.find(group);
  if (named == groups_.end()) {
    if (!group.empty())
      unsupported(step,
                  "is of process group " + in_quotes(group) + ", which the file of groups (?groups=FILE) doesn't have");
    std::vector<std::uint16_t> all;
    all.reserve(graph_.ranks);
    for (std::uint16_t rank = 0; rank < graph_.ranks; ++rank) all.push_back(rank);
    return all;
  }
  for (const std::uint16_t rank : named->second)
    if (rank >= graph_.ranks)
      unsupported(step, "is of process group " + in_quotes(group) + " with rank " + std::to_string(rank) +
                            ", but there are " + std::to_string(graph_.ranks) + " ranks");
  return named->second;
}

CollectiveKind kind_of_chakra(std::int64_t comm_type, bool& known) {
  known = true;
  switch (comm_type) {
    case 0:
      return CollectiveKind::all_reduce;
    case 2:
      return CollectiveKind::all_gather;
    case 5:
      return CollectiveKind::broadcast;
    case 6:
      return CollectiveKind::all_to_all;
    case 7:
    case 8:
      return CollectiveKind::reduce_scatter;
    default:
      known = comm_type == 9;  // a barrier
      return CollectiveKind::all_reduce;
  }
}

/// The collective at one place of a group's order, on all its ranks.
void GraphBuilder::add_collective(const std::string& group, std::size_t place,
                                  const std::vector<std::uint16_t>& ranks) {
  const OfRanks& lists = collectives_.at(group);
  const auto longest = std::max_element(lists.begin(), lists.end(),
                                        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  const std::uint32_t first = longest->second[place];
  const ChakraNode& model = node_of(first);
  bool known = false;
  ChakraExchange exchange{ChakraExchange::What::collective, kind_of_chakra(model.comm_type, known), ranks, model.bytes};
  if (!known) unsupported(first, "is " + chakra_collective_name(model.comm_type) + ", which is not supported");
  if (model.comm_type == 9) exchange.what = ChakraExchange::What::barrier, exchange.bytes = 0;
  if (model.comm_type != 9 && model.bytes < 1) unsupported(first, "has no comm_size of at least 1");
  if (model.comm_type == 5 && model.root >= 0 && model.root != ranks.front())
    unsupported(first, "broadcasts from rank " + std::to_string(model.root) +
                           ", but must from the first of its group, " + std::to_string(ranks.front()));
  for (const std::uint16_t rank : ranks) {
    const auto list = lists.find(rank);
    if (list == lists.end() || list->second.size() <= place)
      refuse_graph(text_of(first) + " waits for rank " + std::to_string(rank) +
                   ", which has no such collective: a deadlock" +
                   (list == lists.end() ? "" : " after " + text_of(list->second.back())));
    const ChakraNode& other = node_of(list->second[place]);
    if (other.comm_type != model.comm_type || other.bytes != model.bytes)
      refuse_graph("collectives don't match, a deadlock: " + text_of(first) + " is " +
                   chakra_collective_name(model.comm_type) + " of " + std::to_string(model.bytes) + " bytes, " +
                   text_of(list->second[place]) + " is " + chakra_collective_name(other.comm_type) + " of " +
                   std::to_string(other.bytes) + " bytes");
    graph_.steps[list->second[place]].exchange = static_cast<std::int32_t>(graph_.exchanges.size());
  }
  graph_.exchanges.push_back(std::move(exchange));
}

void GraphBuilder::add_collectives() {
  for (const auto& [group, lists] : collectives_) {
    std::size_t most = 0;
    const std::uint32_t any = lists.begin()->second.front();
    const std::vector<std::uint16_t> ranks = members(any, group);
    for (const auto& [rank, steps] : lists) {
      if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end())
        unsupported(steps.front(), "is of process group " + in_quotes(group) + ", to which its rank doesn't belong");
      most = std::max(most, steps.size());
    }
    for (std::size_t place = 0; place < most; ++place) add_collective(group, place, ranks);
  }
}

void GraphBuilder::add_messages() {
  for (const auto& [key, both] : messages_) {
    const auto& [sends, receives] = both;
    const std::size_t common = std::min(sends.size(), receives.size());
    if (sends.size() != receives.size())
      refuse_graph(text_of((sends.size() > common ? sends : receives)[common]) +
                   " waits for ever: its other side is missing on rank " +
                   std::to_string(sends.size() > common ? std::get<1>(key) : std::get<0>(key)));
    for (std::size_t k = 0; k < common; ++k) {
      const std::int64_t bytes = node_of(sends[k]).bytes;
      if (node_of(receives[k]).bytes != bytes)
        refuse_graph("sizes don't match: " + text_of(sends[k]) + " sends " + std::to_string(bytes) + " bytes, " +
                     text_of(receives[k]) + " receives " + std::to_string(node_of(receives[k]).bytes));
      graph_.steps[sends[k]].exchange = graph_.steps[receives[k]].exchange =
          static_cast<std::int32_t>(graph_.exchanges.size());
      graph_.exchanges.push_back(
          {ChakraExchange::What::message,
           CollectiveKind::broadcast,
           {static_cast<std::uint16_t>(std::get<0>(key)), static_cast<std::uint16_t>(std::get<1>(key))},
           bytes});
    }
  }
}

/// Follows what waits for what until a step comes again.
void GraphBuilder::deadlock(const std::vector<std::uint32_t>& waits) const {
  std::vector<std::vector<std::uint32_t>> before(graph_.steps.size()), of_exchange(graph_.exchanges.size());
  for (std::uint32_t s = 0; s < graph_.steps.size(); ++s) {
    for (const std::uint32_t after : graph_.steps[s].after) before[after].push_back(s);
    if (graph_.steps[s].exchange >= 0) of_exchange[static_cast<std::size_t>(graph_.steps[s].exchange)].push_back(s);
  }
  const auto blocked = [&](std::uint32_t s) -> std::optional<std::uint32_t> {
    for (const std::uint32_t b : before[s])
      if (waits[b] > 0) return b;
    return {};
  };
  std::uint32_t at = 0;
  while (waits[at] == 0) ++at;
  std::vector<std::uint32_t> way;
  std::vector<bool> seen(graph_.steps.size(), false);
  while (!seen[at]) {
    seen[at] = true;
    way.push_back(at);
    if (const auto next = blocked(at)) {
      at = *next;
      continue;
    }
    for (const std::uint32_t other : of_exchange[static_cast<std::size_t>(graph_.steps[at].exchange)])
      if (blocked(other)) at = other;
  }
  way.erase(way.begin(), std::find(way.begin(), way.end(), at));
  const bool one_rank = std::all_of(way.begin(), way.end(),
                                    [&](std::uint32_t s) { return graph_.steps[s].rank == graph_.steps[at].rank; });
  std::uint32_t other = way.size() > 1 ? way[1] : at;
  for (const std::uint32_t s : way)
    if (graph_.steps[s].rank != graph_.steps[at].rank) other = s;
  refuse_graph(text_of(at) + " and " + text_of(other) +
               " wait for each other: " + (one_rank ? "a cycle" : "a deadlock"));
}

/// Everything can end, one after the other. What is exchanged begins when all who take part are ready.
void GraphBuilder::check_order() const {
  std::vector<std::uint32_t> waits, missing(graph_.exchanges.size(), 0), ready;
  std::vector<std::vector<std::uint32_t>> members(graph_.exchanges.size());
  for (std::uint32_t s = 0; s < graph_.steps.size(); ++s) {
    waits.push_back(graph_.steps[s].waits_for + 1);  // the last one: until it has ended
    if (graph_.steps[s].exchange >= 0) members[static_cast<std::size_t>(graph_.steps[s].exchange)].push_back(s);
    if (graph_.steps[s].waits_for == 0) ready.push_back(s);
  }
  for (std::size_t e = 0; e < members.size(); ++e) missing[e] = static_cast<std::uint32_t>(members[e].size());
  std::size_t ended = 0;
  const auto end = [&](std::uint32_t s) {
    waits[s] = 0, ++ended;
    for (const std::uint32_t after : graph_.steps[s].after)
      if (--waits[after] == 1) ready.push_back(after);
  };
  while (!ready.empty()) {
    const std::uint32_t s = ready.back();
    ready.pop_back();
    if (graph_.steps[s].exchange < 0) {
      end(s);
      continue;
    }
    const auto e = static_cast<std::size_t>(graph_.steps[s].exchange);
    if (--missing[e] == 0)
      for (const std::uint32_t each : members[e]) end(each);
  }
  if (ended < graph_.steps.size()) deadlock(waits);
}

void GraphBuilder::add_hash() {
  Fnv1a hash;
  for (const ChakraGraph::Step& step : graph_.steps) {
    hash.add(step.rank, 2);
    hash.add(static_cast<std::uint64_t>(step.duration_us), 8);
    hash.add(static_cast<std::uint64_t>(step.exchange), 4);
    hash.add(step.on_cpu ? 1 : 0, 1);
    for (const std::uint32_t after : step.after) hash.add(after, 4);
  }
  for (const ChakraExchange& one : graph_.exchanges) {
    hash.add(static_cast<std::uint64_t>(one.what) * 16 + static_cast<std::uint64_t>(one.kind), 1);
    hash.add(static_cast<std::uint64_t>(one.bytes), 8);
    for (const std::uint16_t rank : one.ranks) hash.add(rank, 2);
  }
  graph_.hash = hash.hex();
}

ChakraGraph GraphBuilder::build() {
  add_steps();
  add_dependencies();
  add_collectives();
  add_messages();
  check_order();
  add_hash();
  return std::move(graph_);
}

}  // namespace

ChakraGraph make_chakra_graph(const std::vector<ChakraTrace>& traces, const ChakraGroups& groups) {
  return GraphBuilder(traces, groups).build();
}

}  // namespace ocs
