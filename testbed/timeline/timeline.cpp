// Each kind of thing has its group of tracks.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/timeline/timeline.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ocs {
namespace {

constexpr int nodes_group = 1, jobs_group = 2, plans_group = 3, switch_group = 4, counters_group = 5, gate_group = 6,
              firmware_group = 7, chain_group = 8, ports_group = 10;
constexpr std::array<std::string_view, 6> port_states = {"idle", "tuning", "locking", "up", "held", "failed"};
static_assert(static_cast<std::size_t>(EventKind::failed) + 1 == port_states.size());

constexpr std::array<std::string_view, 3> phase_names = {"push", "pull", "migration"};

Track state_track(std::size_t node) { return {nodes_group, static_cast<int>(node) * 2 + 1}; }
Track iteration_track(std::size_t node) { return {nodes_group, static_cast<int>(node) * 2}; }

}  // namespace

std::string transfer_name(const Transfer& transfer, const std::optional<TransferKey>& key) {
  if (key) return describe(*key);
  std::string name = "node " + std::to_string(index(transfer.from)) + " to ";
  for (std::size_t k = 0; k < transfer.to.size(); ++k)
    name += (k == 0 ? "" : ", ") + std::to_string(index(transfer.to[k]));
  return name;
}

/// The outputs of a plane: slices of states without gaps.
class Timeline::Outputs final : public OutputWatcher {
 public:
  Outputs(Timeline& timeline, std::size_t plane)
      : timeline_(timeline), plane_(plane), ports_(static_cast<std::size_t>(timeline.shape_.ports)) {
    TraceWriter& out = timeline.out_;
    const std::string which = timeline.shape_.planes > 1 ? " of plane " + std::to_string(plane) : "";
    out.name_group(group(), "outputs" + which);
    for (int port = 0; port < timeline.shape_.ports; ++port)
      out.name_track({group(), port}, "output " + std::to_string(port));
    out.name_track(commands(), "commands" + which);
    out.name_track(events(), "events" + which);
  }

  void entered(Output output, EventKind state, std::optional<Input> in, Cycles at) override {
    Port& port = ports_.at(index(output));
    leave(index(output), at);
    if ((port.state == EventKind::up) != (state == EventKind::up)) count(state == EventKind::up ? 1 : -1, at);
    port = {state, in, at};
  }
  /// One cycle a word; how long it took is known when its burst has been carried.
  void passed(Output output, Input in, Cycles from, Cycles to) override {
    runs_[in].push_back({index(output), Words{(to - from).n}, to});
  }
  /// Takes the runs of the input's burst that ended then.
  std::vector<SentRun> take_runs(Input in, Cycles end) {
    std::vector<SentRun>& runs = runs_[in];
    const auto later =
        std::stable_partition(runs.begin(), runs.end(), [&](const SentRun& run) { return run.end <= end; });
    std::vector<SentRun> taken(runs.begin(), later);
    runs.erase(runs.begin(), later);
    return taken;
  }
  void commanded(const Commit& commit, Cycles now) override {
    timeline_.out_.instant(commands(), "commit", at(now), {{"outputs", commit.change.size()}, {"cycle", commit.at.n}});
  }
  void commanded(const Burst& burst, Cycles now) override {
    timeline_.out_.instant(commands(), "burst", at(now),
                           {{"input", index(burst.in)}, {"words", burst.length.n}, {"cycle", burst.not_before.n}});
  }

  void finish(Cycles end) {
    for (std::size_t port = 0; port < ports_.size(); ++port) leave(static_cast<std::uint16_t>(port), end);
    say_count();
  }

  int group() const { return ports_group + static_cast<int>(plane_); }
  Track events() const { return {switch_group, static_cast<int>(plane_) * 2 + 1}; }

 private:
  struct Port {
    EventKind state = EventKind::idle;
    std::optional<Input> in;
    Cycles since{0};
  };
  Picos at(Cycles cycle) const { return to_picos(cycle, timeline_.shape_.cycle); }
  Track commands() const { return {switch_group, static_cast<int>(plane_) * 2}; }

  void leave(std::uint16_t number, Cycles now) {
    const Port& port = ports_[number];
    if (port.since == now) return;
    const std::string_view name = port_states[static_cast<std::size_t>(port.state)];
    const Track track{group(), number};
    if (!port.in) return timeline_.out_.slice(track, name, at(port.since), at(now));
    timeline_.out_.slice(track, name, at(port.since), at(now), {{"input", index(*port.in)}});
    if (port.state != EventKind::idle && port.state != EventKind::up)
      timeline_.dark(index(*port.in), number, at(port.since), at(now));
  }

  /// One entry for all that changes in a cycle.
  void count(int change, Cycles now) {
    if (now != counted_) say_count();
    counted_ = now;
    up_ += change;
  }
  void say_count() {
    if (up_ == said_) return;
    timeline_.out_.counter(counters_group,
                           timeline_.shape_.planes > 1 ? "ports up " + std::to_string(plane_) : "ports up",
                           at(counted_), up_);
    said_ = up_;
  }

  Timeline& timeline_;
  std::size_t plane_;
  std::vector<Port> ports_;
  std::map<Input, std::vector<SentRun>> runs_;
  std::int64_t up_ = 0, said_ = -1;
  Cycles counted_{0};
};

Timeline::Timeline(std::string file, bool compressed) : out_(std::move(file), compressed) {}

Timeline::~Timeline() = default;

void Timeline::begin(const RunShape& shape) {
  shape_ = shape;
  lanes_.resize(static_cast<std::size_t>(shape.ports));
  computing_.resize(lanes_.size());
  out_.name_group(nodes_group, "nodes");
  out_.name_group(jobs_group, "jobs");
  out_.name_group(counters_group, "counters");
  if (shape.packets) return;
  out_.name_group(plans_group, "plans");
  out_.name_group(switch_group, "switch");
  for (std::size_t plane = 0; plane < shape.planes; ++plane)
    outputs_.push_back(std::make_unique<Outputs>(*this, plane));
}

OutputWatcher* Timeline::outputs(std::size_t plane) { return outputs_.at(plane).get(); }

void Timeline::on(const Event& event) {
  const std::size_t plane = index(event.plane);
  const Picos at = to_picos(event.at, shape_.cycle);
  const auto say = [&](std::string_view name, TraceArgs args) {
    out_.instant(outputs_.at(plane)->events(), name, at, args);
  };
  switch (event.kind) {
    case EventKind::burst_done:
      return say("burst done", {{"input", event.port}, {"words", event.words.count.n}});
    case EventKind::committed:
      return say("committed", {{"source", event.port}});
    case EventKind::refused:
      return say("refused", {{"source", event.port}});
    case EventKind::wrapped:
      return say("sequence begins again", {});
    default:;  // states and words are slices
  }
}

void Timeline::planned(const WatchedPlan& plan) {
  const auto at = [&](Cycles cycle) { return to_picos(cycle, shape_.cycle); };
  const std::string name = "plan " + std::to_string(++plans_);
  out_.span(plans_group, "plan", plans_, name, at(plan.asked), at(std::max(plan.end, plan.asked)),
            {{"flows", plan.flows},
             {"reservations", plan.reservations},
             {"counts_from_cycle", plan.origin.n},
             {"planning_ps", at(plan.charged).n}});
}

void Timeline::carried(const Carried& carried) {
  Outputs& outputs = *outputs_.at(index(carried.planned.plane));
  for (const SentRun& run : outputs.take_runs(carried.planned.in, carried.end))
    words(carried, run, run.end - Cycles{run.words.n * carried.planned.word.n});
}

/// A run of words, on its output, and for both of its nodes.
void Timeline::words(const Carried& carried, const SentRun& run, Cycles from) {
  const std::uint16_t in = index(carried.planned.in);
  const Picos left = to_picos(from, shape_.cycle), passed = to_picos(run.end, shape_.cycle);
  out_.slice({ports_group + index(carried.planned.plane), run.out}, "words", left, passed,
             {{"input", in}, {"words", run.words.n}});
  rate_.add(left, passed, run.words);
  crossed(Node{in}, Node{run.out}, to_picos(from - shape_.fibre.of(in), shape_.cycle),
          to_picos(run.end + shape_.fibre.of(run.out), shape_.cycle));
}

void Timeline::crossed(Node from, Node to, Picos began, Picos arrived) {
  lane(index(from)).moves(NodeState::pushing, began, arrived, index(to));
  lane(index(to)).moves(NodeState::pulling, began, arrived, index(from));
}

/// A circuit is dark; who waits for it are the nodes of transfers under way between its ports.
void Timeline::dark(std::uint16_t in, std::uint16_t out, Picos from, Picos to) {
  const auto found = between_.find({in, out});
  if (found == between_.end()) return;
  for (const Id id : found->second) {
    const Picos since = std::max(from, open_.at(id).transfer.ready);
    lane(in).moves(NodeState::dark, since, to, out);
    lane(out).moves(NodeState::dark, since, to, in);
  }
}

std::uint64_t Timeline::part_of(const Transfer& transfer, const std::optional<TransferKey>& key) {
  const std::uint64_t what =
      key ? std::uint64_t{key->iteration} << 2 | index(key->phase) : std::uint64_t{index(transfer.coflow)};
  const std::uint64_t number = std::uint64_t{transfer.owner} << 40 | what << 1 | (key ? 1 : 0);
  Part& part = parts_[number];
  if (part.open++ > 0) return number;
  part.since = transfer.ready;
  const std::string job = "job " + std::to_string(transfer.owner) + ": ";
  if (key)
    part.name = job + std::string(phase_names.at(index(key->phase))) + ", iteration " + std::to_string(key->iteration);
  else if (legs_ > 0)
    part.name = job + "leg " + std::to_string(index(transfer.coflow) % legs_) + ", iteration " +
                std::to_string(index(transfer.coflow) / legs_);
  else
    part.name = job + (shape_.maps ? "hop " : "coflow ") + std::to_string(index(transfer.coflow));
  return number;
}

void Timeline::offered(const Transfer& transfer) {
  const std::optional<TransferKey> key = std::exchange(next_key_, std::nullopt);
  const Id id = transfer.id;
  const std::uint16_t from = index(transfer.from);
  for (const Node to : transfer.to) {
    between_[{from, index(to)}].push_back(id);
    lane(index(to)).offered(index(id), transfer.ready, from);
  }
  lane(from).offered(index(id), transfer.ready, index(transfer.to.front()));
  open_.emplace(id, Open{transfer_name(transfer, key), transfer, transfer.to.size(), part_of(transfer, key)});
}

void Timeline::delivered(const Delivery& delivery) {
  last_ = std::max(last_, delivery.at);
  const auto found = open_.find(delivery.transfer);
  if (!delivery.final || found == open_.end()) return;
  Open& open = found->second;
  const Transfer& transfer = open.transfer;
  const std::uint16_t from = index(transfer.from), to = index(delivery.to);
  std::erase(between_[{from, to}], transfer.id);
  lane(to).delivered(index(transfer.id), delivery.at);
  out_.arrow(++spans_, state_track(from), transfer.ready, state_track(to), delivery.at);
  if (--open.left == 0) {
    lane(from).delivered(index(transfer.id), delivery.at);
    out_.span(nodes_group, "transfer", ++spans_, open.name, transfer.ready, delivery.at,
              {{"from", from}, {"to", to}, {"bytes", transfer.size.n}, {"sent_before", transfer.sent_before}});
    const auto part = parts_.find(open.part);
    if (--part->second.open == 0) {
      out_.span(jobs_group, "job " + std::to_string(transfer.owner), ++spans_, part->second.name, part->second.since,
                delivery.at);
      parts_.erase(part);
    }
    open_.erase(found);
    close_slices(from, delivery.at);
  }
  close_slices(to, delivery.at);
}

void Timeline::computes(Node node, std::uint32_t iteration, Picos from) {
  const std::size_t number = index(node);
  lane(number);
  ++computing_[number];
  const auto found = iterations_.find(number);
  if (found != iterations_.end() && found->second.number == iteration) return;  // it goes on after a stall
  end_iteration(number, from);
  iterations_[number] = {iteration, from};
}

void Timeline::granted(Node node, std::uint32_t iteration, Picos asked, Picos at) {
  const Track track{gate_group, index(node)};
  if (gated_.empty()) out_.name_group(gate_group, "gate");
  if (gated_.insert(index(node)).second) out_.name_track(track, "worker on node " + std::to_string(index(node)));
  const std::string number = std::to_string(iteration);
  if (asked < at) out_.slice(track, "waits for iteration " + number, asked, at);
  out_.instant(track, "granted iteration " + number, at, {{"iteration", iteration}, {"waited_ps", (at - asked).n}});
}

void Timeline::firmware(std::size_t plane, Cycles at, std::string_view line) {
  const Track track{firmware_group, static_cast<int>(plane)};
  if (printed_.empty()) out_.name_group(firmware_group, "firmware");
  if (printed_.insert(plane).second)
    out_.name_track(track, shape_.planes > 1 ? "log of plane " + std::to_string(plane) : "log");
  const auto start = starts_.find(plane);
  const Cycles in_run = start == starts_.end() ? Cycles{0} : std::max(at - start->second, Cycles{0});
  out_.instant(track, line, to_picos(in_run, shape_.cycle), {{"cycle", at.n}});
}

void Timeline::waited(std::string_view cause, Picos from, Picos to, std::string_view what, std::string_view behind) {
  const Track track{chain_group, 0};
  if (!has_chain_) {
    out_.name_group(chain_group, "why");
    out_.name_track(track, "chain of waits");
  }
  has_chain_ = true;
  out_.slice(track, cause, from, to, {{"what", what}, {"behind", behind}});
}

void Timeline::end_iteration(std::size_t node, Picos at) {
  const auto found = iterations_.find(node);
  if (found == iterations_.end()) return;
  out_.slice(iteration_track(node), "iteration " + std::to_string(found->second.number), found->second.from, at);
  iterations_.erase(found);
}

void Timeline::computed(Node node, std::uint32_t, Picos from, Picos to) {
  lane(index(node)).computes(from, to);
  --computing_[index(node)];
  last_ = std::max(last_, to);
}

void Timeline::computes_between(std::uint32_t iteration, Picos from, Picos to) {
  out_.span(jobs_group, "job 0", ++spans_, "computing, iteration " + std::to_string(iteration), from, to);
  last_ = std::max(last_, to);
}

/// A node has its tracks as soon as it does something.
NodeLane& Timeline::lane(std::size_t node) {
  NodeLane& lane = lanes_.at(node);
  if (!named_.contains(node)) {
    named_.insert(node);
    out_.name_track(iteration_track(node), "node " + std::to_string(node) + ", iterations");
    out_.name_track(state_track(node), "node " + std::to_string(node));
  }
  return lane;
}

void Timeline::close_slices(std::size_t node, Picos to) {
  NodeLane& lane = lanes_.at(node);
  if (lane.busy() || computing_[node] > 0) return;
  for (const NodeSlice& slice : lane.close_slices(to)) say(node, slice);
}

void Timeline::say(std::size_t node, const NodeSlice& slice) {
  const std::string_view name = node_state_names[static_cast<std::size_t>(slice.state)];
  if (slice.state == NodeState::idle || slice.state == NodeState::computing || !slice.peer)
    return out_.slice(state_track(node), name, slice.from, slice.to);
  out_.slice(state_track(node), name, slice.from, slice.to, {{"node", *slice.peer}});
}

void Timeline::finish(const Row& row) {
  for (const auto& outputs : outputs_) outputs->finish(row.cycles);
  const Picos end = row.arrivals ? last_ : std::max(last_, row.sim_time);
  for (std::size_t node = 0; node < lanes_.size(); ++node) {
    end_iteration(node, end);
    if (!named_.contains(node)) continue;
    for (const NodeSlice& slice : lanes_[node].close_slices(end)) say(node, slice);
  }
  for (const auto& [id, open] : open_)
    out_.span(nodes_group, "transfer", ++spans_, open.name + ", never in", open.transfer.ready, end, {});
  rate_.each([&](Picos at, std::int64_t rate) { out_.counter(counters_group, "words per second", at, rate); });
  out_.finish();
}

}  // namespace ocs
