// Drawn changes do to an IdTable what they do to a std::map; pages come and go.
// SPDX-License-Identifier: Apache-2.0
#include "host/core/id_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "host/conformance/random_program.hpp"

namespace ocs {
namespace {

/// What counts that it lives.
struct Counted {
  explicit Counted(std::shared_ptr<int> token) : token_(std::move(token)) {}
  std::shared_ptr<int> token_;
};

void expect_same(const IdTable<std::string>& table, const std::map<Id, std::string>& map) {
  auto next = map.begin();
  table.for_each([&](Id id, const std::string& text) {
    ASSERT_NE(next, map.end());
    EXPECT_EQ(id, next->first);
    EXPECT_EQ(text, next->second);
    ++next;
  });
  EXPECT_EQ(next, map.end());
}

TEST(IdTable, DoesWhatAMapDoes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const conformance::DrawBelow draw = conformance::draws_of(seed);
    IdTable<std::string> table;
    std::map<Id, std::string> map;
    // Ids that move on as those of transfers do, and some at the far end.
    for (std::uint32_t step = 0; step < 2000; ++step) {
      const auto near = static_cast<std::uint32_t>(step / 4 + draw(200));
      const Id id{draw(50) == 0 ? 0xFFFF'FFFFu - near : near};
      switch (draw(6)) {
        case 0:
          table[id] += "a";
          map[id] += "a";
          break;
        case 1:
          EXPECT_EQ(table.emplace(id, "b" + std::to_string(step)),
                    map.emplace(id, "b" + std::to_string(step)).first->second);
          break;
        case 2: {
          const auto node = map.extract(id);
          const auto got = table.extract(id);
          ASSERT_EQ(got.has_value(), !node.empty());
          EXPECT_EQ(got.value_or(""), node.empty() ? "" : node.mapped());
          break;
        }
        case 3:
          EXPECT_EQ(table.contains(id), map.contains(id));
          EXPECT_EQ(table.contains(id) ? table.at(id) : "", map.contains(id) ? map.at(id) : "");
          break;
        default:
          EXPECT_EQ(table.erase(id), map.erase(id) == 1) << "seed " << seed;
      }
    }
    expect_same(table, map);
  }
}

TEST(IdTable, HasNoEntryThatWasNotAdded) {
  IdTable<int> table;
  EXPECT_EQ(table.find(Id{7}), nullptr);
  EXPECT_THROW(table.at(Id{7}), std::out_of_range);
  EXPECT_FALSE(table.erase(Id{7}));
  EXPECT_FALSE(table.extract(Id{7}));
  table.for_each([](Id id, int) { ADD_FAILURE() << "entry " << index(id); });
}

TEST(IdTable, DestroysWhatItErasesAtOnce) {
  const auto token = std::make_shared<int>();
  IdTable<Counted> table;
  for (std::uint32_t id = 60; id < 70; ++id) table.emplace(Id{id}, Counted(token));
  EXPECT_EQ(token.use_count(), 11);
  for (std::uint32_t id = 60; id < 66; ++id) table.erase(Id{id});
  EXPECT_EQ(token.use_count(), 5);
  EXPECT_TRUE(table.extract(Id{66}));
  EXPECT_EQ(token.use_count(), 4);
}

}  // namespace
}  // namespace ocs
