// SPDX-License-Identifier: Apache-2.0
// Sanitized: whether this program was built with a sanitizer, which maps terabytes of addresses: no limit can be set
// then.
#pragma once

namespace duo {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) // GCC says it so
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature) // Clang
inline constexpr bool kIsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kIsSanitized = false;
#endif

} // namespace duo
