// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/torch_script.h"

#include "core/formats/torch/archive_pickle.h"
#include "core/formats/torch/module_tree.h"
#include "core/formats/torch/pickled_tensor.h"
#include "core/formats/torch/script_classes.h"

#include <unordered_map>

namespace duo {
namespace {

using Parts = std::unordered_map<std::string_view, PickleId>;

void takeListed(const std::vector<std::string>& names, const Parts& parts, PickledModule& module)
{
    for (const std::string& name : names)
        if (const auto found = parts.find(name); found != parts.end())
            module.tensors.push_back(*found);
}

/// An object of a class of the archive, with its attributes in definition order.
std::optional<PickledModule> readScriptModule(const Pickle& pickle, PickleId id, ScriptClasses& classes)
{
    const PickleValue& object = pickle[id];
    if (object.kind != PickleKind::Object || object.callee == kNoPickle)
        return std::nullopt;
    const PickleValue& type = pickle[object.callee];
    if (type.kind != PickleKind::Global || !type.text.starts_with("__torch__")
        || type.text.starts_with("__torch__.torch.classes"))
        return std::nullopt;
    const ScriptClass* source = classes.find(type.text, type.name);
    if (source != nullptr && !source->isModule)
        return std::nullopt;
    PickledModule module{ScriptClasses::plainName(type.text, type.name), {}, {}};
    Parts tensors;
    const auto entries = pickle.pairs(object.state);
    for (std::size_t i = 0; i < entries.size(); i += 2) {
        const auto name = pickle.text(entries[i]);
        if (!name)
            continue;
        if (!isPickledTensor(pickle, entries[i + 1]))
            module.children.emplace_back(*name, entries[i + 1]);
        else if (source == nullptr) // nothing tells parameters from other tensors
            module.tensors.emplace_back(*name, entries[i + 1]);
        else
            tensors.emplace(*name, entries[i + 1]);
    }
    if (source != nullptr) {
        takeListed(source->parameters, tensors, module);
        takeListed(source->buffers, tensors, module);
    }
    return module;
}

} // namespace

Status readTorchScript(const std::shared_ptr<const StoredZip>& zip, CheckpointDraft& draft, const JobContext& job)
{
    DUO_TRY(pickle, readArchivePickle(*zip, "data.pkl", job));
    draft.setRecordsTies();
    StorageTensors tensors(zip, "data/", draft, job);
    ScriptClasses classes(zip, job);
    const ModuleReader read = [&](PickleId id) { return readScriptModule(pickle, id, classes); };
    return addModules(pickle, pickle.root(), read, tensors, draft);
}

} // namespace duo
