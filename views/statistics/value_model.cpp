// SPDX-License-Identifier: Apache-2.0
#include "views/statistics/value_model.h"

#include "core/model/value_address.h"
#include "core/quantize/points/point_index.h"
#include "views/statistics/range_text.h"
#include "views/style/format.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <set>
#include <utility>

namespace duo::ui {
namespace {

/// The exporter of PyTorch ends nearly every name like this; in a narrow list the end is what is seen.
QString withoutOutput(const QString& name)
{
    const QString ending = QStringLiteral("_output_0");
    return name.size() > ending.size() && name.endsWith(ending) ? name.chopped(ending.size()) : name;
}

QString roleOf(const Model& model, const Node& node, const ValueSpot& spot)
{
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i] == spot.value)
            return node.outputs.size() == 1 ? ValueModel::tr("output") : ValueModel::tr("output %1").arg(i);
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (node.inputs[i] == spot.value)
            return model.constant(spot.value) ? ValueModel::tr("const %1").arg(i) : ValueModel::tr("input %1").arg(i);
    }
    return {};
}

void addNumbers(ValueRow& row, const Forecast& forecast)
{
    const QuantizerForecast* quantizer = row.spot.point ? forecast.at(*row.spot.point) : nullptr;
    if (!quantizer)
        return;
    row.sqnrDb = quantizer->outcome.fit.sqnrDb;
    row.clippedShare = quantizer->outcome.fit.clippedShare;
}

/// Of one quantizer of the setup; nothing where its value is not known.
std::optional<ValueRow> quantizerRow(const Foresight& foresight, PointId id, const QuantizationPoint& point)
{
    const Model& model = *foresight.snapshot->model;
    const ValueId value = pointValue(model, point);
    const QuantizerForecast* quantizer = foresight.forecast->at(id);
    if (!value.valid() || !quantizer)
        return std::nullopt;
    ValueRow row{{value, id, point.isWeight}, toQt(quantizer->value),
        point.isWeight ? ValueModel::tr("weight") : ValueModel::tr("act"), {}, 0};
    addNumbers(row, *foresight.forecast);
    return row;
}

/// Everything that was measured of what is selected, what has no range first: where there is no forecast.
std::vector<ValueRow> rowsOfMeasured(const Foresight& foresight, const std::function<bool(NodeId)>& isSelected)
{
    const Model& model = *foresight.snapshot->model;
    const auto& placement = foresight.snapshot->placement;
    const PointIndex index(model, placement ? placement->setup : QuantizerSetup{});
    std::vector<ValueRow> rows;
    std::vector<ValueRow> others;
    for (const auto& [name, statistics] : foresight.statistics->statistics.values) {
        const ValueId id = model.findValue(name);
        if (!id.valid())
            continue;
        const Value& value = model.value(id);
        const bool isWanted = isSelected(value.producer)
            || std::ranges::any_of(value.uses, [&](const Use& use) { return isSelected(use.node); });
        if (isWanted)
            (statistics.finite() == 0 ? rows : others)
                .push_back({{id, index.onValueOrRead(id), false}, toQt(name), ValueModel::tr("act"), {}, 0});
    }
    rows.insert(rows.end(), others.begin(), others.end());
    return rows;
}

std::vector<ValueRow> rowsOfNode(const Foresight& foresight, NodeId node)
{
    const Model& model = *foresight.snapshot->model;
    std::vector<ValueRow> rows;
    for (const ValueSpot& spot : spotsOf(*foresight.snapshot, foresight.statistics->statistics, node)) {
        ValueRow row{spot, toQt(addressOf(model, spot.value)), roleOf(model, model.node(node), spot), {}, 0};
        addNumbers(row, *foresight.forecast);
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace

std::vector<ValueRow> valueRows(const Foresight& foresight, const Selection& selection)
{
    if (!selection.scope && selection.nodes.size() == 1)
        return rowsOfNode(foresight, selection.nodes.front());
    const bool isAll = !selection.scope && selection.nodes.empty();
    const auto isSelected
        = [&](NodeId node) { return isAll || (node.valid() && std::ranges::binary_search(selection.nodes, node)); };
    if (foresight.problem)
        return rowsOfMeasured(foresight, isSelected);
    std::vector<ValueRow> rows;
    for (const auto& [id, point] : foresight.snapshot->placement->setup.points) {
        if (!isSelected(point.node) && !std::ranges::any_of(point.directlyQuantized, isSelected))
            continue;
        if (auto row = quantizerRow(foresight, id, point))
            rows.push_back(*std::move(row));
    }
    std::ranges::stable_sort(
        rows, {}, [](const ValueRow& row) { return row.sqnrDb.value_or(std::numeric_limits<double>::infinity()); });
    return rows;
}

void ValueModel::setRows(std::vector<ValueRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int ValueModel::rowOf(ValueId value) const
{
    const auto found = std::ranges::find_if(m_rows, [&](const ValueRow& row) { return row.spot.value == value; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int ValueModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ValueModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant ValueModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ValueRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) {
        switch (index.column()) {
        case NameColumn:
            return role == Qt::DisplayRole ? withoutOutput(row.name) : row.name;
        case RoleColumn:
            return row.role;
        case SqnrColumn:
            return row.spot.point ? decibelText(row.sqnrDb) : tr("float");
        default:
            return {};
        }
    }
    if (role == Qt::ToolTipRole)
        return row.spot.point
            ? tr("%1\n%2, clipped %3").arg(row.name, decibelText(row.sqnrDb), shareText(row.clippedShare))
            : tr("%1\nno quantizer stands here").arg(row.name);
    if (role == Qt::TextAlignmentRole && index.column() == SqnrColumn)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant ValueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const std::array<QString, kColumns> titles{tr("Value"), tr("Is"), tr("SQNR")};
    if (role == Qt::DisplayRole)
        return titles[static_cast<std::size_t>(section)];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == SqnrColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == SqnrColumn)
        return tr("Signal to quantization noise of this value alone; least first");
    return {};
}

} // namespace duo::ui
