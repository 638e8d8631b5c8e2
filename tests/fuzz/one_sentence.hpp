// What a parser may do with bytes that it refuses: say so in one readable sentence.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"

namespace ocs {

template <class Action>
void one_sentence(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    const std::string_view sentence = error.what();
    if (error.exit_code() != 2) std::abort();
    if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
  }
}

}  // namespace ocs
