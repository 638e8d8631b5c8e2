// One worker that is always slower, against the stated rates: 8 workers, 100 ms computing, push and pull 10 ms each.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "tests/sync/abstract_run.hpp"

namespace ocs::abstract {
namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t horizon = 64'000 * ms;

Input with_straggler(std::string_view scheme, std::int64_t factor) {
  Input input{scheme, {}, std::vector<std::vector<std::int64_t>>(8, {100 * ms}), {}, horizon};
  input.compute[0] = {factor * 100 * ms};
  input.net = {false, 10 * ms, 10 * ms, 0, 0};
  return input;
}

/// Iterations that entered the model, per 100 ms.
double rate(const Input& input) {
  if (input.scheme == "predictive") {
    const auto steps = run_predictive(input).steps_done;
    return static_cast<double>(std::accumulate(steps.begin(), steps.end(), std::int64_t{0})) / 640;
  }
  const auto pushes = run(input).pushes;
  return static_cast<double>(std::count_if(pushes.begin(), pushes.end(), [](const Push& p) { return p.applied; })) /
         640;
}

struct Row {
  std::int64_t factor;
  std::array<double, 9> rates;
};

TEST(Straggler, CostsWhatIsStated) {
  const std::vector<Row> rows = {{1, {6.66, 6.66, 6.66, 6.66, 5.83, 6.66, 6.66, 6.66, 8.00}},
                                 {2, {3.64, 3.68, 3.66, 3.63, 5.45, 6.23, 6.27, 6.28, 7.50}},
                                 {3, {2.50, 2.54, 2.54, 2.50, 5.62, 6.09, 6.12, 6.14, 7.33}},
                                 {5, {1.54, 1.58, 1.59, 1.54, 5.83, 5.54, 5.99, 6.02, 7.19}}};
  for (const Row& row : rows) {
    std::vector<Input> columns;
    for (const char* scheme : {"bsp", "ssp", "dssp", "r2sp", "p_of_n", "elastic", "elastic", "asp", "predictive"})
      columns.push_back(with_straggler(scheme, row.factor));
    columns[1].settings.s = 4;
    columns[2].settings.s_lo = 2;
    columns[2].settings.s_up = 8;
    columns[4].settings.p = 7;
    columns[4].settings.k = 4;
    columns[5].settings.most_quota = 4;
    for (std::size_t i = 0; i < columns.size(); ++i)
      EXPECT_NEAR(rate(columns[i]), row.rates[i], 0.02 * row.rates[i])
          << columns[i].scheme << " (column " << i << "), straggler " << row.factor << " times slower";
  }
}

TEST(Straggler, NeedsAQuotaAsLargeAsItsFactor) {
  Input input = with_straggler("elastic", 5);
  input.settings.most_quota = 3;
  EXPECT_NEAR(rate(input), 4.21, 0.02 * 4.21);
}

}  // namespace
}  // namespace ocs::abstract
