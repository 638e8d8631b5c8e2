// A network without hardware: every transfer takes a set-up and its words' time, first come first served at each port.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/network.hpp"

namespace ocs {

class FakeNetwork : public Network {
 public:
  /// What of a transfer arrives: nothing set, all of it.
  using Fate = std::function<std::vector<WordRun>(const Transfer&, Words)>;

  explicit FakeNetwork(std::int64_t word_bytes, Picos setup = {10'000'000}, Picos word_time = {5120})
      : word_bytes_(word_bytes), setup_(setup), word_time_(word_time) {}

  void set_fate(Fate fate) { fate_ = std::move(fate); }
  /// How much later than its ports are free again a transfer arrives.
  void set_delay(std::function<Picos(const Transfer&)> delay) { delay_ = std::move(delay); }
  /// Each transfer arrives in so many deliveries, the last one `final`.
  void set_pieces(std::int64_t pieces) { pieces_ = pieces; }
  /// Each run of words that arrives is a delivery of its own.
  void set_runs_apart() { runs_apart_ = true; }
  /// Called at each advance(), to cost as much wall time as a device would.
  void set_effort(std::function<void()> effort) { effort_ = std::move(effort); }
  /// Deliveries from this number on never come.
  void stop_after(std::size_t deliveries) { left_ = deliveries; }

  void offer(Transfer transfer) override {
    if (transfer.ready < now_) throw Error(ErrorKind::internal, "offered in the past");
    offered_.push_back(transfer);
    const Words words = to_words(transfer.size, word_bytes_);
    Picos& out = free_[{transfer.from, true}];
    Picos& in = free_[{transfer.to.at(0), false}];
    const Picos start = std::max({transfer.ready, out, in});
    out = in = start + setup_ + word_time_ * words.n;
    std::vector<WordRun> arrived = fate_ ? fate_(transfer, words) : std::vector<WordRun>{{Words{0}, words}};
    for (std::int64_t piece = 0; piece + 1 < pieces_ && !arrived.empty() && arrived[0].count.n > 1; ++piece) {
      const Words half{(arrived[0].count.n + 1) / 2};
      due(start + setup_ + word_time_ * (arrived[0].first + half).n,
          {{}, transfer.to[0], transfer.id, {{arrived[0].first, half}}, false});
      arrived[0] = {arrived[0].first + half, arrived[0].count - half};
    }
    while (runs_apart_ && arrived.size() > 1) {
      const WordRun run = arrived.front();
      arrived.erase(arrived.begin());
      due(start + setup_ + word_time_ * (run.first + run.count).n, {{}, transfer.to[0], transfer.id, {run}, false});
    }
    due(in + (delay_ ? delay_(transfer) : Picos{0}), {{}, transfer.to[0], transfer.id, arrived, true});
  }
  void abort(Id, Picos) override {}
  Picos next() override { return due_.empty() || left_ == 0 ? never<Picos> : due_.begin()->first; }
  Picos advance(Picos limit, std::vector<Delivery>& append) override {
    if (effort_) effort_();
    now_ = std::max(now_, std::min(limit, next()));
    while (next() == now_) {
      append.push_back(std::move(due_.begin()->second));
      due_.erase(due_.begin());
      --left_;
    }
    return now_;
  }
  const std::vector<Transfer>& offered() const { return offered_; }

 private:
  void due(Picos at, Delivery delivery) {
    delivery.at = at;
    due_.emplace(at, std::move(delivery));
  }

  std::int64_t word_bytes_;
  Picos setup_, word_time_, now_{0};
  std::int64_t pieces_ = 1;
  bool runs_apart_ = false;
  std::size_t left_ = ~std::size_t{0};
  Fate fate_;
  std::function<Picos(const Transfer&)> delay_;
  std::function<void()> effort_;
  std::map<std::pair<Node, bool>, Picos> free_;
  std::multimap<Picos, Delivery> due_;
  std::vector<Transfer> offered_;
};

}  // namespace ocs
