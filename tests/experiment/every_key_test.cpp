// Every key in every kind of run: a value is refused, warned of, or changes what is measured.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "host/device/catalogue.hpp"
#include "testbed/experiment/keys/key_kinds.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/run/run.hpp"
#include "tests/common/places.hpp"
#include "tests/common/share.hpp"
#include "tests/experiment/every_key_table.hpp"
#include "tests/learning/support.hpp"
#include "tests/rtl/built_ahead.hpp"

namespace ocs::test {
namespace {

/// Only switches that were built ahead: others would be built when a run makes them, which takes half a minute each.
std::string refuse_ports(std::string_view device, int ports, bool words_cross) {
  rtl::Parameters needed{.ports = ports};
  if (device == "soc") needed.core = rtl::Core::soc;
  if (device == "verilated") needed = {.core = rtl::Core::fast, .ports = ports, .lanes = words_cross ? 8 : 0};
  const bool is_rtl = device == "soc" || device == "sysc-rtl" || device.starts_with("verilated");
  return !is_rtl || built_ahead(needed) ? "" : "must be one that is built";
}

Workload table(std::string_view name) {
  Workload table{.name = std::string(name), .tensors = {}, .total = {}};
  std::vector<std::int64_t> sizes = {3000, 100, 1500, 10, 700, 50, 60, 70};
  if (name == "other") sizes.push_back(900);
  for (const std::int64_t size : sizes) {
    table.tensors.push_back({"t" + std::to_string(table.tensors.size()), {size}, size, Bytes{size * 4}});
    table.total += Bytes{size * 4};
  }
  return table;
}

/// All that a lightloop can name; files are short texts.
Names all_names() {
  Names names = learning_names();
  names.devices.emplace_back("soc");
  names.transports.emplace_back("tcp");
  names.refuse_ports = refuse_ports;
  names.load_workload = [](std::string_view name) {
    const bool learns = name == "softmax" || name == "mlp";
    return learns ? load_workload(name, ocs::test::source_dir() + "/testbed/workloads", {}) : table(name);
  };
  names.load_phases = [](std::string_view name) { return load_phased_input(name, {}); };
  names.load_trace = [](std::string_view name) {
    const std::string last = name == "coflow:other" ? "9" : "5";
    return parse_coflow_trace("4 3\n1 0 2 0 2 1 1:8\n2 0 1 0 2 1:2 3:4\n3 1 1 0 1 3:" + last + "\n", name, "t.txt");
  };
  names.load_compute_trace = [](std::string_view) {
    return parse_compute_trace("worker,ns\n0,900\n1,5000\n2,700\n3,4000\n4,600\n", "times.csv");
  };
  names.load_bandwidth_trace = [](std::string_view name) {
    const std::string rate = name == "file:slow" ? "1/4" : "1/2";
    return parse_bandwidth_trace("ns,node,rate\n3000,0," + rate + "\n20000,1,1/4\n", "rates.csv");
  };
  names.published_time = [](std::string_view, std::string_view) { return Picos{7'000'000}; };
  names.load_dataset = [](std::string_view folder) {
    static const Dataset some = drawn_pictures(300, 100), other = drawn_pictures(200, 100);
    return folder == "other" ? other : some;
  };
  return names;
}

Experiment experiment_of(const RunKind& kind, const std::vector<std::string>& more) {
  std::vector<std::string> all = common_settings();
  all.insert(all.end(), kind.settings.begin(), kind.settings.end());
  all.insert(all.end(), more.begin(), more.end());
  std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
  for (const std::string& each : all) later.push_back(read_override(each));
  apply_overrides(settings, later);
  return resolve(settings, all_names(), "x.toml");
}

/// What a run gave, and what its row had said before it.
struct Result {
  std::vector<std::pair<std::string, Value>> asked, measured;
};

Result result_of(const Point& point) {
  Result result{to_fields(requested_row(point)), {}};
  const Row row = run_point(point, {});
  result.measured = to_fields(row);
  if (!row.learning) return result;
  std::string curve;  // it has no column
  for (const CurveEntry& each : row.learning->curve)
    curve += std::to_string(each.updates) + " " + std::to_string(each.loss) + "; ";
  result.asked.emplace_back("curve", std::monostate{});
  result.measured.emplace_back("curve", curve);
  return result;
}

/// Columns that differ in more than what was asked for.
std::vector<std::string> changed(const Result& a, const Result& b) {
  // The first three differ from run to run; the last one is a quotient with what was asked for.
  const std::set<std::string> other = {"wall_time_s", "realtime_ratio", "peak_rss_bytes", "dark_share"};
  if (a.measured.size() != b.measured.size()) return {"columns"};
  std::vector<std::string> names;
  for (std::size_t k = 0; k < a.measured.size(); ++k)
    if (a.measured[k] != b.measured[k] && a.asked[k] == b.asked[k] && !other.contains(a.measured[k].first))
      names.push_back(a.measured[k].first);
  return names;
}

const Trial* trial_of(std::string_view key, std::string_view kind) {
  const Trial* general = nullptr;
  for (const Trial& trial : trials()) {
    if (trial.key != key || !names_kind(trial.kinds, kind)) continue;
    if (trial.kinds != "*") return &trial;
    general = &trial;
  }
  return general;
}

/// The line of a table for this key and kind; none: nullptr.
template <class Line>
const Line* line_of(std::span<const Line> table, std::string_view key, std::string_view kind) {
  for (const Line& line : table)
    if (line.key == key && names_kind(line.kinds, kind)) return &line;
  return nullptr;
}

class EveryKey : public testing::TestWithParam<RunKind> {
 protected:
  void SetUp() override {
    if (GetParam().name == "soc" && !built_ahead({.core = rtl::Core::soc, .ports = 4}))
      GTEST_SKIP() << "device soc of 4 ports isn't built";
  }

  /// A value that the key can have: else it would be refused for itself.
  static void expect_possible(const Key& key, const std::string& setting) {
    Point point;
    EXPECT_NO_THROW(key.apply(read_override(setting).items.front().value, all_names(), point)) << setting;
  }

  /// The experiment with the trial; none: it is refused.
  std::optional<Experiment> read(const Key& key, const std::string& setting) {
    try {
      return experiment_of(GetParam(), {setting});
    } catch (const Error& refused) {
      EXPECT_EQ(refused.kind(), ErrorKind::input);
      const std::string sentence = refused.what(), value = setting.substr(setting.find('=') + 1);
      const std::string said = sentence.substr(sentence.find(": ") + 2);  // without its place
      EXPECT_TRUE(said.find(key.name) != std::string::npos || said.find("\"" + value + "\"") != std::string::npos)
          << sentence << ": it must name the key, or its value";
    }
    return std::nullopt;
  }

  /// What differs in the result; an end with an error differs from any result.
  std::vector<std::string> differing(const Key& key, const Point& point, const Result& without) {
    const Ending* ending = line_of(endings(), key.name, GetParam().name);
    try {
      const Result result = result_of(point);
      EXPECT_EQ(ending, nullptr) << "the run doesn't end with an error";
      return changed(without, result);
    } catch (const Error& failure) {
      EXPECT_TRUE(ending && std::string_view(failure.what()).find(ending->sentence) != std::string_view::npos)
          << failure.what();
    }
    return {"the end"};
  }

  void try_key(const Key& key, const Trial& trial, const Experiment& base, const Result& without) {
    const std::string setting = std::string(key.name) + "=" + std::string(trial.value);
    SCOPED_TRACE(GetParam().name + ", " + setting);
    expect_possible(key, setting);
    const Silent* const exception = line_of(silent_keys(), key.name, GetParam().name);
    const std::optional<Experiment> experiment = read(key, setting);
    const bool is_its = has_key(kind_of(base.points.front()), key.name);
    if (!experiment) {
      EXPECT_EQ(exception, nullptr) << "the key is refused: it needs no exception";
      EXPECT_EQ(line_of(endings(), key.name, GetParam().name), nullptr) << "the key is refused: there is no run";
      return;
    }
    const auto number = static_cast<std::size_t>(&key - experiment_keys().data());
    EXPECT_NE(item_of(*experiment, 0, number).value, item_of(base, 0, number).value) << "the trial tries nothing";
    const std::vector<std::string> warnings = without_effect(*experiment);
    const bool warned = std::any_of(warnings.begin(), warnings.end(), [&](const std::string& sentence) {
      return sentence.starts_with("--set " + setting + ": " + std::string(key.name) + " has no effect");
    });
    std::vector<std::string> differs = differing(key, experiment->points.front(), without);
    EXPECT_TRUE(is_its || warned) << "a key of other kinds of job is obeyed: testbed/experiment/keys/key_kinds.cpp";
    if (warned) {
      if (GetParam().name == "soc") std::erase(differs, "edges");  // its firmware is told of the setting before cycle 0
      EXPECT_EQ(differs, std::vector<std::string>{}) << "the warning is wrong";
    }
    const bool silent = !warned && differs.empty();
    EXPECT_EQ(silent, exception != nullptr)
        << (silent ? "the key is neither obeyed, nor refused, nor warned of" : "it needs no exception");
  }
};

TEST_P(EveryKey, IsObeyedRefusedOrWarnedOf) {
  const Experiment base = experiment_of(GetParam(), {});
  const Result without = result_of(base.points.front());
  ASSERT_EQ(changed(without, result_of(base.points.front())), std::vector<std::string>{})
      << "runs differ by themselves";
  const auto kind = static_cast<std::size_t>(  // each kind has other keys in its share
      std::ranges::find(run_kinds(), GetParam().name, &RunKind::name) - run_kinds().begin());
  for (const Key& key : experiment_keys()) {
    const auto number = static_cast<std::size_t>(&key - experiment_keys().data());
    if ((number + kind) % share() != 0) continue;
    const Trial* trial = trial_of(key.name, GetParam().name);
    ASSERT_NE(trial, nullptr) << "no value is tried for " << key.name;
    try_key(key, *trial, base, without);
  }
}

void expect_known(std::string_view kinds, std::string_view key) {
  EXPECT_TRUE(std::any_of(experiment_keys().begin(), experiment_keys().end(), [&](const Key& each) {
    return each.name == key;
  })) << key;
  if (kinds == "*") return;
  std::istringstream words{std::string(kinds)};
  for (std::string word; words >> word;)
    EXPECT_TRUE(
        std::any_of(run_kinds().begin(), run_kinds().end(), [&](const RunKind& kind) { return kind.name == word; }))
        << key << ": " << word;
}

TEST(EveryKeyTable, NamesOnlyKeysAndKindsThatThereAre) {
  for (const Trial& trial : trials()) expect_known(trial.kinds, trial.key);
  for (const Silent& silent : silent_keys()) expect_known(silent.kinds, silent.key);
  for (const Ending& ending : endings()) expect_known(ending.kinds, ending.key);
}

INSTANTIATE_TEST_SUITE_P(Of, EveryKey, testing::ValuesIn(run_kinds().begin(), run_kinds().end()),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace ocs::test
