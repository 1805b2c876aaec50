// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/parameter_origins.h"

#include "core/scope/keys/key_names.h"
#include "core/scope/keys/quantizer_settings.h"
#include "core/scope/parameters/aten_operators.h"
#include "core/scope/reading/python_text.h"
#include "core/scope/reading/recorded_frames.h"

#include <algorithm>
#include <unordered_set>
#include <variant>

namespace duo {
namespace {

constexpr std::int32_t kData = -2; // depends on an input, or on chance
constexpr std::int32_t kConstant = -1; // constant, but no parameter
constexpr std::size_t kMostOrigins = 16;
constexpr std::string_view kFoldedFrom = "pkg.onnxscript.optimizer.folded_from";

bool isQuantizer(const Node& node)
{
    return node.opType == "QuantizeLinear" || node.opType == "DequantizeLinear";
}

/// Operators that exporters put between a parameter and the one that works with it: they change layout, type or scale.
/// Convolutions, products and lookups are readers of their own, even of constants.
bool passesOn(const Node& node)
{
    if (node.domain == kTorchOperators)
        return atenPassesOn(node.opType);
    static const std::unordered_set<std::string_view> kTypes{"Identity", "Transpose", "Cast", "CastLike", "Reshape",
        "Unsqueeze", "Squeeze", "Flatten", "Expand", "QuantizeLinear", "DequantizeLinear", "Concat", "Split", "Slice",
        "Add", "Sub", "Mul", "Div", "Neg", "Abs", "Pow", "Sqrt", "Reciprocal", "Exp", "Log", "Softplus", "ReduceSum",
        "ReduceMean", "ReduceMax", "ReduceL2", "LpNormalization", "Shape", "Size"};
    return kTypes.contains(node.opType) || (node.opType == "Constant" && node.inputs.empty());
}

/// Operators that compute shapes and masks: of constants they make constants, of a parameter they are readers.
bool computesShape(const Node& node)
{
    static const std::unordered_set<std::string_view> kTypes{"Where", "Equal", "ConstantOfShape", "Range", "Gather",
        "Not", "And", "Or", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Floor", "Mod", "Max", "Min"};
    return node.domain != kTorchOperators && kTypes.contains(node.opType);
}

/// The bias that folding a batch norm gave to a convolution without one: "conv.weight_bias".
bool isMadeBias(const Parameters& parameters, std::string_view name)
{
    constexpr std::string_view kSuffix = "_bias";
    return name.ends_with(kSuffix) && parameters.find(name.substr(0, name.size() - kSuffix.size())) != kNoKey;
}

bool isShape(const Node& node)
{
    return node.opType == "Shape" || node.opType == "Size" || node.opType.starts_with("aten.sym_");
}

/// An initializer, or one that a quantizer keeps as integers.
bool isStored(const Model& model, ValueId id)
{
    const Value& value = model.value(id);
    if (value.initializer.valid() || !value.producer.valid())
        return value.initializer.valid();
    const Node& producer = model.node(value.producer);
    return producer.opType == "DequantizeLinear" && !producer.inputs.empty() && producer.inputs[0].valid()
        && model.value(producer.inputs[0]).initializer.valid();
}

/// What a Constant node holds; invalid for other nodes.
TensorId constantTensor(const Node& node)
{
    const Attribute* value = node.opType == "Constant" && node.inputs.empty() ? node.attribute("value") : nullptr;
    const TensorId* tensor = value != nullptr ? std::get_if<TensorId>(&value->value) : nullptr;
    return tensor != nullptr ? *tensor : TensorId{};
}

/// Large enough to be a parameter of its own: scalars and integer tensors are settings of an operator, unless they
/// stand for floats.
bool mayBeParameter(const Tensor& tensor)
{
    const bool isQuantized = withoutQuantizedSuffix(tensor.name) != tensor.name;
    return (isFloating(tensor.type) || isQuantized) && !tensor.dims.empty();
}

} // namespace

bool isIdentityAlias(const Model& model, const Node& node)
{
    if (node.opType != "Identity" || node.inputs.size() != 1 || node.outputs.size() != 1
        || !node.localName.starts_with("Identity_") || !node.inputs[0].valid() || !node.outputs[0].valid())
        return false;
    return isStored(model, node.inputs[0]) && !model.value(node.outputs[0]).isOutput;
}

ParameterOrigins::ParameterOrigins(const Model& model, const Parameters& parameters, const ContentMatches* matches)
    : m_matches(matches)
    , m_isSetting(quantizerSettings(model))
    , m_originOf(model.values.size(), kData)
{
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        if (model.values[v].initializer.valid())
            addInitializer(model, parameters, ValueId(v));
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

void ParameterOrigins::addInitializer(const Model& model, const Parameters& parameters, ValueId id)
{
    const Value& value = model.value(id);
    const Tensor& tensor = model.tensor(value.initializer);
    m_originOf[id.index] = kConstant;
    const bool isNamedByKey = model.format != ModelFormat::TorchExport; // there the tensor is, whatever reads it
    const std::string& name = isNamedByKey ? value.name : tensor.name;
    const std::int32_t key = parameters.find(withoutQuantizedSuffix(name));
    if (key != kNoKey)
        return set(id, {{key, value.initializer}});
    std::vector<ParameterOrigin> origins;
    const auto sources = parsePythonStrings(metadataValue(value.metadata, kFoldedFrom));
    for (const std::string& source : sources.value_or(std::vector<std::string>{})) {
        const std::int32_t folded = parameters.find(source);
        if (folded == kNoKey || origins.size() == kMostOrigins)
            continue;
        origins.push_back({folded, value.initializer, true});
        m_folded.push_back(folded);
    }
    const bool hasLostName = isRenamedTensor(value.name) || isMadeBias(parameters, withoutQuantizedSuffix(value.name));
    const bool isParameter = hasLostName && mayBeParameter(tensor) && !m_isSetting[value.initializer.index];
    if (origins.empty() && (isParameter || isFoundByContent(value.initializer)))
        origins.push_back({kNoKey, value.initializer, true});
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
    if (node.isCall || (!passesOn(node) && !computesShape(node)))
        return;
    if (isIdentityAlias(model, node))
        return setAlias(model, parameters, node);
    std::vector<ParameterOrigin> origins;
    if (const TensorId tensor = constantTensor(node); tensor.valid() && isFoundByContent(tensor))
        origins.push_back({kNoKey, tensor, true});
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
