// The one loop of virtual time: it moves the network, the jobs and their nodes forward together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/core/network.hpp"
#include "testbed/engine/progress.hpp"
#include "testbed/engine/running_job.hpp"

namespace ocs {

/// When a job comes, where it runs, and how urgent it is.
struct JobArrival {
  Picos at{0};
  int first_node = 0;            ///< its node v is node (first_node + v) mod `ports` of the network
  int ports = 0;                 ///< 0: its node v is node v
  std::int32_t urgency = 0;      ///< 0 to most_urgencies - 1; transfers of jobs with a smaller one go first
  std::function<void()> over{};  ///< called when it has ended and nothing of it is left; may be left out
};

/// Conservative: time goes to t = min(all promises, all stamps not yet acted on, the jobs' and the
/// network's own next times), and only when every node has answered everything sent to it. At t
/// first the receivers are told what the network delivers; then everything stamped t is acted on,
/// job by job, in the order (phase, node, sequence); and so on until nothing new is stamped t. When
/// nothing more is stamped t, a job is woken if it asked for that, or the next job arrives.
class Engine {
 public:
  static constexpr int max_rounds_at_one_time = 10000;
  static constexpr std::int32_t most_urgencies = 1 << 14;
  /// Makes a job when it arrives, with what it needs. The actions live as long as the job.
  using MakeJob = std::function<std::shared_ptr<RunningJob>(JobActions&)>;

  explicit Engine(Network& network, Progress* progress = nullptr);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Jobs that arrive at one time begin in the order of these calls. A job is let go of when it is over.
  void add(JobArrival arrival, MakeJob make);
  /// Shows the progress. @param waiting_for nothing: what the first job waits for
  void show(const std::string& waiting_for) const;

  /// Runs all jobs to their end. @throws Error (run): words are lost for good, nobody can go on, time stands still, a
  /// node fails or owes its answer for too long
  void run();
  Picos now() const { return now_; }

 private:
  class Seat;

  bool arrive();
  void exchange();
  void end_jobs();
  void move_to(Picos t);
  Picos next_time();
  bool deliver();
  bool act();
  bool wake();
  void guard_against_standstill(Picos before);
  Seat& owner_of(Id transfer);
  Id coflow_of(std::uint32_t seat, Id coflow);
  [[noreturn]] void deadlock() const;

  Network& network_;
  Progress* progress_;
  std::multimap<Picos, std::pair<JobArrival, MakeJob>> arrivals_;
  std::size_t added_ = 0;                     ///< jobs
  std::vector<std::unique_ptr<Seat>> seats_;  ///< of the jobs under way, by arrival
  std::deque<std::uint32_t> owners_;          ///< the job of each transfer from first_owned_ on
  std::uint32_t first_owned_ = 1, next_seat_ = 0;
  std::map<std::pair<std::uint32_t, Id>, Id> coflows_;  ///< of several jobs: by job and its own number
  std::uint32_t next_coflow_ = 0;
  std::vector<Delivery> deliveries_;  ///< not yet told
  std::vector<Delivery> told_;        ///< of this instant
  Picos now_{0};
  int rounds_here_ = 0;
};

}  // namespace ocs
