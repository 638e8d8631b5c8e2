// One augmentation a row; potentials keep reduced costs from being negative.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/slots/heaviest_matching.hpp"

#include <algorithm>

#include "host/core/wide.hpp"

namespace ocs {
namespace {

constexpr Wide infinite = Wide{1} << 120;

/// Rows are the side with fewer ports, so that every row finds a column. Number 0 stands for "none" on both sides.
class Hungarian {
 public:
  explicit Hungarian(const Square& weights) : weights_(weights) {
    const auto ports = static_cast<std::size_t>(weights.ports());
    std::vector<bool> in_used(ports, false), out_used(ports, false);
    for (const Square::Entry& entry : weights.entries()) in_used[entry.in] = out_used[entry.out] = true;
    for (std::uint16_t port = 0; port < ports; ++port) {
      if (in_used[port]) rows_.push_back(port);
      if (out_used[port]) columns_.push_back(port);
    }
    turned_ = rows_.size() > columns_.size();
    if (turned_) rows_.swap(columns_);
  }

  Matching run() {
    row_potential_.assign(rows_.size() + 1, 0);
    column_potential_.assign(columns_.size() + 1, 0);
    row_of_.assign(columns_.size() + 1, 0);
    from_.assign(columns_.size() + 1, 0);
    for (std::size_t row = 1; row <= rows_.size(); ++row) augment(row);
    Matching matching;
    for (std::size_t column = 1; column <= columns_.size(); ++column)
      if (row_of_[column] != 0 && weight(row_of_[column], column) > 0) {
        const std::uint16_t row = rows_[row_of_[column] - 1], other = columns_[column - 1];
        matching.push_back(turned_ ? Pair{other, row} : Pair{row, other});
      }
    std::sort(matching.begin(), matching.end(), [](const Pair& a, const Pair& b) { return a.in < b.in; });
    return matching;
  }

 private:
  std::int64_t weight(std::size_t row, std::size_t column) const {
    const std::uint16_t a = rows_[row - 1], b = columns_[column - 1];
    return turned_ ? weights_.at(b, a) : weights_.at(a, b);
  }

  /// Dijkstra over columns from `row` to the nearest one that is free; then the path is turned over.
  void augment(std::size_t row) {
    row_of_[0] = row;
    std::size_t column = 0;
    std::vector<Wide> distance(columns_.size() + 1, infinite);
    std::vector<bool> done(columns_.size() + 1, false);
    do {
      done[column] = true;
      const std::size_t at = row_of_[column];
      Wide step = infinite;
      std::size_t next = 0;
      for (std::size_t c = 1; c <= columns_.size(); ++c) {
        if (done[c]) continue;
        const Wide reduced = -Wide{weight(at, c)} - row_potential_[at] - column_potential_[c];
        if (reduced < distance[c]) {
          distance[c] = reduced;
          from_[c] = column;
        }
        if (distance[c] < step) {
          step = distance[c];
          next = c;
        }
      }
      for (std::size_t c = 0; c <= columns_.size(); ++c)
        if (done[c]) {
          row_potential_[row_of_[c]] += step;
          column_potential_[c] -= step;
        } else {
          distance[c] -= step;
        }
      column = next;
    } while (row_of_[column] != 0);
    for (; column != 0; column = from_[column]) row_of_[column] = row_of_[from_[column]];
  }

  const Square& weights_;
  std::vector<std::uint16_t> rows_, columns_;
  bool turned_ = false;
  std::vector<Wide> row_potential_, column_potential_;
  std::vector<std::size_t> row_of_, from_;  ///< of each column: its row; the column before it on the path
};

}  // namespace

Matching heaviest_matching(const Square& weights) { return Hungarian(weights).run(); }

}  // namespace ocs
