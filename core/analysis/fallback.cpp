// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/fallback.h"

#include "core/model/clamp_range.h"
#include "core/model/op_facts.h"
#include "core/transform/gemm_fusion.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>

namespace duo {
namespace {

using Text = std::string_view;

struct Row {
    Fallback fallback;
    Text name;
    Text reason; // follows "it runs in float: "
    Text remedy;
};

constexpr std::array kRows{
    Row{Fallback::FloatOperator, "float-operator", "there is no int8 kernel for its operator", "leave it in float"},
    Row{Fallback::FloatInput, "float-input", "one of its inputs is not quantized", "quantize what gives the input"},
    Row{Fallback::WideCodes, "wide-codes", "there are no kernels for 16-bit codes", "take 8 bits for it"},
    Row{Fallback::SignedCodes, "signed-codes", "signed activations have no int8 kernel on x64",
        "take unsigned activations"},
    Row{Fallback::ScaledBias, "scaled-bias", "a Gemm needs beta 1 for its int8 kernel", "fold beta into the bias"},
    Row{Fallback::NoQuantizerBehind, "no-quantizer-behind",
        "its result is not read by one QuantizeLinear alone, and its int8 kernel writes int8",
        "quantize what reads its result, or outputs of the model"},
    Row{Fallback::FloatAddition, "float-addition", "its result goes to an addition with no quantizer between",
        "quantize both operands of the addition"},
    Row{Fallback::ClampNotImplied, "clamp-not-implied",
        "the quantizer behind its Relu or Clip holds values beyond the clamp, so the clamp cannot be dropped",
        "choose a range inside the clamp"},
    Row{Fallback::FusedActivation, "fused-activation",
        "it is fused with the activation behind it into a float kernel first",
        "put a quantizer between it and the activation"},
    Row{Fallback::FloatBias, "float-bias",
        "what is added to it is not in codes, and ONNX Runtime computes both as one Gemm",
        "add a bias of one number per channel"},
    Row{Fallback::FloatClamp, "float-clamp",
        "ONNX Runtime looks for the quantizer that makes the Relu or Clip behind it needless, and there is none",
        "quantize what the Relu or Clip gives"},
    Row{Fallback::OtherParameters, "other-parameters",
        "it moves data between quantizers of different scale or zero point", "give both the same parameters"},
    Row{Fallback::Unknown, "unknown", "ONNX Runtime does not fuse it with the quantizers around it",
        "look at the optimized graph"},
};

static_assert(std::ranges::all_of(
    kRows, [i = std::size_t{0}](const Row& row) mutable { return row.fallback == static_cast<Fallback>(i++); }));
static_assert(kRows.back().fallback == Fallback::Unknown);

/// Whether it runs on codes as they are, if these mean the same on both sides.
bool movesCodes(const Node& node)
{
    const Int8Kernel kernel = opFacts(node).int8;
    return kernel == Int8Kernel::Moves || kernel == Int8Kernel::MovesNearest;
}

/// Scale and zero point of a quantizer of one scale.
struct Codes {
    float scale = 1;
    std::int32_t zeroPoint = 0;
    ElementType type = ElementType::UInt8;
    bool operator==(const Codes&) const = default;
};

template <typename T> std::optional<T> firstElement(const Tensor* tensor)
{
    if (tensor == nullptr || tensor->bytes().size() < sizeof(T))
        return std::nullopt;
    T value{};
    std::memcpy(&value, tensor->bytes().data(), sizeof(T));
    return value;
}

class Surroundings
{
public:
    Surroundings(const Model& model, const KnownRanks& ranks, NodeId id)
        : m_model(model)
        , m_ranks(ranks)
        , m_id(id)
        , m_node(model.node(id))
    {
    }

    [[nodiscard]] Fallback find() const
    {
        if (opFacts(m_node).int8 == Int8Kernel::None)
            return Fallback::FloatOperator;
        const std::size_t count
            = hasInt8Product(m_node) ? std::min<std::size_t>(m_node.inputs.size(), 2) : dataInputs();
        for (std::size_t port = 0; port < count; ++port) {
            const auto codes = codesRead(m_node.inputs[port]);
            if (!codes)
                return movesWideCodes(m_node.inputs[port]) ? Fallback::WideCodes : Fallback::FloatInput;
            if (codes->type == ElementType::UInt16 || codes->type == ElementType::Int16)
                return Fallback::WideCodes;
        }
        if (hasScaledBias(m_node))
            return Fallback::ScaledBias;
        return isProduct(m_node, Product::Matrix) ? behindProduct() : behindOther(m_node);
    }

private:
    [[nodiscard]] std::size_t dataInputs() const
    {
        return movesCodes(m_node) ? std::min<std::size_t>(m_node.inputs.size(), 1) : m_node.inputs.size();
    }

    [[nodiscard]] const Node* producerOf(ValueId value) const
    {
        if (!value.valid() || !m_model.value(value).producer.valid())
            return nullptr;
        return &m_model.node(m_model.value(value).producer);
    }

    /// Of a QuantizeLinear or DequantizeLinear.
    [[nodiscard]] std::optional<Codes> codesOf(const Node& quantizer) const
    {
        if (quantizer.inputs.size() < 2 || !quantizer.inputs[1].valid())
            return std::nullopt;
        Codes codes;
        codes.scale = firstElement<float>(m_model.constant(quantizer.inputs[1])).value_or(1.0F);
        const bool hasZero = quantizer.inputs.size() > 2 && quantizer.inputs[2].valid();
        const Tensor* zero = hasZero ? m_model.constant(quantizer.inputs[2]) : nullptr;
        codes.type = zero != nullptr ? zero->type : ElementType::UInt8;
        if (codes.type == ElementType::UInt8)
            codes.zeroPoint = firstElement<std::uint8_t>(zero).value_or(0);
        else if (codes.type == ElementType::Int8)
            codes.zeroPoint = firstElement<std::int8_t>(zero).value_or(0);
        return codes;
    }

    [[nodiscard]] std::optional<Codes> codesRead(ValueId value) const
    {
        const Node* producer = producerOf(value);
        return producer != nullptr && producer->opType == "DequantizeLinear" ? codesOf(*producer) : std::nullopt;
    }

    /// Through operators that move 16-bit codes, for which there are no kernels either.
    [[nodiscard]] bool movesWideCodes(ValueId value) const
    {
        const Node* producer = producerOf(value);
        while (producer != nullptr && movesCodes(*producer) && !producer->inputs.empty()) {
            value = producer->inputs.front();
            producer = producerOf(value);
        }
        const auto codes = codesRead(value);
        return codes && (codes->type == ElementType::UInt16 || codes->type == ElementType::Int16);
    }

    [[nodiscard]] const Node* onlyReader(const Node& node) const
    {
        if (node.outputs.empty() || !node.outputs[0].valid())
            return nullptr;
        const Value& value = m_model.value(node.outputs[0]);
        return value.isOutput || value.uses.size() != 1 ? nullptr : &m_model.node(value.uses.front().node);
    }

    [[nodiscard]] Fallback behindProduct() const
    {
        const Node* reader = onlyReader(m_node);
        const auto added = addedBehind(m_model, m_id);
        const bool isAdded = added && gemmFusion(m_model, m_id, *added, &m_ranks) == GemmFusion::Yes;
        const Node* behind = isAdded ? onlyReader(*reader) : reader;
        const bool isGemm = isAdded || m_node.opType == "Gemm";
        const bool isReshaped
            = isAdded && m_ranks.of(m_node.inputs[0]).value_or(2) != 2; // which keeps the activation away
        if (isGemm && !isReshaped && behind != nullptr && has(*behind, mark::kIntoGemm))
            return Fallback::FusedActivation;
        if (isAdded ? addsFloats(*reader) : m_node.opType == "Gemm" && addsFloats(m_node))
            return Fallback::FloatBias;
        if (behind != nullptr && has(*behind, mark::kClamp)) {
            const Fallback found = behindOther(isAdded ? *reader : m_node);
            const bool isUnquantized = found == Fallback::NoQuantizerBehind || found == Fallback::FloatAddition;
            return isUnquantized ? Fallback::FloatClamp : found;
        }
        return isQuantizedForSome() ? Fallback::NoQuantizerBehind : Fallback::Unknown;
    }

    /// Of several readers.
    [[nodiscard]] bool isQuantizedForSome() const
    {
        const std::vector<Use>& uses = m_model.value(m_node.outputs.front()).uses;
        return uses.size() > 1 && std::ranges::any_of(uses, [&](const Use& use) {
            return m_model.node(use.node).opType == "QuantizeLinear";
        });
    }

    /// Of an Add behind a product, or a Gemm: whether an operand is neither the product nor dequantized.
    [[nodiscard]] bool addsFloats(const Node& node) const
    {
        return std::ranges::any_of(node.inputs, [&](ValueId value) {
            const bool isProduct = !m_node.outputs.empty() && value == m_node.outputs.front();
            return value.valid() && !isProduct && !isDequantized(m_model, value);
        });
    }

    [[nodiscard]] Fallback behindOther(const Node& node) const
    {
        const Node* last = &node;
        ClampRange range;
        const Node* reader = onlyReader(*last);
        while (reader != nullptr && has(*reader, mark::kClamp)) {
            range.narrow(clampRange(m_model, *reader));
            last = reader;
            reader = onlyReader(*last);
        }
        if (reader != nullptr && (reader->opType == "Add" || reader->opType == "Sum"))
            return Fallback::FloatAddition;
        if (reader == nullptr || reader->opType != "QuantizeLinear")
            return Fallback::NoQuantizerBehind;
        const auto written = codesOf(*reader);
        if (!written)
            return Fallback::Unknown;
        return compared(*written, range);
    }

    [[nodiscard]] Fallback compared(const Codes& written, const ClampRange& range) const
    {
        if (written.type == ElementType::UInt16 || written.type == ElementType::Int16)
            return Fallback::WideCodes;
        const bool isSigned = written.type == ElementType::Int8;
        const auto valueOf = [&](int code) { return static_cast<float>(code - written.zeroPoint) * written.scale; };
        if (valueOf(isSigned ? -128 : 0) < range.low || valueOf(isSigned ? 127 : 255) > range.high)
            return Fallback::ClampNotImplied;
        const auto read = codesRead(m_node.inputs.empty() ? ValueId{} : m_node.inputs.front());
        if (movesCodes(m_node) && read && *read != written)
            return Fallback::OtherParameters;
        return isSigned || (read && read->type == ElementType::Int8) ? Fallback::SignedCodes : Fallback::Unknown;
    }

    const Model& m_model;
    const KnownRanks& m_ranks;
    NodeId m_id;
    const Node& m_node;
};

const Row& rowOf(Fallback fallback)
{
    return kRows[static_cast<std::size_t>(fallback)];
}

} // namespace

std::string_view fallbackName(Fallback fallback)
{
    return rowOf(fallback).name;
}

std::string fallbackText(Fallback fallback, const Node& node)
{
    const Row& row = rowOf(fallback);
    return node.opType + " runs in float: " + std::string(row.reason) + "; " + std::string(row.remedy);
}

std::string_view fallbackReason(Fallback fallback)
{
    return rowOf(fallback).reason;
}

std::string_view fallbackRemedy(Fallback fallback)
{
    return rowOf(fallback).remedy;
}

Fallback fallbackOf(const Model& written, const KnownRanks& ranks, NodeId node)
{
    return Surroundings(written, ranks, node).find();
}

} // namespace duo
