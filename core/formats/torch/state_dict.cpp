// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/state_dict.h"

#include "core/formats/torch/module_tree.h"
#include "core/formats/torch/pickled_tensor.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace duo {
namespace {

constexpr int kMaxDepth = 4;
// Lightning and timm, plain training loops, DeepSpeed, BasicSR; weights averaged over time come last.
constexpr std::string_view kEntries[] = {"state_dict", "model_state_dict", "model", "module", "net", "network",
    "weights", "params", "generator", "ema_state_dict", "model_ema", "state_dict_ema", "params_ema", "ema"};

/// Entries with a text key whose value is a tensor.
std::size_t tensorsIn(const Pickle& pickle, PickleId id)
{
    const auto entries = pickle.pairs(id);
    std::size_t count = 0;
    for (std::size_t i = 0; i < entries.size(); i += 2)
        count += pickle.text(entries[i]) && isPickledTensor(pickle, entries[i + 1]) ? 1 : 0;
    return count;
}

std::string entryPath(const std::string& outer, std::string_view name)
{
    return outer.empty() ? std::string(name) : outer + "/" + std::string(name);
}

/// Looks at each dict once, since a hostile file may hold one in itself under every name.
class StateSearch
{
public:
    explicit StateSearch(const Pickle& pickle)
        : m_pickle(pickle)
    {
    }

    std::optional<FoundState> below(PickleId id, const std::string& entry, int depth)
    {
        if (id == kNoPickle || depth > kMaxDepth || !m_seen.insert(id).second)
            return std::nullopt;
        if (readWholeModule(m_pickle, id))
            return FoundState{id, true, entry};
        for (const std::string_view name : kEntries)
            if (auto found = below(m_pickle.find(id, name), entryPath(entry, name), depth + 1))
                return found;
        if (tensorsIn(m_pickle, id) > 0)
            return FoundState{id, false, entry};
        return std::nullopt;
    }

private:
    const Pickle& m_pickle;
    std::unordered_set<PickleId> m_seen;
};

std::optional<FoundState> largestEntry(const Pickle& pickle, PickleId id)
{
    std::optional<FoundState> largest;
    std::size_t most = 0;
    std::unordered_set<PickleId> seen;
    const auto entries = pickle.pairs(id);
    for (std::size_t i = 0; i < entries.size(); i += 2) {
        const auto name = pickle.text(entries[i]);
        const bool isNew = name && seen.insert(entries[i + 1]).second;
        const std::size_t count = isNew ? tensorsIn(pickle, entries[i + 1]) : 0;
        if (count > most)
            largest = FoundState{entries[i + 1], false, std::string(*name)};
        most = std::max(most, count);
    }
    return largest;
}

} // namespace

std::optional<FoundState> findState(const Pickle& pickle)
{
    if (auto found = StateSearch(pickle).below(pickle.root(), {}, 0))
        return found;
    return largestEntry(pickle, pickle.root());
}

} // namespace duo
