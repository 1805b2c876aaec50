// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/inlined_names.h"

#include "core/model/held_tensors.h"
#include "core/support/digits.h"

#include <algorithm>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kMostMerged = 16; // models; more prefixes are something else

/// "F12::" of ONNX's and ONNX Runtime's inliners.
std::size_t functionPrefix(std::string_view name)
{
    std::size_t end = 1;
    while (end < name.size() && isDigit(name[end]))
        ++end;
    const bool isPrefix = name.size() > end + 2 && name[0] == 'F' && end > 1 && name.substr(end, 2) == "::";
    return isPrefix ? end + 2 : 0;
}

/// "If_0_else_branch__Inline_0__" of spox, the longest if models were inlined into inlined ones.
std::size_t inlinePrefix(std::string_view name)
{
    constexpr std::string_view kMark = "Inline_";
    std::size_t prefix = 0;
    for (std::size_t at = name.find(kMark); at != std::string_view::npos; at = name.find(kMark, at + 1)) {
        std::size_t end = at + kMark.size();
        while (end < name.size() && isDigit(name[end]))
            ++end;
        const bool startsWord = at == 0 || name[at - 1] == '_';
        if (startsWord && end > at + kMark.size() && name.substr(end, 2) == "__" && name.size() > end + 2)
            prefix = end + 2;
    }
    return prefix;
}

/// A prefix as the name of a module: "If_0_else_branch__Inline_0".
std::string moduleName(std::string_view prefix)
{
    std::string name(prefix);
    while (!name.empty() && (name.back() == '_' || name.back() == ':'))
        name.pop_back();
    std::replace(name.begin(), name.end(), ':', '_');
    std::replace(name.begin(), name.end(), '.', '_');
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

bool tellsScope(std::string_view name)
{
    return name.find_first_of("/.") != std::string_view::npos;
}

} // namespace

InlinedName inlinedName(std::string_view name)
{
    InlinedName inlined;
    while (const std::size_t next = functionPrefix(name.substr(inlined.function)))
        inlined.function += next;
    const std::size_t prefix = inlined.function + inlinePrefix(name.substr(inlined.function));
    inlined.prefix = name.substr(0, prefix);
    inlined.name = name.substr(prefix);
    return inlined;
}

/// Names of nodes that PyTorch wrote begin with a slash: what stands before it was put there.
void InlinedNames::findMergedModels(const Model& model)
{
    if (!model.producerName.starts_with("onnx.compose"))
        return;
    std::set<std::string_view> prefixes;
    for (const Node& node : model.nodes) {
        const std::size_t slash = node.localName.find('/');
        if (!isConstantNode(node) && slash != std::string::npos && slash > 0)
            prefixes.insert(std::string_view(node.localName).substr(0, slash));
        if (prefixes.size() > kMostMerged)
            return;
    }
    const auto isKeyBehind = [](std::string_view name, std::string_view prefix) {
        const std::string_view key = name.starts_with(prefix) ? name.substr(prefix.size()) : std::string_view{};
        return !key.empty() && key.front() != '/' && key.front() != '.' && key.find('.') != std::string_view::npos;
    };
    for (const HeldTensor& held : heldTensors(model)) {
        for (const std::string_view prefix : prefixes) {
            if (isKeyBehind(held.name, prefix))
                m_merged.emplace(prefix);
        }
    }
}

InlinedName InlinedNames::split(std::string_view name) const
{
    for (const std::string& prefix : m_merged) {
        if (name.size() > prefix.size() && name.starts_with(prefix))
            return {name.substr(0, prefix.size()), 0, name.substr(prefix.size())};
    }
    return inlinedName(name);
}

InlinedNames::InlinedNames(const Model& model)
{
    findMergedModels(model);
    std::vector<InlinedName> names;
    const auto gather = [&](std::string_view text) {
        names.push_back(split(text));
        m_hasAny = m_hasAny || !names.back().prefix.empty();
        if (!tellsScope(names.back().name))
            names.pop_back();
    };
    for (const Node& node : model.nodes) {
        if (!isConstantNode(node))
            gather(node.localName);
    }
    const std::size_t nodes = names.size();
    for (const HeldTensor& held : heldTensors(model))
        gather(held.name);
    if (!m_hasAny)
        return;
    std::unordered_map<std::string_view, std::string_view> calls; // name without the call of a function -> that call
    for (std::size_t n = 0; n < nodes; ++n) {
        const std::string_view call = names[n].prefix.substr(0, names[n].function);
        const std::string_view rest(call.data() + call.size(), names[n].name.data() + names[n].name.size());
        m_keepsFunctions = m_keepsFunctions || calls.try_emplace(rest, call).first->second != call;
    }
    m_isOne
        = std::ranges::all_of(names, [&](const InlinedName& name) { return modelOf(name) == modelOf(names.front()); });
    for (const InlinedName& name : names) {
        if (!m_isOne && !modelOf(name).empty())
            m_madeModules.insert(moduleName(modelOf(name)));
    }
}

std::string_view InlinedNames::modelOf(const InlinedName& name) const
{
    return m_keepsFunctions ? name.prefix : name.prefix.substr(name.function);
}

std::string InlinedNames::node(std::string_view name) const
{
    const InlinedName inlined = split(name);
    if (modelOf(inlined).empty() || m_isOne)
        return std::string(inlined.name);
    return "/" + moduleName(modelOf(inlined)) + (inlined.name.starts_with('/') ? "" : "/") + std::string(inlined.name);
}

std::string InlinedNames::tensor(std::string_view name) const
{
    const InlinedName inlined = split(name);
    if (modelOf(inlined).empty() || m_isOne)
        return std::string(inlined.name);
    return moduleName(modelOf(inlined)) + "." + std::string(inlined.name);
}

} // namespace duo
