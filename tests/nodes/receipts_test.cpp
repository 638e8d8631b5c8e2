// What a receiver makes of the words that come: order and range are held against what was sent.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/roles/receipts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/small_job.hpp"
#include "tests/nodes/word_run.hpp"

namespace ocs {
namespace {

using testing::HasSubstr;

constexpr TransferKey push{0, TransferPhase::push, Node{4}, Node{1}};

class ReceiptsOf : public ::testing::Test {
 protected:
  /// @returns the sentence of the error; empty: there was none
  std::string come(std::vector<WordRun> runs, bool final = false, std::uint32_t attempt = 0) {
    try {
      whole_ = receipts_.on({push, Words{100}, final, std::move(runs), attempt}, Picos{0}, out_);
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::run);
      return error.what();
    }
  }
  bool whole_ = false;
  std::vector<Message> out_;

 private:
  NodeJob job_;
  Receipts receipts_{job_};
};

TEST_F(ReceiptsOf, WordsInTheirOrderAreTaken) {
  EXPECT_EQ(come({run(0, 40)}), "");
  EXPECT_EQ(come({run(40, 10), run(50, 50)}, true), "");
  EXPECT_TRUE(whole_);
}

TEST_F(ReceiptsOf, LossIsNoWrongOrder) {
  EXPECT_EQ(come({run(3, 7), run(20, 5)}), "");
  EXPECT_EQ(come({run(60, 40)}, true), "");
  EXPECT_FALSE(whole_);
  ASSERT_EQ(out_.size(), 2u);
  EXPECT_EQ(come({run(0, 3), run(10, 10)}, true, 1), "");
  EXPECT_EQ(come({run(25, 35)}, true, 2), "");
  EXPECT_TRUE(whole_);
}

TEST_F(ReceiptsOf, PartsOfAPlanMayComeInAnyOrder) {
  EXPECT_EQ(come({run(50, 50)}), "");
  EXPECT_EQ(come({run(0, 50)}, true), "");
  EXPECT_TRUE(whole_);
}

TEST_F(ReceiptsOf, RunsThatChangedPlacesAreRefused) {
  EXPECT_EQ(
      come({run(40, 10), run(0, 40)}),
      "words 40 to 49, 0 to 39 of the push of worker 4 to server 1, iteration 0, attempt 0, came in another order "
      "than they were sent, or twice, or were never sent: 50 words came, 50 of those that were owed");
}

TEST_F(ReceiptsOf, WordsThatComeTwiceAreRefused) {
  EXPECT_THAT(come({run(0, 10), run(9, 5)}), HasSubstr(": 15 words came, 14 of those"));
  EXPECT_EQ(come({run(20, 10)}), "");
  EXPECT_THAT(come({run(25, 1)}), HasSubstr(": 1 words came, 0 of those"));
}

TEST_F(ReceiptsOf, WordsThatWereNeverSentAreRefused) {
  EXPECT_THAT(come({run(90, 11)}), HasSubstr(": 11 words came, 10 of those"));
}

TEST_F(ReceiptsOf, AFurtherAttemptBringsWhatItWasAskedForAlone) {
  EXPECT_EQ(come({run(10, 90)}, true), "");
  EXPECT_THAT(come({run(0, 11)}, true, 1), HasSubstr("attempt 1, came in another order"));
}

/// A network that spoils the runs of its tenth delivery.
class Spoilt final : public FakeNetwork {
 public:
  Spoilt(std::int64_t word_bytes, std::function<void(std::vector<WordRun>&)> spoil)
      : FakeNetwork(word_bytes), spoil_(std::move(spoil)) {}
  Picos advance(Picos limit, std::vector<Delivery>& append) override {
    const Picos reached = FakeNetwork::advance(limit, append);
    for (Delivery& delivery : append)
      if (++number_ == 10) spoil_(delivery.arrived);
    return reached;
  }

 private:
  std::function<void(std::vector<WordRun>&)> spoil_;
  int number_ = 0;
};

TEST(AJob, EndsWhenSegmentsAreInAnotherOrderOrOutOfRange) {
  const std::vector<std::function<void(std::vector<WordRun>&)>> spoils{
      [](auto& runs) {  // exchanged
        runs = {run(700, runs[0].count.n - 700), run(0, 700)};
      },
      [](auto& runs) {  // twice
        runs.push_back(run(5, 1));
      },
      [](auto& runs) {  // further on, by a word
        ++runs[0].first.n;
      }};
  for (const PayloadMode payload : {PayloadMode::none, PayloadMode::digest, PayloadMode::full})
    for (const auto& spoil : spoils) {
      JobSpec spec = small_job(4, 3);
      spec.payload = payload;
      Spoilt network(spec.word_bytes, spoil);
      try {
        run_job(spec, network);
        ADD_FAILURE() << "the job ended as if nothing were wrong";
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("failed: "));
        EXPECT_THAT(error.what(),
                    testing::AnyOf(HasSubstr("in another order than they were sent"), HasSubstr("length of a run")));
      }
    }
}

}  // namespace
}  // namespace ocs
