// SPDX-License-Identifier: Apache-2.0
#include "core/transform/halve.h"

#include "core/model/constant_conditions.h"
#include "core/model/half_floats.h"
#include "core/model/op_facts.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace duo {
namespace {

constexpr std::int64_t kLargeConstant = 1024; // elements
constexpr std::int64_t kBfloatCastOpset = 13;
constexpr float kSmallestValue = 0x1p-10F; // a value all of which is smaller loses digits

/// From which opset on an operator takes floats of 16 bits, and at which inputs: bit i is input i.
struct HalfRow {
    std::string_view opType;
    std::int64_t half;
    std::int64_t bfloat;
    std::uint32_t inputs;
};
constexpr std::uint32_t kAllInputs = ~0U;
constexpr std::uint32_t kFirstInput = 1U;

/// By name. Not here: sums over many elements, exponentials, logarithms, powers, roots and their inverses, which lose
/// most; operators with states; what takes part of its inputs as floats of 32 bits.
constexpr auto kRows = std::to_array<HalfRow>({
    {"Add", 7, 13, kAllInputs},
    {"AveragePool", 1, 22, kAllInputs},
    {"Clip", 6, 13, kAllInputs},
    {"Concat", 4, 13, kAllInputs},
    {"Conv", 1, 22, kAllInputs},
    {"ConvTranspose", 1, 22, kAllInputs},
    {"DepthToSpace", 1, 13, kAllInputs},
    {"Div", 7, 13, kAllInputs},
    {"Elu", 6, 22, kAllInputs},
    {"Expand", 8, 13, kFirstInput},
    {"Flatten", 1, 13, kAllInputs},
    {"Gather", 1, 13, kFirstInput},
    {"Gelu", 20, 20, kAllInputs},
    {"Gemm", 7, 13, kAllInputs},
    {"GlobalMaxPool", 1, 22, kAllInputs},
    {"HardSigmoid", 6, 22, kAllInputs},
    {"HardSwish", 14, 22, kAllInputs},
    {"Identity", 1, 13, kAllInputs},
    {"LeakyRelu", 6, 16, kAllInputs},
    {"MatMul", 1, 13, kAllInputs},
    {"MaxPool", 1, 22, kAllInputs},
    {"Mish", 18, 22, kAllInputs},
    {"Mul", 7, 13, kAllInputs},
    {"Neg", 6, 13, kAllInputs},
    {"PRelu", 7, 16, kAllInputs},
    {"Pad", 2, 13, 0b101U},
    {"Relu", 6, 14, kAllInputs},
    {"Reshape", 5, 13, kFirstInput},
    {"Sigmoid", 6, 13, kAllInputs},
    {"Slice", 1, 13, kFirstInput},
    {"Softmax", 1, 13, kAllInputs},
    {"SpaceToDepth", 1, 13, kAllInputs},
    {"Split", 2, 13, kFirstInput},
    {"Squeeze", 1, 13, kFirstInput},
    {"Sub", 7, 13, kAllInputs},
    {"Tanh", 6, 13, kAllInputs},
    {"Tile", 6, 13, kFirstInput},
    {"Transpose", 1, 13, kAllInputs},
    {"Unsqueeze", 1, 13, kFirstInput},
    {"Where", 9, 16, 0b110U},
});
static_assert(std::ranges::is_sorted(kRows, {}, &HalfRow::opType));

/// Operators of other rows than those that lose most in 16 bits, rather than to have no form of them. By name.
constexpr auto kLosing = std::to_array<std::string_view>(
    {"BatchNormalization", "CumSum", "Exp", "GlobalAveragePool", "GlobalLpPool", "GroupNormalization",
        "InstanceNormalization", "LRN", "LayerNormalization", "Log", "LogSoftmax", "LpNormalization", "LpPool",
        "MeanVarianceNormalization", "Pow", "RMSNormalization", "Reciprocal", "ReduceL1", "ReduceL2", "ReduceLogSum",
        "ReduceLogSumExp", "ReduceMean", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Softplus", "Sqrt"});
static_assert(std::ranges::is_sorted(kLosing));

const HalfRow* rowOf(std::string_view opType)
{
    const auto found = std::ranges::lower_bound(kRows, opType, {}, &HalfRow::opType);
    return found != kRows.end() && found->opType == opType ? &*found : nullptr;
}

std::int64_t opsetOf(const HalfRow& row, ElementType type)
{
    return type == ElementType::Float16 ? row.half : row.bfloat;
}

/// Of a node of the main graph, in its opset; null: there is no form of it.
const HalfRow* rowFor(const Model& model, const Node& node, ElementType type)
{
    const bool canBe = node.domain.empty() && !node.isCall && node.region == RegionId(0) && !node.inputs.empty();
    const HalfRow* row = canBe ? rowOf(node.opType) : nullptr;
    return row != nullptr && model.opset() >= opsetOf(*row, type) ? row : nullptr;
}

/// What codes are made of and made into: in 16 bits where what it stands beside is, as both types follow that of the
/// scale.
constexpr std::size_t kScaleInput = 1;
bool isQuantizeLinear(const Node& node)
{
    return node.opType == "QuantizeLinear";
}
bool isDequantizeLinear(const Node& node)
{
    return node.opType == "DequantizeLinear";
}

/// At which input an operator goes by ratios: of 1e-7 and 1e-8 as much as of 1 and 10. By name.
struct RatioRow {
    std::string_view opType;
    std::size_t input;
};
constexpr auto kRatioRows = std::to_array<RatioRow>({
    {"Div", 1},
    {"Log", 0},
    {"Reciprocal", 0},
});
constexpr float kWritten = 1e7F; // larger numbers have an exponent
constexpr float kWideRange = 2048; // half of what is rounded at the largest element is the smallest, or more

/// "60000", "3.4028235e+38"
std::string wholeText(float number)
{
    if (number < kWritten)
        return std::to_string(static_cast<std::int64_t>(number));
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

/// What hands on elements of any size as they are, scaled or summed. By name; not what bounds them, as a Sigmoid does.
constexpr auto kScalesOn = std::to_array<std::string_view>({"Abs", "Add", "AveragePool", "Concat", "Conv",
    "ConvTranspose", "Div", "Expand", "Flatten", "Gather", "Gemm", "Identity", "LeakyRelu", "MatMul", "Max", "Mul",
    "Neg", "Pad", "Pow", "ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum", "ReduceSumSquare", "Relu",
    "Reshape", "Slice", "Split", "Sqrt", "Squeeze", "Sub", "Sum", "Tile", "Transpose", "Unsqueeze", "Where"});
static_assert(std::ranges::is_sorted(kScalesOn));

class Halving
{
public:
    explicit Halving(const HalfRequest& request)
        : m_request(request)
        , m_model(request.model)
        , m_names(request.model)
        , m_isPinned(pinnedValues(request.model))
        , m_isFixed(request.model.nodes.size())
        , m_isHalf(request.model.nodes.size())
        , m_halfNames(request.model.values.size())
        , m_whyNot(request.model.values.size())
        , m_isLooked(request.model.values.size())
    {
    }

    Halved run()
    {
        select();
        forEach(&Halving::nameOutputs);
        forEach(&Halving::rewire);
        forEach(&Halving::widenOutputs);
        if (!m_result.nodes.empty())
            m_result.edits = std::move(m_edits);
        return std::move(m_result);
    }

    std::optional<EditList> round()
    {
        select();
        forEach(&Halving::roundOutputs);
        forEach(&Halving::roundInputs);
        return m_result.nodes.empty() ? std::nullopt : std::optional(std::move(m_edits));
    }

    std::vector<std::string> ports() const
    {
        std::vector<std::string> why(m_model.values.size());
        for (const auto* list : {&m_model.mainGraph().inputs, &m_model.mainGraph().outputs}) {
            for (const ValueId value : *list)
                why[value.index] = isFloat(value) ? whyNotPort(value) : std::string();
        }
        return why;
    }

private:
    /// What is read or given in 32 bits beside it needs a cast.
    [[nodiscard]] std::string whyNotPort(ValueId value) const
    {
        const bool hasCast = m_request.type == ElementType::Float16 || m_model.opset() >= kBfloatCastOpset;
        return hasCast ? whyNotMeasured(value)
                       : "opset " + std::to_string(m_model.opset()) + " has no Cast of "
                + std::string(elementTypeName(m_request.type)) + ", which came with "
                + std::to_string(kBfloatCastOpset);
    }

    /// Node that computes in 16 bits, and quantizer that does with it.
    void forEach(void (Halving::*work)(NodeId))
    {
        for (const auto* nodes : {&m_result.nodes, &m_result.quantizers}) {
            for (const NodeId id : *nodes)
                (this->*work)(id);
        }
    }

    void select()
    {
        if (m_request.type == ElementType::Float16)
            findWideRanges();
        for (const NodeId id : m_model.order)
            choose(id);
        leaveSharedConstants();
        takeQuantizers();
    }

    [[nodiscard]] bool isFloat(ValueId value) const
    {
        return value.valid() && m_model.value(value).type.element == ElementType::Float32;
    }

    [[nodiscard]] static bool isHalved(const HalfRow& row, std::size_t port)
    {
        return row.inputs == kAllInputs || (port < 32 && ((row.inputs >> port) & 1U) != 0);
    }

    /// Of a node that computes in 16 bits.
    [[nodiscard]] static bool isHalved(const Node& node, std::size_t port)
    {
        if (isQuantizeLinear(node))
            return port <= kScaleInput;
        return isDequantizeLinear(node) ? port == kScaleInput : isHalved(*rowOf(node.opType), port);
    }

    /// "": it can follow its neighbours into 16 bits. Of later opsets: unless it says itself what it computes in.
    [[nodiscard]] std::string whyNotQuantizer(const Node& node) const
    {
        const bool hasForm = node.domain.empty() && node.region == RegionId(0) && node.inputs.size() > kScaleInput
            && m_model.opset() >= kHalfScaleOpset && node.attribute("output_dtype") == nullptr
            && node.attribute("precision") == nullptr;
        if (!hasForm)
            return "whose DequantizeLinear has no form of 16 bits (from opset 19 on)";
        const ValueId scale = node.inputs[kScaleInput];
        const Tensor* constant = isFloat(scale) ? constantOf(scale) : nullptr;
        if (constant == nullptr)
            return "whose scale is no constant of 32 bits";
        const float least = m_request.type == ElementType::Float16 ? kSmallestHalf : std::numeric_limits<float>::min();
        const float most = m_request.type == ElementType::Float16 ? kLargestHalf : kLargestBfloat;
        return std::ranges::all_of(toFloats(*constant), [&](float it) { return it >= least && it <= most; })
            ? std::string()
            : "a scale of which 16 bits do not hold";
    }

    /// Quantizers stand right at what they are for, and have its type: a cast between would keep runtimes from making
    /// one kernel of both.
    void takeQuantizers()
    {
        for (const NodeId id : m_model.order) {
            const Node& node = m_model.node(id);
            const bool follows
                = isQuantizeLinear(node) ? isMadeInHalf(node) : isDequantizeLinear(node) && isReadInHalf(node);
            if (follows && whyNotQuantizer(node).empty()) {
                m_isHalf[id.index] = true;
                m_result.quantizers.push_back(id);
            }
        }
    }

    [[nodiscard]] bool isMadeInHalf(const Node& node) const
    {
        const ValueId input = node.inputs.empty() ? ValueId() : node.inputs.front();
        return isFloat(input) && m_model.value(input).producer.valid() && m_isHalf[m_model.value(input).producer.index];
    }

    [[nodiscard]] bool isReadInHalf(const Node& node) const
    {
        return !node.outputs.empty() && isFloat(node.outputs.front())
            && std::ranges::any_of(m_model.value(node.outputs.front()).uses, [this](const Use& use) {
                   return m_isHalf[use.node.index] && isHalved(m_model.node(use.node), use.port);
               });
    }

    /// What gives values of a wide range that are read by their ratios, and what these are made of.
    void findWideRanges()
    {
        m_wideFor.resize(m_model.nodes.size());
        for (auto at = m_model.order.rbegin(); at != m_model.order.rend(); ++at) {
            const Node& node = m_model.node(*at);
            if (node.region != RegionId(0) || !node.domain.empty() || node.isCall)
                continue;
            const NodeId reader = m_wideFor[at->index];
            const bool handsOn = reader.valid() && std::ranges::binary_search(kScalesOn, node.opType);
            for (std::size_t port = 0; port < node.inputs.size(); ++port) {
                if (handsOn || isReadByRatio(node, port))
                    markProducer(node.inputs[port], handsOn ? reader : *at);
            }
        }
    }

    [[nodiscard]] bool isReadByRatio(const Node& node, std::size_t port) const
    {
        const auto row = std::ranges::find(kRatioRows, node.opType, &RatioRow::opType);
        const ValueId value = node.inputs[port];
        if (row == kRatioRows.end() || row->input != port || value.index >= m_request.smallest.size())
            return false;
        const auto largest = m_request.largest[value.index];
        const auto smallest = m_request.smallest[value.index];
        return largest && smallest && *smallest<kSmallestValue&& * largest> kWideRange * *smallest;
    }

    void markProducer(ValueId value, NodeId reader)
    {
        if (!isFloat(value) || !m_model.value(value).producer.valid())
            return;
        NodeId& wideFor = m_wideFor[m_model.value(value).producer.index];
        if (!wideFor.valid())
            wideFor = reader;
    }

    void choose(NodeId id)
    {
        const Node& node = m_model.node(id);
        m_isFixed[id.index] = !hasBodies(node) && std::ranges::all_of(node.inputs, [this](ValueId input) {
            return !input.valid() || constantOf(input) != nullptr
                || (m_model.value(input).producer.valid() && m_isFixed[m_model.value(input).producer.index]);
        });
        if (m_isFixed[id.index])
            return;
        const HalfRow* row = rowFor(m_model, node, m_request.type);
        if (row == nullptr)
            return tellNoForm(id);
        if (!hasFloatsWhereItMust(node, *row))
            return;
        if (!m_request.kept.empty() && !m_request.kept[id.index].empty()) {
            m_result.floats.push_back({id, m_request.kept[id.index]});
            return;
        }
        if (!m_wideFor.empty() && m_wideFor[id.index].valid()) {
            const Node& reader = m_model.node(m_wideFor[id.index]);
            m_result.floats.push_back(
                {id, reader.opType + " '" + reader.name + "' goes by ratios, also of the smallest of what it makes"});
            return;
        }
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            if (isHalved(*row, port) && node.inputs[port].valid() && tellIfNot(id, "reads", node.inputs[port]))
                return;
        }
        for (const ValueId output : node.outputs) {
            if (output.valid() && tellIfNot(id, "gives", output))
                return;
        }
        m_isHalf[id.index] = true;
        m_result.nodes.push_back(id);
    }

    /// Of what computes floats; a Cast says itself what it gives, and quantizers go with their neighbours.
    void tellNoForm(NodeId id)
    {
        const Node& node = m_model.node(id);
        const auto isFloating = [this](ValueId value) { return isFloat(value); };
        const bool isOther = node.domain.empty() && isAnyOf(node, {"Cast", "CastLike", "Shape", "Size"});
        if (isOther || isQuantizer(node)
            || (std::ranges::none_of(node.inputs, isFloating) && std::ranges::none_of(node.outputs, isFloating)))
            return;
        m_result.floats.push_back({id, whyNoForm(node)});
    }

    [[nodiscard]] std::string whyNoForm(const Node& node) const
    {
        if (m_model.isInFunction(node) || node.isCall)
            return "what is in functions stays in 32 bits";
        if (node.region != RegionId(0) || hasBodies(node))
            return "what is in bodies stays in 32 bits";
        const HalfRow* row = node.domain.empty() ? rowOf(node.opType) : nullptr;
        const std::string type(elementTypeName(m_request.type));
        if (row != nullptr)
            return "opset " + std::to_string(m_model.opset()) + " has no " + node.opType + " of " + type
                + ", which came with " + std::to_string(opsetOf(*row, m_request.type));
        if (node.domain.empty() && std::ranges::binary_search(kLosing, node.opType))
            return node.opType + " loses most in 16 bits";
        return "no form of 16 bits is known of " + node.opType;
    }

    [[nodiscard]] bool hasFloatsWhereItMust(const Node& node, const HalfRow& row) const
    {
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            if (isHalved(row, port) && node.inputs[port].valid() && !isFloat(node.inputs[port]))
                return false;
        }
        return std::ranges::all_of(node.outputs, [this](ValueId output) { return !output.valid() || isFloat(output); });
    }

    bool tellIfNot(NodeId id, std::string_view verb, ValueId value)
    {
        const std::string& why = whyNot(value);
        if (!why.empty())
            m_result.floats.push_back({id, std::string(verb) + " '" + m_model.value(value).name + "', " + why});
        return !why.empty();
    }

    /// "": its elements fit.
    const std::string& whyNot(ValueId value)
    {
        if (!m_isLooked[value.index]) {
            m_isLooked[value.index] = true;
            const Tensor* constant = constantOf(value);
            std::string& why = m_whyNot[value.index];
            why = constant != nullptr ? whyNotConstant(*constant) : whyNotMeasured(value);
            const NodeId producer = m_model.value(value).producer;
            if (why.empty() && producer.valid() && isDequantizeLinear(m_model.node(producer)))
                why = whyNotQuantizer(m_model.node(producer));
        }
        return m_whyNot[value.index];
    }

    [[nodiscard]] const Tensor* constantOf(ValueId value) const
    {
        const Value& it = m_model.value(value);
        return it.initializer.valid() && !isOverridable(m_model, it) ? m_model.constant(value) : nullptr;
    }

    [[nodiscard]] std::string whyNotConstant(const Tensor& tensor) const
    {
        float most = 0;
        for (const float number : toFloats(tensor)) {
            if (!std::isfinite(number))
                return "which is not finite";
            most = std::max(most, std::abs(number));
        }
        if (m_request.type != ElementType::Float16)
            return most > kLargestBfloat ? "which is beyond 3.38e38" : std::string();
        if (most > kLargestHalf)
            return "which is beyond 65504";
        return most > 0 && most < kSmallestHalf ? "all of which is below 2^-14" : std::string();
    }

    [[nodiscard]] std::string whyNotMeasured(ValueId value) const
    {
        const auto most = value.index < m_request.largest.size() ? m_request.largest[value.index] : std::nullopt;
        if (!most)
            return "which was not measured";
        if (!std::isfinite(*most))
            return "which is not always finite";
        if (m_request.type != ElementType::Float16)
            return *most > kLargestBfloat / 2 ? "which reaches the end of the range" : std::string();
        if (*most > kLargestHalf / 2)
            return "which reaches " + wholeText(*most) + " (at most 32752, half of what fits)";
        return *most > 0 && *most < kSmallestValue ? "all of which is below 2^-10" : std::string();
    }

    /// Large constants are not to be there in both widths: who reads one that is read in 32 bits reads it so too.
    void leaveSharedConstants()
    {
        std::vector<ValueId> shared;
        std::vector<bool> isShared(m_model.values.size());
        const auto look = [&](NodeId id) {
            for (const ValueId input : m_model.node(id).inputs) {
                const Tensor* constant = input.valid() && !isShared[input.index] ? constantOf(input) : nullptr;
                if (constant == nullptr || constant->elements() < kLargeConstant || !isReadInFloat(input))
                    continue;
                isShared[input.index] = true;
                shared.push_back(input);
            }
        };
        for (const NodeId id : m_result.nodes)
            look(id);
        while (!shared.empty()) {
            const ValueId value = shared.back();
            shared.pop_back();
            for (const Use& use : m_model.value(value).uses) {
                if (!m_isHalf[use.node.index])
                    continue;
                m_isHalf[use.node.index] = false;
                m_result.floats.push_back(
                    {use.node, "reads '" + m_model.value(value).name + "', which is read in 32 bits as well"});
                look(use.node);
            }
        }
        std::erase_if(m_result.nodes, [this](NodeId id) { return !m_isHalf[id.index]; });
    }

    void nameOutputs(NodeId id)
    {
        const Node& node = m_model.node(id);
        for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
            if (!isFloat(node.outputs[port])) // codes
                continue;
            std::string& name = m_halfNames[node.outputs[port].index];
            name = m_names.value(m_model.value(node.outputs[port]).name + "_half");
            m_edits.outputs.push_back({id, port, name});
        }
    }

    void rewire(NodeId id)
    {
        const Node& node = m_model.node(id);
        for (std::uint32_t port = 0; port < node.inputs.size(); ++port) {
            const ValueId input = node.inputs[port];
            if (!input.valid() || !isHalved(node, port))
                continue;
            const std::string& name = halfNameOf(input, id);
            if (name != m_model.value(input).name)
                m_edits.inputs.push_back({id, port, name});
        }
    }

    /// What is read in 16 bits: the value itself, a constant of its name, or a cast of it.
    const std::string& halfNameOf(ValueId value, NodeId reader)
    {
        std::string& name = m_halfNames[value.index];
        if (!name.empty())
            return name;
        if (const Tensor* constant = constantOf(value)) {
            addConstant(value, *constant, name);
            return name;
        }
        name = m_names.value(m_model.value(value).name + "_half");
        const NodeId producer = m_model.value(value).producer;
        const Node& named = m_model.node(producer.valid() ? producer : reader);
        addCast(named, m_model.value(value).name, name, m_request.type, producer);
        return name;
    }

    void addConstant(ValueId value, const Tensor& tensor, std::string& name)
    {
        const std::string& old = m_model.value(value).name;
        const bool isReadAsFloat = isReadInFloat(value);
        name = isReadAsFloat ? m_names.value(old + "_half") : old;
        if (!isReadAsFloat)
            m_edits.removedTensors.push_back(old);
        NewTensor made{name, m_request.type, tensor.dims, {}};
        const std::vector<float> numbers = toFloats(tensor);
        made.bytes.resize(2 * numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const std::uint16_t bits
                = m_request.type == ElementType::Float16 ? toHalf(numbers[i]) : toBfloat(numbers[i]);
            std::memcpy(made.bytes.data() + 2 * i, &bits, 2);
        }
        m_edits.newTensors.push_back(std::move(made));
    }

    /// By a node, a body, a function or the outside.
    [[nodiscard]] bool isReadInFloat(ValueId value) const
    {
        const Value& it = m_model.value(value);
        return it.isOutput || m_isPinned[value.index] || std::ranges::any_of(it.uses, [&](const Use& use) {
            return !m_isHalf[use.node.index] || !isHalved(m_model.node(use.node), use.port);
        });
    }

    void widenOutputs(NodeId id)
    {
        const Node& node = m_model.node(id);
        for (const ValueId output : node.outputs) {
            if (isFloat(output) && isReadInFloat(output))
                addCast(node, m_halfNames[output.index], m_model.value(output).name, ElementType::Float32, id);
        }
    }

    /// Who reads one reads it rounded, under its name.
    void roundOutputs(NodeId id)
    {
        const Node& node = m_model.node(id);
        for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
            if (!isFloat(node.outputs[port]))
                continue;
            const std::string& name = m_model.value(node.outputs[port]).name;
            const std::string exact = m_names.value(name + "_exact");
            m_edits.outputs.push_back({id, port, exact});
            addRounding(node, exact, name, id);
        }
    }

    void roundInputs(NodeId id)
    {
        const Node& node = m_model.node(id);
        for (std::uint32_t port = 0; port < node.inputs.size(); ++port) {
            const ValueId input = node.inputs[port];
            const NodeId producer = input.valid() ? m_model.value(input).producer : NodeId();
            const bool isRounded = producer.valid() && m_isHalf[producer.index];
            if (!isFloat(input) || isRounded || !isHalved(node, port))
                continue;
            std::string& name = m_halfNames[input.index];
            if (name.empty()) {
                name = m_names.value(m_model.value(input).name + "_rounded");
                addRounding(node, m_model.value(input).name, name, producer);
            }
            m_edits.inputs.push_back({id, port, name});
        }
    }

    void addRounding(const Node& like, const std::string& from, const std::string& to, NodeId behind)
    {
        const std::string half = m_names.value(to + "_half");
        addCast(like, from, half, m_request.type, behind);
        addCast(like, half, to, ElementType::Float32, behind);
    }

    /// In the scope of `like`. @param behind invalid: at the start of the graph
    void addCast(const Node& like, const std::string& from, const std::string& to, ElementType type, NodeId behind)
    {
        NewNode cast{m_names.node(like.localName + (type == ElementType::Float32 ? "_to_float" : "_to_half")), "Cast",
            {}, {from}, {to}, {{"to", static_cast<std::int64_t>(type)}}, like.metadata, behind, true};
        m_edits.newNodes.push_back(std::move(cast));
    }

    const HalfRequest& m_request;
    const Model& m_model;
    EditNames m_names;
    std::vector<bool> m_isPinned; // [values]
    std::vector<bool> m_isFixed; // [nodes] nothing that the model is given goes into it: computed beforehand
    std::vector<NodeId> m_wideFor; // [nodes] what reads by ratios values of a wide range that it makes, or invalid
    std::vector<bool> m_isHalf; // [nodes]
    std::vector<std::string> m_halfNames; // [values] under which they are read in 16 bits; "": not asked for yet
    std::vector<std::string> m_whyNot; // [values] looked at
    std::vector<bool> m_isLooked; // [values]
    EditList m_edits;
    Halved m_result;
};

bool canBeHalved(const HalfRequest& request)
{
    return request.model.irVersion >= kInitializersNeedNoInput
        && (request.type == ElementType::Float16 || request.type == ElementType::BFloat16);
}

} // namespace

const Pass& halfPass()
{
    return *std::ranges::find(passes(), kHalfPass, &Pass::id);
}

bool hasHalfForm(const Model& model, const Node& node)
{
    return rowFor(model, node, ElementType::Float16) != nullptr;
}

PassResult halveAsAsked(const PassScene& scene)
{
    if (scene.half == nullptr)
        return {};
    Halved made = halve(*scene.half);
    PassResult result{std::move(made.edits), {}, std::move(made.nodes), std::move(made.floats)};
    result.applied.insert(result.applied.end(), made.quantizers.begin(), made.quantizers.end());
    return result;
}

Halved halve(const HalfRequest& request)
{
    return canBeHalved(request) ? Halving(request).run() : Halved{};
}

std::vector<std::string> whyNotHalf(const HalfRequest& request)
{
    return Halving(request).ports();
}

std::optional<EditList> roundedAsHalved(const HalfRequest& request)
{
    return canBeHalved(request) ? Halving(request).round() : std::nullopt;
}

} // namespace duo
