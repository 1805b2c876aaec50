// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/parameter_origins.h"

#include "core/scope/parameters/key_names.h"
#include "core/scope/reading/python_text.h"
#include "core/scope/reading/recorded_frames.h"

#include <algorithm>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::int32_t kData = -2; // depends on an input, or on chance
constexpr std::int32_t kConstant = -1; // constant, but no parameter
constexpr std::size_t kMostKeys = 16;
constexpr std::string_view kFoldedFrom = "pkg.onnxscript.optimizer.folded_from";

bool isQuantizer(const Node& node)
{
    return node.opType == "QuantizeLinear" || node.opType == "DequantizeLinear";
}

/// Operators that exporters put between a parameter and the one that works with it: they change layout, type or scale.
/// Convolutions, products and lookups are readers of their own, even of constants.
bool passesOn(const Node& node)
{
    static const std::unordered_set<std::string_view> kTypes{"Identity", "Transpose", "Cast", "CastLike", "Reshape",
        "Unsqueeze", "Squeeze", "Flatten", "Expand", "QuantizeLinear", "DequantizeLinear", "Concat", "Split", "Slice",
        "Add", "Sub", "Mul", "Div", "Neg", "Abs", "Pow", "Sqrt", "Reciprocal", "Exp", "Log", "Softplus", "ReduceSum",
        "ReduceMean", "ReduceMax", "ReduceL2", "LpNormalization", "Shape", "Size"};
    return kTypes.contains(node.opType) || (node.opType == "Constant" && node.inputs.empty());
}

/// The bias that folding a batch norm gave to a convolution without one: "conv.weight_bias".
bool isMadeBias(const Parameters& parameters, std::string_view name)
{
    constexpr std::string_view kSuffix = "_bias";
    return name.ends_with(kSuffix)
        && parameters.find(std::string(name.substr(0, name.size() - kSuffix.size()))) != kNoKey;
}

bool isShape(const Node& node)
{
    return node.opType == "Shape" || node.opType == "Size";
}

/// Large enough to be a parameter of its own: scalars and integer tensors are settings of an operator.
bool mayBeParameter(const Tensor& tensor)
{
    return isFloating(tensor.type) && !tensor.dims.empty();
}

} // namespace

bool isIdentityAlias(const Model& model, const Node& node)
{
    if (node.opType != "Identity" || node.inputs.size() != 1 || node.outputs.size() != 1
        || !node.localName.starts_with("Identity_") || !node.inputs[0].valid() || !node.outputs[0].valid())
        return false;
    const Value& input = model.value(node.inputs[0]);
    return input.initializer.valid() && !model.value(node.outputs[0]).isOutput;
}

ParameterOrigins::ParameterOrigins(const Model& model, const Parameters& parameters)
    : m_originOf(model.values.size(), kData)
{
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        if (model.values[v].initializer.valid())
            addInitializer(model, parameters, ValueId(v));
    }
    for (const NodeId id : model.order)
        follow(model, parameters, model.node(id));
}

void ParameterOrigins::set(ValueId id, ParameterOrigin origin)
{
    m_originOf[id.index] = static_cast<std::int32_t>(m_origins.size());
    m_origins.push_back(std::move(origin));
}

void ParameterOrigins::addInitializer(const Model& model, const Parameters& parameters, ValueId id)
{
    const Value& value = model.value(id);
    const Tensor& tensor = model.tensor(value.initializer);
    m_originOf[id.index] = kConstant;
    ParameterOrigin origin;
    origin.tensor = value.initializer;
    const std::int32_t key = parameters.find(std::string(withoutQuantizedSuffix(value.name)));
    if (key != kNoKey) {
        origin.keys.push_back(key);
        return set(id, std::move(origin));
    }
    const auto sources = parsePythonStrings(metadataValue(value.metadata, kFoldedFrom));
    for (const std::string& source : sources.value_or(std::vector<std::string>{})) {
        const std::int32_t folded = parameters.find(source);
        if (folded != kNoKey && origin.keys.size() < kMostKeys)
            origin.keys.push_back(folded);
    }
    m_folded.insert(m_folded.end(), origin.keys.begin(), origin.keys.end());
    origin.isRenamed = true;
    const bool hasLostName = isRenamedTensor(value.name) || isMadeBias(parameters, value.name);
    if (!origin.keys.empty() || (hasLostName && mayBeParameter(tensor)))
        set(id, std::move(origin));
}

void ParameterOrigins::setAlias(const Model& model, const Parameters& parameters, const Node& node)
{
    const std::int32_t source = m_originOf[node.inputs[0].index];
    if (source < 0)
        return;
    ParameterOrigin origin = m_origins[static_cast<std::size_t>(source)];
    origin.isEqualValues = true;
    const std::int32_t key = parameters.find(model.value(node.outputs[0]).name);
    if (key != kNoKey) {
        origin.keys = {key};
        origin.isRenamed = false;
    }
    m_aliases.emplace(&node, static_cast<std::int32_t>(m_origins.size()));
    set(node.outputs[0], std::move(origin));
}

void ParameterOrigins::follow(const Model& model, const Parameters& parameters, const Node& node)
{
    if (node.isCall || !passesOn(node))
        return;
    if (isIdentityAlias(model, node))
        return setAlias(model, parameters, node);
    ParameterOrigin origin;
    std::size_t sources = 0;
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
        const ValueId input = node.inputs[port];
        if (!input.valid() || (isQuantizer(node) && port > 0))
            continue;
        const std::int32_t source = m_originOf[input.index];
        if (source == kData)
            return;
        if (source == kConstant || isShape(node))
            continue;
        const ParameterOrigin& above = m_origins[static_cast<std::size_t>(source)];
        origin.keys.insert(origin.keys.end(), above.keys.begin(), above.keys.end());
        origin.isRenamed = origin.isRenamed || above.isRenamed;
        origin.isEqualValues = origin.isEqualValues || above.isEqualValues;
        origin.tensor = ++sources == 1 ? above.tensor : TensorId{};
    }
    if (origin.keys.size() > kMostKeys)
        return;
    for (const ValueId output : node.outputs) {
        if (!output.valid())
            continue;
        if (sources == 0)
            m_originOf[output.index] = kConstant;
        else
            set(output, origin);
    }
}

const ParameterOrigin* ParameterOrigins::atPort(const Node& node, std::size_t port) const
{
    if (!node.inputs[port].valid() || node.isCall || isShape(node) || (isQuantizer(node) && port > 0))
        return nullptr;
    if (const auto alias = m_aliases.find(&node); alias != m_aliases.end())
        return &m_origins[static_cast<std::size_t>(alias->second)];
    const std::int32_t source = m_originOf[node.inputs[port].index];
    return source < 0 ? nullptr : &m_origins[static_cast<std::size_t>(source)];
}

} // namespace duo
