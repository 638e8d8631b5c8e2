// From JSON to cases of receiver selection.
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <limits>

#include "tests/common/wire_time.hpp"
#include "tests/schedulers/golden_selection.hpp"

namespace ocs::golden {
namespace {

constexpr std::int64_t golden_selection_case_most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t golden_selection_case_most_bytes = 1'000'000'000'000, least_bps = 1'000'000,
                       golden_selection_case_most_bps = 1'000'000'000'000;
constexpr std::int64_t golden_selection_case_most_ns = 1'000'000'000'000;

/// The array must have one value a peer.
std::vector<std::int64_t> of_peers(const Fields& fields, std::string_view name, std::int64_t low, std::int64_t high,
                                   std::size_t peers) {
  auto values = fields.integers(name, low, high);
  if (values.size() != peers) fields.fail(name, "must hold a value for each of " + std::to_string(peers) + " workers");
  return values;
}

std::vector<std::vector<std::int64_t>> of_pairs(const Fields& fields, std::string_view name, std::int64_t high,
                                                std::size_t peers) {
  auto values = fields.lists(name, 0, high);
  bool right = values.size() == peers;
  for (const auto& row : values) right = right && row.size() == peers;
  if (!right) fields.fail(name, "must hold a value for each pair of " + std::to_string(peers) + " workers");
  return values;
}

PeerPairs pairs(const Fields& fields, std::string_view name, std::size_t peers) {
  PeerPairs all(peers);
  const auto values = of_pairs(fields, name, 1, peers);
  for (std::size_t i = 0; i < peers; ++i)
    for (std::size_t j = 0; j < peers; ++j) {
      if (values[i][j] == 1 && i == j) fields.fail(name, "lets a worker send to itself");
      all[i].set(j, values[i][j] == 1);
    }
  return all;
}

PeerPair pair_of(const Fields& fields, std::string_view name, const std::vector<std::int64_t>& row, std::size_t peers) {
  for (const std::int64_t peer : row)
    if (peer >= static_cast<std::int64_t>(peers)) fields.fail(name, "names a worker that there isn't");
  return {static_cast<std::uint16_t>(row[0]), static_cast<std::uint16_t>(row[1])};
}

/// What the senders still have to do, and what is mostly done.
void read_sending(const Fields& in, SelectionProblem& problem, const std::vector<std::int64_t>& bytes,
                  std::vector<std::vector<std::int64_t>>& left) {
  const std::size_t n = problem.peers;
  Sending& sending = problem.sending.emplace();
  sending.ready = static_cast<std::uint16_t>(in.integer("new", 0, static_cast<std::int64_t>(n) - 1));
  for (const std::int64_t i : in.integers("running", 0, static_cast<std::int64_t>(n) - 1))
    sending.senders.push_back(static_cast<std::uint16_t>(i));
  sending.plan = pairs(in, "plan", n);
  sending.mostly_sent.resize(n);
  const auto remaining = of_pairs(in, "remaining_bytes", golden_selection_case_most_bytes, n);
  const auto eta = in.integers("eta", 1, 1000);
  if (eta.size() != 2) in.fail("eta", "must hold numerator and denominator");
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (sending.plan[i].test(j)) {
        left[i][j] = remaining[i][j];
        sending.mostly_sent[i].set(j, left[i][j] * eta[1] < eta[0] * bytes[i]);
      }
  for (const std::int64_t slack : of_peers(in, "slack_ns", 0, golden_selection_case_most_ns, n))
    sending.slack.push_back({slack});
}

void read_deadlines(const Fields& out, SelectionCase& c) {
  const Fields deadlines = out.object("deadline_ns");
  for (std::uint16_t i = 0; i < c.problem.peers; ++i)
    if (deadlines.has(std::to_string(i)))
      c.deadlines.emplace_back(i, Ticks{deadlines.integer(std::to_string(i), 0, golden_selection_case_most)});
  for (const auto& row : out.rows("aborts", 2)) c.aborted.push_back(pair_of(out, "aborts", row, c.problem.peers));
}

}  // namespace

SelectionCase read_selection(const Fields& fields, bool while_sending) {
  const Fields in = fields.object("input"), out = fields.object("expect");
  if (while_sending) {
    in.only({"workers", "new", "running", "plan", "remaining_bytes", "bytes", "rate_in_bps", "rate_out_bps",
             "receivers_min", "slack_ns", "rounds_unsent", "must", "eta", "layer", "delta_ns"});
    out.only({"basic", "selected", "deadline_ns", "aborts"});
  } else {
    in.only({"workers", "bytes", "rate_in_bps", "rate_out_bps", "receivers_min", "rounds_unsent", "must", "layer",
             "delta_ns"});
    out.only({"basic", "selected", "bound_ns", "receiver_ns", "sender_ns"});
  }
  SelectionCase c;
  c.policy = while_sending ? "selmcast_ssp" : "selmcast";
  SelectionProblem& problem = c.problem;
  const std::size_t n = problem.peers = static_cast<std::size_t>(in.integer("workers", 1, max_ports));
  const auto bytes = of_peers(in, "bytes", 1, golden_selection_case_most_bytes, n);
  const auto to_switch = of_peers(in, "rate_in_bps", least_bps, golden_selection_case_most_bps, n);
  const auto from_switch = of_peers(in, "rate_out_bps", least_bps, golden_selection_case_most_bps, n);
  for (const std::int64_t least : of_peers(in, "receivers_min", 0, static_cast<std::int64_t>(n) - 1, n))
    problem.least.push_back(static_cast<std::uint32_t>(least));
  for (const auto& row : of_pairs(in, "rounds_unsent", 1'000'000, n))
    for (const std::int64_t rounds : row) problem.unsent.push_back(static_cast<std::uint32_t>(rounds));
  for (const auto& row : in.rows("must", 2)) problem.must.push_back(pair_of(in, "must", row, n));
  const std::string layer = in.text("layer");
  if (layer != "L3" && layer != "L7") in.fail("layer", "holds \"" + layer + "\"; known: L3, L7");
  problem.layer = layer == "L3" ? Layer::network : Layer::application;
  const Ticks delta{in.integer("delta_ns", 0, golden_selection_case_most_ns)};
  std::vector<std::vector<std::int64_t>> left;
  for (std::size_t i = 0; i < n; ++i) left.emplace_back(n, bytes[i]);
  if (while_sending) read_sending(in, problem, bytes, left);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      problem.at_sender.push_back(Ticks{test::wire_ns(Bytes{left[i][j]}, to_switch[i])} + delta);
      problem.at_receiver.push_back(Ticks{test::wire_ns(Bytes{left[i][j]}, from_switch[j])} + delta);
    }
  c.basic = pairs(out, "basic", n);
  c.selected = pairs(out, "selected", n);
  if (while_sending) {
    read_deadlines(out, c);
    return c;
  }
  c.bound = out.integer("bound_ns", 0, golden_selection_case_most);
  for (auto [name, loads] : {std::pair("sender_ns", &c.sender), std::pair("receiver_ns", &c.receiver)}) {
    loads->emplace();
    for (const std::int64_t load : of_peers(out, name, 0, golden_selection_case_most, n)) (*loads)->push_back({load});
  }
  return c;
}

MulticastCase read_multicast(const Fields& fields) {
  const Fields in = fields.object("input"), out = fields.object("expect");
  in.only({"workers", "plan", "bytes", "rate_bps", "delta_ns"});
  out.only({"circuits"});
  MulticastCase c;
  const auto n = static_cast<std::size_t>(in.integer("workers", 1, max_ports));
  c.problem.ports = static_cast<int>(n);
  c.problem.delta = {in.integer("delta_ns", 0, golden_selection_case_most_ns)};
  const PeerPairs plan = pairs(in, "plan", n);
  const auto bytes = of_peers(in, "bytes", 1, golden_selection_case_most_bytes, n);
  const std::int64_t rate = in.integer("rate_bps", least_bps, golden_selection_case_most_bps);
  for (std::uint16_t i = 0; i < n; ++i)
    if (plan[i].any())
      c.problem.flows.push_back(
          {Id{i}, Id{0}, Input{i}, plan[i], Ticks{test::wire_ns(Bytes{bytes[i]}, rate)}, Ticks{0}});
  for (const Fields& circuit : out.objects("circuits")) {
    circuit.only({"sender", "receivers", "start", "end"});
    const auto last = static_cast<std::int64_t>(n) - 1;
    MulticastCase::Start one{static_cast<std::uint16_t>(circuit.integer("sender", 0, last)),
                             {},
                             circuit.integer("start", 0, golden_selection_case_most),
                             circuit.integer("end", 0, golden_selection_case_most)};
    for (const std::int64_t receiver : circuit.integers("receivers", 0, last))
      one.receivers.set(static_cast<std::size_t>(receiver));
    c.circuits.push_back(one);
  }
  return c;
}

}  // namespace ocs::golden
