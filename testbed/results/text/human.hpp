// Numbers as people read them; for tables and progress only, never to be read back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "host/core/units.hpp"

namespace ocs {

std::string human_time(double seconds);                              ///< four digits and a unit: "412.3 ms"
std::string human_time(Picos length);                                ///< the same
std::string human_count(std::int64_t number);                        ///< "38,343,168"
std::string counted(std::int64_t number, const std::string& thing);  ///< "1 worker", "1,200 workers"
std::string human_ratio(double ratio);                               ///< "1.043", "87.3", "1,234"
std::string human_percent(double share);                             ///< "12.3 %"

}  // namespace ocs
