// The history of a folder of nights, in SQLite: docs/regress.md has the schema.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/regress/outcome.hpp"
#include "testbed/results/database/sqlite.hpp"

namespace ocs::regress {

struct Night {
  std::int64_t number = 0;
  std::string started, finished;  ///< UTC; finished is empty while cases are left
  std::string suite, suite_hash, version;
  std::uint64_t seed = 0;  ///< of all that is drawn for it
};

struct Result {
  std::string name, table;
  Outcome outcome;     ///< without log and program
  std::string folder;  ///< of a failure: "f001"; else empty
  std::int64_t attempts = 1;
};

/// Columns of a whole night begin so.
constexpr std::string_view coverage_columns = "coverage_";
/// coverage_line, coverage_toggle, coverage_named.
std::vector<std::string> coverage_metrics();

/// A metric of one night.
struct NightValue {
  Night night;
  double value = 0;
  std::int64_t not_passed = 0;  ///< cases whose numbers are among these, and which did not pass
};

/// A finished night that has no number of a metric.
struct NightWithout {
  Night night;
  std::int64_t not_passed = 0;  ///< of its cases
};

class History {
 public:
  /// Opens or makes DIR/history.db. @throws Error (input): a file of another program, or of a newer lightloop.
  explicit History(const std::string& file);

  /// @return its number, one more than the last one's.
  std::int64_t begin(const Night& night);
  void finish(std::int64_t night, const std::string& when);
  std::vector<Night> nights();
  /// The last one, if it isn't finished.
  std::optional<Night> unfinished();

  /// What becomes of the counts of a result.
  enum class Counts : std::uint8_t {
    added,  ///< to the sum of the night
    apart,  ///< each result's stay by themselves: a task's, which another history takes over one by one
  };
  /// One transaction: on return it survives kill -9. @throws Error (run) if it can't be written.
  void add(std::int64_t night, const Result& result, Counts counts = Counts::added);
  std::vector<Result> results(std::int64_t night);
  /// What a case of a night measured.
  std::vector<Measure> measures(std::int64_t night, const std::string& name);
  /// How long each case took when it was last run.
  std::map<std::string, double> last_seconds();
  std::int64_t failures(std::int64_t night);  ///< how many have a folder

  /// Cases that did not pass when they were last run.
  std::set<std::string> last_failed();

  /// Of each finished night with one: the mean of `column` over the rows of `table` (empty: of all), also over those that
  /// are not as they should be; of the column "seconds" what the cases that passed took together; of coverage_ columns
  /// the percentage that the night reached.
  std::vector<NightValue> metric(const std::string& column, const std::string& table);
  /// Finished nights in which a case of `table` (empty: of all) did not pass, and none has a number of `column`.
  std::vector<NightWithout> without_metric(const std::string& column, const std::string& table);
  /// Tables that any night had.
  std::vector<std::string> tables();

  /// What all results of a night have reached; of one, if its counts are apart. Empty: nothing was counted.
  rtl::CoverCounts counts(std::int64_t night, const std::string& name = "");
  /// The last finished night before this one that counted, if there is one.
  std::optional<std::int64_t> counted_before(std::int64_t night);
  /// Keeps numbers of a night, which metric() gives for coverage_ columns.
  void set_totals(std::int64_t night, const std::vector<Measure>& totals);

 private:
  /// Numbers of points in the table of that name, which are those of vectors of counts.
  std::size_t number_of(const rtl::CoverPoint& point);
  void load_points();
  std::vector<NightValue> night_totals(const std::string& column);
  void write_counts(std::int64_t night, const std::string& name, const rtl::CoverCounts& counts);

  Sqlite file_;
  std::vector<rtl::CoverPoint> points_;  ///< as the table `point` has them, once they were needed
  std::map<rtl::CoverPoint, std::size_t> numbers_;
};

}  // namespace ocs::regress
