// A table (port, colour) -> flow answers every question of the colouring.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/colour.hpp"

#include <algorithm>
#include <tuple>

#include "host/scheduler/lists/longest_first.hpp"
#include "host/scheduler/lists/port_schedule.hpp"

namespace ocs {
namespace {

constexpr std::uint32_t uncoloured = ~std::uint32_t{0};

class Colouring {
 public:
  explicit Colouring(const Demand& demand) : demand_(demand), colour_(demand.pairs.size(), 0) {
    const auto ports = static_cast<std::size_t>(demand.ports);
    std::vector<std::size_t> degree(2 * ports, 0);
    for (const PairDemand& pair : demand.pairs) {
      ++degree[pair.in];
      ++degree[ports + pair.out];
    }
    colours_ = *std::max_element(degree.begin(), degree.end());
    in_flow_.assign(ports * colours_, uncoloured);
    out_flow_ = in_flow_;
  }

  void add(std::uint32_t flow) {
    const PairDemand& pair = demand_.pairs[flow];
    std::size_t a = 0, b = 0;  // lowest colours free at the input, at the output
    while (a < colours_ && in_at(pair.in, a) != uncoloured) ++a;
    while (b < colours_ && out_at(pair.out, b) != uncoloured) ++b;
    std::size_t both = std::max(a, b);
    while (both < colours_ && (in_at(pair.in, both) != uncoloured || out_at(pair.out, both) != uncoloured)) ++both;
    if (both == colours_) {
      exchange_path(pair.out, a, b);
      both = a;
    }
    paint(flow, both);
  }

  std::size_t colour(std::uint32_t flow) const { return colour_[flow]; }

 private:
  std::uint32_t& in_at(std::uint16_t in, std::size_t c) { return in_flow_[in * colours_ + c]; }
  std::uint32_t& out_at(std::uint16_t out, std::size_t c) { return out_flow_[out * colours_ + c]; }

  void paint(std::uint32_t flow, std::size_t c) {
    colour_[flow] = c;
    in_at(demand_.pairs[flow].in, c) = out_at(demand_.pairs[flow].out, c) = flow;
  }

  // The path from `out` along a, b, a, ... never reaches the input of the flow to be coloured: it would arrive there by
  // an edge of colour a, which that input lacks.
  void exchange_path(std::uint16_t out, std::size_t a, std::size_t b) {
    std::vector<std::uint32_t> path;
    for (std::uint32_t flow = out_at(out, a); flow != uncoloured;) {
      path.push_back(flow);
      flow = path.size() % 2 == 1 ? in_at(demand_.pairs[flow].in, b) : out_at(demand_.pairs[flow].out, a);
    }
    for (const std::uint32_t flow : path)
      in_at(demand_.pairs[flow].in, colour_[flow]) = out_at(demand_.pairs[flow].out, colour_[flow]) = uncoloured;
    for (const std::uint32_t flow : path) paint(flow, colour_[flow] == a ? b : a);
  }

  const Demand& demand_;
  std::size_t colours_ = 0;
  std::vector<std::uint32_t> in_flow_, out_flow_;  ///< at port * colours + colour: the flow, or uncoloured
  std::vector<std::size_t> colour_;                ///< of each flow
};

}  // namespace

Plan plan_colour(const Demand& demand) {
  const std::vector<PairDemand>& pairs = demand.pairs;
  std::vector<std::uint32_t> order = longest_first(demand);
  Colouring colouring(demand);
  for (const std::uint32_t flow : order) colouring.add(flow);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const PairDemand &p = pairs[a], &q = pairs[b];
    return std::make_tuple(colouring.colour(a), p.in, p.out) < std::make_tuple(colouring.colour(b), q.in, q.out);
  });

  PortSchedule port_schedule(demand);
  std::vector<std::int64_t> in_done(static_cast<std::size_t>(demand.ports), demand.origin), out_done(in_done);
  for (const BusyCircuit& busy : demand.busy) in_done[busy.in] = out_done[busy.out] = busy.until;
  for (const std::uint32_t flow : order) {
    std::int64_t &in = in_done[pairs[flow].in], &out = out_done[pairs[flow].out];
    in = out = port_schedule.start(flow, std::max(in, out));
  }
  return port_schedule.finish();
}

Plan Colour::plan(const Problem& problem) const {
  return plan_colour(read_demand(problem, "colour", {.running = true}));
}

}  // namespace ocs
