// SPDX-License-Identifier: Apache-2.0
// SharedBytes: bytes that are seen where they lie.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace duo {

/// Bytes that outlive their user: a piece of a mapped file or of a vector, kept alive by `owner`.
struct SharedBytes {
    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;

    static SharedBytes own(std::vector<std::byte> bytes);
};

} // namespace duo
