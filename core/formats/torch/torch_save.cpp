// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/torch_save.h"

#include "core/formats/torch/archive_pickle.h"
#include "core/formats/torch/module_tree.h"
#include "core/formats/torch/pickled_tensor.h"
#include "core/formats/torch/state_dict.h"

namespace duo {
namespace {

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
