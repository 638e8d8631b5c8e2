// The paths are definitions of this file alone (tests/CMakeLists.txt).
// SPDX-License-Identifier: Apache-2.0
#include "tests/common/places.hpp"

namespace ocs::test {

std::string source_dir() { return LIGHTLOOP_SOURCE_DIR; }

std::string build_dir() { return LIGHTLOOP_BUILD_DIR; }

std::string built(std::string_view program) { return build_dir() + "/bin/" + std::string(program); }

}  // namespace ocs::test
