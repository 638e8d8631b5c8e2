// Work that asks functions of Python, in a thread of its own, so that one that does not return can be ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "host/core/error.hpp"

namespace ocs::python {

/// Executes `work` in another thread, and waits for its end. Each call of a function in it has set_patience(). A function
/// that can't be ended is left behind with its thread, so `work` must own all that it uses. The caller holds the GIL.
/// @throws what `work` throws, with what a function raised as the cause; Error (`kind`) that names a function that was
/// left behind; nanobind::python_error for what a handler of signals raised, such as KeyboardInterrupt.
void watch_work(std::function<void()> work, ErrorKind kind);

}  // namespace ocs::python
