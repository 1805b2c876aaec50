// SPDX-License-Identifier: Apache-2.0
// Normalizations over the last axis that were written as several operators, where the model's opset has one for them.
#include "core/model/constant_conditions.h"
#include "core/model/op_facts.h"
#include "core/transform/common_passes.h"
#include "core/transform/formula.h"
#include "core/transform/known_shapes.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::int64_t kLayerNormOpset = 17;
constexpr std::int64_t kRmsNormOpset = 23;

using Ints = std::vector<std::int64_t>;

/// What is normalized, and how.
struct FoundNorm {
    ValueId input;
    bool isCentered = false; // the mean is taken off
    ValueId scale;
    double epsilon = 0;
};

class NormJoining
{
public:
    explicit NormJoining(const PassScene& scene)
        : m_scene(scene)
        , m_model(scene.model)
        , m_formulas(scene)
        , m_isTold(scene.model.nodes.size())
    {
    }

    PassResult run()
    {
        for (const NodeId id : m_model.order) { // the sum with a bias stands behind the product
            const Node& node = m_model.node(id);
            if (isAnyOf(node, {"Add"}) && m_formulas.mayBeLast(id))
                visitSum(id);
        }
        for (const NodeId id : m_model.order) {
            if (isAnyOf(m_model.node(id), {"Mul", "Div"}) && m_formulas.mayBeLast(id))
                visitProduct(id);
        }
        return std::move(m_formulas).result();
    }

private:
    void visitSum(NodeId id)
    {
        const Node& node = m_model.node(id);
        for (const std::uint32_t port : {0U, 1U}) {
            const Tensor* bias = fixedInput(m_model, node, port);
            if (node.inputs.size() != 2 || bias == nullptr || !node.inputs[1 - port].valid())
                continue;
            Formula formula(m_model, id);
            const auto norm = isProduct(node.inputs[1 - port]) ? normOf(formula, node.inputs[1 - port]) : std::nullopt;
            if (norm && norm->isCentered && isOfChannels(*norm, *bias))
                replace(formula, *norm, node.inputs[port]);
        }
    }

    void visitProduct(NodeId id)
    {
        if (m_isTold[id.index])
            return;
        Formula formula(m_model, id);
        if (const auto norm = normOf(formula, m_model.node(id).outputs[0]))
            replace(formula, *norm, {});
    }

    [[nodiscard]] bool isProduct(ValueId value) const
    {
        const NodeId producer = m_model.value(value).producer;
        return producer.valid() && isAnyOf(m_model.node(producer), {"Mul", "Div"});
    }

    void replace(const Formula& formula, const FoundNorm& norm, ValueId bias)
    {
        const std::string opType = norm.isCentered ? "LayerNormalization" : "RMSNormalization";
        const std::int64_t since = norm.isCentered ? kLayerNormOpset : kRmsNormOpset;
        if (m_model.opset() < since) {
            for (const NodeId inner : formula.inner())
                m_isTold[inner.index] = true;
            return m_formulas.skip(formula, notInOpset(m_model.opset(), opType, since));
        }
        OneOperator by{opType, {norm.input, norm.scale},
            {{"axis", std::int64_t{-1}}, {"epsilon", static_cast<float>(norm.epsilon)}}};
        if (bias.valid())
            by.inputs.push_back(bias);
        m_formulas.replace(formula, std::move(by));
    }

    /// scale * what differs from the mean / root of (the mean of its squares + epsilon)
    std::optional<FoundNorm> normOf(Formula& formula, ValueId value)
    {
        auto factors = formula.factorsOf(value);
        if (!factors || !isNear(factors->factor, 1) || factors->by.size() > 1)
            return std::nullopt;
        std::optional<ValueId> root;
        if (factors->by.size() == 1) {
            root = formula.under("Sqrt", factors->by[0]);
        } else {
            for (auto each = factors->times.begin(); each != factors->times.end() && !root; ++each) {
                const auto inverted = formula.under("Reciprocal", *each);
                root = inverted ? formula.under("Sqrt", *inverted) : std::nullopt;
                if (root) {
                    factors->times.erase(each);
                    break;
                }
            }
        }
        if (!root || factors->times.size() != 2)
            return std::nullopt;
        for (const std::size_t at : {std::size_t{0}, std::size_t{1}}) {
            const Tensor* scale = constantOf(factors->times[at]);
            if (scale == nullptr)
                continue;
            auto norm = normAround(formula, *root, factors->times[1 - at]);
            if (norm)
                norm->scale = factors->times[at];
            if (norm && isOfChannels(*norm, *scale))
                return norm;
            if (norm)
                m_formulas.skip(formula, "its scale is not known to be a vector as long as the last axis");
        }
        return std::nullopt;
    }

    std::optional<FoundNorm> normAround(Formula& formula, ValueId variance, ValueId spread)
    {
        const auto raised = formula.lessAnyConstant(variance);
        const auto squares = raised && raised->by >= 0 ? meanOf(formula, raised->value) : std::nullopt;
        const auto factors = squares ? formula.factorsOf(*squares) : std::nullopt;
        if (!factors || !isNear(factors->factor, 1) || !factors->by.empty()
            || factors->times != std::vector<ValueId>(2, spread))
            return std::nullopt;
        FoundNorm norm{spread, false, {}, raised->by};
        if (!isDifference(spread))
            return norm;
        const auto parts = formula.operands("Sub", spread);
        const auto mean = parts ? meanOf(formula, parts->second) : std::nullopt;
        if (!mean || *mean != parts->first)
            return std::nullopt;
        norm.input = *mean;
        norm.isCentered = true;
        return norm;
    }

    [[nodiscard]] bool isDifference(ValueId value) const
    {
        const NodeId producer = m_model.value(value).producer;
        return producer.valid() && isAnyOf(m_model.node(producer), {"Sub"});
    }

    /// What a ReduceMean takes the mean of along the last axis, which stays with the size of one.
    std::optional<ValueId> meanOf(Formula& formula, ValueId value)
    {
        const Node* mean = formula.take("ReduceMean", value);
        if (mean == nullptr || mean->intAttribute("keepdims", 1) != 1)
            return std::nullopt;
        Ints axes;
        if (const Attribute* attribute = mean->attribute("axes")) {
            if (const auto* ints = std::get_if<Ints>(&attribute->value))
                axes = *ints;
        } else if (const Tensor* given = fixedInput(m_model, *mean, 1)) {
            axes = toInts(*given);
        }
        if (axes.size() != 1)
            return std::nullopt;
        const auto rank = m_formulas.ranks().of(mean->inputs[0]);
        const bool isLast = axes[0] == -1 || (rank && axes[0] == *rank - 1);
        return isLast ? std::optional(mean->inputs[0]) : std::nullopt;
    }

    [[nodiscard]] const Tensor* constantOf(ValueId value) const
    {
        return isOverridable(m_model, m_model.value(value)) ? nullptr : m_model.constant(value);
    }

    /// A vector as long as the last axis: nothing is spread over it.
    bool isOfChannels(const FoundNorm& norm, const Tensor& vector)
    {
        if (vector.type != ElementType::Float32 || vector.dims.size() != 1)
            return false;
        if (!m_shapes)
            m_shapes.emplace(m_model, m_scene.sizes);
        const Extents* shape = m_shapes->of(norm.input);
        return shape != nullptr && !shape->empty() && shape->back() == Extent{Extent::Kind::Number, vector.dims[0]};
    }

    const PassScene& m_scene;
    const Model& m_model;
    Formulas m_formulas;
    std::vector<bool> m_isTold; // [nodes] inside of a norm of which it was said why it stays
    std::optional<KnownShapes> m_shapes;
};

} // namespace

PassResult joinNorms(const PassScene& scene)
{
    return NormJoining(scene).run();
}

} // namespace duo
