// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/found_quantizers.h"

#include "core/interchange/code_numbers.h"
#include "core/interchange/dynamic_products.h"
#include "core/model/code_operators.h"
#include "core/model/code_range.h"
#include "core/model/key_names.h"
#include "core/model/node_inputs.h"
#include "core/model/op_facts.h"
#include "core/support/digits.h"
#include "core/support/enum_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace duo {
namespace {

/// Ends of names that quantizers give to the codes of what they rename.
constexpr std::array<std::string_view, 5> kCodeEndings{
    "_QuantizeLinear_Output", "_DequantizeLinear_Output", "_DequantizeLinear", "_QuantizeLinear", "_i4"};
/// And to what they read, where what they give back has the name: this program, ONNX Runtime, AIMET.
constexpr std::array<std::string_view, 3> kRenamed{"_float", "_QuantizeLinear_Input", "_updated"};
constexpr std::string_view kTransposed = "_Transposed"; // ONNX Runtime, to the weight of a Gemm with transB
constexpr std::string_view kHalf = "_cast_to_fp16"; // ModelOpt, to an input

/// Without the number that a name gets where another one has it already: "w_quantized" of "w_quantized_1".
std::string_view withoutNumber(std::string_view name, std::string_view ending)
{
    const std::size_t last = name.find_last_not_of("0123456789");
    const bool isNumbered = last != std::string_view::npos && last + 1 < name.size() && name[last] == '_';
    return isNumbered && name.substr(0, last).ends_with(ending) ? name.substr(0, last) : name;
}

/// "w" of "q_output_w_1", as NNCF calls codes.
std::string_view withoutNncfName(std::string_view name)
{
    constexpr std::string_view kStart = "q_output_";
    const std::size_t number = name.rfind('_');
    const bool isNncf = name.starts_with(kStart) && number > kStart.size() && allDigits(name.substr(number + 1));
    return isNncf ? name.substr(kStart.size(), number - kStart.size()) : name;
}

/// What exports of this program put in front of a product whose weight they divided.
bool isSmoothing(const Node& node)
{
    return isAnyOf(node, {"Mul"}) && withoutNumber(node.localName, "_smooth_quant").ends_with("_smooth_quant");
}

/// The int32 codes of a bias have no other reason to be that wide.
bool isBiasType(ElementType type)
{
    return type == ElementType::Int32;
}

/// Of ONNX Runtime: codes of a weight with scales among its inputs.
bool isDynamicProduct(const Node& node)
{
    return node.domain == "com.microsoft" && isOneOf(node.opType, {"DynamicQuantizeMatMul", "MatMulIntegerToFloat"});
}

/// Of a tool's own domain, by its name: ExtendedQuantizeLinear of Quark, TRT_FP8DequantizeLinear of TensorRT, Quant of
/// Brevitas. Runtimes have no such operators but by plug-ins, and what codes they make is the tool's affair.
bool isQuantizerOfATool(const Node& node)
{
    return !node.domain.empty() && node.domain != "com.microsoft" && !node.isCall
        && (node.opType.find("Quant") != std::string::npos || node.opType.find("quant") != std::string::npos);
}

class Finder
{
public:
    explicit Finder(const Model& model)
        : m_model(model)
    {
    }

    FoundQuantizers find()
    {
        for (const NodeId id : m_model.order)
            look(id);
        markSmoothed();
        return std::move(m_found);
    }

private:
    void look(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (isQuantizer(node) && node.opType == "QuantizeLinear")
            addPair(id);
        else if (isQuantizer(node))
            addCodes(id);
        else if (isAnyOf(node, {"DynamicQuantizeLinear"}))
            addDynamic(id, 0);
        else if (const auto known = codeOperator(node))
            addOperator(id, *known);
        else if (const ProductForm form = opFacts(node).form; form == ProductForm::Packed)
            addPacked(id);
        else if (form == ProductForm::Integer || isDynamicProduct(node))
            addDynamicProduct(id);
        else if (isDynamicLstm(node))
            addLstm(id);
        else if (worksOnCodes(node)
            || isOneOf(node.opType, {"GatherBlockQuantized", "QEmbedLayerNormalization", "QMoE"}))
            m_found.notRecovered.push_back({id, "what " + node.opType + " computes on codes is not known"});
        else if (isQuantizerOfATool(node))
            m_found.notRecovered.push_back({id,
                "the codes of " + node.domain + "." + node.opType + " are not known, an operator of a tool's own"});
    }

    /// @return whether the scales are constants
    bool readScales(FoundQuantizer& found, std::optional<std::uint32_t> scale, std::optional<std::uint32_t> zeroPoint)
    {
        const Node& node = m_model.node(found.node);
        const Tensor* scales = constantAt(m_model, node, scale);
        const Tensor* zeros = constantAt(m_model, node, zeroPoint);
        const bool isComputed = scales == nullptr || (zeros == nullptr && inputAt(node, zeroPoint).valid());
        if (!isComputed) {
            found.scale = toFloats(*scales);
            found.zeroPoint.assign(found.scale.size(), 0);
        }
        if (zeros != nullptr) {
            found.codes = zeros->type;
            if (!isFloating(zeros->type))
                found.zeroPoint = toInts(*zeros);
        }
        if (!isComputed && !found.scale.empty() && found.zeroPoint.size() == found.scale.size())
            return true;
        m_found.notRecovered.push_back({found.node,
            isComputed ? "its scale or zero point is computed while the model runs"
                       : "its scales and zero points do not belong together"});
        return false;
    }

    void readAxis(FoundQuantizer& found, std::int64_t otherwise)
    {
        if (found.scale.size() < 2)
            return;
        const Node& node = m_model.node(found.node);
        found.axis = node.intAttribute("axis", otherwise);
        found.block = node.intAttribute("block_size", 0);
        if (found.block > 0)
            found.blockDims = constantAt(m_model, node, 1)->dims;
    }

    void add(FoundQuantizer found)
    {
        if (found.bits == 0)
            found.bits = elementBits(found.codes);
        if (found.isWeight && found.tensor.ends_with(kTransposed))
            turnBack(found);
        m_found.quantizers.push_back(std::move(found));
    }

    /// As the float model has it, with rows and columns the other way round.
    static void turnBack(FoundQuantizer& found)
    {
        found.tensor.resize(found.tensor.size() - kTransposed.size());
        if (found.axis)
            found.axis = (*found.axis < 0 ? -3 : 1) - *found.axis;
    }

    /// The value that a half of it is made of, of an input of a model that a tool made one of halves.
    [[nodiscard]] std::string nameBeforeHalf(ValueId value) const
    {
        const std::string& name = m_model.value(value).name;
        const NodeId maker = m_model.value(value).producer;
        const ValueId source = maker.valid() ? inputAt(m_model.node(maker), 0) : ValueId();
        const bool isHalf = source.valid() && isAnyOf(m_model.node(maker), {"Cast"})
            && name == m_model.value(source).name + std::string(kHalf);
        return isHalf ? m_model.value(source).name : name;
    }

    void addPair(NodeId id)
    {
        constexpr std::int64_t kUInt8 = static_cast<std::int64_t>(ElementType::UInt8);
        const Node& node = m_model.node(id);
        const ValueId value = inputAt(node, 0);
        if (!value.valid())
            return;
        const ValueId source = behindFloatBarriers(m_model, value);
        FoundQuantizer found{
            QuantizerForm::Pair, id, value, nameBeforePair(m_model, node).value_or(nameBeforeHalf(source))};
        found.isWeight = m_model.constant(value) != nullptr;
        const std::int64_t wanted = node.intAttribute("output_dtype", 0);
        found.codes = static_cast<ElementType>(wanted == 0 ? kUInt8 : wanted);
        if (!readScales(found, 1, 2))
            return;
        readAxis(found, 1);
        add(std::move(found));
    }

    void addCodes(NodeId id)
    {
        const Node& node = m_model.node(id);
        const Tensor* codes = constantAt(m_model, node, 0);
        if (codes == nullptr)
            return addTable(id);
        if (node.outputs.empty() || !node.outputs[0].valid())
            return;
        FoundQuantizer found{
            QuantizerForm::Codes, id, node.outputs[0], nameBeforeCodes(m_model.value(node.inputs[0]).name)};
        found.isWeight = true;
        found.isBias = isBiasType(codes->type);
        if (!readScales(found, 1, 2))
            return;
        found.codes = codes->type;
        readAxis(found, 1);
        add(std::move(found));
    }

    /// Of constant codes that another node carries to it; of what another quantizer made there is nothing to add.
    void addTable(NodeId id)
    {
        const ValueId codes = inputAt(m_model.node(id), 0);
        const NodeId carrier = codes.valid() ? m_model.value(codes).producer : NodeId();
        const ValueId table = carrier.valid() ? inputAt(m_model.node(carrier), 0) : ValueId();
        const Tensor* tensor
            = table.valid() && !codeOperator(m_model.node(carrier)) && !isQuantizer(m_model.node(carrier))
            ? m_model.constant(table)
            : nullptr;
        if (tensor == nullptr || isFloating(tensor->type))
            return;
        FoundQuantizer found{QuantizerForm::Codes, id, table, nameBeforeCodes(m_model.value(table).name)};
        found.isWeight = true;
        if (!readScales(found, 1, 2))
            return;
        found.codes = tensor->type;
        add(std::move(found));
    }

    void addOperator(NodeId id, const CodeOperator& known)
    {
        const Node& node = m_model.node(id);
        for (const CodePort& port : known.inputs)
            addConstantAt(id, port.value);
        if (known.bias)
            addConstantAt(id, *known.bias);
        if (!known.resultScale || node.outputs.empty() || !node.outputs[0].valid())
            return;
        FoundQuantizer found{
            QuantizerForm::Operator, id, node.outputs[0], nameBeforeCodes(m_model.value(node.outputs[0]).name)};
        found.codes = m_model.value(node.outputs[0]).type.element;
        if (readScales(found, known.resultScale, *known.resultScale + 1))
            add(std::move(found));
    }

    void addConstantAt(NodeId id, std::uint32_t port)
    {
        const Node& node = m_model.node(id);
        const Tensor* codes = constantAt(m_model, node, port);
        const auto facts = codeFactsAt(node, port);
        if (codes == nullptr || !facts)
            return;
        FoundQuantizer found{
            QuantizerForm::Operator, id, node.inputs[port], nameBeforeCodes(m_model.value(node.inputs[port]).name)};
        found.isWeight = true;
        found.isBias = facts->otherScale.has_value();
        if (!readScales(found, facts->scale, facts->zeroPoint))
            return;
        if (facts->otherScale) {
            const Tensor* other = constantAt(m_model, node, facts->otherScale);
            const std::vector<float> factor = other == nullptr ? std::vector<float>() : toFloats(*other);
            if (factor.size() != 1) {
                m_found.notRecovered.push_back({id, "the scale of its data, and so that of its bias, is no constant"});
                return;
            }
            for (float& scale : found.scale)
                scale *= factor.front();
        }
        found.codes = codes->type;
        if (found.scale.size() > 1)
            found.axis = facts->axis;
        add(std::move(found));
    }

    void addDynamic(NodeId id, std::uint32_t port)
    {
        const ValueId value = inputAt(m_model.node(id), port);
        if (!value.valid())
            return;
        FoundQuantizer found{QuantizerForm::Dynamic, id, value, m_model.value(value).name};
        found.codes = ElementType::UInt8;
        add(std::move(found));
    }

    /// Its weight; its data is quantized by another node, or by itself.
    void addDynamicProduct(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (node.opType == "DynamicQuantizeMatMul")
            addDynamic(id, 0);
        const std::uint32_t port = opFacts(node).weightPort == kNoPort ? 1 : opFacts(node).weightPort;
        const auto facts = codeFactsAt(node, port);
        const Tensor* codes = constantAt(m_model, node, port);
        if (!facts || codes == nullptr) {
            m_found.notRecovered.push_back({id, "it multiplies codes that are both made while the model runs"});
            return;
        }
        if (facts->scale)
            addConstantAt(id, port);
        else if (const auto product = dynamicProduct(m_model, id))
            addWeightOf(id, port, *facts, *codes, *product);
        else
            m_found.notRecovered.push_back({id, "what its product is multiplied by behind it is not understood"});
    }

    void addWeightOf(
        NodeId id, std::uint32_t port, const CodeFacts& facts, const Tensor& codes, const DynamicProduct& product)
    {
        const Node& node = m_model.node(id);
        FoundQuantizer found{
            QuantizerForm::Dynamic, id, node.inputs[port], nameBeforeCodes(m_model.value(node.inputs[port]).name)};
        found.isWeight = true;
        found.codes = codes.type;
        found.scale = toFloats(*product.weightScale);
        const Tensor* zeros = constantAt(m_model, node, facts.zeroPoint);
        found.zeroPoint = zeros == nullptr ? std::vector<std::int64_t>(found.scale.size()) : toInts(*zeros);
        if (found.zeroPoint.size() == 1)
            found.zeroPoint.assign(found.scale.size(), found.zeroPoint.front());
        if (found.scale.size() > 1)
            found.axis = facts.axis;
        if (found.zeroPoint.size() == found.scale.size())
            add(std::move(found));
        else
            m_found.notRecovered.push_back({id, "its scales and zero points do not belong together"});
    }

    void addLstm(NodeId id)
    {
        addDynamic(id, 0);
        const Node& node = m_model.node(id);
        for (const LstmWeight& weight : kLstmWeights) {
            const Tensor* codes = constantAt(m_model, node, weight.codes);
            if (codes == nullptr || codes->dims.size() != 3) {
                m_found.notRecovered.push_back({id,
                    codes == nullptr ? "its weights are computed while the model runs"
                                     : "its weights do not have three dimensions"});
                continue;
            }
            const ValueId value = node.inputs[weight.codes];
            FoundQuantizer found{QuantizerForm::Dynamic, id, value, nameBeforeCodes(m_model.value(value).name)};
            found.isWeight = true;
            if (!readScales(found, weight.scale, weight.zeroPoint))
                continue;
            found.codes = codes->type;
            if (found.scale.size() > 1)
                found.axis = static_cast<std::int64_t>(found.scale.size()) == codes->dims.front() ? 0 : 2;
            add(std::move(found));
        }
    }

    void addPacked(NodeId id)
    {
        const Node& node = m_model.node(id);
        const Tensor* codes = constantAt(m_model, node, 1);
        const Tensor* scales = constantAt(m_model, node, 2);
        if (codes == nullptr || scales == nullptr) {
            m_found.notRecovered.push_back({id, "its weight or its scales are computed while the model runs"});
            return;
        }
        FoundQuantizer found{QuantizerForm::Packed, id, node.inputs[1],
            nameBeforeCodes(nameBeforeBlocks(m_model.value(node.inputs[1]).name))};
        found.isWeight = true;
        found.bits = static_cast<int>(node.intAttribute("bits", 4));
        found.codes = codeType(found.bits, false).value_or(codes->type);
        if (auto blocks = packedBlocks(m_model, node)) {
            if (blocks->scales.size() > 1) {
                found.block = node.intAttribute("block_size", 0);
                found.axis = 0; // of [K, N]
                found.blockDims = std::move(blocks->dims);
            }
            found.scale = std::move(blocks->scales);
            for (const float zero : blocks->zeros) {
                if (zero == std::floor(zero))
                    found.zeroPoint.push_back(static_cast<std::int64_t>(zero));
            }
        }
        if (found.scale.empty())
            m_found.notRecovered.push_back({id, "how its weight is packed is not known"});
        else
            add(std::move(found));
    }

    // What SmoothQuant changed

    void markSmoothed()
    {
        std::set<NodeId> weights; // nodes that hold the scales
        for (FoundQuantizer& each : m_found.quantizers) {
            const NodeId producer = m_model.value(behindFloatBarriers(m_model, each.value)).producer;
            each.isSmoothed = !each.isWeight && producer.valid() && isSmoothing(m_model.node(producer));
            if (each.isSmoothed)
                addWeightsBeside(each.node, weights);
        }
        for (FoundQuantizer& each : m_found.quantizers)
            each.isSmoothed = each.isSmoothed || (each.isWeight && !each.isBias && weights.contains(each.node));
    }

    /// Nodes that give back the weights of what reads a quantizer.
    void addWeightsBeside(NodeId quantizer, std::set<NodeId>& weights) const
    {
        for (const NodeId dequantizer : readersOf(quantizer)) {
            for (const NodeId product : readersOf(dequantizer)) {
                for (const ValueId input : m_model.node(product).inputs) {
                    if (input.valid() && m_model.value(input).producer.valid())
                        weights.insert(m_model.value(input).producer);
                }
            }
        }
    }

    [[nodiscard]] std::vector<NodeId> readersOf(NodeId id) const
    {
        std::vector<NodeId> readers;
        const Node& node = m_model.node(id);
        if (node.outputs.empty() || !node.outputs[0].valid())
            return readers;
        for (const Use& use : m_model.value(node.outputs[0]).uses)
            readers.push_back(use.node);
        return readers;
    }

    const Model& m_model;
    FoundQuantizers m_found;
};

} // namespace

std::string_view quantizerFormText(QuantizerForm form)
{
    static constexpr auto kForms = enumTexts<QuantizerForm::Packed>({"pair", "codes", "operator", "dynamic", "packed"});
    return enumText(kForms, form);
}

namespace {

/// Adds the names of nodes that read what a node gives.
void addReaders(const Model& model, NodeId id, std::set<std::string>& names)
{
    for (const ValueId output : model.node(id).outputs) {
        if (!output.valid())
            continue;
        for (const Use& use : model.value(output).uses) {
            const Node& reader = model.node(use.node);
            if (isQuantizerOrBarrier(reader))
                addReaders(model, use.node, names);
            else
                names.emplace(nodeBeforeQuantizer(reader.name));
        }
    }
}

} // namespace

std::vector<std::string> readersOf(const Model& model, const FoundQuantizer& quantizer)
{
    std::set<std::string> names;
    if (quantizer.form == QuantizerForm::Pair || quantizer.form == QuantizerForm::Codes)
        addReaders(model, quantizer.node, names);
    else if (quantizer.form == QuantizerForm::Packed)
        names.emplace(nodeBeforeQuantizer(model.node(quantizer.node).name));
    return {names.begin(), names.end()};
}

std::string codesText(const FoundQuantizer& quantizer)
{
    const bool isShared = quantizer.bits != 0 && quantizer.bits != elementBits(quantizer.codes);
    return isShared ? std::to_string(quantizer.bits) + " bits" : std::string(elementTypeName(quantizer.codes));
}

namespace {

/// Of types whose lowest code weights may have here, too (weightCodes).
bool hasAllCodes(const FoundQuantizer& quantizer)
{
    const auto codes = codeRange(quantizer.codes);
    return codes && (!codes->isSigned() || quantizer.bits < 8);
}

/// q * -s = (last - q) * s, of codes from first to last.
void turnScales(FoundQuantizer& quantizer)
{
    const CodeRange codes = *codeRange(quantizer.codes);
    for (std::size_t i = 0; i < quantizer.scale.size() && i < quantizer.zeroPoint.size(); ++i) {
        if (quantizer.scale[i] < 0) {
            quantizer.scale[i] = -quantizer.scale[i];
            quantizer.zeroPoint[i] = std::int64_t{codes.lowest} + codes.highest - quantizer.zeroPoint[i];
        }
    }
}

} // namespace

bool isTurnedOver(const FoundQuantizer& asFound)
{
    const bool isAroundZero
        = !isFloating(asFound.codes) && std::ranges::all_of(asFound.zeroPoint, [](auto zero) { return zero == 0; });
    return asFound.isWeight && isAroundZero && !hasAllCodes(asFound)
        && std::ranges::any_of(asFound.scale, [](float scale) { return scale < 0; });
}

FoundQuantizers withTurnedScales(FoundQuantizers found)
{
    for (FoundQuantizer& quantizer : found.quantizers) {
        if (quantizer.isWeight && hasAllCodes(quantizer))
            turnScales(quantizer);
    }
    return found;
}

FoundQuantizers withPositiveScales(FoundQuantizers given)
{
    FoundQuantizers found = withTurnedScales(std::move(given));
    for (FoundQuantizer& quantizer : found.quantizers) {
        if (!quantizer.isWeight)
            continue;
        std::ranges::replace(quantizer.scale, 0.0F, 1.0F);
        if (isTurnedOver(quantizer))
            std::ranges::transform(
                quantizer.scale, quantizer.scale.begin(), [](float scale) { return std::abs(scale); });
    }
    return found;
}

bool hasPositiveScales(const FoundQuantizer& quantizer)
{
    return std::ranges::all_of(quantizer.scale, [](float scale) { return scale > 0 && std::isfinite(scale); });
}

std::string nameBeforeCodes(std::string_view name)
{
    name = withoutNncfName(name);
    name = withoutNumber(name, "_quantized");
    if (name.ends_with("_DQ_Q4") || name.ends_with("_DQ_Q2"))
        name = nameBeforeBlocks(name);
    for (const std::string_view ending : kCodeEndings) {
        if (name.size() > ending.size() && name.ends_with(ending))
            name.remove_suffix(ending.size());
    }
    return std::string(nameBeforeTools(name));
}

bool isFloatBarrier(const Node& node)
{
    return isAnyOf(node, {"LeakyRelu"}) && node.floatAttribute("alpha", 0) == 1.0F
        && withoutNumber(node.localName, "_KeepFloat").ends_with("_KeepFloat");
}

bool isQuantizerOrBarrier(const Node& node)
{
    return isQuantizer(node) || isFloatBarrier(node);
}

ValueId behindFloatBarriers(const Model& model, ValueId value)
{
    for (NodeId producer = model.value(value).producer;
         producer.valid() && isFloatBarrier(model.node(producer)) && inputAt(model.node(producer), 0).valid();) {
        value = model.node(producer).inputs[0];
        producer = model.value(value).producer;
    }
    return value;
}

std::optional<std::string> nameBeforePair(const Model& model, const Node& quantizer)
{
    if (quantizer.inputs.empty() || !quantizer.inputs[0].valid() || quantizer.outputs.empty()
        || !quantizer.outputs[0].valid())
        return std::nullopt;
    const std::string& written = model.value(behindFloatBarriers(model, quantizer.inputs[0])).name;
    for (const Use& use : model.value(quantizer.outputs[0]).uses) {
        const Node& reader = model.node(use.node);
        if (!isQuantizer(reader) || reader.opType != "DequantizeLinear" || reader.outputs.empty()
            || !reader.outputs[0].valid())
            continue;
        const std::string& given = model.value(reader.outputs[0]).name;
        const auto isRenamed = [&](std::string_view ending) {
            const std::string_view source = withoutNumber(written, ending);
            return source.size() == given.size() + ending.size() && source.starts_with(given)
                && source.ends_with(ending);
        };
        if (std::ranges::any_of(kRenamed, isRenamed))
            return given;
    }
    return std::nullopt;
}

bool holdsCodes(const Model& model)
{
    return std::ranges::any_of(model.nodes, [](const Node& node) {
        return isQuantizer(node) || isAnyOf(node, {"DynamicQuantizeLinear"}) || worksOnCodes(node)
            || opFacts(node).form == ProductForm::Packed;
    });
}

FoundQuantizers findQuantizers(const Model& model)
{
    return Finder(model).find();
}

} // namespace duo
