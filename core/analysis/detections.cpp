// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/detections.h"

#include "core/analysis/signal_error.h"
#include "core/model/op_facts.h"
#include "core/model/tensor.h"
#include "core/transform/known_shapes.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::int64_t kCoordinates = 4;
constexpr std::size_t kAxes = 3; // samples, and rows and positions in any order

/// Of values along one axis: what the file tells, else what the operators do.
class Widths
{
public:
    Widths(const Model& model, std::size_t axis)
        : m_model(model)
        , m_axis(axis)
    {
    }

    std::optional<std::int64_t> operator()(ValueId value)
    {
        if (!value.valid())
            return std::nullopt;
        const auto& told = m_model.value(value).type.shape;
        if (told && m_axis < told->size() && (*told)[m_axis].size)
            return (*told)[m_axis].size;
        if (!m_shapes)
            m_shapes.emplace(m_model);
        const Extents* extents = m_shapes->of(value);
        if (extents == nullptr || m_axis >= extents->size() || !(*extents)[m_axis].isKnown())
            return std::nullopt;
        return (*extents)[m_axis].number;
    }

private:
    const Model& m_model;
    std::size_t m_axis;
    std::optional<KnownShapes> m_shapes;
};

/// The value's axis that becomes `axis` behind the node.
std::optional<std::size_t> axisBefore(const Node& node, std::size_t axis)
{
    if (isAnyOf(node, {"Identity", "Cast"}))
        return axis;
    if (!isAnyOf(node, {"Transpose"}))
        return std::nullopt;
    using Order = std::vector<std::int64_t>;
    const Attribute* perm = node.attribute("perm");
    const Order* order = perm ? std::get_if<Order>(&perm->value) : nullptr;
    const bool isSound = order != nullptr && order->size() == kAxes && (*order)[axis] >= 0
        && (*order)[axis] < static_cast<std::int64_t>(kAxes);
    return isSound ? std::optional(static_cast<std::size_t>((*order)[axis])) : std::nullopt;
}

/// Where the Sigmoid lies among what the node joins along the axis.
std::optional<ScoreRows> rowsIn(const Model& model, const Node& join, std::size_t axis)
{
    Widths widthOf(model, axis);
    ScoreRows rows{axis, 0, 0};
    bool hasCoordinates = false;
    bool isFound = false;
    std::int64_t before = 0;
    for (const ValueId part : join.inputs) {
        const auto width = widthOf(part);
        if (!width || *width < 1)
            return std::nullopt;
        const NodeId producer = model.value(part).producer;
        const bool isSigmoid = producer.valid() && isAnyOf(model.node(producer), {"Sigmoid"});
        if (isSigmoid && (isFound || *width == kCoordinates))
            return std::nullopt; // boxes may be scaled by one, too
        if (isSigmoid) {
            rows.first = before;
            rows.count = *width;
            isFound = true;
        }
        hasCoordinates = hasCoordinates || (!isSigmoid && *width == kCoordinates);
        before += *width;
    }
    return isFound && hasCoordinates ? std::optional(rows) : std::nullopt;
}

/// The best class of every position of a model's output.
class Scores
{
public:
    Scores(const TensorView& tensor, const ScoreRows& rows)
        : m_elements(toDoubles(tensor))
        , m_rows(rows)
        , m_all(tensor.dims[rows.axis])
    {
        for (std::size_t axis = rows.axis + 1; axis < tensor.dims.size(); ++axis)
            m_stride *= tensor.dims[axis];
    }

    [[nodiscard]] std::int64_t positions() const { return static_cast<std::int64_t>(m_elements.size()) / m_all; }

    [[nodiscard]] double at(std::int64_t position, std::int64_t row) const
    {
        const std::int64_t outer = position / m_stride;
        return m_elements[static_cast<std::size_t>(
            (outer * m_all + m_rows.first + row) * m_stride + position % m_stride)];
    }

    [[nodiscard]] std::int64_t best(std::int64_t position) const
    {
        std::int64_t best = 0;
        for (std::int64_t row = 1; row < m_rows.count; ++row)
            best = at(position, row) > at(position, best) ? row : best;
        return best;
    }

private:
    std::vector<double> m_elements;
    ScoreRows m_rows;
    std::int64_t m_all;
    std::int64_t m_stride = 1;
};

} // namespace

std::optional<ScoreRows> scoreRowsOf(const Model& model, ValueId output)
{
    if (!output.valid())
        return std::nullopt;
    const auto& shape = model.value(output).type.shape;
    if (shape && shape->size() != kAxes)
        return std::nullopt;
    for (std::size_t outer = 1; outer < kAxes; ++outer) {
        ValueId value = output;
        std::optional<std::size_t> axis = outer;
        while (axis && value.valid() && model.value(value).producer.valid()) {
            const Node& node = model.node(model.value(value).producer);
            if (isAnyOf(node, {"Concat"})) {
                const std::int64_t joined = node.intAttribute("axis", 0);
                const std::int64_t counted = joined < 0 ? joined + static_cast<std::int64_t>(kAxes) : joined;
                auto rows = counted == static_cast<std::int64_t>(*axis) ? rowsIn(model, node, *axis) : std::nullopt;
                if (rows)
                    rows->axis = outer;
                if (rows)
                    return rows;
                break;
            }
            axis = axisBefore(node, *axis);
            value = node.inputs.empty() ? ValueId{} : node.inputs.front();
        }
    }
    return std::nullopt;
}

std::optional<Predictions> detectionsOf(const TensorView& a, const TensorView& b, const ScoreRows& rows)
{
    constexpr double kReported = 0.25;
    constexpr double kTie = 0.01;
    if (!isFloating(a.type) || a.dims != b.dims || a.dims.size() != kAxes
        || rows.first + rows.count > a.dims[rows.axis])
        return std::nullopt;
    const Scores ofA(a, rows);
    const Scores ofB(b, rows);
    Predictions found;
    found.areKnown = true;
    found.kind = AnswerKind::Detection;
    for (std::int64_t position = 0; position < std::min(ofA.positions(), ofB.positions()); ++position) {
        const std::int64_t saidByA = ofA.best(position);
        const std::int64_t saidByB = ofB.best(position);
        const double surenessA = ofA.at(position, saidByA);
        const double surenessB = ofB.at(position, saidByB);
        if (!(surenessA > kReported) && !(surenessB > kReported))
            continue;
        ++found.all;
        const bool isSameClass = ofA.at(position, saidByB) >= surenessA - kTie;
        const bool isSameReport = (surenessA > kReported) == (surenessB > kReported);
        found.agreeing += isSameClass && (isSameReport || std::abs(surenessA - surenessB) <= kTie) ? 1 : 0;
    }
    return found;
}

} // namespace duo
