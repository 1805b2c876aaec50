// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/call_signatures.h"

#include "core/formats/pt2/exported_program.h"
#include "core/formats/pt2/json_fields.h"
#include "core/model/held_tensors.h"
#include "core/model/module_stack.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
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

bool isPassedOn(const Node& node)
{
    return std::ranges::find(kPassedOn, node.opType) != kPassedOn.end() && !node.inputs.empty()
        && node.inputs.front().valid();
}

/// The value before what gives its input back.
ValueId passedOn(const Model& program, ValueId id)
{
    while (program.value(id).producer.valid() && isPassedOn(program.node(program.value(id).producer)))
        id = program.node(program.value(id).producer).inputs.front();
    return id;
}

/// A size, or arithmetic with sizes.
bool isNumber(const Model& program, ValueId id)
{
    const NodeId maker = program.value(id).producer;
    return maker.valid()
        && (program.node(maker).domain != kTorchDomain || program.node(maker).opType.starts_with("aten.sym_"));
}

bool isBelow(const std::string& path, const std::string& module)
{
    return module.empty() || path == module || (path.starts_with(module) && path[module.size()] == '.');
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
        std::vector<std::optional<StackFrame>> innermost; // [nodes]
        for (const Node& node : program.nodes) {
            const auto stack = parseModuleStack(metadataValue(node.metadata, kModuleStack));
            innermost.push_back(stack && !stack->empty() ? std::optional(stack->back()) : std::nullopt);
            for (std::size_t f = 0; stack && f < stack->size(); ++f)
                m_paths.learn((*stack)[f]);
        }
        for (const auto& frame : innermost)
            m_ranIn.push_back(frame ? firstPath(m_paths.resolve(*frame)) : std::string());
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

    /// Says which values of each signature are read, and whether it has all that its module takes and gives.
    void close(std::vector<CallSignature>& signatures) const
    {
        std::unordered_map<std::string, Crossing> crossings;
        for (const CallSignature& signature : signatures)
            crossings[signature.module];
        for (std::size_t v = 0; v < m_program.values.size(); ++v) {
            const ValueId id = passedOn(m_program, ValueId(v));
            if (heldTensor(m_program, id).valid() || isNumber(m_program, id))
                continue;
            const NodeId maker = m_program.value(id).producer;
            const std::string from = maker.valid() ? m_ranIn[maker.index] : std::string();
            for (const Use& use : m_program.values[v].uses) {
                if (!isPassedOn(m_program.node(use.node)))
                    addRead(crossings, id, from, m_ranIn[use.node.index]);
            }
            if (m_program.values[v].isOutput)
                addRead(crossings, id, from, {});
        }
        for (CallSignature& signature : signatures) {
            const Crossing& crossing = crossings.at(signature.module);
            const bool hasInputs = markRead(signature.inputs, crossing.taken);
            const bool hasOutputs = markRead(signature.outputs, crossing.given);
            signature.isClosed = hasInputs && hasOutputs;
        }
    }

private:
    /// Names of values that are made outside of a module and read inside, and the other way round.
    struct Crossing {
        std::unordered_set<std::string> taken;
        std::unordered_set<std::string> given;
    };

    /// @param from where the value is made @param to where it is read
    void addRead(std::unordered_map<std::string, Crossing>& crossings, ValueId id, const std::string& from,
        const std::string& to) const
    {
        const auto eachAround = [&](const std::string& module, const std::string& other, auto member) {
            for (std::size_t end = module.size(); end != std::string::npos && end > 0;
                 end = module.rfind('.', end - 1)) {
                const std::string path = module.substr(0, end);
                const auto crossing = crossings.find(path);
                if (crossing != crossings.end() && !isBelow(other, path))
                    (crossing->second.*member).insert(m_program.value(id).name);
            }
        };
        eachAround(to, from, &Crossing::taken);
        eachAround(from, to, &Crossing::given);
    }

    /// @return whether all that cross are recorded
    static bool markRead(std::vector<SignatureValue>& values, const std::unordered_set<std::string>& crossing)
    {
        std::unordered_set<std::string> recorded;
        for (SignatureValue& value : values) {
            value.isRead = crossing.contains(value.value);
            if (value.isRead)
                recorded.insert(value.value);
        }
        return recorded.size() == crossing.size();
    }

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
        const Value& value = m_program.value(passedOn(m_program, named));
        SignatureValue& taken = values.emplace_back();
        taken.formal = formal;
        taken.value = value.name;
        taken.type = value.type;
        taken.isInput = value.isInput;
        if (value.producer.valid())
            taken.module = m_ranIn[value.producer.index];
    }

    const Model& m_program;
    RegisteredPaths m_paths;
    std::unordered_map<std::string, std::string> m_first; // by path of an alias
    std::vector<std::string> m_ranIn; // [nodes] first path of the module
};

} // namespace

std::vector<CallSignature> callSignatures(const Model& program)
{
    std::vector<CallSignature> signatures;
    const std::string prefix = std::string(kFactsInMetadata) + std::string(kCallSignature);
    const auto isRecord
        = [&](const auto& entry) { return entry.first.starts_with(prefix) && entry.first.size() > prefix.size(); };
    if (std::ranges::none_of(program.metadata, isRecord))
        return signatures;
    const Signatures reader(program);
    for (const auto& [key, text] : program.metadata | std::views::filter(isRecord)) {
        if (auto signature = reader.read(key.substr(prefix.size()), parsed(Json(text))))
            signatures.push_back(*std::move(signature));
    }
    reader.close(signatures);
    return signatures;
}

ProgramNames programNames(const Model& program)
{
    ProgramNames names;
    for (const ValueId input : program.region(RegionId(0)).inputs)
        names.inputs.push_back(program.value(input).name);
    for (const NodeId id : program.region(RegionId(0)).nodes) {
        const Node& node = program.node(id);
        ProgramValue made{node.opType, {}, isPassedOn(node)};
        for (const ValueId input : node.inputs) {
            if (input.valid() && !heldTensor(program, input).valid() && !isNumber(program, input))
                made.operands.push_back(program.value(input).name);
        }
        for (const ValueId output : node.outputs) {
            if (output.valid() && !isNumber(program, output))
                names.values.emplace(program.value(output).name, made);
        }
    }
    return names;
}

} // namespace duo
