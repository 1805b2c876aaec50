// SPDX-License-Identifier: Apache-2.0
// RandomFill: one input filled with numbers that depend only on seed, sample and input; or with numbers told.
#pragma once

#include "core/engine/session.h"

#include <array>
#include <functional>

namespace duo {

struct RandomFill {
    std::string name;
    ElementType type = ElementType::Undefined; // canFill(type)
    std::vector<std::int64_t> dims;
    std::int64_t below = 2; // integers are uniform in [0, min(below, largest of the type + 1))

    /// Standard normal floats or uniform integers. `key`: seed, sample, input.
    [[nodiscard]] HostTensor tensor(const std::array<std::uint64_t, 3>& key) const;
};

/// Every element of a canFill() type is number(its index).
HostTensor filledTensor(const std::string& name, ElementType type, std::vector<std::int64_t> dims,
    const std::function<std::int64_t(std::int64_t)>& number);

/// True for float16, bfloat16, float32, float64, bool and integers of 8 to 64 bits.
bool canFill(ElementType type);

} // namespace duo
