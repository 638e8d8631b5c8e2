// The number that two event logs are compared by.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/event_hash.hpp"

#include <gtest/gtest.h>

namespace ocs {
namespace {

TEST(EventHash, IsFnv1aOverTheFieldsInLittleEndian) {
  EventHash hash;
  EXPECT_EQ(hash.value(), 0xcbf29ce484222325u) << "the offset basis of FNV-1a";
  hash.add({.at = Cycles{0x0102030405060708}, .plane = Plane{2}, .kind = EventKind::burst_done, .port = 515});
  EXPECT_EQ(hash.value(), 0x3e532cdadbece437u);
  hash.add({.at = Cycles{5120}, .kind = EventKind::up, .port = 11});
  EXPECT_EQ(hash.value(), 0x9741894648a6ddf5u);
  EXPECT_EQ(hash.count(), 2u);
}

TEST(EventHash, IgnoresWhatIsNotOfTheLog) {
  EventHash with, without;
  with.add({.at = Cycles{1}, .kind = EventKind::run, .port = 3, .burst = Id{7}, .words = {Words{0}, Words{9}}});
  without.add({.at = Cycles{1}, .kind = EventKind::run, .port = 3});
  EXPECT_EQ(with.value(), without.value());
}

}  // namespace
}  // namespace ocs
