// SPDX-License-Identifier: Apache-2.0
#include "views/properties/file_quantizers.h"

#include "core/model/op_facts.h"
#include "views/style/format.h"

#include <QStringList>

#include <algorithm>

namespace duo::ui {
namespace {

QString scalesText(const FoundQuantizer& quantizer)
{
    const auto number = [](float value) { return QString::number(static_cast<double>(value), 'g', 6); };
    if (quantizer.scale.empty())
        return QStringLiteral("scale and zero point made anew in each run");
    const auto [least, most] = std::ranges::minmax(quantizer.scale);
    return quantizer.scale.size() == 1
        ? QStringLiteral("scale %1").arg(number(least))
        : QStringLiteral("%1 scales, %2 to %3")
              .arg(countText(static_cast<std::int64_t>(quantizer.scale.size())), number(least), number(most));
}

QString zeroPointsText(const FoundQuantizer& quantizer)
{
    if (quantizer.zeroPoint.empty())
        return {};
    const auto [least, most] = std::ranges::minmax(quantizer.zeroPoint);
    return least == most ? QStringLiteral("zero point %1").arg(least)
                         : QStringLiteral("zero points %1 to %2").arg(least).arg(most);
}

QString granularityText(const FoundQuantizer& quantizer)
{
    if (quantizer.block > 0)
        return QStringLiteral("blocks of %1%2")
            .arg(quantizer.block)
            .arg(quantizer.axis ? QStringLiteral(" along axis %1").arg(*quantizer.axis) : QString());
    if (quantizer.scale.empty())
        return {};
    return quantizer.axis ? QStringLiteral("per channel of axis %1").arg(*quantizer.axis)
                          : QStringLiteral("per tensor");
}

/// Names break where paths do, numbers do not.
QString quantizerHtml(const QString& of, const FoundQuantizer& quantizer)
{
    QStringList parts{
        toQt(codesText(quantizer)), scalesText(quantizer), zeroPointsText(quantizer), granularityText(quantizer)};
    parts.removeAll(QString());
    const QString kind = quantizer.isBias ? QStringLiteral("bias ")
        : quantizer.isWeight              ? QStringLiteral("weight ")
                                          : QString();
    return Page::breakable(of + kind + toQt(quantizer.tensor)) + QStringLiteral(": ")
        + parts.join(QStringLiteral(", ")).toHtmlEscaped();
}

/// The node that holds the scales of what is read, if any: in front of a DequantizeLinear it is the QuantizeLinear.
std::vector<NodeId> holdersOf(const Model& model, ValueId read)
{
    const NodeId giver = read.valid() ? model.value(read).producer : NodeId();
    if (!giver.valid() || !isQuantizer(model.node(giver)))
        return {};
    const auto& inputs = model.node(giver).inputs;
    const NodeId before = !inputs.empty() && inputs.front().valid() ? model.value(inputs.front()).producer : NodeId();
    return before.valid() ? std::vector<NodeId>{giver, before} : std::vector<NodeId>{giver};
}

} // namespace

FileQuantizers::FileQuantizers(const Model& model)
    : m_found(findQuantizers(model))
{
    for (std::size_t i = 0; i < m_found.quantizers.size(); ++i)
        m_byNode[m_found.quantizers[i].node.index].push_back(i);
}

void FileQuantizers::add(Page& page, const Model& model, NodeId node) const
{
    Page lines(page.theme());
    addLines(lines, QString(), node);
    const auto& inputs = model.node(node).inputs;
    for (std::size_t port = 0; port < inputs.size(); ++port) {
        const auto holders = holdersOf(model, inputs[port]);
        for (const NodeId holder : holders)
            addLines(lines, QStringLiteral("%1: ").arg(port), holder);
    }
    const auto lost = std::ranges::find(m_found.notRecovered, node, &NotRecovered::node);
    if (lost != m_found.notRecovered.end())
        lines.line(QStringLiteral("not recovered: ") + toQt(lost->why));
    if (lines.html().isEmpty())
        return;
    page.section(QStringLiteral("Quantizers in the file"));
    page.append(lines);
}

void FileQuantizers::addLines(Page& page, const QString& of, NodeId node) const
{
    const auto found = m_byNode.find(node.index);
    if (found == m_byNode.end())
        return;
    for (const std::size_t i : found->second)
        page.lineHtml(quantizerHtml(of, m_found.quantizers[i]));
}

} // namespace duo::ui
