// SPDX-License-Identifier: Apache-2.0
// StoredTensors: the checkpoint as matching sees it: sets of equal tensors, each with the keys that name it.
#pragma once

#include "core/content/equal_sets.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace duo {

class StoredTensors
{
public:
    /// Tensors without all their bytes, without elements or without a key take no part. @return Cancelled
    static Result<StoredTensors> of(const Checkpoint& checkpoint, const JobContext& job, int threads);

    [[nodiscard]] std::size_t sets() const { return m_sets.members.size(); }
    /// Any tensor of the set: they are equal.
    [[nodiscard]] const Tensor& tensor(std::uint32_t set) const { return *m_tensors[m_sets.members[set].front()]; }
    [[nodiscard]] bool tells(std::uint32_t set) const { return m_tells[set]; }
    /// First keys of the set's tensors, in definition order: one for each tensor, ties left out.
    [[nodiscard]] std::span<const std::uint32_t> owners(std::uint32_t set) const { return m_owners[set]; }
    /// Set of the tensor a key names; nothing if the tensor takes no part.
    [[nodiscard]] std::optional<std::uint32_t> setOf(std::uint32_t key) const;
    /// Keys of the same tensor, the first one first.
    [[nodiscard]] std::span<const std::uint32_t> ties(std::uint32_t key) const;
    /// Sets with this many elements of this type, ascending.
    [[nodiscard]] std::span<const std::uint32_t> ofSize(ElementType type, std::int64_t elements) const;
    /// Sets with this many elements of any type, ascending.
    [[nodiscard]] std::span<const std::uint32_t> ofSize(std::int64_t elements) const;

private:
    const Checkpoint* m_checkpoint = nullptr;
    std::vector<const Tensor*> m_tensors; // [Checkpoint::tensors] null: takes no part
    std::vector<std::vector<std::uint32_t>> m_keys; // [Checkpoint::tensors]
    EqualSets m_sets;
    std::vector<std::vector<std::uint32_t>> m_owners; // [sets]
    std::vector<char> m_tells; // [sets]
    std::map<std::pair<ElementType, std::int64_t>, std::vector<std::uint32_t>> m_byTypeAndSize;
    std::map<std::int64_t, std::vector<std::uint32_t>> m_bySize;
};

} // namespace duo
