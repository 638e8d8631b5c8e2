// lightloop rtl: compiled switches, built ahead of time, listed, removed.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <vector>

#include "host/rtl/store.hpp"
#include "testbed/apps/commands.hpp"

namespace ocs {
namespace {

struct BuildArguments {
  std::vector<int> ports;
  std::string core = "fast";
  rtl::Parameters parameters;
  bool words = false;
  unsigned jobs = 0;
};

rtl::Store standard_store(unsigned jobs = 0) {
  return {rtl::standard_places(), [](const std::string& sentence) { std::cerr << sentence << '\n'; }, jobs};
}

void build_switches(const BuildArguments& arguments) {
  const rtl::Store store = standard_store(arguments.jobs);
  for (const int ports : arguments.ports) {
    rtl::Parameters parameters = arguments.parameters;
    parameters.core = rtl::parameters_of(arguments.core + "-2").core;
    parameters.ports = ports;
    if (arguments.words) parameters.lanes = 8;
    const std::filesystem::path object = store.object(parameters);
    std::cout << name_of(parameters) << ": " << object.string() << '\n';
  }
}

std::string size_text(std::uintmax_t bytes) {
  constexpr double mega = 1e6;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f MB", static_cast<double>(bytes) / mega);
  return text.data();
}

std::string state_of(const rtl::StoredSwitch& one) {
  if (!one.intact) return "damaged";
  return one.current ? "" : "made of other RTL";
}

void list_switches() {
  const rtl::Store store = standard_store();
  const std::vector<rtl::StoredSwitch> all = store.list();
  for (const rtl::StoredSwitch& one : all) {
    std::array<char, 128> line{};
    std::snprintf(line.data(), line.size(), "%-28s %9s  %-8s %s", name_of(one.parameters).c_str(),
                  size_text(one.bytes).c_str(), one.shipped ? "shipped" : "cache", state_of(one).c_str());
    std::string text = line.data();
    text.erase(text.find_last_not_of(' ') + 1);
    std::cout << text << '\n';
  }
  if (all.empty()) std::cout << "no switch has been compiled yet\n";
  std::cout << "shipped: " << store.places().shipped.string() << "\ncache:   " << store.places().cache.string() << '\n';
}

void clean_cache() {
  const rtl::Store store = standard_store();
  std::cout << "removed " << size_text(store.clean()) << " from " << store.places().cache.string() << '\n';
}

void add_build(CLI::App& command, Action& action) {
  CLI::App* build_command = command.add_subcommand(
      "build", "Compiles switches into the cache unless they are there already, and prints their files.");
  const auto given = std::make_shared<BuildArguments>();
  build_command->add_option("PORTS", given->ports, "numbers of ports, 2 to 256")->required();
  build_command->add_option("--core", given->core, "fast (device verilated), counter (verilated_counter) or soc")
      ->check(CLI::IsMember({"fast", "counter", "soc"}))
      ->capture_default_str();
  build_command->add_flag("--words", given->words,
                          "words of 512 bits really cross (fabric.fidelity = \"word\"); core fast");
  build_command
      ->add_option("--fifo-depth", given->parameters.fifo_depth, "records of the event FIFO: a power of two, 2 to 4096")
      ->capture_default_str();
  build_command
      ->add_option("--sequencer-entries", given->parameters.sequencer_entries,
                   "entries of a sequencer bank: a power of two, 2 to 32768")
      ->capture_default_str();
  build_command
      ->add_option("--options", given->parameters.options, "options of the switch, bits as in CAP_OPTIONS, 0 to 4095")
      ->capture_default_str();
  build_command->add_flag("--checks", given->parameters.checks, "with all assertions of rtl/checks; core counter");
  build_command->add_flag("--waves", given->parameters.waves, "able to write waveforms (FST)");
  build_command->add_option("--jobs,-j", given->jobs, "compilers at once; 0: one for each processor")
      ->capture_default_str();
  build_command->callback([given, &action] { action = [given](const Environment&) { build_switches(*given); }; });
}

}  // namespace

void add_rtl(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "rtl",
      "Compiled switches: each device of the RTL is compiled when its size is named for the first time, and kept.");
  command->require_subcommand(1);
  add_build(*command, action);
  command
      ->add_subcommand("list", "Lists the compiled switches: those installed with lightloop, and those in the cache.")
      ->callback([&action] { action = [](const Environment&) { list_switches(); }; });
  command->add_subcommand("clean", "Removes all switches from the cache.")->callback([&action] {
    action = [](const Environment&) { clean_cache(); };
  });
}

}  // namespace ocs
