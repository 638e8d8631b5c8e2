// Runs the register programs and random ones on every mutant of a netlist and says which of them notices it.
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/conformance/random_program.hpp"
#include "host/core/error.hpp"
#include "host/device/model/model.hpp"
#include "host/device/verilated_device.hpp"
#include "host/rtl/compiled_switch.hpp"
#include "host/rtl/switch_pins.hpp"
#include "ocs_regs.h"
#include "tests/conformance/window.hpp"
#include "tests/mutation/children.hpp"
#include "tests/mutation/displaced.hpp"
#include "tests/mutation/pin_trial.hpp"
#include "tests/mutation/trials.hpp"

namespace ocs::conformance {
namespace {

constexpr int ports = 4;
constexpr std::uint64_t pin_trials = 3;
constexpr int edges_at_pins = 30'000;
constexpr std::uint64_t patience = 10;  // times as many edges as the switch itself takes

using Choose = void (*)(lightloop_switch*, std::uint32_t);
using Acting = const void* (*)(lightloop_switch*, std::size_t*);
using Bytes = std::vector<std::uint8_t>;

/// How many edges of the fabric clock a device took, and may take; which mutants would have changed anything by then.
struct Edges {
  std::uint64_t taken = 0, most = std::numeric_limits<std::uint64_t>::max();
  Bytes* acting = nullptr;
};

/// A Watch that ends a run that would not end, or not soon.
class Bounded {
 public:
  Bounded(rtl::SwitchPins& pins, Edges& edges, Acting acting) : pins_(pins), edges_(edges) {
    if (edges.acting == nullptr) return;
    std::size_t bytes = 0;
    active_ = static_cast<const std::uint8_t*>(acting(pins.instance().made(), &bytes));
    edges.acting->assign(bytes, 0);
  }
  void after_edge(rtl::SwitchPins&) {
    constexpr std::uint64_t of_reset = 3;
    if (active_ != nullptr)
      for (std::size_t k = 0; k < edges_.acting->size(); ++k) (*edges_.acting)[k] |= active_[k];
    if (++edges_.taken > edges_.most) throw Error(ErrorKind::run, "it takes ten times as many edges");
    if (edges_.taken > of_reset && pins_.horizon_o == 0) throw Error(ErrorKind::run, "its horizon is 0: it never ends");
  }

 private:
  rtl::SwitchPins& pins_;
  Edges& edges_;
  const std::uint8_t* active_ = nullptr;
};

class Netlist {
 public:
  explicit Netlist(const std::string& object) : compiled_(object) {
    void* handle = dlopen(object.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle != nullptr) {
      choose_ = reinterpret_cast<Choose>(dlsym(handle, "ocs_choose_mutant"));
      begin_ = reinterpret_cast<Choose>(dlsym(handle, "ocs_begin_at"));
      acting_ = reinterpret_cast<Acting>(dlsym(handle, "ocs_mutants_that_act"));
    }
    if (choose_ == nullptr || begin_ == nullptr || acting_ == nullptr)
      throw Error(ErrorKind::input, "\"" + object + "\" has no mutants");
  }
  std::unique_ptr<Device> make(const DeviceConfig& config, int mutant, std::uint32_t origin, Edges& edges) const {
    rtl::Instance made = compiled_.make();
    choose_(made.made(), static_cast<std::uint32_t>(mutant));
    begin_(made.made(), origin);
    auto device = std::make_unique<VerilatedDevice<rtl::SwitchPins, Bounded>>(config, std::move(made), edges, acting_);
    if (origin == 0) return device;
    return displaced(std::move(device), origin);
  }
  rtl::SwitchPins pins(int mutant) const {
    rtl::Instance made = compiled_.make();
    choose_(made.made(), static_cast<std::uint32_t>(mutant));
    begin_(made.made(), 0);
    return rtl::SwitchPins(std::move(made));
  }

 private:
  rtl::CompiledSwitch compiled_;
  Choose choose_ = nullptr, begin_ = nullptr;
  Acting acting_ = nullptr;
};

Trial random_trial(std::uint64_t seed, int number, int depth) {
  constexpr std::uint64_t apart = 1'000'003;
  constexpr std::size_t most_steps = 200;
  const DrawBelow draw = draws_of(seed * apart + static_cast<std::uint64_t>(number));
  Setting setting = random_setting(draw);
  setting.ports = ports;
  setting.fifo_depth = depth;
  Trial trial;
  trial.name = "random program " + std::to_string(number);
  trial.fifo_depth = depth;
  const auto steps = static_cast<std::size_t>(1 + draw(most_steps));
  trial.program = join(random_steps(setting, steps, draw));
  trial.every_cycle = setting.every_cycle;
  expect(trial);
  return trial;
}

/// A program in one way, how many edges the switch itself takes, and of each mutant one bit: whether it would change
/// anything. If not, the mutant does here what the switch does.
struct Run {
  const Trial* trial;
  const Way* way;
  std::uint32_t origin;
  std::uint64_t edges = 0;
  Bytes acting;

  bool reaches(std::size_t bit) const { return (acting.at(bit / 8) >> bit % 8 & 1) != 0; }
  std::string name() const {
    return trial->name + way->name + (origin == 0 ? "" : ", begun at " + std::to_string(origin) + " * 2^32");
  }
};

/// High words that time and counters begin with when the program runs in this way; away from 0 it runs warped alone.
std::vector<std::uint32_t> origins(const Trial& trial, const Way& way) {
  std::vector<std::uint32_t> out;
  if (fits(trial, way)) out.push_back(0);
  if (&way != &ways().front() || !may_be_displaced(trial.program)) return out;
  if (trial.from_far) out.insert(out.end(), {0x15555555, 0x6AAAAAAA});  // each bit is 1 in one, but for the highest
  constexpr unsigned highest = 30;
  for (unsigned bit = 0; trial.from_each_bit && bit <= highest; ++bit) out.push_back(1U << bit);
  return out;
}

/// All runs in these ways: one way after the other, short ones first. The switch itself takes each. @throws Error (run)
/// if it doesn't pass.
std::vector<Run> runs_of(const std::vector<Trial>& all, std::span<const Way> these, const Netlist& netlist) {
  std::vector<Run> out;
  const auto add = [&](Run run) {
    Edges edges;
    edges.acting = &run.acting;
    const std::string why = wrong(
        *run.trial, *run.way, [&](const DeviceConfig& config) { return netlist.make(config, 0, run.origin, edges); });
    if (!why.empty()) throw Error(ErrorKind::run, "the switch itself fails " + run.name() + ":\n" + why);
    run.edges = edges.taken;
    out.push_back(std::move(run));
  };
  for (const Trial& trial : all)
    for (const Way& way : these)
      for (const std::uint32_t origin : origins(trial, way)) add({&trial, &way, origin, 0, {}});
  std::ranges::stable_sort(out, {}, [](const Run& run) { return std::pair(run.way, run.edges); });
  return out;
}

/// What is read of the registers that say how the switch was built, where its pins say two things in turn.
std::vector<std::uint32_t> constants(const Netlist& netlist, int mutant) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t pattern : {0x1555'5555U, 0x2AAA'AAAAU}) {
    DeviceConfig config;
    config.ports = ports;
    config.word_bytes = static_cast<std::uint16_t>(pattern);
    config.cycle = Picos{pattern};
    Edges edges;
    const auto device = netlist.make(config, mutant, 0, edges);
    for (std::uint32_t address = offsetof(ocs_regs_t, ID); address <= offsetof(ocs_regs_t, CYCLE_PS); address += 4)
      out.push_back(device->bus().read(address));
  }
  return out;
}

/// What the window answers after a value was written to registers and to addresses near them.
std::vector<std::optional<std::uint32_t>> window_of(Device& device) {
  constexpr Cycles a_while{1000};
  const std::vector<std::uint32_t> addresses = near_registers();
  std::vector<std::optional<std::uint32_t>> out;
  const auto add = [&](const auto& found) { out.insert(out.end(), found.begin(), found.end()); };
  for (const std::uint32_t value : {0x5A5A'A5A5U, 0xFFFF'FFFFU, 1U}) {
    add(refused_writes(device.bus(), addresses, value));
    add(answers(device.bus(), addresses));
    device.clock().run_until(device.clock().now() + a_while);
    add(answers(device.bus(), addresses));
  }
  return out;
}

/// What a mutant is compared with where no program runs, and how many edges the switch itself takes for its window.
struct Own {
  std::vector<std::uint32_t> constants;
  std::vector<std::optional<std::uint32_t>> window;
  std::uint64_t edges = 0;
  std::vector<std::vector<PinEdge>> at_pins{};
};

DeviceConfig small_switch() {
  DeviceConfig config;
  config.ports = ports;
  return config;
}

/// @throws Error (run) if the switch's window is not the model's.
Own own_of(const Netlist& netlist) {
  Edges edges;
  Own own{constants(netlist, 0), window_of(*netlist.make(small_switch(), 0, 0, edges)), 0};
  own.edges = edges.taken;
  for (std::uint64_t seed = 1; seed <= pin_trials; ++seed) {
    rtl::SwitchPins pins = netlist.pins(0);
    own.at_pins.push_back(drawn_at_pins(pins, ports, seed, edges_at_pins));
  }
  if (window_of(*make_model(small_switch())) != own.window)
    throw Error(ErrorKind::run, "the window of the switch itself is not the model's");
  return own;
}

/// Whether its window differs. @param why gets the reason if it does not answer.
bool has_another_window(const Own& own, const Netlist& netlist, int mutant, std::string& why) {
  Edges edges{0, patience * own.edges, nullptr};
  try {
    return window_of(*netlist.make(small_switch(), mutant, 0, edges)) != own.window;
  } catch (const Error& error) {
    why = error.what();
    return true;
  }
}

/// Whether its pins show anything else.
bool differs_at_pins(const Own& own, const Netlist& netlist, int mutant) {
  return std::ranges::any_of(own.at_pins, [&](const std::vector<PinEdge>& edges) {
    rtl::SwitchPins pins = netlist.pins(mutant);
    return unlike_at_pins(pins, edges) != edges.size();
  });
}

/// @param bit of the mutant in Run::acting. @param why gets how many runs it would change anything in, if it survives.
std::string killer_of(const std::vector<Run>& runs, const Own& own, const Netlist& netlist, int mutant, std::size_t bit,
                      std::string& why) {
  constexpr std::uint64_t few = 1000;
  std::size_t reached = 0;
  try {
    if (constants(netlist, mutant) != own.constants) return "constants";
  } catch (const Error& error) {
    why = error.what();
    return "constants";
  }
  for (const Run& run : runs) {
    if (!run.reaches(bit)) continue;
    ++reached;
    Edges edges{0, patience * run.edges + few, nullptr};
    why = wrong(*run.trial, *run.way,
                [&](const DeviceConfig& config) { return netlist.make(config, mutant, run.origin, edges); });
    if (!why.empty()) return run.name();
  }
  if (has_another_window(own, netlist, mutant, why)) return "window";
  if (differs_at_pins(own, netlist, mutant)) return "pins";
  why = std::to_string(reached);
  return "";
}

/// What PROGRAMS stands for.
struct Programs {
  std::vector<Trial> trials;
  std::span<const Way> in;
};

Programs programs_of(const std::string& name, std::uint64_t seed, int depth) {
  Programs out{{}, ways()};
  if (name != "warped" && name != "others") {
    for (int k = 0; k < std::stoi(name); ++k) out.trials.push_back(random_trial(seed, k, depth));
    return out;
  }
  out.trials = golden_trials([depth](int n, int records) { return n == ports && records == depth; });
  for (Trial& more : varied(out.trials)) out.trials.push_back(std::move(more));
  for (Trial& more : systematic_trials(ports, depth)) out.trials.push_back(std::move(more));
  out.in = name == "warped" ? out.in.first(1) : out.in.subspan(1);
  return out;
}

int run(std::span<char*> words) {
  constexpr std::size_t first_mutant = 8;
  if (words.size() <= first_mutant) {
    std::cerr
        << "netlist_judge OBJECT DEPTH SEED PROGRAMS JOBS FOLDER FIRST MUTANT...\n"
           "Prints, for each mutant, its number, the seconds taken, and what noticed it (nothing: it survives).\n"
           "OBJECT: a netlist of 4 ports with DEPTH records, whose first mutant has the number FIRST. PROGRAMS: a "
           "number of\n"
           "random ones; or \"warped\" or \"others\": those of tests/goldens/switch, also on other ports and "
           "begun late,\n"
           "and systematic ones, warped or in other ways. The switch itself has to pass them. FOLDER/MUTANT.log "
           "ends, if\n"
           "the mutant survives, with the number of runs in which it changed anything.\n";
    return 2;
  }
  const Netlist netlist(words[1]);
  const Programs programs = programs_of(words[4], std::stoull(words[3]), std::stoi(words[2]));
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Run> runs = runs_of(programs.trials, programs.in, netlist);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::cerr << programs.trials.size() << " programs, " << runs.size() << " runs: the switch itself passes in "
            << seconds << " s\n";
  const Own own = own_of(netlist);
  const int first = std::stoi(words[first_mutant - 1]);
  std::vector<int> mutants;
  for (const char* mutant : words.subspan(first_mutant)) mutants.push_back(std::stoi(mutant));
  judge_each(mutants, std::stoul(words[5]), words[6], static_cast<unsigned>(10 + patience * seconds),
             [&](int mutant, std::string& why) {
               return killer_of(runs, own, netlist, mutant, static_cast<std::size_t>(mutant - first), why);
             });
  return 0;
}

}  // namespace
}  // namespace ocs::conformance

int main(int argc, char** argv) {
  try {
    return ocs::conformance::run({argv, static_cast<std::size_t>(argc)});
  } catch (const std::exception& error) {
    std::cerr << "netlist_judge: " << error.what() << "\n";
    return 2;
  }
}
