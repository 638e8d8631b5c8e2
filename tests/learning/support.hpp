// Jobs that learn, for tests: over any scheme, device and transport; rows of the ready experiments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testbed/learning/random.hpp"
#include "testbed/run/run.hpp"
#include "tests/common/places.hpp"
#include "tests/learning/pictures.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {

/// 28 x 28 pixels, ten classes that can be told apart: a class brightens rows of its own, all else is noise.
inline Dataset drawn_pictures(std::size_t train, std::size_t tests) {
  Dataset data;
  data.inputs = 784;
  Draws draws(1);
  const auto draw = [&](std::size_t count) {
    Pictures pictures;
    for (std::size_t k = 0; k < count; ++k) {
      pictures.labels.push_back(static_cast<std::uint8_t>(draws.below(10)));
      for (std::size_t i = 0; i < data.inputs; ++i) {
        const bool own = i / 28 / 2 == pictures.labels.back();
        pictures.pixels.push_back(static_cast<std::uint8_t>(draws.below(own ? 256 : 128)));
      }
    }
    return pictures;
  };
  data.train = draw(train);
  data.test = draw(tests);
  data.mean.assign(data.inputs, 0.25F);
  return data;
}

inline Names learning_names() {
  Names names = all_schemes();
  names.transports = {"inproc", "ipc"};
  names.load_dataset = [](std::string_view) { return drawn_pictures(600, 200); };
  return names;
}

/// Softmax, three workers and a server on four ports, model, 6 iterations that all take other
/// times; an evaluation each three updates.
inline Experiment learning_experiment(const std::vector<std::string>& more) {
  std::vector<std::string> all = {"fabric.device=model",
                                  "fabric.ports=4",
                                  "fabric.rate=1 Gbit/s",
                                  "fabric.tuning=10 us",
                                  "policy=sunflow_equal",
                                  "scheduler=sunflow_fifo",
                                  "job.workload=softmax",
                                  "job.workers=3",
                                  "job.servers=1",
                                  "job.iterations=6",
                                  "job.compute=300 us",
                                  "compute.jitter=uniform 30 %",
                                  "compute.gradients=real",
                                  "learning.batch=16",
                                  "learning.every=3",
                                  "learning.shards=sorted",
                                  "sync.p=2",
                                  "sync.quota=4"};
  all.insert(all.end(), more.begin(), more.end());
  std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
  for (const std::string& each : all) later.push_back(read_override(each));
  apply_overrides(settings, later);
  return resolve(settings, learning_names(), "x.toml");
}

inline Row learn(const std::vector<std::string>& more) {
  return run_point(learning_experiment(more).points.front(), {});
}

/// Rows of an experiment of testbed/experiments/learning, on device model, with the real data set.
inline std::vector<Row> learned_rows(const std::string& name, std::vector<std::string> overrides) {
  static std::map<std::string, Dataset> kept;
  Names names = all_schemes();
  names.load_dataset = [](std::string_view folder) {
    const std::string where(folder);
    if (!kept.contains(where)) kept.emplace(where, load_dataset(where));
    return kept.at(where);
  };
  overrides.emplace_back("fabric.device=model");
  overrides.push_back("learning.data=" + dataset_folder().string());
  std::vector<Row> rows;
  for (const Point& point :
       load_experiment(ocs::test::source_dir() + "/testbed/experiments/learning/" + name, overrides, names).points)
    rows.push_back(run_point(point, {}));
  return rows;
}

/// Points of a curve but for their times.
inline std::vector<std::tuple<std::int64_t, double, double>> scores(const Row& row) {
  std::vector<std::tuple<std::int64_t, double, double>> all;
  for (const CurveEntry& point : row.learning->curve) all.emplace_back(point.updates, point.loss, point.accuracy);
  return all;
}

/// All of it.
inline std::vector<std::tuple<std::int64_t, std::int64_t, double, double>> curve(const Row& row) {
  std::vector<std::tuple<std::int64_t, std::int64_t, double, double>> all;
  for (const CurveEntry& point : row.learning->curve)
    all.emplace_back(point.updates, point.at.n, point.loss, point.accuracy);
  return all;
}

}  // namespace ocs::test
