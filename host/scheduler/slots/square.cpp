// Rows are bit sets, so a search looks at 64 outputs at once.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/slots/square.hpp"

#include <algorithm>
#include <limits>

namespace ocs {
namespace {

constexpr std::uint16_t no_column = max_ports;

class Phases {
 public:
  explicit Phases(const Edges& edges)
      : edges_(edges),
        out_of_(edges.size(), no_column),
        in_of_(edges.size(), no_column),
        inputs_(static_cast<std::uint16_t>(edges.size())) {}

  Matching run() {
    for (bool gained = true; gained;) {
      find_layers();
      gained = false;
      seen_ = PortSet();
      for (std::uint16_t in = 0; in < inputs_; ++in)
        if (out_of_[in] == no_column && augment(in)) gained = true;
    }
    Matching matching;
    for (std::uint16_t in = 0; in < inputs_; ++in)
      if (out_of_[in] != no_column) matching.push_back({in, out_of_[in]});
    return matching;
  }

 private:
  /// layers_[d]: the outputs that are matched to inputs of layer d.
  void find_layers() {
    layer_.assign(edges_.size(), 0);
    layers_.assign(1, PortSet());
    std::vector<std::uint16_t> frontier;
    for (std::uint16_t in = 0; in < inputs_; ++in)
      if (out_of_[in] == no_column) frontier.push_back(in);
    PortSet reached = free_;
    while (!frontier.empty()) {
      PortSet next;
      for (const std::uint16_t in : frontier) next = next | edges_[in];
      next = next - reached;
      reached = reached | next;
      frontier.clear();
      PortSet rest = next;
      for (std::size_t out = rest.largest(); out != no_column; out = rest.largest()) {
        rest.erase(out);
        frontier.push_back(in_of_[out]);
        layer_[in_of_[out]] = layers_.size();
      }
      layers_.push_back(next);
    }
  }

  /// A matched input that has been seen is marked by its output. What can be taken only becomes less in a phase, so
  /// outputs that were passed over need no second look.
  bool augment(std::uint16_t in) {
    if (out_of_[in] != no_column) seen_.insert(out_of_[in]);
    PortSet untried = PortSet::all();
    for (;;) {
      const PortSet able = edges_[in] & untried & (free_ | (layers_[layer_[in] + 1] - seen_));
      const std::size_t out = able.largest();
      if (out == no_column) return false;
      untried.erase(out);
      if (!free_.contains(out) && !augment(in_of_[out])) continue;
      free_.erase(out);
      seen_.insert(out);
      out_of_[in] = static_cast<std::uint16_t>(out);
      in_of_[out] = in;
      return true;
    }
  }

  const Edges& edges_;
  std::vector<std::uint16_t> out_of_, in_of_;
  std::uint16_t inputs_;
  std::vector<std::size_t> layer_;  ///< of each input
  std::vector<PortSet> layers_;
  PortSet free_ = PortSet::all(), seen_;  ///< outputs that are unmatched; those of inputs that this phase has seen
};

}  // namespace

std::vector<Square::Entry> Square::entries() const {
  std::vector<Entry> list;
  for (std::uint16_t in = 0; in < ports_; ++in)
    for (std::uint16_t out = 0; out < ports_; ++out)
      if (at(in, out) > 0) list.push_back({in, out, at(in, out)});
  return list;
}

Edges edges_above(const Square& square, std::int64_t threshold) {
  const auto ports = static_cast<std::size_t>(square.ports());
  Edges edges(ports);
  for (std::size_t in = 0; in < ports; ++in)
    for (std::size_t out = 0; out < ports; ++out)
      if (square.at(in, out) > threshold) edges[in].insert(out);
  return edges;
}

Matching largest_matching(const Edges& edges) { return Phases(edges).run(); }

std::int64_t smallest(const Square& square, const Matching& matching) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Pair& pair : matching) least = std::min(least, square.at(pair.in, pair.out));
  return least;
}

void subtract(Square& square, const Matching& matching, std::int64_t length) {
  for (const Pair& pair : matching) square.at(pair.in, pair.out) -= length;
}

}  // namespace ocs
