// SPDX-License-Identifier: Apache-2.0
// unpackBytes: takes a stream of known length into memory, or into a file without name where it is too long for that.
#pragma once

#include "core/support/job.h"
#include "core/support/shared_bytes.h"

#include <functional>
#include <span>

namespace duo {

/// Calls `readNext` for piece after piece until `size` bytes are there; each call fills its span or fails.
/// Memory grows with what was read, not with what `size` promises.
/// @return the error of readNext; NotWritable if the temporary file cannot be written; Cancelled
Result<SharedBytes> unpackBytes(std::int64_t size, bool intoFile,
    const std::function<Status(std::span<std::byte>)>& readNext, const JobContext& job);

} // namespace duo
