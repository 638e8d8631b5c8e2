// Where the source tree and this build are. Only places.cpp is compiled for them, so that the objects of all other
// tests are the same in every checkout, and the compiler cache has them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ocs::test {

/// Absolute path of the source tree.
std::string source_dir();

/// Absolute path of the build tree.
std::string build_dir();

/// Absolute path of a program that this build makes.
std::string built(std::string_view program);

}  // namespace ocs::test
