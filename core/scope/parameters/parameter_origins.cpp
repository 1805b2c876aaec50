// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/parameter_origins.h"

#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/scope/facts/python_text.h"
#include "core/scope/parameters/aten_operators.h"

#include <algorithm>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::int32_t kData = -2; // depends on an input, or on chance
constexpr std::int32_t kConstant = -1; // constant, but no parameter
constexpr std::size_t kMostOrigins = 16;
constexpr std::string_view kFoldedFrom = "pkg.onnxscript.optimizer.folded_from";

/// Operators that exporters put between a parameter and the one that works with it: they change layout, type or scale.
/// Convolutions, products and lookups are readers of their own, even of constants.
bool passesOn(const Node& node)
{
    if (node.domain == kTorchOperators)
        return atenPassesOn(node.opType);
    return passingOf(node) != Passing::None || node.opType == "Shape" || node.opType == "Size" || isConstantNode(node);
}

/// Operators that compute shapes and masks: of constants they make constants, of a parameter they are readers.
bool computesShape(const Node& node)
{
    static const std::unordered_set<std::string_view> kTypes{"Where", "Equal", "ConstantOfShape", "Range", "Gather",
        "Not", "And", "Or", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Floor", "Mod", "Max", "Min"};
    return node.domain != kTorchOperators && kTypes.contains(node.opType);
}

bool isShape(const Node& node)
{
    return node.opType == "Shape" || node.opType == "Size" || node.opType.starts_with("aten.sym_");
}

} // namespace

ParameterOrigins::ParameterOrigins(const Model& model, const Parameters& parameters, const ContentMatches* matches)
    : m_matches(matches)
    , m_originOf(model.values.size(), kData)
{
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        if (const TensorId tensor = heldTensor(model, ValueId(v)); tensor.valid())
            addTensor(model, parameters, ValueId(v), tensor);
    }
    for (const NodeId id : model.order)
        follow(model, parameters, model.node(id));
}

void ParameterOrigins::set(ValueId id, std::vector<ParameterOrigin> origins)
{
    m_originOf[id.index] = static_cast<std::int32_t>(m_origins.size());
    m_origins.push_back(std::move(origins));
}

bool ParameterOrigins::isFoundByContent(TensorId tensor) const
{
    return m_matches != nullptr && std::ranges::any_of(m_matches->of(tensor), [](const ContentMatch& match) {
        return match.certainty <= Certainty::Witnessed && !match.keys.empty();
    });
}

void ParameterOrigins::addTensor(const Model& model, const Parameters& parameters, ValueId id, TensorId tensor)
{
    const Value& value = model.value(id);
    m_originOf[id.index] = kConstant;
    const std::int32_t key = parameters.keyOf[tensor.index];
    if (key != kNoKey)
        return set(id, {{key, tensor}});
    std::vector<ParameterOrigin> origins;
    const auto sources = parsePythonStrings(metadataValue(value.metadata, kFoldedFrom));
    for (const std::string& source : sources.value_or(std::vector<std::string>{})) {
        const std::int32_t folded = parameters.find(source);
        if (folded == kNoKey || origins.size() == kMostOrigins)
            continue;
        origins.push_back({folded, tensor, true});
        m_folded.push_back(folded);
    }
    if (origins.empty() && (parameters.isLearned[tensor.index] || isFoundByContent(tensor)))
        origins.push_back({kNoKey, tensor, true});
    if (!origins.empty())
        set(id, std::move(origins));
}

void ParameterOrigins::setAlias(const Model& model, const Parameters& parameters, const Node& node)
{
    const std::int32_t source = m_originOf[node.inputs[0].index];
    if (source < 0)
        return;
    std::vector<ParameterOrigin> origins = m_origins[static_cast<std::size_t>(source)];
    const std::int32_t key = parameters.find(model.value(node.outputs[0]).name);
    if (key != kNoKey)
        origins = {{key, origins.front().tensor}};
    for (ParameterOrigin& origin : origins)
        origin.isEqualValues = true;
    m_aliases.emplace(&node, static_cast<std::int32_t>(m_origins.size()));
    set(node.outputs[0], std::move(origins));
}

void ParameterOrigins::merge(std::vector<ParameterOrigin>& into, std::int32_t source) const
{
    for (const ParameterOrigin& origin : m_origins[static_cast<std::size_t>(source)]) {
        if (std::find(into.begin(), into.end(), origin) == into.end())
            into.push_back(origin);
    }
}

void ParameterOrigins::follow(const Model& model, const Parameters& parameters, const Node& node)
{
    const bool isHeld = isConstantNode(node) && !node.outputs.empty() && heldTensor(model, node.outputs[0]).valid();
    if (node.isCall || isHeld || (!passesOn(node) && !computesShape(node)))
        return;
    if (isIdentityAlias(model, node))
        return setAlias(model, parameters, node);
    std::vector<ParameterOrigin> origins;
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
        const ValueId input = node.inputs[port];
        if (!input.valid() || (isQuantizer(node) && port > 0))
            continue;
        const std::int32_t source = m_originOf[input.index];
        if (source == kData)
            return;
        if (source != kConstant && computesShape(node))
            return;
        if (source != kConstant && !isShape(node))
            merge(origins, source);
        if (origins.size() > kMostOrigins)
            return;
    }
    for (const ValueId output : node.outputs) {
        if (!output.valid())
            continue;
        if (origins.empty())
            m_originOf[output.index] = kConstant;
        else
            set(output, origins);
    }
}

std::span<const ParameterOrigin> ParameterOrigins::atPort(const Node& node, std::size_t port) const
{
    if (!node.inputs[port].valid() || node.isCall || isShape(node) || (isQuantizer(node) && port > 0))
        return {};
    if (const auto alias = m_aliases.find(&node); alias != m_aliases.end())
        return m_origins[static_cast<std::size_t>(alias->second)];
    const std::int32_t source = m_originOf[node.inputs[port].index];
    return source < 0 ? std::span<const ParameterOrigin>{} : m_origins[static_cast<std::size_t>(source)];
}

} // namespace duo
