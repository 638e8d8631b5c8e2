// Weak duality of the placement's linear programme, with the port rows priced and the rest solved by hand.
//
// Left are (1), (2) and 0 <= x <= y <= 1. With s = y - x that is a transport problem: one unit of x and M - 1 of s go
// to nodes that hold one unit each. Its corners are whole: one node takes all bytes, M - 1 others are opened.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/relaxation_bound.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <map>
#include <optional>

#include "host/core/error.hpp"
#include "host/scheduler/job_traffic.hpp"

namespace ocs {
namespace {

using Integer = boost::multiprecision::cpp_int;

struct WholePrices {
  std::vector<std::int64_t> in, out;
  std::int64_t all_in = 0;
};

constexpr double precision = 1LL << 48;

/// Prices in units of `unit`; none if one of them is further than `slack` units from a whole number.
std::optional<WholePrices> whole(const PortPrices& prices, double unit, double slack) {
  WholePrices out;
  bool near = true;
  const auto round = [&](double price) {
    const double units = std::max(price, 0.0) / unit;
    near = near && std::abs(units - std::round(units)) <= slack;
    return near ? std::llround(units) : 0;
  };
  for (const double price : prices.in) out.in.push_back(round(price));
  for (const double price : prices.out) out.out.push_back(round(price));
  out.all_in = round(prices.all_in);
  if (!near) return std::nullopt;
  return out;
}

/// The prices of symmetrical jobs have small whole ratios. A solver misses those by a hair; here they are exact.
std::optional<WholePrices> small_ratios(const PortPrices& prices, double largest) {
  double smallest = largest;
  const auto look = [&](double price) {
    if (price > largest * 1e-9) smallest = std::min(smallest, price);
  };
  for (const double price : prices.in) look(price);
  for (const double price : prices.out) look(price);
  look(prices.all_in);
  for (int parts = 1; parts <= 1000; ++parts)
    if (auto found = whole(prices, smallest / parts, 1e-6)) return found;
  return std::nullopt;
}

class PricedLoads {
 public:
  PricedLoads(const Job& job, const WholePrices& prices) : job_(job), prices_(prices) {
    for (const std::int64_t bps : job.rate_bps)
      if (bps > 0) rates_ = boost::multiprecision::lcm(rates_, Integer(bps));
    Integer bytes = 0;
    for (const Block& block : job.blocks) bytes += block.size.n;
    bit_ticks_ = bytes * 8'000'000'000'000;  // over rate and tick: all bytes in ticks
    for (const std::int64_t price : prices.out) all_out_ += price;
    weights_ = all_out_ + Integer(prices.all_in) * job.servers;
    for (const std::int64_t price : prices.in) weights_ += price;
  }

  /// The least mean load, rounded down.
  Ticks bound() const {
    const Integer common = rates_ * job_.tick.n;
    std::vector<Integer> open, all_bytes;  // times weights * common
    for (std::size_t v = 0; v < job_.candidates.size(); ++v) {
      open.push_back(set_ups(v) * common);
      all_bytes.push_back(transfers(v) * bit_ticks_);
    }
    std::vector<Integer> cheapest = open;
    std::sort(cheapest.begin(), cheapest.end());
    Integer opened = 0;  // M - 1 cheapest
    for (std::size_t k = 0; k + 1 < job_.servers; ++k) opened += cheapest[k];
    const Integer& last = cheapest[job_.servers - 1];
    std::optional<Integer> least;
    for (std::size_t v = 0; v < open.size(); ++v) {
      // Where v is one of the M - 1 cheapest, the next one takes its place.
      const Integer sum = all_bytes[v] + opened + (open[v] < last ? last : open[v]);
      if (!least || sum < *least) least = sum;
    }
    return {static_cast<std::int64_t>(*least / (weights_ * common))};
  }

 private:
  /// The set-ups of a server at candidate v, in ticks, each at its price.
  Integer set_ups(std::size_t v) const {
    Integer flows = 0, out = all_out_;
    for (std::size_t w = 0; w < job_.workers.size(); ++w) {
      if (job_.workers[w] == job_.candidates[v])
        out -= prices_.out[w];
      else
        ++flows;
    }
    return (flows * (Integer(prices_.in[v]) + prices_.all_in) + out) * delta_ticks(job_).n;
  }

  /// The same for its transfers: prices over rates, times the rates' common multiple.
  Integer transfers(std::size_t v) const {
    std::map<std::int64_t, Integer> by_rate;
    const Integer in = Integer(prices_.in[v]) + prices_.all_in;
    for (std::size_t w = 0; w < job_.workers.size(); ++w) {
      if (job_.workers[w] == job_.candidates[v]) continue;
      by_rate[std::min(job_.rate_bps[index(job_.workers[w])], job_.rate_bps[index(job_.candidates[v])])] +=
          in + prices_.out[w];
    }
    Integer sum = 0;
    for (const auto& [bps, price] : by_rate) sum += price * (rates_ / bps);
    return sum;
  }

  const Job& job_;
  const WholePrices& prices_;
  Integer rates_ = 1, bit_ticks_, all_out_ = 0, weights_ = 0;
};

}  // namespace

Ticks bound_by_prices(const Job& job, const PortPrices& prices) {
  if (prices.in.size() != job.candidates.size() || prices.out.size() != job.workers.size())
    throw Error(ErrorKind::internal, "the placement's linear programme has another number of prices than ports");
  double largest = prices.all_in;
  for (const double price : prices.in) largest = std::max(largest, price);
  for (const double price : prices.out) largest = std::max(largest, price);
  if (!(largest > 0)) return {};
  Ticks best;
  for (const auto& rounded : {whole(prices, largest / precision, 1), small_ratios(prices, largest)})
    if (rounded) best = std::max(best, PricedLoads(job, *rounded).bound());
  return best;
}

}  // namespace ocs
