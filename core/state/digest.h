// SPDX-License-Identifier: Apache-2.0
// Digest: XXH3 over a stream of typed fields, each with its length, so that no two streams read the same.
#pragma once

#include "core/support/job.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace duo {

class Digest
{
public:
    Digest();
    ~Digest();
    Digest(const Digest&) = delete;
    Digest& operator=(const Digest&) = delete;

    void add(std::string_view text);
    void add(std::int64_t number);
    void add(std::span<const std::byte> bytes);
    /// The same, looking every few megabytes whether the job was stopped. @return Cancelled
    Status add(std::span<const std::byte> bytes, const JobContext& job);
    /// "xxh3-128:" and 32 hex digits.
    [[nodiscard]] std::string text() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace duo
