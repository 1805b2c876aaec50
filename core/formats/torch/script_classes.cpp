// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/script_classes.h"

#include <algorithm>
#include <utility>

namespace duo {
namespace {

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

/// `class Name(Base):` starts a class; its lists follow on lines of their own, indented by two spaces.
std::map<std::string, ScriptClass, std::less<>> classesIn(std::string_view source)
{
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
        }
    }
    return classes;
}

} // namespace

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
    const auto* text = reinterpret_cast<const char*>(source->bytes.data()); // NOLINT
    classes = classesIn({text, source->bytes.size()});
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

} // namespace duo
