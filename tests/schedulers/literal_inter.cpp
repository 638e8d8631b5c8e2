// Several coflows, one after the other around what those before it have reserved.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "tests/schedulers/literal.hpp"

namespace ocs::test {
namespace {

struct Waiting {
  std::int64_t in, out, left;
};
struct Taken {
  std::int64_t in, out, start, end;
};

class LiteralInter {
 public:
  explicit LiteralInter(const Problem& problem) : problem_(problem), now_(problem.now.n) {
    for (const EstablishedCircuit& c : problem.up)
      if (c.free_at > problem.now)
        table_.push_back({index(c.in), static_cast<std::int64_t>(c.outs._Find_first()), now_, c.free_at.n});
  }

  void serve(std::vector<Waiting> waiting) {
    own_.clear();
    waiting_ = std::move(waiting);
    now_ = problem_.now.n;
    std::set<std::int64_t> ports;
    for (const Waiting& w : waiting_) ports.insert({w.in, problem_.ports + w.out});
    std::set<std::pair<std::int64_t, std::int64_t>> done;  // wakes, as (instant, order)
    for (const Waiting& w : std::vector<Waiting>(waiting_)) start(w.in, w.out);
    while (true) {
      std::optional<std::pair<std::int64_t, std::int64_t>> wake;
      const auto consider = [&](std::int64_t at, std::int64_t order) {
        const std::pair<std::int64_t, std::int64_t> one{at, order};
        if (!done.contains(one) && (!wake || one < *wake)) wake = one;
      };
      for (const Taken& t : table_)
        for (const std::int64_t port : {t.in, problem_.ports + t.out})
          if (ports.contains(port)) consider(t.end, port);
      for (std::size_t k = 0; k < own_.size(); ++k) consider(own_[k].end, 2 * problem_.ports + static_cast<int>(k));
      if (!wake) break;
      done.insert(*wake);
      now_ = wake->first;
      if (wake->second < 2 * problem_.ports) {
        for (const Waiting& w : std::vector<Waiting>(waiting_))
          if ((w.in == wake->second || problem_.ports + w.out == wake->second) && start(w.in, w.out)) break;
      } else {
        freed_.insert(static_cast<std::size_t>(wake->second - 2 * problem_.ports));
        for (const Waiting& w : std::vector<Waiting>(waiting_)) start(w.in, w.out);
      }
    }
    table_.insert(table_.end(), own_.begin(), own_.end());
    freed_.clear();
  }

  std::vector<Decision> decided;

 private:
  bool is_free(std::int64_t port) const {
    for (const Taken& t : table_)
      if ((t.in == port || problem_.ports + t.out == port) && t.start <= now_ && now_ < t.end) return false;
    for (std::size_t k = 0; k < own_.size(); ++k)
      if ((own_[k].in == port || problem_.ports + own_[k].out == port) && !freed_.contains(k)) return false;
    return true;
  }

  /// What the port was last joined to when it is now_, if that lasted until now_.
  std::int64_t last_peer(std::int64_t port) const {
    std::int64_t peer = -1, begun = -1, end = -1;
    for (const EstablishedCircuit& c : problem_.up) {
      const auto out = static_cast<std::int64_t>(c.outs._Find_first());
      if (index(c.in) == port) peer = out, end = problem_.now.n;
      if (problem_.ports + out == port) peer = index(c.in), end = problem_.now.n;
    }
    for (const auto* list : {&table_, &own_})
      for (const Taken& t : *list) {
        const bool at = t.in == port || problem_.ports + t.out == port;
        if (!at || t.start >= now_ || t.start < begun) continue;
        begun = t.start;
        peer = t.in == port ? t.out : t.in;
        end = t.end;
      }
    return end == now_ ? peer : -1;
  }

  bool start(std::int64_t in, std::int64_t out) {
    const auto w =
        std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& x) { return x.in == in && x.out == out; });
    const std::int64_t out_port = problem_.ports + out;
    if (w == waiting_.end() || !is_free(in) || !is_free(out_port)) return false;
    const bool established = last_peer(in) == out && last_peer(out_port) == in;
    const std::int64_t set_up = established ? std::min(problem_.reuse.n, problem_.delta.n) : problem_.delta.n;
    std::int64_t length = w->left;
    for (const Taken& t : table_)
      if ((t.in == in || t.out == out) && t.start >= now_) length = std::min(length, t.start - now_ - set_up);
    if (length <= 0) return false;
    own_.push_back({in, out, now_, now_ + set_up + length});
    decided.push_back({in, out, now_, now_ + set_up, now_ + set_up + length});
    w->left -= length;
    if (w->left == 0) waiting_.erase(w);
    return true;
  }

  const Problem& problem_;
  std::int64_t now_;
  std::vector<Taken> table_, own_;
  std::set<std::size_t> freed_;
  std::vector<Waiting> waiting_;
};

}  // namespace

std::vector<Decision> literal_inter(const Problem& problem, Sharing sharing) {
  struct Group {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> pairs;
    std::int64_t priority = 0, release = 0, served = 0;
  };
  std::map<std::uint32_t, Group> groups;
  for (const Flow& flow : problem.flows) {
    const std::int64_t in = index(flow.in), out = static_cast<std::int64_t>(flow.outs._Find_first());
    if (in == out || flow.length.n == 0) continue;
    const auto [place, is_new] = groups.try_emplace(index(flow.coflow));
    Group& group = place->second;
    group.pairs[{in, out}] += flow.length.n;
    group.priority = is_new ? flow.priority : std::min<std::int64_t>(group.priority, flow.priority);
    group.release = is_new ? flow.release.n : std::min(group.release, flow.release.n);
  }
  for (const Attained& each : problem.attained)
    if (const auto found = groups.find(index(each.coflow)); found != groups.end()) found->second.served = each.served.n;
  std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint32_t>> order;
  for (const auto& [number, group] : groups) {
    std::map<std::int64_t, std::int64_t> load;
    std::int64_t most = 0;
    for (const auto& [pair, length] : group.pairs)
      for (const std::int64_t port : {pair.first, problem.ports + pair.second})
        most = std::max(most, load[port] += problem.delta.n + length);
    const std::int64_t share = sharing == Sharing::shortest ? most : sharing == Sharing::first_come ? 0 : group.served;
    order.emplace_back(group.priority, share, group.release, number);
  }
  std::sort(order.begin(), order.end());
  LiteralInter run(problem);
  for (const auto& [priority, share, release, number] : order) {
    std::vector<Waiting> list;
    for (const auto& [pair, length] : groups.at(number).pairs) list.push_back({pair.first, pair.second, length});
    run.serve(list);
  }
  return run.decided;
}

}  // namespace ocs::test
