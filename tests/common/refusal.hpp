// The sentence of an expected error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "host/core/error.hpp"

namespace ocs::test {

/// Runs `action`; the sentence of the error with this exit code that it must throw.
template <class Action>
std::string sentence(int exit_code, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), exit_code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

/// Of an input error.
template <class Action>
std::string refusal(Action&& action) {
  return sentence(2, action);
}

/// Of an error of the run.
template <class Action>
std::string failure(Action&& action) {
  return sentence(1, action);
}

}  // namespace ocs::test
