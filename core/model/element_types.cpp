// SPDX-License-Identifier: Apache-2.0
#include "core/model/element_types.h"

#include "core/model/typed_like_input.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace duo {
namespace {

/// Operators whose output type is not that of their first input.
enum class Rule {
    Bool,
    Int64,
    SecondInput,
    ThirdInput,
    EighthInput,
    ToAttribute,
    DtypeAttribute,
    ValueAttribute,
    Int32,
    Int32OrDtype,
    Float32,
    SecondOutputInt64,
    QuantizedOutput,
    LikeOrDtype, // an attribute, else the first input
    WindowAttribute,
    Dropout,
    BitmaskDropout,
    Statistics, // behind the first output, of which an attribute tells
    RunningStatistics, // behind the first output
    Present, // of keys and values, behind the first output
    Embedding,
    FloatOrNinthInput,
    NoTensor // a sequence or an optional
};

const std::unordered_map<std::string_view, Rule>& rules()
{
    static const std::unordered_map<std::string_view, Rule> kRules{{"Equal", Rule::Bool}, {"Less", Rule::Bool},
        {"LessOrEqual", Rule::Bool}, {"Greater", Rule::Bool}, {"GreaterOrEqual", Rule::Bool}, {"Not", Rule::Bool},
        {"And", Rule::Bool}, {"Or", Rule::Bool}, {"Xor", Rule::Bool}, {"IsNaN", Rule::Bool}, {"IsInf", Rule::Bool},
        {"Shape", Rule::Int64}, {"Size", Rule::Int64}, {"NonZero", Rule::Int64}, {"ArgMax", Rule::Int64},
        {"ArgMin", Rule::Int64}, {"NonMaxSuppression", Rule::Int64}, {"SequenceLength", Rule::Int64},
        {"Where", Rule::SecondInput}, {"CastLike", Rule::SecondInput}, {"OneHot", Rule::ThirdInput},
        {"Cast", Rule::ToAttribute}, {"RandomNormal", Rule::DtypeAttribute}, {"RandomUniform", Rule::DtypeAttribute},
        {"Constant", Rule::ValueAttribute}, {"ConstantOfShape", Rule::ValueAttribute},
        {"DequantizeLinear", Rule::SecondInput}, {"QuantizeLinear", Rule::QuantizedOutput},
        {"DynamicQuantizeLinear", Rule::QuantizedOutput}, {"TopK", Rule::SecondOutputInt64},
        {"MaxPool", Rule::SecondOutputInt64}, {"Unique", Rule::SecondOutputInt64}, {"QLinearConv", Rule::EighthInput},
        {"QLinearMatMul", Rule::EighthInput}, {"MatMulInteger", Rule::Int32}, {"ConvInteger", Rule::Int32},
        {"MulInteger", Rule::Int32}, {"Multinomial", Rule::Int32OrDtype}, {"RegexFullMatch", Rule::Bool},
        {"OptionalHasElement", Rule::Bool}, {"BitCast", Rule::ToAttribute}, {"StringSplit", Rule::SecondOutputInt64},
        {"EyeLike", Rule::LikeOrDtype}, {"Bernoulli", Rule::LikeOrDtype}, {"RandomNormalLike", Rule::LikeOrDtype},
        {"RandomUniformLike", Rule::LikeOrDtype}, {"HannWindow", Rule::WindowAttribute},
        {"HammingWindow", Rule::WindowAttribute}, {"BlackmanWindow", Rule::WindowAttribute},
        {"MelWeightMatrix", Rule::WindowAttribute}, {"TfIdfVectorizer", Rule::Float32},
        {"QEmbedLayerNormalization", Rule::Float32}, {"Dropout", Rule::Dropout}, {"BiasDropout", Rule::Dropout},
        {"BitmaskDropout", Rule::BitmaskDropout}, {"BitmaskBiasDropout", Rule::BitmaskDropout},
        {"LayerNormalization", Rule::Statistics}, {"SimplifiedLayerNormalization", Rule::Statistics},
        {"SkipLayerNormalization", Rule::Statistics}, {"SkipSimplifiedLayerNormalization", Rule::Statistics},
        {"RMSNormalization", Rule::SecondInput}, {"BatchNormalization", Rule::RunningStatistics},
        {"Attention", Rule::Present}, {"EmbedLayerNormalization", Rule::Embedding},
        {"GatherBlockQuantized", Rule::ThirdInput}, {"QAttention", Rule::ThirdInput},
        {"MatMulIntegerToFloat", Rule::ThirdInput}, {"QLinearConcat", Rule::SecondInput},
        {"QLinearWhere", Rule::SecondInput}, {"WordConvEmbedding", Rule::SecondInput},
        {"QGemm", Rule::FloatOrNinthInput}, {"MurmurHash3", Rule::NoTensor}, {"SplitToSequence", Rule::NoTensor},
        {"SequenceConstruct", Rule::NoTensor}, {"SequenceInsert", Rule::NoTensor}, {"SequenceErase", Rule::NoTensor},
        {"SequenceEmpty", Rule::NoTensor}, {"SequenceMap", Rule::NoTensor}, {"Optional", Rule::NoTensor}};
    return kRules;
}

ElementType typeOf(const Model& model, const Node& node, std::size_t input)
{
    if (input >= node.inputs.size() || !node.inputs[input].valid())
        return ElementType::Undefined;
    return model.value(node.inputs[input]).type.element;
}

ElementType ofAttribute(const Model& model, const Node& node)
{
    const bool fills = node.opType == "ConstantOfShape";
    for (const Attribute& attribute : node.attributes) {
        if (const auto* id = std::get_if<TensorId>(&attribute.value); id != nullptr && id->valid())
            return model.tensor(*id).type;
        if (attribute.name == "value_float" || attribute.name == "value_floats")
            return ElementType::Float32;
        if (attribute.name == "value_int" || attribute.name == "value_ints")
            return ElementType::Int64;
        if (attribute.name == "value_string" || attribute.name == "value_strings")
            return ElementType::String;
    }
    return fills ? ElementType::Float32 : ElementType::Undefined;
}

ElementType ofQuantize(const Model& model, const Node& node)
{
    if (const auto declared = node.intAttribute("output_dtype", 0); declared != 0)
        return static_cast<ElementType>(declared);
    const ElementType zeroPoint = typeOf(model, node, 2);
    return zeroPoint == ElementType::Undefined ? ElementType::UInt8 : zeroPoint;
}

/// Of an output that is not the first one, of which such operators have other types than of that.
ElementType typeBehind(const Model& model, const Node& node, Rule rule, std::size_t output)
{
    constexpr std::int64_t kMaskIsBool = 10; // opset
    constexpr std::int64_t kStatisticsDiffer = 14;
    const bool isOfOnnx = node.domain.empty();
    switch (rule) {
    case Rule::Dropout:
        return isOfOnnx && model.opset() < kMaskIsBool ? typeOf(model, node, 0) : ElementType::Bool;
    case Rule::BitmaskDropout:
        return ElementType::UInt32;
    case Rule::Statistics: // of SkipLayerNormalization the sum comes last
        return output < 3 ? static_cast<ElementType>(node.intAttribute("stash_type", 1)) : typeOf(model, node, 0);
    case Rule::RunningStatistics:
        return model.opset() < kStatisticsDiffer ? typeOf(model, node, 0) : typeOf(model, node, 3);
    case Rule::Present:
        return isOfOnnx && output == 2 ? typeOf(model, node, 2) : typeOf(model, node, 0);
    default:
        return ElementType::Undefined;
    }
}

ElementType ruledType(const Model& model, const Node& node, Rule rule, std::size_t output)
{
    switch (rule) {
    case Rule::Bool:
        return ElementType::Bool;
    case Rule::Int64:
        return ElementType::Int64;
    case Rule::SecondInput:
        return typeOf(model, node, 1);
    case Rule::ThirdInput:
        return typeOf(model, node, 2);
    case Rule::EighthInput:
        return typeOf(model, node, 7);
    case Rule::ToAttribute:
        return static_cast<ElementType>(node.intAttribute("to", 0));
    case Rule::DtypeAttribute:
        return static_cast<ElementType>(node.intAttribute("dtype", 1));
    case Rule::ValueAttribute:
        return ofAttribute(model, node);
    case Rule::Int32:
        return ElementType::Int32;
    case Rule::Int32OrDtype:
        return static_cast<ElementType>(node.intAttribute("dtype", static_cast<int>(ElementType::Int32)));
    case Rule::Float32:
        return ElementType::Float32;
    case Rule::LikeOrDtype:
        return node.attribute("dtype") != nullptr ? static_cast<ElementType>(node.intAttribute("dtype", 0))
                                                  : typeOf(model, node, 0);
    case Rule::WindowAttribute:
        return static_cast<ElementType>(node.intAttribute("output_datatype", 1));
    case Rule::FloatOrNinthInput:
        return node.inputs.size() > 8 && node.inputs[8].valid() ? typeOf(model, node, 8) : ElementType::Float32;
    case Rule::Embedding:
        return output == 1 ? ElementType::Int32 : typeOf(model, node, 2);
    case Rule::Dropout:
    case Rule::BitmaskDropout:
    case Rule::Statistics:
    case Rule::RunningStatistics:
    case Rule::Present:
        return output == 0 ? typeOf(model, node, 0) : typeBehind(model, node, rule, output);
    case Rule::SecondOutputInt64:
        return output == 0 ? typeOf(model, node, 0) : ElementType::Int64;
    case Rule::NoTensor:
        return ElementType::Undefined;
    case Rule::QuantizedOutput:
        return output == 1 ? ElementType::Float32 : ofQuantize(model, node);
    }
    return ElementType::Undefined;
}

ElementType outputType(const Model& model, const Node& node, std::size_t output)
{
    if (!node.domain.empty() && node.domain != "com.microsoft")
        return ElementType::Undefined;
    const auto rule = rules().find(node.opType);
    if (rule != rules().end())
        return ruledType(model, node, rule->second, output);
    return isTypedLikeInput(node, output) ? typeOf(model, node, 0) : ElementType::Undefined;
}

bool inferOnce(Model& model)
{
    bool changed = false;
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        for (std::size_t o = 0; o < node.outputs.size(); ++o) {
            if (!node.outputs[o].valid() || node.isCall)
                continue;
            ElementType& type = model.values[node.outputs[o].index].type.element;
            if (type != ElementType::Undefined)
                continue;
            type = outputType(model, node, o);
            changed = changed || type != ElementType::Undefined;
        }
    }
    return changed;
}

/// Outputs of a control-flow node take the types of its body's outputs (a Loop body's first output is its condition).
void takeFromBodies(Model& model)
{
    for (std::size_t r = 1; r < model.regions.size(); ++r) {
        const Region& region = model.regions[r];
        const Node& owner = model.node(region.owner);
        const std::size_t skip = owner.opType == "Loop" ? 1 : 0;
        for (std::size_t o = 0; o < owner.outputs.size() && o + skip < region.outputs.size(); ++o) {
            if (!owner.outputs[o].valid() || !region.outputs[o + skip].valid())
                continue;
            ElementType& type = model.values[owner.outputs[o].index].type.element;
            if (type == ElementType::Undefined)
                type = model.value(region.outputs[o + skip]).type.element;
        }
    }
}

} // namespace

void inferElementTypesInPlace(Model& model)
{
    for (Value& value : model.values) {
        if (value.type.element == ElementType::Undefined && value.initializer.valid())
            value.type.element = model.tensor(value.initializer).type;
    }
    constexpr int kMaxPasses = 4; // a pass per level of nested bodies whose types flow outwards
    for (int pass = 0; pass < kMaxPasses; ++pass) {
        const bool changed = inferOnce(model);
        takeFromBodies(model);
        if (!changed)
            break;
    }
}

} // namespace duo
