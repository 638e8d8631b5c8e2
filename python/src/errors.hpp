// Errors of the engine as exceptions of the package.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include "host/core/error.hpp"

namespace ocs::python {

/// "input", "run", "internal": as lightloop.errors calls them.
const char* name_of(ErrorKind kind);

/// Sets Python's exception for an error. @param cause what a function of Python raised; none: it raised nothing. The
/// caller holds the GIL.
void set_error(const Error& error, nanobind::handle cause = {});

}  // namespace ocs::python
