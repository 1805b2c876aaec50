// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/call_signatures.h"

#include "core/formats/pt2/exported_program.h"
#include "core/formats/pt2/json_fields.h"
#include "core/model/module_stack.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNesting = 64; // of tuples, lists and dicts in an argument

/// What gives its first input back outside training. Exporters leave it out, so that what reads it reads that.
constexpr auto kPassedOn = std::to_array<std::string_view>({"aten.alias.default", "aten.clone.default",
    "aten.contiguous.default", "aten.detach.default", "aten.detach_.default", "aten.dropout.default"});

/// The JSON in a text; null if it is none. Contexts of dicts may be texts in texts.
Json parsed(const Json& text)
{
    Json json = text;
    for (int i = 0; i < 3 && json.is_string(); ++i)
        json = Json::parse(json.get_ref<const std::string&>(), nullptr, false);
    return json.is_discarded() ? Json() : json;
}

const Json::array_t& listOf(const Json& json)
{
    static const Json::array_t kNone;
    return json.is_array() ? json.get_ref<const Json::array_t&>() : kNone;
}

const Json::array_t& childrenOf(const Json& spec)
{
    static const Json kNone;
    const Json* children = jsonField(spec, "children_spec");
    return listOf(children != nullptr ? *children : kNone);
}

/// The keys of a dict of a pytree; not a list for other parts of it.
Json keysOf(const Json& spec)
{
    const Json* context = jsonField(spec, "context");
    return context != nullptr ? parsed(*context) : Json();
}

std::string textAt(const Json* list, std::size_t index)
{
    const bool isText = list != nullptr && list->is_array() && index < list->size() && (*list)[index].is_string();
    return isText ? (*list)[index].get<std::string>() : std::string();
}

/// Names of the leaves below a part of a pytree, in its order.
void nameLeaves(const Json& spec, const std::string& name, std::size_t depth, std::vector<std::string>& names)
{
    if (jsonField(spec, "type") == nullptr) {
        names.push_back(name);
        return;
    }
    const Json keys = keysOf(spec);
    const Json::array_t& children = childrenOf(spec);
    for (std::size_t c = 0; c < children.size() && depth < kMostNesting; ++c) {
        const std::string key = textAt(&keys, c);
        nameLeaves(
            children[c], name.empty() ? name : name + "_" + (key.empty() ? std::to_string(c) : key), depth + 1, names);
    }
}

/// A pytree's text is `[1, {...}]`.
Json treeOf(const Json& signature, const char* key)
{
    const Json* text = jsonField(signature, key);
    const Json pair = text != nullptr ? parsed(*text) : Json();
    return pair.is_array() && pair.size() == 2 ? pair[1] : Json();
}

/// Of the leaves of `(args, kwargs)`: arguments by position have the names of forward's parameters, if recorded.
std::vector<std::string> argumentNames(const Json& signature)
{
    std::vector<std::string> names;
    const Json tree = treeOf(signature, "in_spec");
    const Json::array_t& both = childrenOf(tree);
    if (both.size() != 2)
        return names;
    const Json* forward = jsonField(signature, "forward_arg_names");
    const Json keys = keysOf(both[1]);
    for (std::size_t i = 0; i < childrenOf(both[0]).size(); ++i)
        nameLeaves(childrenOf(both[0])[i], textAt(forward, i), 0, names);
    for (std::size_t i = 0; i < childrenOf(both[1]).size(); ++i)
        nameLeaves(childrenOf(both[1])[i], textAt(&keys, i), 0, names);
    return names;
}

class Signatures
{
public:
    explicit Signatures(const Model& program)
        : m_program(program)
        , m_paths(program.modules)
    {
        for (const RecordedModule& module : program.modules) {
            if (!module.sameAs.empty())
                m_first.emplace(module.path, module.sameAs);
        }
        for (const Node& node : program.nodes) {
            if (const auto stack = parseModuleStack(metadataValue(node.metadata, kModuleStack)))
                for (const StackFrame& frame : *stack)
                    m_paths.learn(frame);
        }
    }

    [[nodiscard]] std::optional<CallSignature> read(const std::string& name, const Json& json) const
    {
        CallSignature signature;
        signature.module = firstPath(name.substr(0, name.rfind('@')));
        const Json* inputs = jsonField(json, "inputs");
        const Json* outputs = jsonField(json, "outputs");
        if (inputs == nullptr || outputs == nullptr)
            return std::nullopt;
        const std::vector<std::string> names = argumentNames(json);
        if (names.size() != listOf(*inputs).size())
            return std::nullopt;
        for (std::size_t i = 0; i < names.size(); ++i)
            take((*inputs)[i], names[i], signature.inputs);
        for (const Json& output : listOf(*outputs))
            take(output, {}, signature.outputs);
        return signature;
    }

private:
    [[nodiscard]] std::string firstPath(const std::string& path) const
    {
        const auto found = m_first.find(path);
        return found == m_first.end() ? path : found->second;
    }

    void take(const Json& argument, const std::string& formal, std::vector<SignatureValue>& values) const
    {
        const JsonUnion given = jsonUnion(argument);
        const std::string name = given.kind == "as_tensor" ? jsonText(*given.value, "name") : std::string();
        const ValueId named = m_program.findValue(name);
        if (name.empty() || !named.valid())
            return;
        const Value& value = m_program.value(passedOn(named));
        SignatureValue& taken = values.emplace_back();
        taken.formal = formal;
        taken.value = value.name;
        taken.type = value.type;
        taken.isInput = value.isInput;
        if (!value.producer.valid())
            return;
        const auto stack = parseModuleStack(metadataValue(m_program.node(value.producer).metadata, kModuleStack));
        if (stack && !stack->empty())
            taken.module = firstPath(m_paths.resolve(stack->back()));
    }

    [[nodiscard]] ValueId passedOn(ValueId id) const
    {
        while (m_program.value(id).producer.valid()) {
            const Node& maker = m_program.node(m_program.value(id).producer);
            if (std::ranges::find(kPassedOn, maker.opType) == kPassedOn.end() || maker.inputs.empty()
                || !maker.inputs.front().valid())
                break;
            id = maker.inputs.front();
        }
        return id;
    }

    const Model& m_program;
    RegisteredPaths m_paths;
    std::unordered_map<std::string, std::string> m_first; // by path of an alias
};

} // namespace

std::vector<CallSignature> callSignatures(const Model& program)
{
    std::vector<CallSignature> signatures;
    const Signatures reader(program);
    const std::string prefix = std::string(kFactsInMetadata) + std::string(kCallSignature);
    for (const auto& [key, text] : program.metadata) {
        if (!key.starts_with(prefix) || key.size() == prefix.size())
            continue;
        if (auto signature = reader.read(key.substr(prefix.size()), parsed(Json(text))))
            signatures.push_back(*std::move(signature));
    }
    return signatures;
}

} // namespace duo
