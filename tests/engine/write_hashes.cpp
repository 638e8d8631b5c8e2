// Prints what hashes.csv has to hold, from the runs on the model.
// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <iostream>

#include "tests/engine/guarded_runs.hpp"

int main() {
  using namespace ocs::test;
  int failed = 0;
  std::cout << heading() << "\n";
  for (const GuardedRun& run : guarded_runs()) {
    try {
      for (const GuardedRow& row : rows_of_run(run, "model")) std::cout << row.line << "\n";
    } catch (const std::exception& failure) {
      std::cerr << run.name << ": " << failure.what() << "\n";
      failed = 1;
    }
  }
  return failed;
}
