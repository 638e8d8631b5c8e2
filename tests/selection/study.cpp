// Draws, selections and means.
// SPDX-License-Identifier: Apache-2.0
#include "tests/selection/study.hpp"

#include "host/scheduler/splitmix.hpp"
#include "testbed/selection/policies.hpp"
#include "tests/common/wire_time.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t mean_bps = 100'000'000'000;

struct Draw {
  std::vector<std::int64_t> to_switch, from_switch;  ///< rates in bit/s
};

Draw drawn(const StudyCase& one, std::uint32_t p, std::uint64_t seed) {
  auto rate = [&, state = seed]() mutable {
    const auto u = static_cast<std::int64_t>(splitmix64(state) % 2'000'001) - 1'000'000;  // millionths of [-1, 1]
    return mean_bps + mean_bps / 100 * one.lambda_percent / 1'000'000 * u;
  };
  Draw draw;
  const std::int64_t faster = one.sender_rate == 0 ? 1 : one.sender_rate, slower = one.sender_rate == 0 ? p : 1;
  for (int i = 0; i < one.peers; ++i) draw.to_switch.push_back(rate() * faster / slower);
  for (int j = 0; j < one.peers; ++j) draw.from_switch.push_back(rate());
  return draw;
}

SelectionProblem problem_of(const StudyCase& one, const Draw& draw, std::uint32_t p, Layer layer, Ticks delta) {
  const std::size_t n = one.peers;
  const Bytes model{one.tx_ns * (mean_bps / 1'000'000'000) / 8};
  SelectionProblem problem{.peers = n, .least = std::vector(n, p), .unsent = std::vector<std::uint32_t>(n * n, 0)};
  problem.layer = layer;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      problem.at_sender.push_back(Ticks{test::wire_ns(model, draw.to_switch[i])} + delta);
      problem.at_receiver.push_back(Ticks{test::wire_ns(model, draw.from_switch[j])} + delta);
    }
  return problem;
}

double receivers(const Selection& selection) {
  std::size_t pairs = 0;
  for (const Outputs& outs : selection.selected) pairs += outs.count();
  const auto n = static_cast<double>(selection.selected.size());
  return static_cast<double>(pairs) / (n * n);
}

}  // namespace

StudyRow study(const StudyCase& one, std::uint64_t seed) {
  const auto p = static_cast<std::uint32_t>((one.peers * 3 + 5) / 10);
  const Ticks delta{one.delta_ns};
  const auto ideal = static_cast<double>(p * (one.tx_ns + one.delta_ns));
  StudyRow row{};
  for (int d = 0; d < one.draws; ++d) {
    std::uint64_t own = seed * 1'000 + static_cast<std::uint64_t>(d);
    const Draw draw = drawn(one, p, splitmix64(own));
    const auto run = [&](const ReceiverSelection& policy, Layer layer, double& time, double* share) {
      SelectionProblem planned = problem_of(one, draw, p, layer, one.planned_with_delta ? delta : Ticks{0});
      planned.seed = own;
      Selection selection = policy.select(planned);
      add_loads(problem_of(one, draw, p, layer, delta), selection);  // as it is paid for
      time += static_cast<double>(selection.bound.n) / ideal / one.draws;
      if (share != nullptr) *share += receivers(selection) / one.draws;
    };
    run(SelmcastBsp(), Layer::network, row.network, &row.network_receivers);
    run(SelmcastBsp(), Layer::application, row.application, &row.application_receivers);
    run(RandomReceivers(), Layer::network, row.random, nullptr);
  }
  return row;
}

SelectionProblem equal_peers(std::uint16_t peers, std::uint32_t least, Ticks tau, Layer layer, std::uint64_t seed) {
  const std::size_t n = peers;
  return {.peers = n,
          .at_sender = std::vector(n * n, tau),
          .at_receiver = std::vector(n * n, tau),
          .least = std::vector(n, least),
          .unsent = std::vector<std::uint32_t>(n * n, 0),
          .must = {},
          .layer = layer,
          .seed = seed};
}

Problem as_flows(const PeerPairs& pairs, Ticks length, Ticks delta, bool multicast) {
  Problem problem;
  problem.ports = static_cast<int>(pairs.size());
  problem.delta = delta;
  const auto add = [&](std::size_t i, const Outputs& outs) {
    problem.flows.push_back({Id{static_cast<std::uint32_t>(problem.flows.size())}, Id{0},
                             Input{static_cast<std::uint16_t>(i)}, outs, length, Ticks{0}});
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (multicast && pairs[i].any()) add(i, pairs[i]);
    if (multicast) continue;
    for (std::size_t j = 0; j < pairs.size(); ++j)
      if (pairs[i].test(j)) add(i, Outputs{}.set(j));
  }
  return problem;
}

}  // namespace ocs::test
