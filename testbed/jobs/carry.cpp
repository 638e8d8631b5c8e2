// Each work goes through its rounds; what ends sets off what comes next.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/jobs/carry.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {
namespace {

class Course {
 public:
  Course(std::span<const Work> works, CoflowCarrier& carrier) : works_(works), carrier_(carrier) {
    result_.ended.resize(works.size());
    result_.first = works.empty() ? Cycles{0} : works.front().arrival;
    for (std::uint32_t w = 0; w < works.size(); ++w) begin_round(w, 0, works[w].arrival);
  }

  Carriage run(const std::function<void(Cycles, std::size_t)>& tick) {
    std::vector<CoflowEnd> ended;
    while (over_ < works_.size()) {
      if (carrier_.next() == never<Cycles>)
        throw Error(ErrorKind::run, "nothing goes on any more, but " + std::to_string(works_.size() - over_) + " of " +
                                        std::to_string(works_.size()) + " works aren't over");
      ended.clear();
      const Cycles now = carrier_.advance(never<Cycles>, ended);
      for (const CoflowEnd& end : ended) {
        const auto found = open_.find(end.coflow);
        CoflowTime time = found->second;
        open_.erase(found);
        time.ended = end.at;
        result_.coflows.push_back(time);
        begin_round(time.work, time.round + 1, end.at);
      }
      if (tick) tick(now, over_);
    }
    return std::move(result_);
  }

 private:
  /// @param at when the last one ended.
  void begin_round(std::uint32_t w, std::uint32_t round, Cycles at) {
    const Work& work = works_[w];
    for (; round < static_cast<std::uint32_t>(work.iterations) * 2; ++round) {
      const bool push = round % 2 == 0;
      const std::vector<CoflowPart>& parts = push ? work.push : work.pull;
      if (push) at += work.compute;
      if (parts.empty()) continue;
      const Id id{++last_id_};
      open_.emplace(id, CoflowTime{w, round, at, {}});
      carrier_.release({.id = id, .owner = w, .priority = work.priority, .release = at, .parts = parts});
      return;
    }
    result_.ended[w] = at;
    result_.last = std::max(result_.last, at);
    ++over_;
  }

  std::span<const Work> works_;
  CoflowCarrier& carrier_;
  Carriage result_{};
  std::map<Id, CoflowTime> open_;
  std::uint32_t last_id_ = 0;
  std::size_t over_ = 0;
};

}  // namespace

Carriage carry(std::span<const Work> works, CoflowCarrier& carrier,
               const std::function<void(Cycles, std::size_t)>& tick) {
  return Course(works, carrier).run(tick);
}

std::vector<Cycles> carry_alone(std::span<const Work> works,
                                const std::function<std::unique_ptr<CoflowCarrier>()>& fresh) {
  std::vector<Cycles> lengths;
  std::multimap<std::size_t, std::size_t> known;  // by number of parts: places of works that have been carried
  for (std::size_t w = 0; w < works.size(); ++w) {
    Work work = works[w];
    work.number = work.priority = 0;
    work.arrival = {};
    const auto same = [&](const auto& place) {
      const Work& other = works[place.second];
      return other.compute == work.compute && other.iterations == work.iterations && other.push == work.push &&
             other.pull == work.pull;
    };
    const auto [first, last] = known.equal_range(work.push.size());
    if (const auto found = std::find_if(first, last, same); found != last) {
      lengths.push_back(lengths[found->second]);
      continue;
    }
    known.emplace(work.push.size(), w);
    lengths.push_back(carry({&work, 1}, *fresh()).ended.front());
  }
  return lengths;
}

}  // namespace ocs
