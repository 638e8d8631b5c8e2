// A network that a simulator of the user's own offers transfers to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace ocs::python {

void add_network(nanobind::module_& module);

}  // namespace ocs::python
