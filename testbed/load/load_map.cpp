// The first map, and the moves that better a map.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/load/load_map.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "host/core/require.hpp"
#include "host/core/wide.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 46;
constexpr std::int64_t most_rate = std::int64_t{1} << 50;
constexpr std::size_t most_servers = 65535;

/// Bytes over a rate.
struct Time {
  std::int64_t bytes, rate;
  friend bool operator<(const Time& a, const Time& b) { return Wide{a.bytes} * b.rate < Wide{b.bytes} * a.rate; }
};

void require_load(bool right, const std::string& sentence) { require(right, "a server load " + sentence); }

void check(const LoadProblem& problem) {
  using std::to_string;
  require_load(!problem.keys.empty(), "has no keys; it should have 1 or more");
  const Colocation* colocation = problem.colocation;
  std::int64_t most = most_bytes;
  if (colocation && !colocation->on_worker.empty()) {
    require_load(colocation->on_worker.size() == problem.rates.size() && colocation->workers > 0,
                 "has " + to_string(colocation->workers) + " workers and places of " +
                     to_string(colocation->on_worker.size()) +
                     " servers; it should have 1 or more, and places of all " + to_string(problem.rates.size()));
    most /= static_cast<std::int64_t>(colocation->workers);
  }
  require_load(!problem.rates.empty() && problem.rates.size() <= most_servers,
               "has " + to_string(problem.rates.size()) + " servers; it should have 1 to " + to_string(most_servers));
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < problem.keys.size(); ++k) {
    const std::int64_t size = problem.keys[k].n;
    require_load(size > 0 && size <= most - sum, "has a key " + to_string(k) + " of " + to_string(size) +
                                                     " bytes; it should be 1 or more, and " + to_string(most) +
                                                     " in all at most");
    sum += size;
  }
  for (std::size_t s = 0; s < problem.rates.size(); ++s)
    require_load(problem.rates[s] > 0 && problem.rates[s] <= most_rate, "has a server " + to_string(s) + " with " +
                                                                            to_string(problem.rates[s]) +
                                                                            " bit/s; it should be 1 to 2^50 bit/s");
}

void check(const LoadProblem& problem, std::span<const std::uint16_t> owner) {
  require_load(
      owner.size() == problem.keys.size(),
      "maps " + std::to_string(owner.size()) + " keys; it should map all " + std::to_string(problem.keys.size()));
  for (std::size_t k = 0; k < owner.size(); ++k)
    require_load(owner[k] < problem.rates.size(), "gives key " + std::to_string(k) + " to server " +
                                                      std::to_string(owner[k]) + "; the servers are 0 to " +
                                                      std::to_string(problem.rates.size() - 1));
}

/// How long servers take.
class Times {
 public:
  explicit Times(const LoadProblem& problem) : problem_(problem) {
    if (!problem.colocation || problem.colocation->on_worker.empty()) return;
    colocation_ = problem.colocation;
    for (const Bytes key : problem.keys) all_ += key.n;
  }
  /// To serve `load`, whatever else crosses the node's port.
  Time serving(std::size_t server, Bytes load) const {
    const std::int64_t rate = problem_.rates[server];
    if (!colocation_) return {load.n, rate};
    const auto workers = static_cast<std::int64_t>(colocation_->workers);
    return {load.n * (workers - (on_worker(server) ? 1 : 0)), rate};
  }
  /// Of a server that has `load` of all the keys.
  Time of(std::size_t server, Bytes load) const {
    const Time serves = serving(server, load);
    if (!on_worker(server)) return serves;
    return {std::max(serves.bytes, all_ - load.n), serves.rate};
  }
  /// The server that takes longest; ties: the lower one.
  std::size_t slowest(const std::vector<Bytes>& loads) const {
    std::size_t longest = 0;
    for (std::size_t s = 1; s < loads.size(); ++s)
      if (of(longest, loads[longest]) < of(s, loads[s])) longest = s;
    return longest;
  }

 private:
  bool on_worker(std::size_t server) const { return colocation_ && colocation_->on_worker[server] != 0; }

  const LoadProblem& problem_;
  const Colocation* colocation_ = nullptr;  ///< none: no server is on a worker's node
  std::int64_t all_ = 0;                    ///< bytes of the keys
};

/// The first key of each size that a server may still give away.
class Movable {
 public:
  Movable(std::span<const Bytes> keys, std::span<const std::uint16_t> owner, std::size_t servers)
      : keys_(keys), of_(servers) {
    for (std::uint32_t k = 0; k < keys.size(); ++k) of_[owner[k]].insert({keys[k].n, k});
  }
  void take(std::size_t server, std::uint32_t key) { of_[server].erase({keys_[key].n, key}); }
  template <class F>
  void for_each_size(std::size_t server, std::int64_t most, const F& f) const {
    const auto& all = of_[server];
    for (auto key = all.begin(); key != all.end() && key->first <= most;
         key = all.upper_bound({key->first, ~std::uint32_t{0}}))
      f(Bytes{key->first}, key->second);
  }

 private:
  std::span<const Bytes> keys_;
  std::vector<std::set<std::pair<std::int64_t, std::uint32_t>>> of_;  ///< size and key
};

}  // namespace

std::vector<Bytes> loads_of(std::span<const Bytes> keys, std::span<const std::uint16_t> owner, std::size_t servers) {
  std::vector<Bytes> loads(servers);
  for (std::size_t k = 0; k < keys.size(); ++k) loads.at(owner[k]) += keys[k];
  return loads;
}

std::vector<std::uint16_t> start_map(const LoadProblem& problem) {
  check(problem);
  std::vector<std::size_t> order(problem.keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return problem.keys[a] > problem.keys[b]; });
  std::vector<std::uint16_t> owner(problem.keys.size());
  std::vector<Bytes> loads(problem.rates.size());
  const Times times(problem);
  for (const std::size_t k : order) {
    const auto with_it = [&](std::size_t s) { return times.serving(s, loads[s] + problem.keys[k]); };
    std::size_t best = 0;
    for (std::size_t s = 1; s < loads.size(); ++s)
      if (with_it(s) < with_it(best)) best = s;
    owner[k] = static_cast<std::uint16_t>(best);
    loads[best] += problem.keys[k];
  }
  return owner;
}

Redistribution redistribute(const LoadProblem& problem, std::span<const std::uint16_t> owner,
                            std::optional<Bytes> budget) {
  check(problem);
  check(problem, owner);
  Redistribution result{.owner = {owner.begin(), owner.end()}, .moves = {}, .moved = {}};
  std::vector<Bytes> loads = loads_of(problem.keys, owner, problem.rates.size());
  Movable movable(problem.keys, owner, problem.rates.size());
  const Times times(problem);
  struct Choice {
    Time time;
    std::uint32_t key;
    std::size_t to;
  };
  for (;;) {
    const std::size_t from = times.slowest(loads);
    const Time before = times.of(from, loads[from]);
    std::optional<Choice> best;
    movable.for_each_size(from, budget ? (*budget - result.moved).n : most_bytes, [&](Bytes size, std::uint32_t key) {
      const Time left = times.of(from, loads[from] - size);
      for (std::size_t to = 0; to < loads.size(); ++to) {
        if (to == from) continue;
        const Choice choice{std::max(left, times.of(to, loads[to] + size)), key, to};
        const bool better = !best || choice.time < best->time ||
                            (!(best->time < choice.time) && std::pair(key, to) < std::pair(best->key, best->to));
        if (better) best = choice;
      }
    });
    if (!best || !(best->time < before)) return result;
    const Bytes size = problem.keys[best->key];
    movable.take(from, best->key);  // nobody moves it again
    loads[from] -= size;
    loads[best->to] += size;
    result.owner[best->key] = static_cast<std::uint16_t>(best->to);
    result.moves.push_back({best->key, static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(best->to)});
    result.moved += size;
  }
}

bool worth_it(const LoadProblem& problem, std::span<const std::uint16_t> before, std::span<const std::uint16_t> after,
              std::uint32_t num, std::uint32_t den) {
  check(problem);
  check(problem, before);
  check(problem, after);
  const Times times(problem);
  const auto longest = [&](std::span<const std::uint16_t> owner) {
    const std::vector<Bytes> loads = loads_of(problem.keys, owner, problem.rates.size());
    const std::size_t s = times.slowest(loads);
    return times.of(s, loads[s]);
  };
  const Time old = longest(before), now = longest(after);
  return Wide{old.bytes} * now.rate * den > Wide{now.bytes} * old.rate * num;
}

}  // namespace ocs
