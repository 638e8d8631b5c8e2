// Random jobs by timetable with random guards and clocks: whatever is lost, the model comes out the same.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "testbed/experiment/prepare.hpp"
#include "testbed/run/run.hpp"
#include "tests/experiment/support.hpp"

namespace ocs::test {
namespace {

Point random_job() {
  const int workers = *rc::gen::inRange(1, 5), servers = *rc::gen::inRange(1, 4);
  const auto ns = [](int most) { return std::to_string(*rc::gen::inRange(0, most)) + " ns"; };
  const std::vector<std::string> said = {
      "fabric.device=model",
      "fabric.ports=" + std::to_string(workers + servers),
      "fabric.tuning=" + ns(2000),
      "fabric.locking=" + ns(100),
      "nodes.extra_fibre=" + *rc::gen::element<std::string>("0 ns", "200 ns, 30 ns", "1 us"),
      "fabric.fibre=" + *rc::gen::element<std::string>("0 ns", "30 ns", "1 us"),
      "control.mode=timetable",
      "control.guard=" + *rc::gen::element<std::string>("0 ns", "5 ns", "50 ns", "500 ns"),
      "control.lead=" + *rc::gen::element<std::string>("0 ns", "100 ns"),
      "job.workload=file:testbed/experiments/tiny.csv",
      "job.workers=" + std::to_string(workers),
      "job.servers=" + std::to_string(servers),
      "job.compute=" + ns(3000),
      "job.iterations=" + std::to_string(*rc::gen::inRange(1, 8)),
      "job.payload=" + *rc::gen::element<std::string>("full", "digest", "none"),
      "nodes.control_latency=" + *rc::gen::element<std::string>("0 ns", "77 ns"),
      "nodes.clock_offset=" + *rc::gen::element<std::string>("0 ns", "-40 ns", "300 ns", "-1 us, 2 us"),
      "nodes.clock_spread=" + *rc::gen::element<std::string>("0 ns", "20 ns", "600 ns"),
      "nodes.clock_drift=" + *rc::gen::element<std::string>("0", "0", "1000"),
      "nodes.clock_sync=" + *rc::gen::element<std::string>("3 us", "400 us"),
      "seed=" + std::to_string(*rc::gen::inRange(0, 1000)),
      "policy=" + *rc::gen::element<std::string>("psscheduler", "sunflow", "hlf")};
  return resolved("seed = 1", said).points.at(0);
}

std::int64_t worst_clock(const Point& point) {
  std::int64_t worst = 0;
  const ControlTimes times = control_times(point);
  for (std::uint16_t v = 0; v < times.clock_offset.size(); ++v)
    for (const Cycles at : {Cycles{0}, times.clock_sync - Cycles{1}})
      worst = std::max(worst, std::abs(times.lateness(Input{v}, at).n));
  return worst;
}

TEST(RandomJobs, EndWithTheSameModelWhateverIsLost) {
  const bool ok = rc::check([] {
    Point point = random_job();
    const Row lossy = run_point(point, {});
    point.control.mode = "confirmed";
    const Row loss_free = run_point(point, {});
    RC_ASSERT(loss_free.words_lost + loss_free.words_unrouted + loss_free.words_misrouted == 0);
    RC_ASSERT(loss_free.retransmissions == 0);
    RC_ASSERT(!loss_free.guard_misses);

    RC_ASSERT(lossy.crc_errors == 0);
    RC_ASSERT(lossy.sum_errors == 0);
    RC_ASSERT(lossy.bytes_delivered == loss_free.bytes_delivered);
    RC_ASSERT(lossy.bytes_local == loss_free.bytes_local);
    // Every word arrives once, and every one that was sent passed, was lost, or had no circuit.
    const std::int64_t words = loss_free.words_passed;
    RC_ASSERT(lossy.words_passed - lossy.words_misrouted == words);
    RC_ASSERT(lossy.words_passed + lossy.words_lost + lossy.words_unrouted == words + lossy.words_retransmitted);
    if (worst_clock(point) <= point.control.guard_cycles.n)
      RC_ASSERT(lossy.words_retransmitted + *lossy.guard_misses == 0);
    RC_CLASSIFY(lossy.words_retransmitted > 0, "words are sent again");
    RC_CLASSIFY(lossy.words_misrouted > 0, "words go astray");
  });
  EXPECT_TRUE(ok);
}

/// By confirmation and by timetable. A loss of light is reported before a ring is over.
TEST(RandomJobs, EndWithTheSameModelHoweverMirrorsRing) {
  const bool ok = rc::check([] {
    Point point = random_job();
    point.control.mode = *rc::gen::element<std::string>("confirmed", "confirmed", "timetable");
    point.nodes.clock_offset_cycles.clear();
    point.nodes.clock_drift.clear();
    point.fabric.fibre_cycles = Cycles{0};  // check_drawn_light() refuses nodes that are far away
    point.fabric.fibres = {};
    const Row quiet = run_point(point, {});
    const Cycles lost{*rc::gen::inRange(0, 20)};
    const Cycles lost_in =
        point.fabric.locking_cycles - lost;  // a ring before that is reported before a receiver locks
    const bool early = lost_in.n > 0 && *rc::gen::arbitrary<bool>();
    point.fabric.light =
        LightLevel{.laser = -300,
                   .loss = 250,
                   .detected = true,
                   .threshold = -1400,
                   .hysteresis = 50,
                   .lost = lost,
                   .back = Cycles{*rc::gen::inRange(0, 20)},
                   .ring_after = early ? Cycles{*rc::gen::inRange<std::int64_t>(0, lost_in.n)}
                                       : point.fabric.locking_cycles + Cycles{*rc::gen::inRange(16, 60)},
                   .ring = lost + Cycles{*rc::gen::inRange(1, 40)},
                   .rings = *rc::gen::inRange(1, 6)};
    const Row ringing = run_point(point, {});
    RC_ASSERT(ringing.crc_errors + ringing.sum_errors == 0);
    RC_ASSERT(ringing.bytes_delivered == quiet.bytes_delivered);
    RC_ASSERT(ringing.words_passed - ringing.words_misrouted == quiet.words_passed);
    RC_ASSERT(ringing.words_passed + ringing.words_lost + ringing.words_unrouted ==
              quiet.words_passed + ringing.words_retransmitted);
    if (point.control.mode == "confirmed") RC_ASSERT(ringing.words_lost == ringing.words_retransmitted);
    if (point.control.mode == "confirmed" && (lost.n == 0 || early)) RC_ASSERT(ringing.words_lost == 0);
    RC_CLASSIFY(ringing.words_retransmitted > 0, "words are sent again");
  });
  EXPECT_TRUE(ok);
}

/// By confirmation and by timetable, for up to four times as long as circuits take to be set up.
TEST(RandomJobs, EndWithTheSameModelWhomeverMirrorsDisturb) {
  const bool ok = rc::check([] {
    Point point = random_job();
    point.control.mode = *rc::gen::element<std::string>("confirmed", "confirmed", "timetable");
    point.nodes.clock_offset_cycles.clear();
    point.nodes.clock_drift.clear();
    const Row quiet = run_point(point, {});
    RC_ASSERT(quiet.words_lost + quiet.words_unrouted + quiet.words_misrouted + quiet.retransmissions == 0);
    const Cycles dark = point.fabric.tuning_cycles + point.fabric.locking_cycles;
    point.fabric.neighbours = {.disturbed = Cycles{*rc::gen::inRange<std::int64_t>((dark.n + 1) / 2, 4 * dark.n + 1)},
                               .distances = *rc::gen::element<std::uint32_t>(1, 3, 5, 127)};
    const Row shaken = run_point(point, {});
    RC_ASSERT(shaken.crc_errors + shaken.sum_errors == 0);
    RC_ASSERT(shaken.bytes_delivered == quiet.bytes_delivered);
    RC_ASSERT(shaken.words_passed - shaken.words_misrouted == quiet.words_passed);
    RC_ASSERT(shaken.words_passed + shaken.words_lost + shaken.words_unrouted ==
              quiet.words_passed + shaken.words_retransmitted);
    if (point.control.mode == "confirmed") RC_ASSERT(shaken.words_lost == shaken.words_retransmitted);
    RC_CLASSIFY(shaken.words_retransmitted > 0, "words are sent again");
  });
  EXPECT_TRUE(ok);
}

TEST(RandomJobs, GiveOneEventLogWhateverThePayload) {
  const bool ok = rc::check([] {
    Point point = random_job();
    point.job.payload = "full";
    const Row full = run_point(point, {});
    for (const char* payload : {"digest", "none"}) {
      point.job.payload = payload;
      const Row other = run_point(point, {});
      RC_ASSERT(other.event_log_hash == full.event_log_hash);
      RC_ASSERT(other.pst_mean == full.pst_mean);
      RC_ASSERT(other.words_retransmitted == full.words_retransmitted);
      RC_ASSERT(other.messages == full.messages);
      RC_ASSERT(other.crc_errors + other.sum_errors == 0);
    }
  });
  EXPECT_TRUE(ok);
}

}  // namespace
}  // namespace ocs::test
