// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/module_tree.h"

#include "core/formats/torch/pickled_tensor.h"

#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

constexpr int kMaxDepth = 256;

bool isNone(const Pickle& pickle, PickleId id)
{
    return pickle[id].kind == PickleKind::None;
}

/// An object's attributes; where it has slots too, its state is a pair of dicts.
PickleId attributesOf(const Pickle& pickle, PickleId id)
{
    const PickleId state = pickle[id].state;
    const auto parts = pickle.sequence(state);
    return parts.size() == 2 ? parts[0] : state;
}

/// Entries of a dict of attribute `name` that are not None.
std::vector<PickledModule::Part> partsOf(const Pickle& pickle, PickleId attributes, std::string_view name)
{
    std::vector<PickledModule::Part> parts;
    const auto entries = pickle.pairs(pickle.find(attributes, name));
    for (std::size_t i = 0; i < entries.size(); i += 2) {
        const auto text = pickle.text(entries[i]);
        if (text && !isNone(pickle, entries[i + 1]))
            parts.emplace_back(*text, entries[i + 1]);
    }
    return parts;
}

/// The texts of a set, which protocols before 4 write as set([...]).
std::unordered_set<std::string_view> textsOf(const Pickle& pickle, PickleId set)
{
    std::unordered_set<std::string_view> texts;
    if (set == kNoPickle)
        return texts;
    const auto arguments = pickle.sequence(pickle[set].arguments);
    const PickleId items = arguments.empty() ? set : arguments[0];
    for (const PickleId item : pickle[items].items)
        if (const auto text = pickle.text(item))
            texts.insert(*text);
    return texts;
}

std::string joined(const std::string& path, std::string_view name)
{
    return path.empty() ? std::string(name) : path + "." + std::string(name);
}

/// Walks the modules; each object is read once, however many paths lead to it.
class ModuleWalk
{
public:
    ModuleWalk(const Pickle& pickle, const ModuleReader& read, StorageTensors& tensors, CheckpointDraft& draft)
        : m_pickle(pickle)
        , m_read(read)
        , m_tensors(tensors)
        , m_draft(draft)
    {
    }

    Status walk(PickleId id, const std::string& path, int depth)
    {
        if (depth > kMaxDepth)
            return Error{
                ErrorCode::MalformedModel, "modules are nested too deeply", m_draft.where(), "at most 256 are read"};
        Known& known = lookUp(id);
        if (!known.module)
            return success();
        const std::string first = known.firstPath.value_or(std::string());
        if (!known.firstPath) {
            known.firstPath = path;
            keepOnlyWhatCounts(*known.module);
        }
        const PickledModule& module = *known.module;
        DUO_CHECK(m_draft.addModule({path, module.className, first}));
        if (module.forward)
            m_draft.addForward(path, module.forward);
        for (const auto& [name, value] : module.tensors)
            DUO_CHECK(addPickledTensor(m_pickle, value, joined(path, name), m_tensors, m_draft));
        for (const auto& [name, value] : module.children)
            DUO_CHECK(walk(value, joined(path, name), depth + 1));
        return success();
    }

private:
    struct Known {
        std::optional<PickledModule> module;
        std::optional<std::string> firstPath; // once it has been walked
    };

    Known& lookUp(PickleId id)
    {
        const auto known = m_known.find(id);
        return known != m_known.end() ? known->second : m_known.emplace(id, Known{m_read(id), {}}).first->second;
    }

    void keepOnlyWhatCounts(PickledModule& module)
    {
        std::erase_if(module.tensors, [&](const auto& part) { return !isPickledTensor(m_pickle, part.second); });
        std::erase_if(module.children, [&](const auto& part) { return !lookUp(part.second).module; });
    }

    const Pickle& m_pickle;
    const ModuleReader& m_read;
    StorageTensors& m_tensors;
    CheckpointDraft& m_draft;
    std::unordered_map<PickleId, Known> m_known; // its elements stay where they are
};

} // namespace

std::optional<PickledModule> readWholeModule(const Pickle& pickle, PickleId id)
{
    if (id == kNoPickle || pickle[id].callee == kNoPickle || pickle[pickle[id].callee].kind != PickleKind::Global)
        return std::nullopt;
    const PickleId attributes = attributesOf(pickle, id);
    if (pickle.find(attributes, "_modules") == kNoPickle || pickle.find(attributes, "_parameters") == kNoPickle)
        return std::nullopt;
    const PickleValue& type = pickle[pickle[id].callee];
    PickledModule module;
    module.className = std::string(type.text) + "." + std::string(type.name);
    module.tensors = partsOf(pickle, attributes, "_parameters");
    const auto hidden = textsOf(pickle, pickle.find(attributes, "_non_persistent_buffers_set"));
    for (const auto& buffer : partsOf(pickle, attributes, "_buffers"))
        if (!hidden.contains(buffer.first))
            module.tensors.push_back(buffer);
    module.children = partsOf(pickle, attributes, "_modules");
    return module;
}

Status addPickledTensor(
    const Pickle& pickle, PickleId id, const std::string& key, StorageTensors& tensors, CheckpointDraft& draft)
{
    DUO_TRY(tensor, describeTensor(pickle, id, draft.where(key)));
    if (tensor.unread.empty())
        return tensors.addKey(key, std::move(tensor.view));
    return draft.leaveOut(key, tensor.unread);
}

Status addModules(
    const Pickle& pickle, PickleId root, const ModuleReader& read, StorageTensors& tensors, CheckpointDraft& draft)
{
    return ModuleWalk(pickle, read, tensors, draft).walk(root, {}, 0);
}

} // namespace duo
