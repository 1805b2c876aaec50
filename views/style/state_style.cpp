// SPDX-License-Identifier: Apache-2.0
#include "views/style/state_style.h"

#include "core/quantize/points/compressed.h"
#include "views/style/format.h"

namespace duo::ui {

QString stateMark(NodeState state)
{
    switch (state) {
    case NodeState::Quantized:
        return QStringLiteral("■");
    case NodeState::Ignored:
        return QStringLiteral("⊘");
    case NodeState::IgnoredInherited:
        return QStringLiteral("◌");
    case NodeState::Preset:
        return QStringLiteral("◆");
    case NodeState::Unsupported:
        return QStringLiteral("–");
    case NodeState::Blocked:
        return QStringLiteral("✕");
    case NodeState::Fused:
        return QStringLiteral("▪");
    case NodeState::WeightOnly:
        return QStringLiteral("◧");
    }
    return {};
}

QString stateLabel(NodeState state)
{
    return toQt(nodeStateText(state));
}

QString stateLabel(const Decision& decision)
{
    return toQt(decisionWord(decision));
}

QString markedLabel(const Decision& decision)
{
    const QString label = stateLabel(decision);
    return isFileQuantizer(decision) ? label : stateMark(decision.state) + QLatin1Char(' ') + label;
}

const Shade& stateShade(const Theme& theme, NodeState state)
{
    return theme.states[static_cast<std::size_t>(state)];
}

void StateCounts::add(const Decision& decision)
{
    const NodeState state = decision.state;
    const bool isQuantized = state == NodeState::Quantized || state == NodeState::WeightOnly;
    const bool isQuantizer = isFileQuantizer(decision);
    quantizers += isQuantizer ? 1 : 0;
    total += isQuantizer ? 0 : 1;
    quantized += isQuantized ? 1 : 0;
    ofFile += isQuantized && decision.kind() == ReasonKind::FileQuantizer ? 1 : 0;
    ignored += isIgnored(state) ? 1 : 0;
    fused += state == NodeState::Fused ? 1 : 0;
}

void StateCounts::add(const StateCounts& other)
{
    total += other.total;
    quantized += other.quantized;
    ignored += other.ignored;
    fused += other.fused;
    quantizers += other.quantizers;
    ofFile += other.ofFile;
}

QString countsLabel(const StateCounts& counts)
{
    if (counts.total == 0)
        return counts.quantizers > 0 ? QStringLiteral("quantizers") : QString();
    if (counts.ignored == counts.total)
        return stateMark(NodeState::Ignored) + QStringLiteral(" ignored");
    if (counts.quantized == counts.total)
        return stateMark(NodeState::Quantized) + QStringLiteral(" quantized");
    if (counts.fused == counts.total)
        return stateMark(NodeState::Fused) + QStringLiteral(" fused");
    if (counts.quantized == 0 && counts.ignored == 0)
        return QStringLiteral("– float");
    const QString of = QLatin1Char('/') + countText(counts.total);
    if (counts.quantized == 0)
        return QStringLiteral("⊘ %1%2 ignored").arg(countText(counts.ignored), of);
    QString text = QStringLiteral("◪ %1%2").arg(countText(counts.quantized), of);
    if (counts.ignored > 0)
        text += QStringLiteral(", ⊘ %1").arg(countText(counts.ignored));
    return text;
}

const Shade& countsShade(const Theme& theme, const StateCounts& counts)
{
    if (counts.quantized > 0)
        return stateShade(theme, NodeState::Quantized);
    if (counts.fused > 0 && counts.fused == counts.total)
        return stateShade(theme, NodeState::Fused);
    return stateShade(theme, counts.ignored > 0 ? NodeState::Ignored : NodeState::Unsupported);
}

} // namespace duo::ui
