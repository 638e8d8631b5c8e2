// Random register programs as values that RapidCheck can shrink.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <iosfwd>
#include <vector>

#include "host/conformance/random_program.hpp"

namespace ocs::conformance {

std::ostream& operator<<(std::ostream& out, const Step& step);
std::ostream& operator<<(std::ostream& out, const Setting& setting);

rc::Gen<Setting> arbitrary_setting();
/// Up to twice as many steps as RapidCheck's size.
rc::Gen<std::vector<Step>> arbitrary_steps(const Setting& setting);

}  // namespace ocs::conformance
