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
        if (!match)
            return;
        const FoundAttention& found = match->attention;
        if (const std::string why = whyNot(found); !why.empty())
            return m_formulas.skip(match->formula, why);
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

    /// "": four axes each, of as many batches and heads: nothing is spread. A mask may be.
    std::string whyNot(const FoundAttention& found)
    {
        if (m_model.opset() < kAttentionOpset)
            return notInOpset(m_model.opset(), "Attention", kAttentionOpset);
        if (found.scale <= 0)
            return "Attention takes no scale that is not above zero";
        if (!m_shapes)
            m_shapes.emplace(m_model, m_scene.sizes);
        const Extents* queries = m_shapes->of(found.queries);
        const Extents* keys = m_shapes->of(found.keys);
        const Extents* values = m_shapes->of(found.values);
        if (queries == nullptr || keys == nullptr || values == nullptr)
            return unknown("how many axes its queries, keys and values have");
        if (queries->size() != 4 || keys->size() != 4 || values->size() != 4)
            return "its queries, keys and values have not four axes each";
        const Extent& length = (*keys)[found.turned ? 3 : 2];
        const Likeness parts({{(*queries)[0], (*keys)[0]}, {(*queries)[0], (*values)[0]}, {(*queries)[1], (*keys)[1]},
            {(*queries)[1], (*values)[1]}, {length, (*values)[2]}});
        if (parts.isOther)
            return "its queries, keys and values are not of as many batches, heads and places";
        if (parts.isOpen)
            return unknown("whether its queries, keys and values are of as many batches, heads and places");
        return found.mask.valid() ? whyNotMask(found.mask, {(*queries)[0], (*queries)[1], (*queries)[2], length})
                                  : std::string();
    }

    /// How pairs of sizes are alike that have to be the same.
    struct Likeness {
        explicit Likeness(const std::vector<std::pair<Extent, Extent>>& pairs)
        {
            for (const auto& [a, b] : pairs) {
                isOther = isOther || (a != b && a.isKnown() && b.isKnown());
                isOpen = isOpen || (a != b && !(a.isKnown() && b.isKnown()));
            }
        }
        bool isOther = false; // two are known, and not the same
        bool isOpen = false; // whether two are the same is not known
    };

    [[nodiscard]] std::string unknown(const std::string& what) const
    {
        return what + " is not known" + (m_scene.sizes == nullptr ? kOpenSizes : "");
    }

    [[nodiscard]] std::string whyNotMask(ValueId mask, const Extents& scores) const
    {
        const Extents* shape = m_shapes->of(mask);
        if (shape == nullptr)
            return unknown("how many axes its mask has");
        if (shape->size() < 2 || shape->size() > 4)
            return "its mask has not two to four axes";
        const std::size_t ahead = 4 - shape->size();
        std::vector<std::pair<Extent, Extent>> pairs;
        for (std::size_t i = 0; i < shape->size(); ++i) {
            const bool isSpread = i + ahead < 2 && (*shape)[i] == Extent{Extent::Kind::Number, 1};
            if (!isSpread)
                pairs.emplace_back((*shape)[i], scores[i + ahead]);
        }
        const Likeness likeness(pairs);
        if (likeness.isOther)
            return "its mask is not as large as the scores";
        return likeness.isOpen ? unknown("whether its mask is as large as the scores") : std::string();
    }

    const PassScene& m_scene;
    const Model& m_model;
    Formulas m_formulas;
    std::optional<KnownShapes> m_shapes;
};

} // namespace

PassResult joinAttention(const PassScene& scene)
{
    return AttentionJoining(scene).run();
}

} // namespace duo
