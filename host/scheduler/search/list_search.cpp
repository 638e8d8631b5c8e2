// Iterated: after many lists without gain, a few entries of the best list are exchanged.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/search/list_search.hpp"

#include <algorithm>

#include "host/scheduler/splitmix.hpp"

namespace ocs {
namespace {

constexpr int patience = 200;  // lists without gain
constexpr int disturbances = 4;

class Walk {
 public:
  Walk(const ListSearch& search, std::vector<std::uint32_t> order)
      : search_(search), seed_(search.seed), best_(std::move(order)), best_end_(end_of(best_)) {}

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> order = best_;
    std::int64_t end = best_end_;
    std::vector<Played> played = played_;
    int idle = 0;
    while (best_end_ > search_.goal && used_ < search_.lists) {
      std::vector<std::uint32_t> tried = order;
      if (idle == patience) {
        idle = 0;
        tried = best_;
        for (int n = 0; n < disturbances; ++n) std::swap(tried[draw(tried.size())], tried[draw(tried.size())]);
        order = tried;
        end = end_of(order);
        played = played_;
        keep(order, end);
        continue;
      }
      if (!move(tried, played)) return best_;
      const std::int64_t new_end = end_of(tried);
      ++idle;
      if (new_end > end) continue;
      if (new_end < end) idle = 0;
      order = std::move(tried);
      end = new_end;
      played = played_;
      keep(order, end);
    }
    return best_;
  }

 private:
  std::size_t draw(std::size_t below) { return splitmix64(seed_) % below; }

  std::int64_t end_of(const std::vector<std::uint32_t>& order) {
    ++used_;
    search_.play(order, played_);
    std::int64_t end = 0;
    for (const std::uint32_t n : order) end = std::max(end, played_[n].end);
    return end;
  }

  void keep(const std::vector<std::uint32_t>& order, std::int64_t end) {
    if (end >= best_end_) return;
    best_ = order;
    best_end_ = end;
  }

  /// The chain from what ends last back to what starts first: each entry started when the one before it freed a port.
  std::vector<std::uint32_t> chain(const std::vector<std::uint32_t>& order, const std::vector<Played>& played) {
    const auto later = [&](std::uint32_t a, std::uint32_t b) { return played[a].end < played[b].end; };
    std::vector<std::uint32_t> list = {*std::max_element(order.begin(), order.end(), later)};
    for (bool found = true; found;) {
      found = false;
      const Played& last = played[list.back()];
      for (const std::uint32_t n : order)
        if (played[n].end == last.start && n != list.back() && (played[n].in == last.in || played[n].out == last.out)) {
          list.push_back(n);
          found = true;
          break;
        }
    }
    return list;
  }

  /// Moves an entry of the chain forward: before the one it waited for, or anywhere before it.
  bool move(std::vector<std::uint32_t>& order, const std::vector<Played>& played) {
    if (order.size() < 2) return false;
    const std::vector<std::uint32_t> links = chain(order, played);
    const std::size_t link = draw(links.size());
    const auto from = std::find(order.begin(), order.end(), links[link]);
    auto to = link + 1 < links.size() ? std::find(order.begin(), order.end(), links[link + 1]) : order.begin();
    if (from == order.begin()) {
      std::rotate(order.begin(), order.begin() + 1,
                  order.begin() + 1 + static_cast<std::ptrdiff_t>(draw(order.size())));
      return true;
    }
    if (to >= from || draw(2) == 0)
      to = order.begin() + static_cast<std::ptrdiff_t>(draw(static_cast<std::size_t>(from - order.begin())));
    std::rotate(to, from, from + 1);
    return true;
  }

  const ListSearch& search_;
  std::uint64_t seed_;
  std::int64_t used_ = 0;
  std::vector<Played> played_;
  std::vector<std::uint32_t> best_;
  std::int64_t best_end_;
};

}  // namespace

std::vector<std::uint32_t> search_list(const ListSearch& search, std::vector<std::uint32_t> order) {
  return Walk(search, std::move(order)).run();
}

}  // namespace ocs
