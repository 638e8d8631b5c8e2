// A run as a file for ui.perfetto.dev and chrome://tracing: what ports, nodes, jobs, plans and the switch did when.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "testbed/engine/run_watch.hpp"
#include "testbed/results/rows/row.hpp"
#include "testbed/timeline/node_lane.hpp"
#include "testbed/timeline/trace_writer.hpp"
#include "testbed/timeline/word_rate.hpp"

namespace ocs {

/// What a transfer is called: "push of worker 4 to server 12, iteration 0", or by its nodes.
std::string transfer_name(const Transfer& transfer, const std::optional<TransferKey>& key);

/// Writes while the run goes on; memory follows what is under way.
class Timeline final : public RunWatch {
 public:
  /// @throws Error (input): the file can't be written
  Timeline(std::string file, bool compressed);
  ~Timeline() override;

  void begin(const RunShape& shape) override;
  void has_legs(std::uint32_t per_iteration) override { legs_ = per_iteration; }
  OutputWatcher* outputs(std::size_t plane) override;
  void on(const Event& event) override;
  void planned(const WatchedPlan& plan) override;
  void carried(const Carried& carried) override;
  void names_next(const TransferKey& key) override { next_key_ = key; }
  void offered(const Transfer& transfer) override;
  void delivered(const Delivery& delivery) override;
  void crossed(Node from, Node to, Picos began, Picos arrived) override;
  void granted(Node node, std::uint32_t iteration, Picos asked, Picos at) override;
  void computes(Node node, std::uint32_t iteration, Picos from) override;
  void computed(Node node, std::uint32_t iteration, Picos from, Picos to) override;
  void computes_between(std::uint32_t iteration, Picos from, Picos to) override;

  /// The cycle of a plane's device in which the run's cycles begin; before it the firmware sets the switch up.
  void starts(std::size_t plane, Cycles since) { starts_[plane] = since; }
  /// A line that the firmware of a plane printed. @param at of the device; what is before the run is shown at its start.
  void firmware(std::size_t plane, Cycles at, std::string_view line);
  /// A link of the chain of waits that explains an iteration, or the run. @param cause, what, behind as of `lightloop why`
  void waited(std::string_view cause, Picos from, Picos to, std::string_view what, std::string_view behind);

  /// Ends what is open. @param row of this run. @throws Error (run): not all of it is on disk
  void finish(const Row& row);
  std::int64_t events() const { return out_.events(); }

 private:
  class Outputs;
  struct SentRun {
    std::uint16_t out;
    Words words;
    Cycles end;
  };
  struct Open {
    std::string name;
    Transfer transfer;
    std::size_t left;    ///< receivers
    std::uint64_t part;  ///< of parts_
  };
  struct Part {  ///< of a job: a phase, a leg, a coflow
    std::string name;
    Picos since;
    std::int64_t open = 0;
  };
  struct Iteration {
    std::uint32_t number;
    Picos from;
  };

  std::uint64_t part_of(const Transfer& transfer, const std::optional<TransferKey>& key);
  void dark(std::uint16_t in, std::uint16_t out, Picos from, Picos to);
  void words(const Carried& carried, const SentRun& run, Cycles from);
  NodeLane& lane(std::size_t node);
  void close_slices(std::size_t node, Picos to);
  void say(std::size_t node, const NodeSlice& slice);
  void end_iteration(std::size_t node, Picos at);

  TraceWriter out_;
  RunShape shape_;
  std::uint32_t legs_ = 0;
  std::vector<std::unique_ptr<Outputs>> outputs_;
  std::optional<TransferKey> next_key_;
  std::unordered_map<Id, Open> open_;
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::vector<Id>> between_;  ///< transfers under way, by nodes
  std::map<std::uint64_t, Part> parts_;
  std::vector<NodeLane> lanes_;
  std::vector<int> computing_;             ///< nodes that do
  std::set<std::size_t> named_;            ///< nodes with tracks
  std::set<std::size_t> gated_, printed_;  ///< workers with a track of the gate; planes with one of firmware
  std::map<std::size_t, Cycles> starts_;   ///< by plane: the device's cycle in which the run begins
  bool has_chain_ = false;
  std::map<std::size_t, Iteration> iterations_;
  WordRate rate_;
  std::uint64_t plans_ = 0, spans_ = 0;
  Picos last_{0};
};

}  // namespace ocs
