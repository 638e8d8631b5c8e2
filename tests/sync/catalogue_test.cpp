// Names and settings: what there is, what jobs can have, what is refused.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "host/core/error.hpp"

namespace ocs {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view scheme, std::uint16_t workers, const std::function<void(SyncSettings&)>& change) {
  SyncSettings settings;
  change(settings);
  try {
    find(sync_schemes(), scheme, "synchronisation scheme").make(workers, settings);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

TEST(SyncCatalogue, ListsTheKnownNamesWhenOneIsUnknown) {
  EXPECT_EQ(find(sync_schemes(), "bsp_phase", "synchronisation scheme").compute, ComputeStart::after_last_pull);
  try {
    find(sync_schemes(), "bulk", "synchronisation scheme");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("unknown synchronisation scheme \"bulk\"; known: bsp, bsp_phase"));
  }
}

TEST(SyncSettings, OutOfRangeAreRefusedWithWhatIsRight) {
  EXPECT_EQ(refusal("ssp", 4, [](auto& s) { s.s = 1'000'001; }), "sync.s is 1000001, but must be from 0 to 1000000");
  EXPECT_EQ(refusal("dssp", 4, [](auto& s) { s.s_lo = 5; }), "sync.s_lo is 5, but must be from 0 to 4");
  EXPECT_EQ(refusal("dssp", 4, [](auto& s) { s.s_up = 1'000'001; }),
            "sync.s_up is 1000001, but must be from 0 to 1000000");
  EXPECT_EQ(refusal("r2sp", 4, [](auto& s) { s.r_num = 6; }), "sync.r is 6/5, but must be from 0 to 1");
  EXPECT_EQ(refusal("r2sp", 4, [](auto& s) { s.r_den = 0; }),
            "the denominator of sync.r is 0, but must be from 1 to 1000000");
  EXPECT_EQ(refusal("r2sp", 4, [](auto& s) { s.ema_shift = 17; }), "sync.ema_shift is 17, but must be from 0 to 16");
  EXPECT_EQ(refusal("r2sp", 4,
                    [](auto& s) {
                      s.batch = 64;
                      s.batch_max = 32;
                    }),
            "sync.batch_max is 32, but must be from 64 to 1000000000");
  EXPECT_EQ(refusal("p_of_n", 4, [](auto& s) { s.p = 5; }), "sync.p is 5, but must be from 1 to 4");
  EXPECT_EQ(refusal("p_of_n", 4, [](auto& s) { s.p = 0; }), "sync.p is 0, but must be from 1 to 4");
  EXPECT_EQ(refusal("p_of_n", 4, [](auto& s) { s.k = 1'000'001; }), "sync.k is 1000001, but must be from 0 to 1000000");
  EXPECT_EQ(refusal("elastic", 4, [](auto& s) { s.most_quota = 0; }), "sync.quota is 0, but must be from 1 to 256");
  EXPECT_EQ(refusal("elastic", 4, [](auto& s) { s.most_quota = 257; }), "sync.quota is 257, but must be from 1 to 256");
  EXPECT_EQ(refusal("predictive", 4, [](auto& s) { s.ahead = 65; }), "sync.ahead is 65, but must be from 1 to 64");
  EXPECT_EQ(refusal("predictive", 4, [](auto& s) { s.ahead = 0; }), "sync.ahead is 0, but must be from 1 to 64");
}

TEST(SyncSettings, NeedAWorker) {
  for (const SyncEntry& entry : sync_schemes())
    EXPECT_THAT(refusal(entry.name, 0, [](auto&) {}), HasSubstr("job.workers is 0, but must be from 1 to "))
        << entry.name;
}

}  // namespace
}  // namespace ocs
