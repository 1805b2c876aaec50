// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/fallback.h"

#include "core/model/clamp_range.h"
#include "core/model/code_operators.h"
#include "core/model/held_tensors.h"
#include "core/model/node_inputs.h"
#include "core/model/op_facts.h"
#include "core/support/enum_text.h"
#include "core/transform/gemm_fusion.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace duo {
namespace {

constexpr auto kNames = enumTexts<Fallback::Unknown>({"float-operator", "float-input", "wide-codes", "signed-codes",
    "scaled-bias", "no-quantizer-behind", "float-addition", "clamp-not-implied", "fused-activation", "float-bias",
    "float-clamp", "other-parameters", "unknown"});

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
        if (!inputAt(quantizer, 1).valid())
            return std::nullopt;
        Codes codes;
        codes.scale = firstElement<float>(constantAt(m_model, quantizer, 1)).value_or(1.0F);
        const Tensor* zero = constantAt(m_model, quantizer, 2);
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
        const Node* sum = isAdded ? reader : (m_node.opType == "Gemm" ? &m_node : nullptr);
        const bool addsFloat = sum != nullptr && addsFloats(*sum);
        if (addsFloat && !addsVector(*sum)) // a vector gets codes from the runtime where a quantizer stands behind
            return Fallback::FloatBias;
        if (isGemm && !isReshaped && behind != nullptr && has(*behind, mark::kIntoGemm))
            return Fallback::FusedActivation;
        if (addsFloat)
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

    [[nodiscard]] bool addsVector(const Node& node) const
    {
        return std::ranges::any_of(node.inputs, [&](ValueId value) {
            const Tensor* constant = value.valid() ? m_model.constant(behindIdentities(m_model, value)) : nullptr;
            return constant != nullptr && constant->dims.size() == 1;
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

} // namespace

std::string_view fallbackName(Fallback fallback)
{
    return enumText(kNames, fallback);
}

Fallback fallbackOf(const Model& written, const KnownRanks& ranks, NodeId node)
{
    return Surroundings(written, ranks, node).find();
}

} // namespace duo
