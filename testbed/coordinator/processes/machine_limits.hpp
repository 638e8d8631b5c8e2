// What the machine still gives this process, counted before it is used: ZeroMQ aborts where it gets less.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace ocs {

/// @param what needs them: "12 nodes over ipc". @throws Error (run): so many more files can't be open.
void require_files(std::size_t more, const std::string& what);

/// @throws Error (run): so many more threads can't be started.
void require_threads(std::size_t more, const std::string& what);

}  // namespace ocs
