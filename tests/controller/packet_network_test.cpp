// The packet network against arithmetic, and against a fluid model in floating point.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/packets/packet_network.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <map>

#include "host/core/error.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t word_ps = 5120;

Transfer packet_transfer(std::uint32_t id, std::uint16_t from, std::uint16_t to, std::int64_t words,
                         std::int64_t ready = 0) {
  return {Id{id}, Id{0}, Node{from}, {Node{to}}, Bytes{words * 64}, Picos{ready}};
}

PacketNetwork network_of(int ports, WordCycles slow = {}, Picos flight = {}) {
  return PacketNetwork({.ports = ports, .cycle = {word_ps}, .word_cycles = std::move(slow), .flight = flight});
}

/// Everything that is still to be delivered.
std::vector<Delivery> rest(PacketNetwork& network) {
  std::vector<Delivery> all;
  while (network.next() != never<Picos>) network.advance(never<Picos>, all);
  return all;
}

std::map<std::uint32_t, std::int64_t> ends(const std::vector<Delivery>& deliveries) {
  std::map<std::uint32_t, std::int64_t> result;
  for (const Delivery& delivery : deliveries) {
    EXPECT_TRUE(delivery.final);
    EXPECT_TRUE(result.emplace(index(delivery.transfer), delivery.at.n).second) << "delivered twice";
  }
  return result;
}

using Ends = std::map<std::uint32_t, std::int64_t>;

TEST(PacketNetwork, SharesAPortAlike) {
  PacketNetwork network = network_of(4);
  for (std::uint16_t from = 0; from < 3; ++from) network.offer(packet_transfer(from, from, 3, 1000));
  EXPECT_EQ(ends(rest(network)), (Ends{{0, 3000 * word_ps}, {1, 3000 * word_ps}, {2, 3000 * word_ps}}));
}

TEST(PacketNetwork, GivesWhatOneDoesntUseToTheOthers) {
  PacketNetwork network = network_of(4);
  network.offer(packet_transfer(0, 0, 3, 1000));
  network.offer(packet_transfer(1, 1, 3, 3000));
  network.offer(packet_transfer(2, 1, 2, 1000, 2000 * word_ps));  // 1 has sent 1000 by then, and goes on at a half
  EXPECT_EQ(ends(rest(network)), (Ends{{0, 2000 * word_ps}, {1, 5000 * word_ps}, {2, 4000 * word_ps}}));
}

TEST(PacketNetwork, SendsAndReceivesAtOnce) {
  PacketNetwork network = network_of(2);
  network.offer(packet_transfer(0, 0, 1, 1000));
  network.offer(packet_transfer(1, 1, 0, 1000));
  EXPECT_EQ(ends(rest(network)), (Ends{{0, 1000 * word_ps}, {1, 1000 * word_ps}}));
}

TEST(PacketNetwork, IsAsFastAsTheSlowerPort) {
  PacketNetwork network = network_of(3, {Cycles{1}, Cycles{4}, Cycles{1}});
  network.offer(packet_transfer(0, 0, 1, 1000));
  network.offer(packet_transfer(1, 0, 2, 1000));
  EXPECT_EQ(ends(rest(network)), (Ends{{0, 4000 * word_ps}, {1, (1000 * 4 * word_ps + 2) / 3}}));
}

TEST(PacketNetwork, FollowsRatesThatChange) {
  PacketConfig config{.ports = 3, .cycle = {word_ps}};
  config.rate_changes = {{Cycles{500}, 0, Cycles{2}}, {Cycles{1500}, 0, Cycles{0}}, {Cycles{2000}, 0, Cycles{1}}};
  PacketNetwork network(config);
  network.offer(packet_transfer(0, 0, 1, 2000));
  network.offer(packet_transfer(1, 2, 1, 10, 2500 * word_ps));  // a half of the receiver's for 20 cycles
  EXPECT_EQ(ends(rest(network)), (Ends{{0, 3010 * word_ps}, {1, 2520 * word_ps}}))
      << "500 words, 500 at half the rate, nothing until 2000, the rest";
  PacketNetwork later(config);
  later.offer(packet_transfer(0, 1, 0, 100, 5000 * word_ps));
  EXPECT_EQ(ends(rest(later)), (Ends{{0, 5100 * word_ps}})) << "what has changed before anything came";
}

TEST(PacketNetwork, SpreadsWordsOverItsPlanes) {
  PacketNetwork network({.ports = 4, .planes = 3, .cycle = {word_ps}, .word_cycles = {Cycles{1}, Cycles{2}}});
  network.offer(packet_transfer(0, 0, 3, 3000));
  network.offer(packet_transfer(1, 1, 2, 3000));
  network.offer(packet_transfer(2, 0, 3, 10, 500 * word_ps));  // a half of both sides until it has ended
  const std::int64_t late = 2 * 10 * word_ps / 3 + 1, alone = 10 * word_ps / 3 + 1;  // rounded up to a picosecond
  EXPECT_EQ(ends(rest(network)), (Ends{{0, 1000 * word_ps + alone}, {1, 2000 * word_ps}, {2, 500 * word_ps + late}}));
}

TEST(PacketNetwork, HoldsBackWhatADeadPortHasToCarry) {
  PacketConfig config{.ports = 4, .cycle = {word_ps}};
  config.outages = {{Cycles{300}, 1, true}, {Cycles{700}, 1, false}, {Cycles{900}, 1, true}, {Cycles{1000}, 1, false}};
  config.rate_changes = {{Cycles{500}, 1, Cycles{2}}};
  PacketNetwork network(config);
  network.offer(packet_transfer(0, 0, 1, 500));
  network.offer(packet_transfer(1, 2, 3, 800));
  network.offer(packet_transfer(2, 1, 2, 10, 350 * word_ps));
  EXPECT_EQ(ends(rest(network)), (Ends{{0, 1200 * word_ps}, {1, 800 * word_ps}, {2, 720 * word_ps}}))
      << "300 words, nothing until 700, 100 at the rate that came meanwhile, nothing until 1000, the last 100";
}

TEST(PacketNetwork, EndsWhereAPortNeverLivesAgain) {
  PacketConfig config{.ports = 3, .cycle = {word_ps}};
  config.outages = {{Cycles{300}, 1, true}};
  PacketNetwork early(config);
  early.offer(packet_transfer(0, 0, 1, 300));
  EXPECT_EQ(ends(rest(early)), (Ends{{0, 300 * word_ps}})) << "it has ended by then";
  PacketNetwork network(config);
  network.offer(packet_transfer(4, 0, 1, 301));
  try {
    rest(network);
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    EXPECT_STREQ(error.what(), "transfer 4 waits for port 1, which is dead and never lives again");
  }
}

TEST(PacketNetwork, MeasuresWhatPortsCarry) {
  PacketNetwork network = network_of(3);
  network.offer(packet_transfer(0, 0, 2, 1000));
  network.offer(packet_transfer(1, 1, 2, 1000));
  network.offer(packet_transfer(2, 2, 1, 500));
  rest(network);
  EXPECT_EQ(network.use(Node{0}).bytes.n, 1000 * 64);
  EXPECT_EQ(network.use(Node{0}).busy.n, 2000 * word_ps) << "half of the receiver's rate";
  EXPECT_EQ(network.use(Node{2}).bytes.n, 2500 * 64);
  EXPECT_EQ(network.use(Node{2}).busy.n, (2000 + 500) * word_ps) << "its two sides";
}

TEST(PacketNetwork, MeasuresATransferWhereItCounts) {
  PacketNetwork network = network_of(3);
  Transfer first = packet_transfer(0, 0, 2, 1000), second = packet_transfer(1, 1, 2, 2000);
  first.counted_at = Node{2};
  second.counted_at = Node{1};
  network.offer(first);
  network.offer(second);
  rest(network);
  EXPECT_EQ(network.use(Node{0}).busy.n + network.use(Node{0}).bytes.n, 0);
  EXPECT_EQ(network.use(Node{1}).bytes.n, 2000 * 64);
  EXPECT_EQ(network.use(Node{1}).busy.n, 3000 * word_ps) << "half of the receiver's rate, then all";
  EXPECT_EQ(network.use(Node{2}).bytes.n, 1000 * 64);
  EXPECT_EQ(network.use(Node{2}).busy.n, 2000 * word_ps);
}

TEST(PacketNetwork, RoundsAnEndUpToAPicosecond) {
  PacketNetwork network({.ports = 8, .cycle = {1}});
  for (std::uint16_t from = 0; from < 7; ++from) network.offer(packet_transfer(from, from, 7, from == 0 ? 1 : 3));
  // 1/7 a ps each: the first ends at 7; the others have 2 words left then, at 1/6 a ps.
  EXPECT_EQ(ends(rest(network)), (Ends{{0, 7}, {1, 19}, {2, 19}, {3, 19}, {4, 19}, {5, 19}, {6, 19}}));
}

TEST(PacketNetwork, DeliversAFlightLaterAndSaysWhenItBegan) {
  std::vector<PacketCarried> carried;
  PacketNetwork network({.ports = 2, .cycle = {word_ps}, .flight = {77}, .on_carried = [&](const PacketCarried& one) {
                           carried.push_back(one);
                         }});
  network.offer(packet_transfer(5, 0, 1, 10, 123));
  const std::vector<Delivery> all = rest(network);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].at, Picos{123 + 10 * word_ps + 77});
  EXPECT_EQ(all[0].began, Picos{123});
  EXPECT_EQ(all[0].arrived, (std::vector<WordRun>{{Words{0}, Words{10}}}));
  ASSERT_EQ(carried.size(), 1u);
  EXPECT_EQ(carried[0].ended, Picos{123 + 10 * word_ps});
  EXPECT_EQ(carried[0].arrived, all[0].at);
  EXPECT_EQ(network.stats().words, 10);
}

TEST(PacketNetwork, AbortsWithTheWordsThatHavePassed) {
  PacketNetwork network = network_of(3);
  network.offer(packet_transfer(0, 0, 2, 1000));
  network.offer(packet_transfer(1, 1, 2, 1000));
  network.offer(packet_transfer(2, 1, 0, 5, 9000 * word_ps));
  network.abort(Id{0}, Picos{1001 * word_ps});
  network.abort(Id{2}, Picos{1002 * word_ps});
  std::vector<Delivery> all = rest(network);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].arrived, (std::vector<WordRun>{{Words{0}, Words{500}}})) << "500 words and a half";
  EXPECT_EQ(all[0].at, Picos{1001 * word_ps});
  EXPECT_EQ(all[1].transfer, Id{2});
  EXPECT_TRUE(all[1].arrived.empty()) << "it wasn't ready";
  EXPECT_EQ(all[2].at.n, 1001 * word_ps + (2 * 1000 - 1001) * word_ps / 2);
}

TEST(PacketNetwork, ForgetsAnAbortOfWhatHasEnded) {
  PacketNetwork network = network_of(2, {}, Picos{100});
  network.offer(packet_transfer(0, 0, 1, 10));
  network.abort(Id{0}, Picos{10 * word_ps});
  std::vector<Delivery> none;
  network.advance(Picos{10 * word_ps + 1}, none);
  EXPECT_TRUE(none.empty());
  network.abort(Id{0}, Picos{10 * word_ps + 1});  // it flies
  const std::vector<Delivery> all = rest(network);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].arrived, (std::vector<WordRun>{{Words{0}, Words{10}}}));
}

TEST(PacketNetwork, WaitsForNothingWhenOnlyAbortsOfEndedTransfersAreLeft) {
  PacketNetwork network = network_of(2);
  network.offer(packet_transfer(0, 0, 1, 10));
  network.abort(Id{0}, Picos{20 * word_ps});
  std::vector<Delivery> all;
  EXPECT_EQ(network.advance(never<Picos>, all), Picos{10 * word_ps});
  EXPECT_EQ(network.next(), never<Picos>);
}

std::string packet_refusal(PacketNetwork& network, const std::function<void(PacketNetwork&)>& act) {
  try {
    act(network);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

TEST(PacketNetwork, RefusesWhatItCantCarry) {
  PacketNetwork network = network_of(4);
  std::vector<Delivery> none;
  network.advance(Picos{100}, none);
  const auto offered = [&](Transfer one) {
    return packet_refusal(network, [&](PacketNetwork& n) { n.offer(std::move(one)); });
  };
  Transfer several = packet_transfer(2, 0, 1, 10, 100);
  several.to.push_back(Node{2});
  EXPECT_EQ(offered(several), "transfer 2 goes to several nodes, but packets go to one");
  EXPECT_EQ(offered(packet_transfer(1, 0, 1, 1, 99)), "transfer 1 is offered for 99 ps, but it is 100 ps already");
  EXPECT_EQ(offered(packet_transfer(1, 0, 4, 1, 100)), "transfer 1 names node 4, but the switch has 4 ports");
  EXPECT_EQ(offered(packet_transfer(1, 0, 1, 1, 100)), "accepted");
  EXPECT_EQ(offered(packet_transfer(1, 0, 1, 1, 100)), "transfer 1 is under way already; each needs an Id of its own");
  EXPECT_EQ(packet_refusal(network, [](PacketNetwork& n) { n.abort(Id{7}, Picos{100}); }),
            "transfer 7 isn't under way and can't be aborted");
  EXPECT_EQ(packet_refusal(network, [](PacketNetwork& n) { n.abort(Id{1}, Picos{9}); }),
            "transfer 1 can't be aborted at 9 ps, it is 100 ps already");
}

std::vector<Transfer> arbitrary_transfers(std::uint16_t ports, int most) {
  std::vector<Transfer> all;
  for (int n = *rc::gen::inRange(1, most); n > 0; --n) {
    const auto from = *rc::gen::inRange<std::uint16_t>(0, ports);
    const auto to = *rc::gen::inRange<std::uint16_t>(0, ports);
    if (from == to) continue;
    all.push_back(packet_transfer(static_cast<std::uint32_t>(all.size()), from, to, *rc::gen::inRange(1, 2000),
                                  *rc::gen::inRange(0, 20) * 100'000));
  }
  return all;
}

WordCycles arbitrary_rates(std::uint16_t ports) {
  WordCycles cycles;
  for (std::uint16_t v = 0; v < ports; ++v) cycles.push_back(Cycles{*rc::gen::element(1, 2, 4, 5, 25)});
  return cycles;
}

/// Fluid max-min sharing in floating point, one bottleneck after the other.
std::vector<double> fluid_ends(const std::vector<Transfer>& all, const WordCycles& cycles) {
  const std::size_t ports = cycles.size();
  std::vector<double> left, end(all.size(), -1);
  for (const Transfer& t : all) left.push_back(static_cast<double>(t.size.n) / 64);
  double now = 0;
  for (;;) {
    std::vector<double> rate(all.size(), -1), free(2 * ports);
    for (std::size_t s = 0; s < 2 * ports; ++s) free[s] = 1.0 / static_cast<double>(cycles[s % ports].n * word_ps);
    double until = HUGE_VAL;
    const auto sends = [&](std::size_t t, std::size_t side) {
      return index(all[t].from) == side || index(all[t].to[0]) + ports == side;
    };
    for (std::size_t t = 0; t < all.size(); ++t) {
      const auto ready = static_cast<double>(all[t].ready.n);
      if (end[t] >= 0 || ready > now) rate[t] = 0;
      if (end[t] < 0 && ready > now) until = std::min(until, ready);
    }
    for (;;) {
      double least = HUGE_VAL;
      std::size_t side = 0;
      for (std::size_t s = 0; s < 2 * ports; ++s) {
        int count = 0;
        for (std::size_t t = 0; t < all.size(); ++t) count += rate[t] < 0 && sends(t, s) ? 1 : 0;
        if (count > 0 && free[s] / count < least) least = free[s] / count, side = s;
      }
      if (least == HUGE_VAL) break;
      for (std::size_t t = 0; t < all.size(); ++t)
        if (rate[t] < 0 && sends(t, side)) {
          rate[t] = least;
          free[index(all[t].from)] -= least;
          free[index(all[t].to[0]) + ports] -= least;
        }
    }
    for (std::size_t t = 0; t < all.size(); ++t)
      if (rate[t] > 0) until = std::min(until, now + left[t] / rate[t]);
    if (until == HUGE_VAL) return end;
    for (std::size_t t = 0; t < all.size(); ++t)
      if (rate[t] > 0 && (left[t] -= rate[t] * (until - now)) < 1e-7) end[t] = until;
    now = until;
  }
}

TEST(PacketNetwork, EndsTransfersWhenAFluidModelDoes) {
  const bool ok = rc::check([] {
    const auto ports = *rc::gen::inRange<std::uint16_t>(2, 7);
    const WordCycles cycles = arbitrary_rates(ports);
    const std::vector<Transfer> all = arbitrary_transfers(ports, 20);
    PacketNetwork network = network_of(ports, cycles);
    for (const Transfer& one : all) network.offer(one);
    const Ends exact = ends(rest(network));
    const std::vector<double> fluid = fluid_ends(all, cycles);
    RC_ASSERT(exact.size() == all.size());
    for (std::size_t t = 0; t < all.size(); ++t)
      RC_ASSERT(std::abs(static_cast<double>(exact.at(static_cast<std::uint32_t>(t))) - fluid[t]) < 40);
  });
  EXPECT_TRUE(ok);
}

/// Everything has one final delivery, and neither the order of offers nor the limits of advance() change any.
TEST(PacketNetwork, DeliversEachTransferOnceWhateverTheSteps) {
  const bool ok = rc::check([] {
    const auto ports = *rc::gen::inRange<std::uint16_t>(2, 7);
    const WordCycles cycles = arbitrary_rates(ports);
    std::vector<Transfer> all = arbitrary_transfers(ports, 20);
    std::map<Id, Picos> aborts;
    for (const Transfer& one : all)
      if (*rc::gen::inRange(0, 3) == 0) aborts[one.id] = Picos{*rc::gen::inRange<std::int64_t>(0, 8'000'000)};
    PacketNetwork at_once = network_of(ports, cycles, Picos{1000}), in_steps = network_of(ports, cycles, Picos{1000});
    for (const Transfer& one : all) at_once.offer(one);
    for (const auto& [id, at] : aborts) at_once.abort(id, at);
    std::reverse(all.begin(), all.end());
    for (const Transfer& one : all) in_steps.offer(one);
    for (const auto& [id, at] : aborts) in_steps.abort(id, at);
    const std::vector<Delivery> whole = rest(at_once);
    std::vector<Delivery> pieces;
    Picos now;
    while (in_steps.next() != never<Picos>) {
      const Picos limit = now + Picos{*rc::gen::inRange<std::int64_t>(0, 3'000'000)};
      const std::size_t before = pieces.size();
      const Picos next = in_steps.next();
      now = in_steps.advance(limit, pieces);
      RC_ASSERT(now == limit || pieces.size() > before);
      for (std::size_t d = before; d < pieces.size(); ++d) {
        RC_ASSERT(pieces[d].at == now);
        RC_ASSERT(pieces[d].at >= next);
      }
    }
    RC_ASSERT(whole.size() == all.size());
    RC_ASSERT(pieces.size() == whole.size());
    ends(pieces);
    for (std::size_t d = 0; d < whole.size(); ++d) {
      RC_ASSERT(pieces[d].transfer == whole[d].transfer);
      RC_ASSERT(pieces[d].at == whole[d].at);
      RC_ASSERT(pieces[d].arrived == whole[d].arrived);
    }
  });
  EXPECT_TRUE(ok);
}

}  // namespace
}  // namespace ocs::test
