// Payload of schemes without phases: a model to which pushes are added one by one, and what pulls get of it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>

#include "testbed/coordinator/job.hpp"
#include "tests/common/places.hpp"
#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/small_job.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

std::vector<std::string> payload_settings(const std::string& payload) {
  return {"job.workers=5", "job.servers=2",        "job.iterations=9",      "job.compute=100 us",
          "sync.p=3",      "compute.factors=0: 3", "job.payload=" + payload};
}

TEST(PayloadOfSchemes, AddsUpRightAndChangesNoTime) {
  for (const std::string& sync : scheme_names()) {
    const Row none = run_scheme(sync, payload_settings("none"));
    for (const char* payload : {"digest", "full"}) {
      const Row row = run_scheme(sync, payload_settings(payload));
      EXPECT_EQ(row.crc_errors, 0) << sync << ", " << payload;
      EXPECT_EQ(row.sum_errors, 0) << sync << ", " << payload;
      EXPECT_EQ(row.event_log_hash, none.event_log_hash) << sync << ", " << payload;
      EXPECT_EQ(row.schemes->updates, none.schemes->updates) << sync << ", " << payload;
    }
  }
}

/// A transfer is in when its last part is.
TEST(PayloadOfSchemes, AddsUpRightOnPlanesAndIsFaster) {
  for (const std::string& sync : scheme_names()) {
    const Row one = run_scheme(sync, payload_settings("none"));
    for (const char* split : {"fabric.split=equal", "fabric.split=longest"}) {
      std::vector<std::string> all = payload_settings("digest");
      all.insert(all.end(), {"fabric.planes=2", split});
      const Row row = run_scheme(sync, all);
      EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted + row.words_lost, 0) << sync << split;
      EXPECT_LT(row.sim_time, one.sim_time) << sync << split;
    }
  }
}

/// Words under way on a port that dies are asked for again; what waits is planned when it lives.
TEST(PayloadOfSchemes, AddsUpRightWhenAPortDies) {
  for (const std::string& sync : scheme_names())
    for (const char* planes : {"fabric.planes=1", "fabric.planes=2"}) {
      std::vector<std::string> all = payload_settings("digest");
      all.insert(all.end(), {"fabric.outages=0: 200 us - 700 us, 4: 1 ms - 1100 us", planes});
      const Row row = run_scheme(sync, all);
      EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted, 0) << sync << planes;
      EXPECT_GT(row.words_retransmitted, 0) << sync << planes;
    }
}

TEST(PayloadOfSchemes, AddsUpRightUntilADuration) {
  for (const std::string& sync : scheme_names()) {
    std::vector<std::string> all = payload_settings("full");
    all.emplace_back("job.duration=12 ms");
    const Row row = run_scheme(sync, all);
    EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << sync;
  }
}

/// The last pushes are never pulled: a server must not keep their sums for anybody.
TEST(PayloadOfSchemes, EndsWhereADurationCutsPhasesOfManySlices) {
  for (const char* slice : {"1 kB", "2 kB", "8 kB"})
    for (const char* duration : {"30 us", "50 us", "100 us"})
      for (const char* network : {"circuit", "packet"}) {
        std::vector<std::string> all = {"job.workers=3",     "job.servers=2",    "job.compute=2 us",
                                        "nodes.timeout=2 s", "job.payload=full", "fabric.tuning=1 us"};
        all.push_back("job.workload=file:" + ocs::test::source_dir() + "/testbed/experiments/tiny.csv");
        for (const auto& [key, value] :
             {std::pair{"job.slice=", slice}, {"job.duration=", duration}, {"network=", network}})
          all.push_back(std::string(key) + value);
        const Row row = run_scheme("bsp_phase", all);
        EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << slice << ", " << duration << ", " << network;
      }
}

TEST(PayloadOfSchemes, AddsUpRightOnSharedNodes) {
  for (const std::string& sync : scheme_names()) {
    std::vector<std::string> all = payload_settings("full");
    all.emplace_back("job.colocated=true");
    const Row row = run_scheme(sync, all);
    EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << sync;
    EXPECT_GT(row.bytes_local, Bytes{0}) << sync;
  }
}

/// The coordinator's end, telling nodes another history.
class Liar : public Transport {
 public:
  Liar(Transport& honest, std::function<void(PastEvent&)> lie) : honest_(honest), lie_(std::move(lie)) {}
  void send(Message message) override {
    if (kind_of(message) == MessageKind::history) {
      auto fields = decode_fields<HistoryFields>(message);
      for (PastEvent& event : fields.list) lie_(event);
      message.fields = encode_fields(fields);
    }
    honest_.send(std::move(message));
  }
  std::optional<Message> receive(std::chrono::milliseconds patience) override { return honest_.receive(patience); }

 private:
  Transport& honest_;
  std::function<void(PastEvent&)> lie_;
};

JobResult lied_to(PayloadMode payload, const std::function<void(PastEvent&)>& lie) {
  JobSpec spec = small_job(3, 2);
  spec.sync = "asp";
  spec.payload = payload;
  spec.iterations = 4;
  FakeNetwork network(64);
  std::unique_ptr<Liar> liar;
  JobHooks hooks;
  hooks.coordinator = [&](Transport& end) -> Transport& { return *(liar = std::make_unique<Liar>(end, lie)); };
  return run_job(spec, network, nullptr, hooks);
}

TEST(PayloadOfSchemes, NoticesAPushThatIsMissingInTheModel) {
  const auto drop_one = [](PastEvent& event) {
    if (event.what == PastEvent::What::applied && event.worker == Node{3} && event.iteration == 1)
      event.what = PastEvent::What::dropped;
  };
  EXPECT_EQ(lied_to(PayloadMode::full, [](PastEvent&) {}).sum_errors, 0);
  EXPECT_EQ(lied_to(PayloadMode::digest, [](PastEvent&) {}).crc_errors, 0);
  EXPECT_GT(lied_to(PayloadMode::full, drop_one).sum_errors, 0);
  EXPECT_GT(lied_to(PayloadMode::digest, drop_one).crc_errors, 0);
}

TEST(PayloadOfSchemes, NoticesAModelOfAnotherInstant) {
  const auto other = [](PastEvent& event) {
    if (event.what == PastEvent::What::pulled && event.iteration == 2) event.weight += 1;
  };
  EXPECT_GT(lied_to(PayloadMode::full, other).sum_errors, 0);
  EXPECT_GT(lied_to(PayloadMode::digest, other).crc_errors, 0);
}

}  // namespace
}  // namespace ocs::test
