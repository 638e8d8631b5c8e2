// Whether a test is instrumented, so that it takes more memory than it would.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ocs::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace ocs::test
