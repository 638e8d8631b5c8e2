// Where the time of workers goes: computing, communicating, waiting for mirrors, waiting for others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/core/fibres.hpp"
#include "testbed/coordinator/job.hpp"
#include "testbed/engine/watched_switch.hpp"

namespace ocs {

/// Parts of a worker's time that don't overlap, and their sum is the time of the job.
struct WorkerTime {
  Picos compute;        ///< it computes
  Picos communication;  ///< exposed: it doesn't compute, and words of its transfers are on their way
  Picos dark;           ///< none of these, and the circuit of one of its transfers is being set up, held, or has failed
  Picos waiting;        ///< the rest: for ports that others use, for others to compute, push or pull
  Picos sum() const { return compute + communication + dark + waiting; }
};

/// A worker's transfers are its pushes and pulls over the switch. One is under way from its offer to its last delivery;
/// its circuit is from its sender's input to its receiver's output. Events come before the moments of the same instant.
/// Memory: what the transfers under way need, a little for each pair of ports that has ever had one, and a pointer for
/// each other pair of such an output.
class NodeTime final : public OutputWatcher {
 public:
  /// @param ports of the switch, all idle. @param cycle of the device.
  /// @param fibre words leave their sender its fibre before they pass the switch, and arrive their receiver's fibre after.
  NodeTime(int ports, Picos cycle, Fibres fibre)
      : cycle_(cycle),
        fibre_(std::move(fibre)),
        outputs_(static_cast<std::size_t>(ports)),
        circuits_(static_cast<std::size_t>(ports)) {}

  void entered(Output out, EventKind state, std::optional<Input> in, Cycles at) override;
  void passed(Output out, Input in, Cycles from, Cycles to) override;
  void on(const JobMoment& moment);
  /// Over a network without a switch: words were on their way all the time between.
  void sent(Output out, Input in, Picos from, Picos to);

  /// The time of each worker that has computed, in the job from 0 to `end`. Call it once, after the last moment.
  /// @throws Error (internal) if a worker's parts don't add up.
  std::map<Node, WorkerTime> finish(Picos end);

 private:
  struct Span {
    Picos from, to;
  };
  using Spans = std::vector<Span>;
  using Path = std::pair<Input, Output>;
  struct PathUse {
    int open = 0;  ///< transfers under way
    Spans words, dark;
  };
  struct Port {
    bool dark = false;
    std::optional<Input> in;
    Picos since{0};
  };
  struct Worker {
    WorkerTime time;
    Picos settled{0};  ///< `time` says all before it
    int open = 0;
    bool computing = false;
    Picos computes_since{0};
    Spans compute, words, dark;  ///< since `settled`
  };
  struct Open {
    Picos offered;
    Worker& worker;
    PathUse& circuit;
    int count = 0;  ///< a transfer and what of it is sent again
  };
  struct KeyHash {
    std::size_t operator()(const TransferKey& key) const;
  };

  /// nullptr: no transfer of this path is under way.
  PathUse* under_way(const Path& path);
  static Path path_of(const TransferKey& key);
  static void clip(const Spans& spans, Span window, Spans& append);
  static Picos covered(Spans& spans);
  PathUse& made_circuit(const Path& path);
  void delivered(const TransferKey& key, Picos at);
  void stop_computing(Worker& worker, Picos at);
  void attribute_time(Worker& worker, Picos at);

  Picos cycle_;
  Fibres fibre_;
  std::vector<Port> outputs_;
  /// By output and input; kept when nothing is under way.
  std::vector<std::vector<std::unique_ptr<PathUse>>> circuits_;
  std::unordered_map<TransferKey, Open, KeyHash> open_;
  std::map<Node, Worker> workers_;
};

}  // namespace ocs
