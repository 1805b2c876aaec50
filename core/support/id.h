// SPDX-License-Identifier: Apache-2.0
// Id<Tag>: a 4-byte typed index. Ids are for code; names are for people, rules and files.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace duo {

template <typename Tag> struct Id {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t index = kNone;

    constexpr Id() = default;
    constexpr explicit Id(std::size_t value)
        : index(static_cast<std::uint32_t>(value))
    {
    }
    [[nodiscard]] constexpr bool valid() const { return index != kNone; }
    constexpr auto operator<=>(const Id&) const = default;
};

using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;
using TensorId = Id<struct TensorTag>;
using RegionId = Id<struct RegionTag>;
using ScopeId = Id<struct ScopeTag>;

} // namespace duo

template <typename Tag> struct std::hash<duo::Id<Tag>> {
    std::size_t operator()(duo::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.index); }
};
