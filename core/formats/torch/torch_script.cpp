// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/torch_script.h"

#include "core/formats/torch/archive_pickle.h"
#include "core/formats/torch/module_tree.h"
#include "core/formats/torch/pickled_tensor.h"
#include "core/formats/torch/script_forward.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duo {
namespace {

struct ScriptClass {
    bool isModule = false;
    std::vector<std::string> parameters; // attributes, in source order; some may hold None
    std::vector<std::string> buffers;
    std::shared_ptr<const ForwardOrder> forward; // null: the source does not tell
};

/// What the source inside the archive says of its classes: which are modules, which of their attributes are parameters
/// and buffers, and what `forward` takes. Nothing of it is run.
/// Source files are read when a class of theirs is asked for, each once.
class ScriptClasses
{
public:
    static constexpr std::int64_t kMaxSourceBytes = std::int64_t{64} << 20; // of all files read

    ScriptClasses(std::shared_ptr<const StoredZip> zip, JobContext job);

    /// The class of a pickled name (module "__torch__.torch.nn.modules.linear", name "Linear"); null if the archive
    /// has no source of it, or too much.
    const ScriptClass* find(std::string_view module, std::string_view name);

    /// "torch.nn.modules.linear.Linear" for ("__torch__.torch.nn.modules.linear.___torch_mangle_3", "Linear").
    static std::string plainName(std::string_view module, std::string_view name);

private:
    void readSource(const std::string& module);
    std::optional<SharedBytes> debugText(const std::string& path);

    std::shared_ptr<const StoredZip> m_zip;
    JobContext m_job;
    std::int64_t m_sourceBytes = 0;
    std::map<std::string, std::map<std::string, ScriptClass, std::less<>>, std::less<>> m_files; // by module
};

std::string_view textOf(const SharedBytes& bytes)
{
    return {reinterpret_cast<const char*>(bytes.bytes.data()), bytes.bytes.size()};
}

constexpr std::string_view kMangle = "___torch_mangle_";

/// The text before the next `separator`, which is taken from `rest` with it.
std::string_view takeUpTo(std::string_view& rest, char separator)
{
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

/// The quoted words of `["weight", "bias", ]`.
std::vector<std::string> quotedWords(std::string_view list)
{
    std::vector<std::string> words;
    for (std::size_t open = list.find('"'); open != std::string_view::npos; open = list.find('"')) {
        const std::size_t close = list.find('"', open + 1);
        if (close == std::string_view::npos)
            break;
        words.emplace_back(list.substr(open + 1, close - open - 1));
        list.remove_prefix(close + 1);
    }
    return words;
}

/// The lines of a method, of which `rest` is what stands behind the first.
std::string_view takeMethod(std::string_view first, std::string_view& rest)
{
    const std::string_view all(first.data(), static_cast<std::size_t>(rest.data() + rest.size() - first.data()));
    while (rest.starts_with("    "))
        takeUpTo(rest, '\n');
    return all.substr(0, all.size() - rest.size());
}

/// `class Name(Base):` starts a class; its lists and methods follow on lines of their own, indented by two spaces.
/// @param debug what the archive keeps of the text that the source was made of
std::map<std::string, ScriptClass, std::less<>> classesIn(std::string_view source, std::string_view debug)
{
    constexpr std::string_view kForward = "  def forward(";
    constexpr std::string_view kClass = "class ";
    constexpr std::string_view kParameters = "  __parameters__ = ";
    constexpr std::string_view kBuffers = "  __buffers__ = ";
    std::map<std::string, ScriptClass, std::less<>> classes;
    ScriptClass* current = nullptr;
    while (!source.empty()) {
        std::string_view line = takeUpTo(source, '\n');
        if (line.starts_with(kClass)) {
            line.remove_prefix(kClass.size());
            const std::string name(takeUpTo(line, '('));
            current = &classes[name];
            current->isModule = line.starts_with("Module)");
        } else if (current != nullptr && line.starts_with(kParameters)) {
            current->parameters = quotedWords(line);
        } else if (current != nullptr && line.starts_with(kBuffers)) {
            current->buffers = quotedWords(line);
        } else if (current != nullptr && line.starts_with(kForward)) {
            const std::string_view method = takeMethod(line, source);
            current->forward = scriptForward(method, debug);
        }
    }
    return classes;
}

ScriptClasses::ScriptClasses(std::shared_ptr<const StoredZip> zip, JobContext job)
    : m_zip(std::move(zip))
    , m_job(std::move(job))
{
}

const ScriptClass* ScriptClasses::find(std::string_view module, std::string_view name)
{
    auto file = m_files.find(module);
    if (file == m_files.end()) {
        readSource(std::string(module));
        file = m_files.find(module);
    }
    const auto found = file->second.find(name);
    return found == file->second.end() ? nullptr : &found->second;
}

void ScriptClasses::readSource(const std::string& module)
{
    auto& classes = m_files[module];
    std::string path = "code/" + module + ".py";
    std::replace(path.begin() + 5, path.end() - 3, '.', '/');
    const ZipMember* member = m_zip->find(path);
    if (member == nullptr || member->bytes > kMaxSourceBytes - m_sourceBytes)
        return;
    m_sourceBytes += member->bytes;
    const auto source = m_zip->bytes(*member, m_job);
    if (!source)
        return;
    const auto debug = debugText(path + ".debug_pkl");
    classes = classesIn(textOf(*source), debug ? textOf(*debug) : std::string_view());
}

std::optional<SharedBytes> ScriptClasses::debugText(const std::string& path)
{
    const ZipMember* member = m_zip->find(path);
    if (member == nullptr || member->bytes > kMaxSourceBytes - m_sourceBytes)
        return std::nullopt;
    m_sourceBytes += member->bytes;
    auto bytes = m_zip->bytes(*member, m_job);
    return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
}

std::string ScriptClasses::plainName(std::string_view module, std::string_view name)
{
    std::string plain;
    while (!module.empty()) {
        const std::string_view part = takeUpTo(module, '.');
        if (part != "__torch__" && !part.starts_with(kMangle))
            plain.append(part).append(".");
    }
    return plain.append(name);
}

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
    PickledModule module{ScriptClasses::plainName(type.text, type.name), {}, {}, {}};
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
        module.forward = source->forward;
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
