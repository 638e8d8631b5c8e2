// Gradients that cross the switch make the model that they would make without one, wherever nodes and switch run.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "testbed/learning/vectors.hpp"
#include "testbed/results/database/database.hpp"
#include "testbed/results/database/schema.hpp"
#include "testbed/results/files/json.hpp"
#include "tests/learning/picture_files.hpp"
#include "tests/learning/support.hpp"
#include "tests/schemes/processes.hpp"

namespace ocs::test {
namespace {

using testing::HasSubstr;

TEST(LearningJob, GoesDownWithEveryScheme) {
  for (const std::string& sync : scheme_names()) {
    const Row row = learn({"job.sync=" + sync, "job.iterations=20", "learning.rate=1/2", "learning.shards=iid"});
    EXPECT_EQ(row.crc_errors, 0) << sync;
    EXPECT_EQ(row.learning->curve.front().updates, 0);
    EXPECT_NEAR(row.learning->curve.front().loss, std::log(10.0), 1e-9) << "softmax starts with 0";
    EXPECT_EQ(row.learning->curve.back().updates, row.schemes->updates) << sync;
    EXPECT_LT(row.learning->loss, 1.2) << sync;
    EXPECT_GT(row.learning->accuracy, 0.8) << sync;
  }
}

/// Without network, worker or server: what rounds of N gradients, each 1 / N, come to.
std::vector<Score> by_hand(std::size_t workers, int rounds, float rate) {
  const Dataset data = drawn_pictures(600, 200);
  Classifier classifier(ModelKind::softmax, data.inputs);
  auto model = classifier.start(1);
  std::vector<Batches> batches;
  for (std::size_t w = 0; w < workers; ++w)
    batches.emplace_back(shard_of(data.train.labels, ShardKind::sorted, w, workers, 1), 1, w);
  std::vector<Score> all{classifier.score(model, data)};
  for (int k = 0; k < rounds; ++k) {
    std::vector<std::vector<float>> gradients(workers, std::vector<float>(model.size()));
    for (std::size_t w = 0; w < workers; ++w) classifier.gradient(model, data, batches[w].next(16), gradients[w]);
    for (const auto& gradient : gradients) subtract(model, rate / static_cast<float>(workers), gradient);
    all.push_back(classifier.score(model, data));
  }
  return all;
}

TEST(LearningJob, IsPlainGradientDescentForOneWorker) {
  for (const std::string& sync : scheme_names()) {
    if (sync == "predictive") continue;  // it doesn't wait for what it has pushed
    const Row row = learn({"job.sync=" + sync, "job.workers=1", "learning.every=1", "sync.p=1"});
    const auto right = by_hand(1, 6, 0.5F);
    ASSERT_EQ(row.learning->curve.size(), right.size()) << sync;
    for (std::size_t k = 0; k < right.size(); ++k) {
      EXPECT_EQ(row.learning->curve[k].loss, right[k].loss) << sync << ", point " << k;
      EXPECT_EQ(row.learning->curve[k].accuracy, right[k].accuracy) << sync << ", point " << k;
    }
    EXPECT_EQ(row.learning->samples, "96");
  }
}

TEST(LearningJob, AppliesOneNthOfEachPushOfARound) {
  for (const char* sync : {"bsp", "bsp_phase"}) {
    const Row row = learn({"job.sync=" + std::string(sync)});
    const auto right = by_hand(3, 6, 0.5F);
    ASSERT_EQ(row.learning->curve.size(), right.size());
    for (std::size_t k = 0; k < right.size(); ++k)
      EXPECT_NEAR(row.learning->curve[k].loss, right[k].loss, 1e-5) << sync << ", round " << k;
    EXPECT_EQ(row.learning->samples, "96 96 96");
  }
}

TEST(LearningJob, DoesntDependOnHowParametersLie) {
  for (const char* model : {"softmax", "mlp"}) {
    const std::string workload = "job.workload=" + std::string(model);
    const Row one = learn({workload, "job.workers=1", "job.sync=bsp", "sync.p=1"});
    const Row two = learn({workload, "job.workers=1", "job.sync=bsp", "sync.p=1", "job.servers=2"});
    const Row cut = learn({workload, "job.workers=1", "job.sync=bsp", "sync.p=1", "job.servers=2", "job.slice=1000 B"});
    EXPECT_EQ(scores(one), scores(two)) << model;
    EXPECT_EQ(scores(one), scores(cut)) << model;
  }
}

/// Two servers own keys, and the first one's port is slow.
std::vector<std::string> by_keys(const std::string& load, std::vector<std::string> more) {
  more.insert(more.end(),
              {"fabric.ports=8", "job.servers=2", "nodes.rates=250 Mbit/s, 1 Gbit/s", "job.server_load=" + load});
  return more;
}

TEST(LearningJob, DoesntDependOnWhoOwnsWhichKeys) {
  for (const char* model : {"softmax", "mlp"}) {
    const std::vector<std::string> one = {"job.workload=" + std::string(model), "job.workers=1", "job.sync=bsp",
                                          "sync.p=1", "job.slice=4 kB"};
    const auto right = scores(learn(one));
    EXPECT_EQ(scores(learn(by_keys("static", one))), right) << model;
    const Row adaptive = learn(by_keys("adaptive", one));
    EXPECT_EQ(scores(adaptive), right) << model;
    EXPECT_GE(adaptive.load->maps, 1) << model;
    EXPECT_GT(adaptive.load->moved, 0) << model;
    EXPECT_EQ(adaptive.crc_errors, 0) << model;
  }
}

TEST(LearningJob, GoesDownWhileKeysMoveWithEveryScheme) {
  for (const std::string& sync : scheme_names())
    for (const char* colocated : {"job.colocated=false", "job.colocated=true"}) {
      const Row row = learn(by_keys(
          "adaptive", {"job.sync=" + sync, "job.iterations=20", "learning.shards=iid", "job.slice=1 kB", colocated}));
      EXPECT_GE(row.load->maps, 1) << sync << ", " << colocated;
      EXPECT_EQ(row.crc_errors, 0) << sync << ", " << colocated;
      EXPECT_EQ(row.learning->curve.back().updates, row.schemes->updates) << sync << ", " << colocated;
      EXPECT_LT(row.learning->loss, 1.2) << sync << ", " << colocated;
      EXPECT_GT(row.learning->accuracy, 0.8) << sync << ", " << colocated;
    }
}

TEST(LearningJob, HasOneCurveOnEveryDeviceAndWithoutTimeWarp) {
  for (const std::string& sync : scheme_names()) {
    const auto right = curve(learn({"job.sync=" + sync}));
    for (const std::string device : {"verilated", "verilated_counter", "sysc", "sysc-rtl"})
      EXPECT_EQ(curve(learn({"job.sync=" + sync, "fabric.device=" + device})), right) << sync << " on " << device;
    EXPECT_EQ(curve(learn({"job.sync=" + sync, "fabric.time_warp=false"})), right) << sync;
  }
}

TEST(LearningJob, HasOneCurveInThreadsAndInProcesses) {
  const PictureFiles files;
  const InProcesses ipc("ipc"), tcp("tcp");
  for (const std::string& sync : scheme_names()) {
    Point point = learning_experiment({"job.sync=" + sync, "learning.data=" + files.path()}).points.front();
    point.job.learning.loaded = std::make_shared<const Dataset>(load_dataset(files.path()));
    const auto right = curve(run_point(point, {}));
    EXPECT_EQ(curve(ipc.run(point)), right) << sync;
    EXPECT_EQ(curve(tcp.run(point)), right) << sync;
  }
}

TEST(LearningJob, HasOneCurveInThreadsAndInProcessesWhileKeysMove) {
  const PictureFiles files;
  const InProcesses ipc("ipc");
  for (const char* sync : {"bsp_phase", "asp"}) {
    const std::vector<std::string> all = {"job.sync=" + std::string(sync), "job.colocated=true", "job.slice=1 kB",
                                          "learning.data=" + files.path()};
    Point point = learning_experiment(by_keys("adaptive", all)).points.front();
    point.job.learning.loaded = std::make_shared<const Dataset>(load_dataset(files.path()));
    const Row threads = run_point(point, {});
    EXPECT_GE(threads.load->maps, 1) << sync;
    EXPECT_EQ(curve(ipc.run(point)), curve(threads)) << sync;
  }
}

TEST(LearningJob, GoesWithTheBatchThatTheSchemeGives) {
  const std::vector<std::string> slow_and_fast = {"job.sync=r2sp",     "compute.factors=0: 3", "compute.jitter=",
                                                  "job.iterations=40", "sync.batch_every=5",   "sync.strict=true"};
  auto adaptive = slow_and_fast;
  adaptive.emplace_back("sync.batch=16");
  const Row fixed = learn(slow_and_fast), grown = learn(adaptive);
  EXPECT_EQ(fixed.learning->samples, "640 640 640");
  std::istringstream numbers(grown.learning->samples);
  std::int64_t slow = 0, fast = 0, other = 0;
  numbers >> slow >> fast >> other;
  EXPECT_LT(slow, 800) << grown.learning->samples << ": the slowest hardly waits";
  EXPECT_GT(fast, 2 * slow) << grown.learning->samples;
  EXPECT_GT(other, 2 * slow) << grown.learning->samples;
}

TEST(LearningJob, ReportsTheFirstPointAtOrAboveTheTarget) {
  const Row row = learn({"job.sync=bsp", "job.iterations=20", "learning.shards=iid", "learning.target=3/5"});
  for (const CurveEntry& point : row.learning->curve) {
    if (point.accuracy < 0.6) continue;
    EXPECT_EQ(row.learning->to_target, point.at);
    EXPECT_EQ(row.learning->updates_to_target, point.updates);
    break;
  }
  EXPECT_GT(row.learning->to_target.value_or(Picos{0}), Picos{0});
  EXPECT_FALSE(learn({"job.sync=bsp", "job.iterations=1", "learning.target=1/1"}).learning->to_target);
}

TEST(LearningFaults, APortThatFailsCostsTimeAndNothingElse) {
  const std::vector<std::string> job = {"job.sync=bsp_phase", "job.iterations=10"};
  const Row whole = learn(job);
  auto dark = job;
  dark.push_back("fabric.outages=0: 7 ms - 12 ms, 2: 14 ms - 14500 us");
  for (const std::string device : {"model", "verilated"}) {
    dark.push_back("fabric.device=" + device);
    const Row cut = learn(dark);
    EXPECT_GT(cut.words_retransmitted, 0);
    EXPECT_EQ(scores(cut), scores(whole)) << device;
    EXPECT_GT(cut.learning->curve.back().at, whole.learning->curve.back().at);
    EXPECT_EQ(cut.learning->curve[1].at, whole.learning->curve[1].at) << "before the fault";
  }
}

/// While it computes, pushes, pulls and waits; what it pushed whole has been learned from.
TEST(LearningFaults, AWorkerThatDiesHasLearnedUntilThen) {
  for (const std::string& sync : scheme_names()) {
    if (sync.starts_with("bsp")) continue;
    const Row whole = learn({"job.sync=" + sync, "sync.p=2"});
    for (const char* at : {"250 us", "700 us", "1100 us", "1900 us"}) {
      SCOPED_TRACE(sync + " at " + at);
      const std::vector<std::string> dying = {"job.sync=" + sync, "sync.p=2", "nodes.deaths=2: " + std::string(at)};
      const Row row = learn(dying);
      EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
      EXPECT_EQ(row.schemes->left, 1);
      EXPECT_LT(row.schemes->updates + row.schemes->dropped, whole.schemes->updates + whole.schemes->dropped);
      EXPECT_EQ(row.learning->curve.front().loss, whole.learning->curve.front().loss);
      EXPECT_LT(row.learning->loss, row.learning->curve.front().loss);
    }
  }
}

TEST(LearningFaults, AGuardThatIsTooSmallCostsTimeAndNothingElse) {
  const auto with = [](const std::string& spread, const std::string& guard) {
    return learn({"job.sync=bsp_phase", "control.mode=timetable", "job.iterations=10", "nodes.clock_spread=" + spread,
                  "control.guard=" + guard});
  };
  const Row exact = with("0 ns", "0 ns"), enough = with("20 us", "40 us"), none = with("20 us", "0 ns");
  EXPECT_EQ(exact.words_lost, 0);
  EXPECT_EQ(enough.words_lost, 0);
  EXPECT_GT(none.words_lost, 0);
  EXPECT_GT(none.words_retransmitted, 0);
  for (const Row& row : {enough, none}) {
    EXPECT_EQ(scores(row), scores(exact));
    EXPECT_GT(row.learning->curve.back().at, exact.learning->curve.back().at);
  }
}

TEST(LearningResults, KeepTheCurveInDatabaseAndJson) {
  const Row row = learn({"job.sync=bsp"});
  const ExperimentRecord record{.name = "x", .file = "x.toml", .version = "1", .keys = {}};
  const std::string base = testing::TempDir() + "/learning_results";
  std::filesystem::remove(base + ".db");
  std::filesystem::remove(base + ".json");
  {
    JsonSink json(base + ".json", record, stdout);
    Database database(base + ".db", record, "2026-01-31T12:00:00Z");
    for (ResultSink* sink : {static_cast<ResultSink*>(&json), static_cast<ResultSink*>(&database)}) {
      sink->curve(row.learning->curve);
      sink->row(to_fields(row));
      sink->row(to_fields(row));  // the curve is the first one's
    }
  }
  std::ifstream in(base + ".json");
  const auto rows = nlohmann::json::parse(in)["rows"];
  EXPECT_FALSE(rows[1].contains("curve"));
  ASSERT_EQ(rows[0]["curve"].size(), row.learning->curve.size());
  for (std::size_t k = 0; k < row.learning->curve.size(); ++k) {
    const CurveEntry& point = row.learning->curve[k];
    EXPECT_EQ(rows[0]["curve"][k], nlohmann::json::array({point.updates, point.at.n, point.loss, point.accuracy}));
  }
  EXPECT_EQ(rows[0]["gradients"], "real");
  EXPECT_EQ(rows[0]["accuracy"], row.learning->accuracy);
  Sqlite file(base + ".db", Sqlite::Access::write);
  EXPECT_EQ(file.number("SELECT count(*) FROM curve WHERE row_id = 1"), std::ssize(row.learning->curve));
  EXPECT_EQ(file.number("SELECT count(*) FROM curve"), std::ssize(row.learning->curve));
  EXPECT_EQ(file.number("SELECT at_ps FROM curve WHERE number = 2"), row.learning->curve[2].at.n);
  file.execute("DROP TABLE curve");  // as in a database of an older version
  file.execute("PRAGMA user_version = 13");
  Database upgraded(base + ".db", record, "2026-01-31T12:00:00Z");
  EXPECT_EQ(file.number("SELECT count(*) FROM curve"), 0);
  EXPECT_EQ(file.number("PRAGMA user_version"), schema_version);
}

TEST(LearningRefusals, SayKeyValueAndWhatIsRight) {
  const auto refused = [](const std::vector<std::string>& more) { return refusal([&] { learning_experiment(more); }); };
  EXPECT_THAT(refused({"job.workload=alexnet"}),
              HasSubstr("job.workload is \"alexnet\", but must be \"softmax\" or \"mlp\" with compute.gradients"));
  EXPECT_THAT(refused({"job.payload=digest"}), HasSubstr("job.payload is \"digest\", but must be \"full\""));
  EXPECT_THAT(refused({"learning.rate=0/1"}), HasSubstr("must be above 0"));
  EXPECT_THAT(refused({"learning.target=3/2"}), HasSubstr("must be above 0, and at most 1"));
  EXPECT_THAT(refused({"learning.shards=odd"}), HasSubstr("must be one of"));
  EXPECT_THAT(refused({"learning.batch=0"}), HasSubstr("must be a whole number from 1 to 1000000"));
  Names names = learning_names();
  names.load_dataset = [](std::string_view folder) { return load_dataset(folder); };
  const std::vector<Setting> settings = read_settings(
      "fabric.device='model'\npolicy='sunflow_equal'\njob.workload='softmax'\nlearning.data='/nowhere'\n"
      "compute.gradients='real'\n",
      "x.toml");
  EXPECT_THAT(
      refusal([&] { resolve(settings, names, "x.toml"); }),
      testing::AllOf(HasSubstr("learning.data is \"/nowhere\""), HasSubstr("apt install dataset-fashion-mnist")));
}

}  // namespace
}  // namespace ocs::test
