// Builds the programme in units of the largest in-port load, so that CLP sees numbers near 1.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/placement_relaxation.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cmath>

#include "host/core/error.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/placers/relaxation_bound.hpp"

namespace ocs {
namespace {

/// Rows of a programme in triplets.
class Rows {
 public:
  int add(double low, double high) {
    low_.push_back(low);
    high_.push_back(high);
    return static_cast<int>(low_.size()) - 1;
  }
  void set(int row, int column, double value) {
    row_.push_back(row);
    column_.push_back(column);
    value_.push_back(value);
  }
  void load(ClpSimplex& programme, const std::vector<double>& low, const std::vector<double>& high,
            const std::vector<double>& cost) const {
    const CoinPackedMatrix matrix(true, row_.data(), column_.data(), value_.data(),
                                  static_cast<CoinBigIndex>(value_.size()));
    programme.loadProblem(matrix, low.data(), high.data(), cost.data(), low_.data(), high_.data());
  }

 private:
  std::vector<int> row_, column_;
  std::vector<double> value_, low_, high_;
};

class Programme {
 public:
  explicit Programme(const Job& job) : job_(job), candidates_(static_cast<int>(job.candidates.size())) {
    double total = 0;
    for (const Block& block : job.blocks) total += static_cast<double>(block.size.n);
    all_bytes_ = total * 8e12 / static_cast<double>(job.tick.n);
    for (const Node v : job.candidates) unit_ = std::max(unit_, in_set_ups(v) + in_transfer(v));
  }

  Relaxation solve() {
    const double inf = COIN_DBL_MAX;
    const double servers = static_cast<double>(job_.servers);
    const int t = 2 * candidates_;
    const int opened = rows_.add(servers, servers), placed = rows_.add(1, 1), all_in = rows_.add(-inf, 0);
    all_in_row_ = all_in;
    rows_.set(all_in, t, -servers);
    for (int v = 0; v < candidates_; ++v) {
      const Node node = job_.candidates[static_cast<std::size_t>(v)];
      const double set_ups = in_set_ups(node) / unit_, transfer = in_transfer(node) / unit_;
      rows_.set(opened, y(v), 1);
      rows_.set(placed, x(v), 1);
      rows_.set(all_in, y(v), set_ups);
      rows_.set(all_in, x(v), transfer);
      const int inside = rows_.add(-inf, 0), in_port = rows_.add(-inf, 0);
      in_rows_.push_back(in_port);
      rows_.set(inside, x(v), 1);
      rows_.set(inside, y(v), -1);
      rows_.set(in_port, y(v), set_ups);
      rows_.set(in_port, x(v), transfer);
      rows_.set(in_port, t, -1);
    }
    for (const Node worker : job_.workers) {
      const int out_port = rows_.add(-inf, 0);
      out_rows_.push_back(out_port);
      for (int v = 0; v < candidates_; ++v) {
        const Node node = job_.candidates[static_cast<std::size_t>(v)];
        if (node == worker) continue;
        rows_.set(out_port, y(v), delta() / unit_);
        rows_.set(out_port, x(v), transfer(worker, node) / unit_);
      }
      rows_.set(out_port, t, -1);
    }
    return read(t);
  }

 private:
  static int y(int v) { return 2 * v; }
  static int x(int v) { return 2 * v + 1; }

  double delta() const { return static_cast<double>(delta_ticks(job_).n); }
  double transfer(Node w, Node v) const {
    return all_bytes_ / static_cast<double>(std::min(job_.rate_bps[index(w)], job_.rate_bps[index(v)]));
  }
  double in_set_ups(Node v) const {
    return delta() *
           static_cast<double>(std::count_if(job_.workers.begin(), job_.workers.end(), [v](Node w) { return w != v; }));
  }
  double in_transfer(Node v) const {
    double sum = 0;
    for (const Node w : job_.workers) sum += w == v ? 0 : transfer(w, v);
    return sum;
  }

  Relaxation read(int t) {
    const auto columns = static_cast<std::size_t>(t) + 1;
    std::vector<double> low(columns, 0), high(columns, 1), cost(columns, 0);
    high.back() = COIN_DBL_MAX;
    cost.back() = 1;
    ClpSimplex programme;
    programme.setLogLevel(0);
    rows_.load(programme, low, high, cost);
    programme.dual();
    if (!programme.isProvenOptimal())
      throw Error(ErrorKind::internal, "CLP found no optimum of the placement's linear programme (status " +
                                           std::to_string(programme.status()) + ")");
    const double* value = programme.primalColumnSolution();
    Relaxation result;
    for (int v = 0; v < candidates_; ++v) {
      result.open.push_back(std::llround(value[y(v)] * 1e6));
      result.share.push_back(std::llround(value[x(v)] * 1e6));
    }
    // The solver's T is a floating-point number; its prices give one that no placement undercuts.
    const double* dual = programme.dualRowSolution();
    PortPrices prices{{}, {}, -dual[all_in_row_]};  // in a minimum, a row that is bounded above has a price below 0
    for (const int row : in_rows_) prices.in.push_back(-dual[row]);
    for (const int row : out_rows_) prices.out.push_back(-dual[row]);
    result.bound = bound_by_prices(job_, prices);
    return result;
  }

  const Job& job_;
  int candidates_;
  double all_bytes_ = 0;  ///< ticks that all bytes take at 1 bit/s
  double unit_ = 1;       ///< ticks
  Rows rows_;
  int all_in_row_ = 0;
  std::vector<int> in_rows_, out_rows_;  ///< of each candidate; of each worker
};

}  // namespace

Relaxation relax_placement(const Job& job) { return Programme(job).solve(); }

}  // namespace ocs
