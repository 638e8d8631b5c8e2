// Each work goes through its rounds; what ends sets off what comes next.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/jobs/coflows_job.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {

CoflowsJob::CoflowsJob(std::span<const Work> works, Picos cycle, std::int64_t word_bytes, JobActions& actions,
                       Carriage& result)
    : works_(works), cycle_(cycle), word_bytes_(word_bytes), actions_(actions), result_(result) {}

void CoflowsJob::begin() {
  result_ = {};
  result_.ended.resize(works_.size());
  result_.first = works_.empty() ? Cycles{0} : works_.front().arrival;
  for (std::uint32_t w = 0; w < works_.size(); ++w) begin_round(w, 0, works_[w].arrival);
}

/// @param at when the one before ended.
void CoflowsJob::begin_round(std::uint32_t w, std::uint32_t round, Cycles at) {
  const Work& work = works_[w];
  for (; round < static_cast<std::uint32_t>(work.iterations) * 2; ++round) {
    const bool push = round % 2 == 0;
    if (push) at += work.compute;
    if ((push ? work.push : work.pull).empty()) continue;
    pending_.emplace(at, Due{Id{++last_coflow_}, w, round});
    return;
  }
  result_.ended[w] = at;
  result_.last = std::max(result_.last, at);
  ++over_;
}

void CoflowsJob::release(Cycles at, const Due& due) {
  const Work& work = works_[due.work];
  std::vector<CoflowPart> parts = due.round % 2 == 0 ? work.push : work.pull;
  std::sort(parts.begin(), parts.end(),
            [](const CoflowPart& a, const CoflowPart& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  open_.emplace(due.coflow, Open{{due.work, due.round, at, {}}, parts.size()});
  for (const CoflowPart& part : parts) {
    const Id id = actions_.new_transfer();
    parts_.emplace_hint(parts_.end(), id, Part{due.coflow, part.words});
    actions_.offer({.id = id,
                    .coflow = due.coflow,
                    .from = Node{part.from},
                    .to = {Node{part.to}},
                    .size = Bytes{part.words.n * word_bytes_},
                    .ready = actions_.now(),
                    .priority = work.priority,
                    .sent_before = 0,
                    .owner = due.work});
  }
}

Picos CoflowsJob::next() const {
  if (!ended_.empty()) return actions_.now();
  return pending_.empty() ? never<Picos> : to_picos(pending_.begin()->first, cycle_);
}

bool CoflowsJob::wake() {
  const Cycles now = to_cycles(actions_.now(), cycle_);
  const bool any = !ended_.empty() || (!pending_.empty() && pending_.begin()->first <= now);
  std::sort(ended_.begin(), ended_.end());
  for (const Id coflow : std::exchange(ended_, {})) {
    CoflowTime time = open_.extract(coflow).mapped().time;
    time.ended = now;
    result_.coflows.push_back(time);
    begin_round(time.work, time.round + 1, now);
  }
  for (; !pending_.empty() && pending_.begin()->first <= now; pending_.erase(pending_.begin()))
    release(now, pending_.begin()->second);
  return any;
}

void CoflowsJob::on(Delivery delivery) {
  const auto found = parts_.find(delivery.transfer);
  if (found == parts_.end())
    throw Error(ErrorKind::internal, "a coflow was delivered a transfer that it doesn't wait for");
  Part& part = found->second;
  for (const WordRun& run : delivery.arrived) part.missing -= run.count;
  if (!delivery.final) return;
  if (part.missing != Words{0})
    throw Error(ErrorKind::run, "a transfer of coflow " + std::to_string(index(part.coflow)) + " ended at " +
                                    std::to_string(actions_.now().n) + " ps with " + std::to_string(part.missing.n) +
                                    " words too few");
  if (--open_.at(part.coflow).left == 0) ended_.push_back(part.coflow);
  parts_.erase(found);
}

void CoflowsJob::on(const Stamped& said) {
  throw Error(ErrorKind::internal, "node " + std::to_string(index(said.from)) + " spoke to a job that has no nodes");
}

double CoflowsJob::fraction() const {
  return works_.empty() ? 1 : static_cast<double>(over_) / static_cast<double>(works_.size());
}

std::string CoflowsJob::states() const {
  return "; " + std::to_string(works_.size() - over_) + " of " + std::to_string(works_.size()) + " works aren't over";
}

}  // namespace ocs
