// Where workers wait for each other: the gate of the synchronisation scheme and the barrier before computing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/transport/fields.hpp"
#include "testbed/coordinator/gate/grant.hpp"
#include "testbed/coordinator/gate/sync_measures.hpp"
#include "testbed/coordinator/node_death.hpp"
#include "testbed/nodes/node_job.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs {

/// What is to be said to workers (compute, step, push) or to all servers (release).
struct Order {
  enum class What {
    compute,  ///< then push
    step,     ///< compute and push nothing; `iteration` is the number of the step
    push,     ///< at once
    stall,    ///< nobody is told: it computes no more until it is told to
    release,
  } what;
  std::uint32_t iteration;
  std::vector<Node> workers;  ///< ascending; never empty
};

/// How a job synchronises.
struct GateRules {
  const SyncEntry& entry;
  SyncSettings settings{};
  /// How long worker number `worker` computes in its iteration (or local step) number `iteration`; 0 or more.
  std::function<Picos(std::size_t worker, std::uint32_t iteration)> compute_of;
  Picos duration = never<Picos>;  ///< at it, who waits at the gate has finished, as has who comes there later
  Picos fixed{};                  ///< of an iteration's computing: is the same whatever the batch
  bool by_layer = false;          ///< each transfer is a coflow of its own
  GrantWatch on_grant{};          ///< sees each grant; may be left out
};

/// Keeps count of pushes and pulls, asks the scheme (its ticks are picoseconds), and turns its grants into orders.
/// A worker asks for its next iteration as soon as all its pushes are in. A grant of iteration k lets it pull, also of
/// iteration 0; only with phases, and where workers take local steps, everybody starts with the model.
/// Pulls are numbered by the iteration that they let their worker begin, the last one, of the final model, by
/// `iterations`; with phases by the iteration whose pushes they bring.
/// Checked at every push, in all builds, besides what the scheme checks: each server has each slice of a push once, and
/// each push is applied or dropped once. @throws Error (internal) for what breaks that; Error (run) that names a worker
/// that left when the scheme can't go on without it.
class Gate {
 public:
  Gate(const NodeJob& job, const GateRules& rules);

  std::vector<Order> start();
  std::vector<Order> pushed(const TransferKey& key, Picos now);
  /// A pull of `worker` was first given ports at `at`: its snapshot of the model is of then.
  void pull_began(Node worker, Picos at);
  std::vector<Order> pulled(Node worker, std::uint32_t iteration, Picos now);
  std::vector<Order> stepped(Node worker, Picos now);  ///< a local step has ended
  /// Pushes of a worker that have been whole.
  std::uint32_t whole_pushes(Node node) const { return workers_[number_of(node)].iteration; }
  /// It takes no further part. @param now not before the death: a job that arrives later hears of it when it comes
  std::vector<Order> left(const NodeDeath& death, Picos now);
  /// When wake() is due; never: nobody asked for it.
  Picos next() const { return std::min(timer_, ended_ ? never<Picos> : rules_.duration); }
  std::vector<Order> wake(Picos now);

  /// Of an order to compute or to step.
  Picos compute_time(Node worker, std::uint32_t iteration) const;
  bool finished() const { return finished_ == job_.workers.size(); }
  bool starts_by_a_pull() const { return rules_.entry.compute == ComputeStart::after_own_pull; }
  /// Computes now, in a local step.
  bool stepping(Node worker) const { return workers_[number_of(worker)].steps.running; }
  /// Pushes that were applied or dropped, in that order; those that nobody decided on come last, as dropped. Kept where
  /// there is payload for a model. `server` has no meaning.
  std::vector<PastEvent> decisions() const;
  std::size_t decided() const { return decisions_.size(); }  ///< of them, those that the scheme has decided on
  /// A worker whose push is in and waits for a decision; none: there is no such push.
  std::optional<Node> undecided() const;
  std::uint64_t updates() const { return version_; }  ///< in the model
  /// Real learning: the steps and pushes of workers that take local steps, and what they merged, in their order.
  const std::vector<PastEvent>& local_program() const { return local_program_; }
  /// From when on the model had so many updates, for each update, which may be of several pushes.
  const std::vector<std::pair<Picos, std::uint64_t>>& whole_updates() const { return whole_updates_; }
  /// How many updates the model had at `at`, with those of that instant so far.
  std::uint64_t version_at(Picos at) const;
  std::uint64_t version_of(Node worker) const { return workers_[number_of(worker)].granted_version; }
  SyncResult measured() const { return measures_.result(); }
  /// "worker: pushing iteration 0, 2 of 4 servers have it; server: 3 of 12 pushes of iteration 0"
  std::string state_of(Node node) const;
  /// What the slowest worker does, for the progress display.
  std::string summary() const;

 private:
  enum class Doing { waiting_to_start, computing_or_pushing, asking, pulling, waiting_for_others, finished, gone };
  /// A worker that doesn't wait for pulls; see local_steps.cpp.
  struct Steps {
    std::uint32_t done = 0, covered = 0, quota = 1, ahead = 0;  ///< covered: in pushes
    bool waits = false, model_here = false, running = false;    ///< waits: its last push isn't answered
  };
  struct Worker {
    Doing doing = Doing::waiting_to_start;
    std::uint32_t iteration = 0;
    std::vector<char> has_push;  ///< by server and slice
    std::size_t pushes_in = 0;
    bool push_open = false;             ///< in, and neither applied nor dropped
    std::uint64_t granted_version = 0;  ///< of the model at its last grant
    std::uint64_t seen = 0;             ///< version of the model that it computes with
    bool seen_known = false;            ///< the network has said when the pull began
    std::uint32_t clock = 0;            ///< pushes applied
    std::uint32_t batch = 0;
    Picos asked{0}, granted{0}, pull_time{0}, blocked{0};
    Steps steps;
  };
  std::size_t transfer_of(const TransferKey& key) const;
  std::size_t number_of(Node worker) const { return static_cast<std::size_t>(job_.worker_index(worker)); }
  bool phases() const { return rules_.entry.compute == ComputeStart::after_last_pull; }
  /// Whether a worker that is granted `iteration` pulls before it begins.
  bool pulls(std::uint32_t iteration) const { return iteration > 0 || starts_by_a_pull(); }
  bool active(const Worker& worker) const { return worker.doing != Doing::finished && worker.doing != Doing::gone; }
  void ask(std::size_t worker, Picos now);
  void finish(std::size_t worker, Picos now);
  void notify_scheme(GateEvent::Kind kind, std::size_t worker, std::uint32_t iteration, Picos now);
  void take(const GateActions& actions, Picos now);
  void order_released(Picos now, std::vector<Order>& orders);
  void take_verdicts(const GateActions& actions, Picos now);
  void begin_computing(std::size_t worker, std::vector<Order>& orders);
  void go_on(std::size_t worker, std::vector<Order>& orders);
  void note(PastEvent::What what, std::size_t worker);
  std::uint32_t samples(const Worker& worker) const;
  Picos batch_time(const Worker& worker, Picos time) const;
  std::string describe_worker(const Worker& worker) const;

  const NodeJob& job_;
  GateRules rules_;
  std::unique_ptr<SyncScheme> scheme_;
  std::vector<Worker> workers_;
  std::vector<std::vector<std::size_t>> pushes_at_;             ///< [server][iteration]
  std::uint64_t version_ = 0;                                   ///< pushes applied
  std::vector<std::pair<Picos, std::uint64_t>> versions_;       ///< from when on the model had which; ascending
  std::map<std::uint32_t, std::vector<std::size_t>> released_;  ///< at this event: by iteration, numbers of workers
  std::vector<PastEvent> decisions_, local_program_;
  std::vector<std::pair<Picos, std::uint64_t>> whole_updates_;
  Picos timer_ = never<Picos>;
  bool ended_ = false;  ///< the duration is over
  std::size_t finished_ = 0;
  SyncMeasures measures_;
};

}  // namespace ocs
