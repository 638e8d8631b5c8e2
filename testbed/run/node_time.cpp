// Divides each worker's time by what it does and what its circuits do.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/node_time.hpp"

#include <algorithm>

#include "host/core/error.hpp"

namespace ocs {
namespace {

bool is_dark(EventKind state) {
  return state == EventKind::tuning || state == EventKind::locking || state == EventKind::held ||
         state == EventKind::failed;
}

}  // namespace

NodeTime::Path NodeTime::path_of(const TransferKey& key) { return {Input{index(key.from())}, Output{index(key.to())}}; }

std::size_t NodeTime::KeyHash::operator()(const TransferKey& key) const {
  constexpr std::size_t odd = 0x9e3779b97f4a7c15;  // spreads numbers that are near one another
  const std::size_t nodes = (std::size_t{index(key.phase)} << 16 | index(key.worker)) << 16 | index(key.server);
  return (std::size_t{key.iteration} << 32 | key.slice) * odd + nodes;
}

NodeTime::PathUse* NodeTime::under_way(const Path& path) {
  const auto& of_output = circuits_.at(index(path.second));
  const std::size_t in = index(path.first);
  return in >= of_output.size() || !of_output[in] || of_output[in]->open == 0 ? nullptr : of_output[in].get();
}

NodeTime::PathUse& NodeTime::made_circuit(const Path& path) {
  auto& of_output = circuits_.at(index(path.second));
  of_output.resize(circuits_.size());
  auto& circuit = of_output.at(index(path.first));
  if (!circuit) circuit = std::make_unique<PathUse>();
  return *circuit;
}

void NodeTime::clip(const Spans& spans, Span window, Spans& append) {
  for (const Span& span : spans) {
    const Span part{std::max(span.from, window.from), std::min(span.to, window.to)};
    if (part.from < part.to) append.push_back(part);
  }
}

/// Length of the union. They are sorted.
Picos NodeTime::covered(Spans& spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.from < b.from; });
  Picos sum, reached;
  for (const Span& span : spans) {
    if (span.to <= reached) continue;
    sum += span.to - std::max(span.from, reached);
    reached = span.to;
  }
  return sum;
}

void NodeTime::entered(Output out, EventKind state, std::optional<Input> in, Cycles at) {
  Port& port = outputs_.at(index(out));
  const Picos now = to_picos(at, cycle_);
  if (port.dark && port.in)
    if (PathUse* circuit = under_way({*port.in, out})) circuit->dark.push_back({port.since, now});
  port = {is_dark(state), in, now};
}

void NodeTime::passed(Output out, Input in, Cycles from, Cycles to) {
  sent(out, in, to_picos(from - fibre_.of(index(in)), cycle_), to_picos(to + fibre_.of(index(out)), cycle_));
}

void NodeTime::sent(Output out, Input in, Picos from, Picos to) {
  if (PathUse* circuit = under_way({in, out})) circuit->words.push_back({from, to});
}

void NodeTime::on(const JobMoment& moment) {
  const TransferKey& key = moment.key;
  if (moment.what == JobMoment::What::delivered) {
    if (key.worker != key.server) delivered(key, moment.at);
    return;
  }
  Worker& worker = workers_[key.worker];
  switch (moment.what) {
    case JobMoment::What::computes:
      if (worker.computing) return;
      worker.computing = true;
      worker.computes_since = moment.at;
      return;
    case JobMoment::What::offered: {
      if (key.phase == TransferPhase::push && !moment.early) stop_computing(worker, moment.at);
      if (key.worker == key.server) return;
      PathUse& circuit = made_circuit(path_of(key));
      ++open_.try_emplace(key, Open{moment.at, worker, circuit}).first->second.count;
      ++worker.open;
      ++circuit.open;
      return;
    }
    case JobMoment::What::stalls:
      return stop_computing(worker, moment.at);
    case JobMoment::What::delivered:
      return;  // above
  }
}

void NodeTime::delivered(const TransferKey& key, Picos at) {
  const auto open = open_.find(key);
  if (open == open_.end()) throw Error(ErrorKind::internal, "the " + describe(key) + ", arrived without an offer");
  const Path path = path_of(key);
  PathUse& circuit = open->second.circuit;
  Worker& worker = open->second.worker;
  const Span window{open->second.offered, at};
  clip(circuit.words, window, worker.words);
  clip(circuit.dark, window, worker.dark);
  const Port& port = outputs_.at(index(path.second));
  if (port.dark && port.in == path.first) clip({{port.since, at}}, window, worker.dark);
  if (--circuit.open == 0) {
    circuit.words.clear();
    circuit.dark.clear();
  }
  if (--open->second.count == 0) open_.erase(open);
  if (--worker.open == 0 && !worker.computing) attribute_time(worker, at);
}

void NodeTime::stop_computing(Worker& worker, Picos at) {
  if (!worker.computing) return;
  worker.computing = false;
  worker.compute.push_back({worker.computes_since, at});
}

/// Nothing of the worker is under way and it doesn't compute: all before `at` is known.
void NodeTime::attribute_time(Worker& worker, Picos at) {
  Spans busy = worker.compute;
  const Picos compute = covered(busy);
  busy.insert(busy.end(), worker.words.begin(), worker.words.end());
  const Picos with_words = covered(busy);
  busy.insert(busy.end(), worker.dark.begin(), worker.dark.end());
  const Picos with_dark = covered(busy);
  worker.time.compute += compute;
  worker.time.communication += with_words - compute;
  worker.time.dark += with_dark - with_words;
  worker.time.waiting += at - worker.settled - with_dark;
  worker.settled = at;
  worker.compute.clear();
  worker.words.clear();
  worker.dark.clear();
}

std::map<Node, WorkerTime> NodeTime::finish(Picos end) {
  std::map<Node, WorkerTime> times;
  for (auto& [node, worker] : workers_) {
    stop_computing(worker, end);
    attribute_time(worker, end);
    if (worker.time.waiting < Picos{0} || worker.time.sum() != end)
      throw Error(ErrorKind::internal, "the times of worker " + std::to_string(index(node)) + " add up to " +
                                           std::to_string(worker.time.sum().n) + " ps, not to the job's " +
                                           std::to_string(end.n) + " ps");
    times.emplace(node, worker.time);
  }
  return times;
}

}  // namespace ocs
