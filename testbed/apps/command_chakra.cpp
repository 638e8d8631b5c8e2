// lightloop chakra: what is in execution traces, and whether they can run.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/chakra/chakra_graph.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

struct ChakraArguments {
  std::string pattern;
};

const char* name_of_exchange(const ChakraExchange& one) {
  if (one.what == ChakraExchange::What::message) return "message";
  return one.what == ChakraExchange::What::barrier ? "barrier" : name_of(one.kind).data();
}

struct ExchangeSum {
  std::int64_t count = 0, bytes = 0;
};

void print_chakra(const ChakraGraph& graph) {
  std::map<std::string, ExchangeSum> sums;
  for (const ChakraExchange& one : graph.exchanges) {
    ExchangeSum& sum = sums[name_of_exchange(one)];
    ++sum.count, sum.bytes += one.bytes;
  }
  std::int64_t computing = 0, time_us = 0;
  for (const ChakraGraph::Step& step : graph.steps) computing += step.computes ? 1 : 0, time_us += step.duration_us;
  std::printf("%d ranks, %zu nodes, %lld of them compute, %lld us in all\n", graph.ranks, graph.steps.size(),
              static_cast<long long>(computing), static_cast<long long>(time_us));
  for (const auto& [name, sum] : sums)
    std::printf("  %-14s %10lld  %18lld bytes\n", name.c_str(), static_cast<long long>(sum.count),
                static_cast<long long>(sum.bytes));
}

/// Node by node, each as its trace says it; nothing is asked of the traces together.
void print_traces(const ChakraInput& input) {
  for (std::size_t rank = 0; rank < input.traces.size(); ++rank) {
    std::map<ChakraType, std::int64_t> counts;
    for (const ChakraNode& node : input.traces[rank].nodes) ++counts[node.type];
    const std::int64_t memory = counts[ChakraType::mem_load] + counts[ChakraType::mem_store];
    std::printf(
        "rank %zu: %zu nodes; compute %lld, send %lld, receive %lld, collective %lld, memory %lld, metadata %lld\n",
        rank, input.traces[rank].nodes.size(), static_cast<long long>(counts[ChakraType::compute]),
        static_cast<long long>(counts[ChakraType::send]), static_cast<long long>(counts[ChakraType::receive]),
        static_cast<long long>(counts[ChakraType::collective]), static_cast<long long>(memory),
        static_cast<long long>(counts[ChakraType::metadata]));
  }
}

/// "must ..." is half a sentence.
ChakraInput input_of(const std::string& pattern) {
  try {
    return load_chakra(pattern, "");
  } catch (const Error& error) {
    const std::string what = error.what();
    if (!what.starts_with("must ") && !what.starts_with("lacks ")) throw;
    throw Error(ErrorKind::input, "\"" + pattern + "\" " + what);
  }
}

}  // namespace

void add_chakra(CLI::App& app, Action& action) {
  CLI::App& chakra = *app.add_subcommand("chakra", "execution traces of MLCommons Chakra (docs/chakra.md)");
  chakra.require_subcommand(1);
  const auto arguments = std::make_shared<ChakraArguments>();
  CLI::App& info = *chakra.add_subcommand("info", "print what each rank's trace has");
  CLI::App& check = *chakra.add_subcommand("check", "join the traces of all ranks: what can run, and what never could");
  for (CLI::App* command : {&info, &check})
    command->add_option("TRACES", arguments->pattern, "files by rank: \"trace.%d.et\", with ?groups=FILE")->required();
  info.callback([arguments, &action] {
    action = [arguments](const Environment&) { print_traces(input_of(arguments->pattern)); };
  });
  check.callback([arguments, &action] {
    action = [arguments](const Environment&) {
      const ChakraInput input = input_of(arguments->pattern);
      print_chakra(make_chakra_graph(input.traces, input.groups));
    };
  });
}

}  // namespace ocs
