// SPDX-License-Identifier: Apache-2.0
// GroupNormalization that was written around an InstanceNormalization of groups, as torch does below opset 21.
#include "core/model/constant_conditions.h"
#include "core/model/op_facts.h"
#include "core/transform/common_passes.h"
#include "core/transform/formula.h"
#include "core/transform/known_shapes.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::int64_t kGroupNormOpset = 21; // that of 18 has other scales

/// What is normalized in how many groups, and what its channels are scaled by.
struct FoundGroups {
    ValueId input;
    std::int64_t groups = 0;
    float epsilon = 0;
    const Tensor* scale = nullptr; // [channels], and axes of one
    ValueId scaleOf;
};

bool areAll(const Tensor* tensor, float wanted, std::int64_t count)
{
    if (tensor == nullptr || tensor->elements() != count || tensor->type != ElementType::Float32)
        return false;
    return std::ranges::all_of(toFloats(*tensor), [wanted](float value) { return value == wanted; });
}

class GroupNormJoining
{
public:
    explicit GroupNormJoining(const PassScene& scene)
        : m_scene(scene)
        , m_model(scene.model)
        , m_formulas(scene)
    {
    }

    PassResult run()
    {
        for (const NodeId id : m_model.order) {
            if (isAnyOf(m_model.node(id), {"Add"}) && m_formulas.mayBeLast(id))
                visit(id);
        }
        return std::move(m_formulas).result();
    }

private:
    void visit(NodeId id)
    {
        const Node& sum = m_model.node(id);
        for (const std::uint32_t port : {0U, 1U}) {
            const Tensor* bias = fixedInput(m_model, sum, port);
            if (sum.inputs.size() != 2 || bias == nullptr || !sum.inputs[1 - port].valid())
                continue;
            Formula formula(m_model, id);
            m_isOpen = false;
            const auto found = groupsOf(formula, sum.inputs[1 - port]);
            const bool fits
                = found && isOfChannels(*bias, found->input) && bias->elements() == found->scale->elements();
            if (!fits && !m_isOpen)
                continue;
            if (m_model.opset() < kGroupNormOpset)
                return m_formulas.skip(formula, notInOpset(m_model.opset(), "GroupNormalization", kGroupNormOpset));
            if (!fits)
                return m_formulas.skip(formula,
                    std::string("the sizes of what is normalized are not known")
                        + (m_scene.sizes == nullptr ? kOpenSizes : ""));
            OneOperator by{
                "GroupNormalization", {found->input}, {{"epsilon", found->epsilon}, {"num_groups", found->groups}}};
            by.constants = {vectorOf(*found->scale, found->scaleOf), vectorOf(*bias, sum.inputs[port])};
            m_formulas.replace(formula, std::move(by));
            return;
        }
    }

    /// scale * groups normalized, in the shape that they had before.
    std::optional<FoundGroups> groupsOf(Formula& formula, ValueId value)
    {
        const Node* product = formula.take("Mul", value);
        for (const std::uint32_t port : {0U, 1U}) {
            const Tensor* scale
                = product != nullptr && product->inputs.size() == 2 ? fixedInput(m_model, *product, port) : nullptr;
            auto found = scale != nullptr ? normalized(formula, product->inputs[1 - port]) : std::nullopt;
            if (!found || !isOfChannels(*scale, found->input))
                continue;
            found->scale = scale;
            found->scaleOf = product->inputs[port];
            return found;
        }
        return std::nullopt;
    }

    std::optional<FoundGroups> normalized(Formula& formula, ValueId value)
    {
        const Node* back = formula.take("Reshape", value);
        const Node* norm = back != nullptr ? formula.take("InstanceNormalization", back->inputs[0]) : nullptr;
        const Node* cut = norm != nullptr ? formula.take("Reshape", norm->inputs[0]) : nullptr;
        const Tensor* sizes = cut != nullptr ? fixedInput(m_model, *cut, 1) : nullptr;
        if (sizes == nullptr || isZeroASize(*cut) || isZeroASize(*back))
            return std::nullopt;
        const std::vector<std::int64_t> groups = toInts(*sizes);
        if (groups.size() != 3 || groups[0] != 0 || groups[1] < 1 || groups[2] != -1
            || !areAll(fixedInput(m_model, *norm, 1), 1, groups[1])
            || !areAll(fixedInput(m_model, *norm, 2), 0, groups[1]) || !givesShapeOf(cut->inputs[0], *back))
            return std::nullopt;
        return FoundGroups{cut->inputs[0], groups[1], norm->floatAttribute("epsilon", 1e-5F), nullptr, {}};
    }

    static bool isZeroASize(const Node& reshape) { return reshape.intAttribute("allowzero", 0) != 0; }

    /// The Reshape asks that value for its shape, or names all sizes of it but the first.
    bool givesShapeOf(ValueId value, const Node& reshape)
    {
        const ValueId target = reshape.inputs.size() > 1 ? reshape.inputs[1] : ValueId();
        const NodeId producer = target.valid() ? m_model.value(target).producer : NodeId();
        if (producer.valid() && isAnyOf(m_model.node(producer), {"Shape"})) {
            const Node& shape = m_model.node(producer);
            return shape.inputs[0] == value && shape.intAttribute("start", 0) == 0 && shape.attribute("end") == nullptr;
        }
        const Tensor* sizes = fixedInput(m_model, reshape, 1);
        const Extents* shape = shapeOf(value);
        m_isOpen = m_isOpen || (sizes != nullptr && shape == nullptr);
        if (sizes == nullptr || shape == nullptr)
            return false;
        const std::vector<std::int64_t> wanted = toInts(*sizes);
        const auto isSame = [&](std::size_t axis) { return isSize((*shape)[axis], wanted[axis]); };
        if (wanted.size() != shape->size() || wanted.size() < 2 || !(wanted[0] == 0 || isSame(0)))
            return false;
        for (std::size_t axis = 1; axis < wanted.size(); ++axis) {
            if (!isSame(axis))
                return false;
        }
        return true;
    }

    const Extents* shapeOf(ValueId value)
    {
        if (!m_shapes)
            m_shapes.emplace(m_model, m_scene.sizes);
        return m_shapes->of(value);
    }

    /// One number for each channel, which is axis 1; beside data of a known rank.
    bool isOfChannels(const Tensor& tensor, ValueId data)
    {
        const auto rank = m_formulas.ranks().of(data);
        const auto axes = static_cast<std::int64_t>(tensor.dims.size());
        if (!rank || *rank < 3 || axes > *rank || axes < *rank - 1 || tensor.type != ElementType::Float32)
            return false;
        const std::int64_t channels = tensor.dims[static_cast<std::size_t>(axes - *rank + 1)];
        const Extents* shape = shapeOf(data);
        m_isOpen = m_isOpen || (tensor.elements() == channels && shape == nullptr);
        return tensor.elements() == channels && shape != nullptr && isSize((*shape)[1], channels);
    }

    bool isSize(const Extent& extent, std::int64_t size)
    {
        m_isOpen = m_isOpen || !extent.isKnown();
        return extent == Extent{Extent::Kind::Number, size};
    }

    [[nodiscard]] NewTensor vectorOf(const Tensor& tensor, ValueId of) const
    {
        return {m_model.value(of).name + "_channels", tensor.type, {tensor.elements()},
            {tensor.bytes().begin(), tensor.bytes().end()}};
    }

    const PassScene& m_scene;
    const Model& m_model;
    Formulas m_formulas;
    std::optional<KnownShapes> m_shapes;
    bool m_isOpen = false; // a size that was asked for is not known
};

} // namespace

PassResult joinGroupNorms(const PassScene& scene)
{
    return scene.model.irVersion < kInitializersNeedNoInput ? PassResult{} : GroupNormJoining(scene).run();
}

} // namespace duo
