// A switch that Python drives by hand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace ocs::python {

void add_switch(nanobind::module_& module);

}  // namespace ocs::python
