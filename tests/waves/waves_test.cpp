// What stands in a waveform is what the event log says, at the same instants, on every device with RTL.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/core/error.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/switches.hpp"
#include "host/rtl/wave_files.hpp"
#include "host/rtl/waveform.hpp"
#include "ocs_regs.h"
#include "tests/rtl/built_ahead.hpp"
#include "tests/waves/vcd.hpp"

namespace ocs {
namespace {

using test::read_vcd;
using test::Vcd;

struct Kind {
  const char* name;
  int ports;
  bool words;
  rtl::Core core;
};
constexpr Kind counter{"verilated_counter", 4, false, rtl::Core::counter};

/// A device, its switch, and a recorder.
struct Recorded {
  explicit Recorded(const Kind& kind, bool recorded = true, bool warp = true)
      : device(make_device(kind.name, {.ports = kind.ports, .time_warp = warp, .words = kind.words},
                           recorded ? &waveform : nullptr)),
        plane(make_switch(*device, {.delays = {.tuning = Cycles{200}, .locking = Cycles{30}}})),
        cycle(plane->clock().cycle()),
        start(plane->clock().now()) {
    if (recorded) waveform.count_from(to_picos(device->clock().now() - start, cycle));
  }

  /// The instant so many cycles after the device was made. One with firmware has booted by then.
  Picos after(std::int64_t cycles) const { return to_picos(start + Cycles{cycles}, cycle); }

  /// @param cycles since it was made.
  void run_until(std::int64_t cycles) {
    const Cycles limit = start + Cycles{cycles};
    while (plane->clock().now() < limit) {
      plane->clock().run_until(limit);
      plane->take_events(events);
    }
    plane->take_events(events);
  }

  rtl::Waveform waveform;
  std::unique_ptr<Device> device;
  std::unique_ptr<Switch> plane;
  Picos cycle;
  Cycles start;
  std::vector<Event> events;
};

/// Instant, output, state as a number.
using Entered = std::array<std::int64_t, 3>;

std::vector<Entered> entered_in(const std::vector<Event>& events, Picos cycle, Picos from, Picos to) {
  std::vector<Entered> out;
  for (const Event& event : events)
    if (const Picos at = to_picos(event.at, cycle); event.kind <= EventKind::failed && at > from && at <= to)
      out.push_back({at.n, event.port, static_cast<std::int64_t>(event.kind)});
  return out;
}

std::vector<Entered> entered_in(const Vcd& vcd, int ports) {
  std::vector<Entered> out;
  for (int port = 0; port < ports; ++port) {
    const auto& changes = vcd.ends_with(".port[" + std::to_string(port) + "].state");
    for (std::size_t k = 1; k < changes.size(); ++k)
      out.push_back({changes[k].at, port, std::stoll(changes[k].value, nullptr, 2)});
  }
  std::ranges::sort(out);
  return out;
}

/// Circuits that come, change and fail; words. Events of an output that enters the state it is in are avoided, since a
/// waveform can't show them.
void drive(Recorded& one) {
  const auto select = [&](std::uint16_t out, std::optional<std::uint16_t> in) {
    return Select{.out = Output{out}, .in = in ? std::optional(Input{*in}) : std::nullopt};
  };
  Switch& plane = *one.plane;
  const auto commit = [&](std::vector<Select> change) {
    EXPECT_FALSE(plane.commit({.at = plane.clock().now(), .change = std::move(change)}));
  };
  commit({select(0, 1), select(2, 3)});
  EXPECT_FALSE(plane.start(
      {.id = Id{1}, .in = Input{1}, .length = {50}, .not_before = plane.clock().now(), .gated = true, .word = {1}}));
  one.run_until(20'100);
  commit({select(1, 0)});
  one.run_until(20'900);
  EXPECT_FALSE(plane.set_dead(2, true));
  one.run_until(21'500);
  EXPECT_FALSE(plane.set_dead(2, false));
  commit({select(0, std::nullopt)});
  one.run_until(25'000);
}

class Waves : public ::testing::TestWithParam<Kind> {
 protected:
  Waves() {
    std::string name = ::testing::TempDir() + "lightloop_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~Waves() override { std::filesystem::remove_all(folder_); }

  void SetUp() override {
    const Kind& kind = GetParam();
    if (!built_ahead({.core = kind.core, .ports = kind.ports, .lanes = kind.words ? 8 : 0, .waves = true}))
      GTEST_SKIP() << "this switch is not one of LIGHTLOOP_TEST_SWITCHES";
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

 private:
  std::string folder_;
};

TEST_P(Waves, ShowEveryStateOfTheEventLogAtItsInstant) {
  for (const auto& [first, last] : {std::pair<std::int64_t, std::int64_t>{0, 30'000}, {20'110, 24'900}}) {
    Recorded one(GetParam());
    const Picos from = one.after(first), to = one.after(last);
    one.waveform.begin(path("x.vcd"), {.from = from, .to = to});
    drive(one);
    const rtl::WaveReport report = one.waveform.end();
    const Vcd vcd = read_vcd(path("x.vcd"));
    const std::vector<Entered> expected = entered_in(one.events, one.cycle, from, to);
    EXPECT_GE(expected.size(), first == 0 ? 9U : 2U);
    EXPECT_EQ(entered_in(vcd, GetParam().ports), expected);
    EXPECT_EQ(vcd.first, report.first.n);
    EXPECT_GE(vcd.first, from.n);
    EXPECT_LE(vcd.last, to.n);
    if (first == 0) continue;
    EXPECT_EQ(report.first, from);
    EXPECT_EQ(report.last, to);
  }
}

/// Without detectors an output is dim while it is FAILED for want of light, and nothing else fails here.
TEST_P(Waves, ShowWhichOutputsAreDim) {
  Recorded one(GetParam());
  one.waveform.begin(path("x.vcd"), {.from = one.after(0), .to = one.after(30'000)});
  drive(one);
  one.waveform.end();
  const Vcd vcd = read_vcd(path("x.vcd"));
  std::size_t rises = 0;
  for (int port = 0; port < GetParam().ports; ++port) {
    const std::string name = ".port[" + std::to_string(port) + "].";
    std::vector<std::pair<std::int64_t, std::string>> dim, failed{{vcd.first, "0"}};
    for (const Vcd::Change& change : vcd.ends_with(name + "dim")) dim.emplace_back(change.at, change.value);
    for (const Vcd::Change& change : vcd.ends_with(name + "state"))
      if (const std::string now = std::stoll(change.value, nullptr, 2) == 5 ? "1" : "0"; now != failed.back().second)
        failed.emplace_back(change.at, now);
    EXPECT_EQ(dim, failed) << port;
    rises += dim.size() / 2;
  }
  EXPECT_EQ(rises, 1U) << "port 2, which is dead for a while";
}

TEST_P(Waves, ChangeNothingOfWhatTheSwitchDoes) {
  std::vector<Event> events, bare;
  {
    Recorded one(GetParam());
    one.waveform.begin(path("x.fst"), {});
    drive(one);
    events = std::move(one.events);
    one.plane.reset();
    one.device.reset();  // the file is whole without its switch
    EXPECT_EQ(one.waveform.end().last, one.after(25'000));
  }
  {
    Recorded other(GetParam(), false);
    drive(other);
    bare = std::move(other.events);
  }
  ASSERT_EQ(events.size(), bare.size());
  for (std::size_t k = 0; k < events.size(); ++k) {
    EXPECT_EQ(events[k].at, bare[k].at) << k;
    EXPECT_EQ(events[k].kind, bare[k].kind) << k;
    EXPECT_EQ(events[k].port, bare[k].port) << k;
  }
}

TEST_P(Waves, OfOneSwitchAreWrittenOneAfterAnother) {
  Recorded one(GetParam());
  one.run_until(1000);
  one.waveform.begin(path("a.vcd"), {});
  drive(one);
  const rtl::WaveReport first = one.waveform.end();
  EXPECT_GE(first.first, one.after(1000));
  one.waveform.begin(path("b.fst"), {.from = {0}, .to = one.after(100'000)});
  one.run_until(26'000);
  const rtl::WaveReport second = one.waveform.end();
  EXPECT_GE(second.first, first.last);
  EXPECT_EQ(second.last, one.after(26'000));
  EXPECT_TRUE(rtl::is_whole_fst(path("b.fst")));
  EXPECT_EQ(files(), (std::vector<std::string>{"a.gtkw", "a.sucl", "a.vcd", "b.fst", "b.gtkw", "b.sucl"}));
}

std::string name_of_kind(const ::testing::TestParamInfo<Kind>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name + (info.param.words ? "_words" : "");
}

INSTANTIATE_TEST_SUITE_P(EveryDevice, Waves,
                         ::testing::Values(counter, Kind{"verilated", 5, false, rtl::Core::fast},
                                           Kind{"verilated", 4, true, rtl::Core::fast},
                                           Kind{"soc", 4, false, rtl::Core::soc},
                                           Kind{"sysc-rtl", 4, false, rtl::Core::counter}),
                         name_of_kind);

/// On devices whose registers this program writes itself, one of each core.
class WavesOfCores : public Waves {};
INSTANTIATE_TEST_SUITE_P(Cores, WavesOfCores, ::testing::Values(counter, Kind{"verilated", 5, false, rtl::Core::fast}),
                         name_of_kind);

TEST_P(WavesOfCores, ShowWhichOutputsAreDisturbedAndForHowLong) {
  constexpr std::int64_t cycles = 40;
  Recorded one(GetParam());
  one.device->bus().write(offsetof(ocs_regs_t, DISTURB), cycles);
  one.device->bus().write(offsetof(ocs_regs_t, DISTURB_AT), 1);
  one.waveform.begin(path("x.vcd"), {});
  EXPECT_FALSE(
      one.plane->commit({.at = one.plane->clock().now(), .change = {Select{.out = Output{0}, .in = Input{1}}}}));
  one.run_until(20'000);
  one.waveform.end();
  const auto start =
      std::ranges::find_if(one.events, [](const Event& event) { return event.kind == EventKind::tuning; });
  ASSERT_NE(start, one.events.end());
  const std::int64_t from = to_picos(start->at, one.cycle).n;
  const Vcd vcd = read_vcd(path("x.vcd"));
  EXPECT_EQ(vcd.ends_with(".port[0].disturbed").size(), 1U);
  EXPECT_EQ(vcd.ends_with(".port[2].disturbed").size(), 1U);
  const auto& beside = vcd.ends_with(".port[1].disturbed");
  ASSERT_EQ(beside.size(), 3U);
  EXPECT_EQ(beside[1].value, "1");
  EXPECT_EQ(beside[1].at, from);
  EXPECT_EQ(beside[2].at, from + cycles * one.cycle.n);
}

/// On one device alone.
class WavesOfOne : public Waves {};
INSTANTIATE_TEST_SUITE_P(Counter, WavesOfOne, ::testing::Values(counter));

std::string sentence_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& failure) {
    return failure.what();
  }
  return "nothing";
}

TEST_P(WavesOfOne, ShowsAccessesThatTakeNoTime) {
  Recorded one(counter);
  one.waveform.begin(path("x.vcd"), {});
  one.run_until(10);
  one.device->bus().read(0);
  one.run_until(20);
  one.waveform.end();
  const Vcd vcd = read_vcd(path("x.vcd"));
  std::vector<std::int64_t> asked;
  for (const Vcd::Change& change : vcd.ends_with("TOP.arvalid_i"))
    if (change.value == "1" && change.at >= 10 * one.cycle.n) asked.push_back(change.at);
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_GT(asked[0], 10 * one.cycle.n);
  EXPECT_LT(asked[0], 10 * one.cycle.n + 10);
}

TEST_P(WavesOfOne, ShowsEveryCycleWithoutTimeWarp) {
  Recorded one(counter, true, false);
  one.run_until(100);
  one.waveform.begin(path("x.vcd"), {});
  one.run_until(150);
  one.waveform.end();
  const Vcd vcd = read_vcd(path("x.vcd"));
  std::int64_t edges = 0;
  for (const Vcd::Change& change : vcd.ends_with("TOP.clk_i")) edges += change.value == "1" ? 1 : 0;
  EXPECT_EQ(edges, 50);
}

TEST_P(WavesOfOne, RefusesWhatCantBeWritten) {
  Recorded one(counter);
  rtl::Waveform& waveform = one.waveform;
  EXPECT_EQ(sentence_of([&] { waveform.begin(path("x.png"), {}); }),
            "the waveform \"" + path("x.png") + "\" must end in .fst or .vcd, which is its format");
  EXPECT_EQ(sentence_of([&] { waveform.begin("/nowhere/x.fst", {}); }),
            "the waveform \"/nowhere/x.fst\" can't be written: No such file or directory");
  EXPECT_EQ(sentence_of([&] { waveform.begin(path("x.fst"), {.from = {5}, .to = {5}}); }),
            "a waveform must end later than it begins");
  waveform.begin(path("x.fst"), {.from = {1'000'000'000}});
  one.run_until(100);
  EXPECT_EQ(sentence_of([&] { waveform.end(); }),
            "the waveform \"" + path("x.fst") + "\" would begin at 1000000000 ps, but the run ends at 512000 ps");
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_P(WavesOfOne, LeavesTheOldFileUntilTheNewOneIsWhole) {
  std::ofstream(path("x.fst")) << "old";
  {
    Recorded one(counter);
    one.waveform.begin(path("x.fst"), {});
    one.run_until(100);
  }
  std::string left;
  std::ifstream(path("x.fst")) >> left;
  EXPECT_EQ(left, "old");
  EXPECT_EQ(files(), std::vector<std::string>{"x.fst"});
}

TEST_P(WavesOfOne, FindsAFileThatIsCutOff) {
  Recorded one(counter);
  one.waveform.begin(path("x.fst"), {});
  one.run_until(100);
  one.waveform.end();
  ASSERT_TRUE(rtl::is_whole_fst(path("x.fst")));
  const std::uintmax_t size = std::filesystem::file_size(path("x.fst"));
  for (std::uintmax_t cut = 1; cut < size; cut += 1 + size / 97) {
    std::filesystem::copy_file(path("x.fst"), path("y.fst"), std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(path("y.fst"), size - cut);
    EXPECT_FALSE(rtl::is_whole_fst(path("y.fst"))) << cut;
  }
  std::ofstream(path("z.fst")) << "";
  EXPECT_FALSE(rtl::is_whole_fst(path("z.fst")));
}

TEST(WaveViews, NameTheStatesOfTheirPorts) {
  const std::string folder = ::testing::TempDir();
  rtl::write_views(folder + "/v.fst",
                   {.core = rtl::Core::fast, .ports = {3}, .from = {0}, .to = {2'000'000}, .mark = {7}});
  const auto text = [&](const std::string& file) {
    std::ifstream in(folder + file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_NE(text("/v.gtkw").find("TOP.ocs_fast_top.u_core.u_view.u_ports.port[3].state[2:0]\n"), std::string::npos);
  EXPECT_NE(text("/v.gtkw").find("\n@100000028\n"), std::string::npos);  // by the names of the enumeration
  EXPECT_EQ(text("/v.gtkw").find("port[2]"), std::string::npos);
  EXPECT_NE(text("/v.sucl").find("variable_add TOP.ocs_fast_top.u_core.u_view.u_ports.port[3].selects\n"),
            std::string::npos);
  EXPECT_NE(text("/v.gtkw").find("\n@28\nTOP.ocs_fast_top.u_core.u_view.u_ports.port[3].disturbed\n"
                                 "TOP.ocs_fast_top.u_core.u_view.u_ports.port[3].dim\n"),
            std::string::npos);
  EXPECT_NE(
      text("/v.sucl").find("port[3].disturbed\nvariable_add TOP.ocs_fast_top.u_core.u_view.u_ports.port[3].dim\n"),
      std::string::npos);
  EXPECT_NE(text("/v.sucl").find("cursor_set 7\nzoom_fit\n"), std::string::npos);
  EXPECT_NE(text("/v.sucl").find("divider_add port_3\n"), std::string::npos);
}

TEST(WavesOfDevices, AreRefusedWithoutRtl) {
  rtl::Waveform waveform;
  for (const char* name : {"model", "sysc", "mapped:/dev/uio0", "uart:/dev/ttyUSB0"})
    EXPECT_EQ(
        sentence_of([&] { make_device(name, {}, &waveform); }),
        std::string("a waveform shows the signals of RTL, but device \"") + name +
            "\" runs none in this program; these do: verilated, verilated_counter, soc, sysc-rtl, verilated_fast");
}

}  // namespace
}  // namespace ocs
