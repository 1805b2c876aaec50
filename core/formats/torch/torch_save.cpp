// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/torch_save.h"

#include "core/formats/torch/archive_pickle.h"
#include "core/formats/torch/module_tree.h"
#include "core/formats/torch/pickle.h"
#include "core/formats/torch/pickled_tensor.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace duo {
namespace {

struct FoundState {
    PickleId id = kNoPickle; // a dict with tensors, or a module
    bool isModule = false;
    std::string entry; // "model/state_dict"; "" is the top level
};

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

/// Which part of a pickle is the checkpoint: the top level, or an entry of a training checkpoint.
/// Modules and entries with usual names (state_dict, model, ema, ...) come before tensors beside them; without such,
/// the dict with the most tensors counts, the first of equals. At most four dicts deep.
std::optional<FoundState> findState(const Pickle& pickle)
{
    if (auto found = StateSearch(pickle).below(pickle.root(), {}, 0))
        return found;
    return largestEntry(pickle, pickle.root());
}

Status addTensors(const Pickle& pickle, PickleId dict, StorageTensors& tensors, CheckpointDraft& draft)
{
    const auto entries = pickle.pairs(dict);
    for (std::size_t i = 0; i < entries.size(); i += 2) {
        const auto name = pickle.text(entries[i]);
        if (name && isPickledTensor(pickle, entries[i + 1]))
            DUO_CHECK(addPickledTensor(pickle, entries[i + 1], std::string(*name), tensors, draft));
    }
    return success();
}

/// state_dict() hangs a dict with the version of every module, those without parameters too, on the dict it makes.
Status addModulesOfMetadata(const Pickle& pickle, PickleId dict, CheckpointDraft& draft)
{
    const auto entries = pickle.pairs(pickle.find(pickle[dict].state, "_metadata"));
    for (std::size_t i = 0; i < entries.size(); i += 2)
        if (const auto path = pickle.text(entries[i]))
            DUO_CHECK(draft.addModule({std::string(*path), {}, {}}));
    return success();
}

} // namespace

Status readTorchSave(const std::shared_ptr<const StoredZip>& zip, CheckpointDraft& draft, const JobContext& job)
{
    DUO_TRY(pickle, readArchivePickle(*zip, "data.pkl", job));
    const auto state = findState(pickle);
    if (!state)
        return Error{ErrorCode::Unsupported, "checkpoint holds no state dict", zip->where(),
            "save model.state_dict() with torch.save"};
    draft.setRecordsTies();
    if (!state->entry.empty())
        draft.addNote("chosen-entry", "the keys are those of entry '" + state->entry + "'", draft.where());
    StorageTensors tensors(zip, "data/", draft, job);
    if (state->isModule)
        return addModules(
            pickle, state->id, [&](PickleId id) { return readWholeModule(pickle, id); }, tensors, draft);
    DUO_CHECK(addModulesOfMetadata(pickle, state->id, draft));
    return addTensors(pickle, state->id, tensors, draft);
}

Result<std::shared_ptr<const Checkpoint>> readTensorDict(
    SharedBytes bytes, const std::string& where, const JobContext& job)
{
    DUO_TRY(zip, StoredZip::open(std::move(bytes), where));
    DUO_TRY(pickle, readArchivePickle(*zip, "data.pkl", job));
    CheckpointDraft draft(where, "torch-save");
    draft.setRecordsTies();
    StorageTensors tensors(zip, "data/", draft, job);
    DUO_CHECK(addTensors(pickle, pickle.root(), tensors, draft));
    return std::move(draft).take();
}

} // namespace duo
