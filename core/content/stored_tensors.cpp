// SPDX-License-Identifier: Apache-2.0
#include "core/content/stored_tensors.h"

#include "core/content/telling.h"
#include "core/support/parallel.h"

#include <algorithm>

namespace duo {

Result<StoredTensors> StoredTensors::of(const Checkpoint& checkpoint, const JobContext& job, int threads)
{
    StoredTensors stored;
    stored.m_checkpoint = &checkpoint;
    stored.m_keys.resize(checkpoint.tensors.size());
    for (std::uint32_t key = 0; key < checkpoint.keys.size(); ++key) {
        if (checkpoint.keys[key].tensor < checkpoint.tensors.size())
            stored.m_keys[checkpoint.keys[key].tensor].push_back(key);
    }
    stored.m_tensors.assign(checkpoint.tensors.size(), nullptr);
    for (std::size_t t = 0; t < checkpoint.tensors.size(); ++t) {
        const Tensor& tensor = checkpoint.tensors[t];
        if (!stored.m_keys[t].empty() && hasAllBytes(tensor) && !tensor.bytes().empty())
            stored.m_tensors[t] = &tensor;
    }
    DUO_TRY(sets, equalSets(stored.m_tensors, job, threads));
    stored.m_sets = std::move(sets);
    const std::size_t count = stored.sets();
    stored.m_owners.resize(count);
    stored.m_tells.assign(count, 0);
    for (std::uint32_t set = 0; set < count; ++set) {
        if (stored.m_tensors[stored.m_sets.members[set].front()] == nullptr)
            continue;
        for (const std::uint32_t member : stored.m_sets.members[set])
            stored.m_owners[set].push_back(stored.m_keys[member].front());
        std::ranges::sort(stored.m_owners[set]);
        const Tensor& tensor = stored.tensor(set);
        stored.m_byTypeAndSize[{tensor.type, tensor.elements()}].push_back(set);
        stored.m_bySize[tensor.elements()].push_back(set);
    }
    DUO_CHECK(parallelFor(count, threads, job, [&](std::size_t set) {
        if (!stored.m_owners[set].empty())
            stored.m_tells[set] = isTelling(stored.tensor(static_cast<std::uint32_t>(set))) ? 1 : 0;
        return success();
    }));
    return stored;
}

std::optional<std::uint32_t> StoredTensors::setOf(std::uint32_t key) const
{
    const std::uint32_t tensor = m_checkpoint->keys[key].tensor;
    if (tensor >= m_tensors.size() || m_tensors[tensor] == nullptr)
        return std::nullopt;
    return m_sets.setOf[tensor];
}

std::span<const std::uint32_t> StoredTensors::ties(std::uint32_t key) const
{
    const std::uint32_t tensor = m_checkpoint->keys[key].tensor;
    if (tensor >= m_keys.size())
        return {};
    return m_keys[tensor];
}

std::span<const std::uint32_t> StoredTensors::ofSize(ElementType type, std::int64_t elements) const
{
    const auto found = m_byTypeAndSize.find({type, elements});
    if (found == m_byTypeAndSize.end())
        return {};
    return found->second;
}

std::span<const std::uint32_t> StoredTensors::ofSize(std::int64_t elements) const
{
    const auto found = m_bySize.find(elements);
    if (found == m_bySize.end())
        return {};
    return found->second;
}

} // namespace duo
