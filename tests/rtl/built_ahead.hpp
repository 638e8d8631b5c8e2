// Which compiled switches the build has made for the tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "host/rtl/parameters.hpp"
#include "host/rtl/places.hpp"

namespace ocs {

/// Others would be built when a test names them, which takes half a minute each.
inline bool built_ahead(const rtl::Parameters& parameters) {
  return std::filesystem::exists(rtl::standard_places().shipped / (name_of(parameters) + ".so"));
}

}  // namespace ocs
