// The balanced minimum: equals the smallest leaf, also where the number of leaves is no power of two.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "Vocs_min_tree.h"
#include "Vocs_min_tree__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned leaves = 11;
using MinTree = Wires<Vocs_min_tree, Vocs_min_tree__Syms>;

TEST(MinTree, FindsTheSmallestLeafWhereverItIs) {
  MinTree tree;
  for (unsigned smallest = 0; smallest < leaves; ++smallest) {
    for (unsigned k = 0; k < leaves; ++k) tree.top.leaf_i[k] = 1000 + k;
    tree.top.leaf_i[smallest] = 7;
    tree.evaluate();
    EXPECT_EQ(tree.top.min_o, 7u) << smallest;
  }
}

TEST(MinTree, KnowsNoBoundAboveTheLargest) {
  MinTree tree;
  for (unsigned k = 0; k < leaves; ++k) tree.top.leaf_i[k] = 0xFFFF'FFFF;
  tree.evaluate();
  EXPECT_EQ(tree.top.min_o, 0xFFFF'FFFFu);
}

TEST(MinTree, EqualsTheMinimumOfRandomLeaves) {
  MinTree tree;
  std::mt19937 random(1);
  for (int n = 0; n < 1000; ++n) {
    std::uint32_t expected = 0xFFFF'FFFF;
    for (unsigned k = 0; k < leaves; ++k) {
      const std::uint32_t leaf = static_cast<std::uint32_t>(random()) >> (random() % 32);
      tree.top.leaf_i[k] = leaf;
      expected = std::min(expected, leaf);
    }
    tree.evaluate();
    ASSERT_EQ(tree.top.min_o, expected) << n;
  }
}

}  // namespace
}  // namespace ocs::test
