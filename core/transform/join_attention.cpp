// SPDX-License-Identifier: Apache-2.0
// Attention that was written as products around a Softmax, where the model's opset has one operator for it.
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/transform/axis_order.h"
#include "core/transform/common_passes.h"
#include "core/transform/formula.h"
#include "core/transform/known_shapes.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::int64_t kAttentionOpset = 23;
const AxisOrder kTurnedKeys{0, 1, 3, 2};
const AxisOrder kTurnedFromJoined{0, 2, 3, 1}; // of keys whose heads stand behind their places
const AxisOrder kHeadsFirst{0, 2, 1, 3};

/// What an attention is made of.
struct FoundAttention {
    ValueId queries;
    ValueId keys; // or, with `turned`, keys that lie across yet
    ValueId values;
    ValueId mask; // invalid: none
    double scale = 1;
    std::optional<OneOperator::Turned> turned = {};
};

class AttentionJoining
{
public:
    explicit AttentionJoining(const PassScene& scene)
        : m_scene(scene)
        , m_model(scene.model)
        , m_formulas(scene)
    {
    }

    PassResult run()
    {
        for (const NodeId id : m_model.order) {
            if (isAnyOf(m_model.node(id), {"MatMul"}) && m_formulas.mayBeLast(id))
                visit(id);
        }
        return std::move(m_formulas).result();
    }

private:
    struct Match {
        Formula formula;
        FoundAttention attention;
    };

    void visit(NodeId id)
    {
        const auto match = attentionOf(Formula(m_model, id));
        if (!match || !areAlike(match->attention) || match->attention.scale <= 0) // the operator takes no other
            return;
        const FoundAttention& found = match->attention;
        OneOperator by{"Attention", {found.queries, found.keys, found.values},
            {{"scale", static_cast<float>(found.scale)}}, found.turned};
        if (found.mask.valid())
            by.inputs.push_back(found.mask);
        m_formulas.replace(match->formula, std::move(by));
    }

    std::optional<Match> attentionOf(Formula formula)
    {
        const auto seen = formula.operands("MatMul", m_model.node(formula.last()).outputs[0]);
        const Node* softmax = seen ? formula.take("Softmax", seen->first) : nullptr;
        if (softmax == nullptr || !isLast(*softmax))
            return std::nullopt;
        const ValueId scores = softmax->inputs[0];
        Match plain{formula, {}};
        if (auto found = scoresOf(plain.formula, scores)) {
            plain.attention = *std::move(found);
            plain.attention.values = seen->second;
            return plain;
        }
        const auto sum = formula.operands("Add", scores);
        for (const bool isFirst : {true, false}) {
            Match masked{formula, {}};
            auto found = sum ? scoresOf(masked.formula, isFirst ? sum->first : sum->second) : std::nullopt;
            if (!found)
                continue;
            masked.attention = *std::move(found);
            masked.attention.mask = isFirst ? sum->second : sum->first;
            masked.attention.values = seen->second;
            return masked;
        }
        return std::nullopt;
    }

    [[nodiscard]] bool isLast(const Node& softmax)
    {
        const std::int64_t axis = softmax.intAttribute("axis", -1);
        return axis == -1 || (axis == 3 && m_formulas.ranks().of(softmax.inputs[0]) == 4);
    }

    /// factor * queries * turned keys
    std::optional<FoundAttention> scoresOf(Formula& formula, ValueId value)
    {
        const auto scaled = formula.factorsOf(value);
        if (!scaled || scaled->times.size() != 1 || !scaled->by.empty())
            return std::nullopt;
        const auto product = formula.operands("MatMul", scaled->times[0]);
        const auto queries = product ? formula.factorsOf(product->first) : std::nullopt;
        const auto keys = product ? formula.factorsOf(product->second) : std::nullopt;
        if (!queries || !keys || queries->times.size() != 1 || keys->times.size() != 1 || !queries->by.empty()
            || !keys->by.empty())
            return std::nullopt;
        FoundAttention found{queries->times[0], {}, {}, {}, scaled->factor * queries->factor * keys->factor};
        return withKeys(formula, found, keys->times[0]);
    }

    std::optional<FoundAttention> withKeys(Formula& formula, FoundAttention found, ValueId turned)
    {
        const NodeId producer = m_model.value(turned).producer;
        const auto order = producer.valid() && isAnyOf(m_model.node(producer), {"Transpose"})
            ? axisOrderOf(m_model.node(producer))
            : std::nullopt;
        if (order == kTurnedKeys && onlyUse(m_model, turned)) {
            const auto keys = formula.under("Transpose", turned);
            const auto scaled = keys ? formula.factorsOf(*keys) : std::nullopt;
            if (!scaled || scaled->times.size() != 1 || !scaled->by.empty())
                return std::nullopt;
            found.scale *= scaled->factor;
            found.keys = scaled->times[0];
            return found;
        }
        if (order != kTurnedFromJoined || !onlyUse(m_model, turned))
            return std::nullopt;
        found.keys = turned;
        found.turned = OneOperator::Turned{producer, kHeadsFirst};
        return found;
    }

    /// Four axes each, of as many batches and heads: nothing is spread. A mask may be.
    bool areAlike(const FoundAttention& found)
    {
        if (!m_shapes)
            m_shapes.emplace(m_model, m_scene.sizes);
        const auto shapeOf = [&](ValueId value) {
            const Extents* shape = m_shapes->of(value);
            return shape != nullptr && shape->size() == 4 ? *shape : Extents();
        };
        const Extents queries = shapeOf(found.queries);
        const Extents keys = shapeOf(found.keys);
        const Extents values = shapeOf(found.values);
        if (queries.empty() || keys.empty() || values.empty())
            return false;
        const Extent& length = keys[found.turned ? 3 : 2];
        const bool fits = queries[0] == keys[0] && queries[0] == values[0] && queries[1] == keys[1]
            && queries[1] == values[1] && length == values[2];
        return fits && (!found.mask.valid() || masks(found.mask, {queries[0], queries[1], queries[2], length}));
    }

    [[nodiscard]] bool masks(ValueId mask, const Extents& scores) const
    {
        const Extents* shape = m_shapes->of(mask);
        if (shape == nullptr || shape->size() < 2 || shape->size() > 4)
            return false;
        const std::size_t ahead = 4 - shape->size();
        for (std::size_t i = 0; i < shape->size(); ++i) {
            const bool isSpread = i + ahead < 2 && (*shape)[i] == Extent{Extent::Kind::Number, 1};
            if ((*shape)[i] != scores[i + ahead] && !isSpread)
                return false;
        }
        return true;
    }

    const PassScene& m_scene;
    const Model& m_model;
    Formulas m_formulas;
    std::optional<KnownShapes> m_shapes;
};

} // namespace

PassResult joinAttention(const PassScene& scene)
{
    return scene.model.opset() < kAttentionOpset ? PassResult{} : AttentionJoining(scene).run();
}

} // namespace duo
