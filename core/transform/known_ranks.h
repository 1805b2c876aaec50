// SPDX-License-Identifier: Apache-2.0
// Ranks of values, as far as inputs, constants and the operators before them tell.
#pragma once

#include "core/model/model.h"

#include <optional>
#include <vector>

namespace duo {

class KnownRanks
{
public:
    explicit KnownRanks(const Model& model); // O(nodes)

    /// Nothing: unknown, or an omitted value.
    [[nodiscard]] std::optional<std::int64_t> of(ValueId value) const;

private:
    std::vector<std::optional<std::int64_t>> m_ranks; // [values]
    std::vector<std::optional<std::int64_t>> m_lengths; // [values] of those with one dimension: shapes, mostly
};

} // namespace duo
