// Like GoogleTest's own main, but running no test at all is a failure: a filter may name a program that isn't there.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  if (GTEST_FLAG_GET(list_tests) || testing::UnitTest::GetInstance()->test_to_run_count() > 0) return result;
  std::cerr << "no test matches " << GTEST_FLAG_GET(filter) << " in the folder of programs in use\n";
  return 1;
}
