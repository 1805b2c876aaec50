// SPDX-License-Identifier: Apache-2.0
#include "views/results/export_text.h"

#include "views/style/format.h"

#include <QStringList>

#include <algorithm>
#include <map>

namespace duo::ui {
namespace {

constexpr std::size_t kNodesListed = 10;

QString ratioText(const ExportReport& report)
{
    if (report.bytesAfter <= 0)
        return {};
    const double ratio = static_cast<double>(report.bytesBefore) / static_cast<double>(report.bytesAfter);
    return QStringLiteral("%1× smaller").arg(ratio, 0, 'f', 1);
}

QString section(const QString& title)
{
    return QStringLiteral("<p style='margin:10px 0 2px 0; font-weight:600'>%1</p>").arg(title.toHtmlEscaped());
}

QString line(const QString& text)
{
    return QStringLiteral("<p style='margin:0 0 2px 0'>%1</p>").arg(text.toHtmlEscaped());
}

QString checkHtml(const Check& check, const Theme& theme)
{
    QString text = check.ok ? QStringLiteral("✓ ") : QStringLiteral("✗ ");
    text += toQt(check.message);
    QString html = QStringLiteral("<p style='margin:0 0 2px 0; color:%1'>%2</p>")
                       .arg((check.ok ? theme.good : theme.bad).ink.name(), text.toHtmlEscaped());
    if (check.ok || check.nodes.empty())
        return html;
    QStringList nodes;
    for (std::size_t i = 0; i < check.nodes.size() && i < kNodesListed; ++i)
        nodes += toQt(check.nodes[i]);
    if (check.nodes.size() > kNodesListed)
        nodes += QStringLiteral("… %1 more").arg(check.nodes.size() - kNodesListed);
    return html + line(nodes.join(QStringLiteral(", ")));
}

/// What fell back to float although int8 was planned, by reason.
QString fallbackHtml(const Check& check)
{
    std::map<std::string, QStringList> nodes;
    for (const NodeRun& run : check.results) {
        if (run.runs != "int8")
            nodes[run.reason] += toQt(run.node);
    }
    QString html;
    for (const auto& [reason, names] : nodes) {
        constexpr auto kMost = static_cast<qsizetype>(kNodesListed);
        QString text = names.mid(0, kMost).join(QStringLiteral(", "));
        if (names.size() > kMost)
            text += QStringLiteral(" … %1 more").arg(names.size() - kMost);
        html += line(QStringLiteral("! %1 not in int8: %2").arg(nodesText(names.size()), text)
            + (reason.empty() ? QString() : QStringLiteral(" — ") + toQt(reason)));
    }
    return html;
}

/// "Planned nodes: 12 of 14 run in int8"; empty where the probe was not made.
QString runSummary(const Check& check)
{
    const auto int8 = std::count_if(
        check.results.begin(), check.results.end(), [](const NodeRun& run) { return run.runs == "int8"; });
    return check.results.empty()
        ? QString()
        : QStringLiteral("%1 of %2 planned nodes run in int8")
              .arg(countText(int8), countText(static_cast<std::int64_t>(check.results.size())));
}

QString outputText(const OutputError& output)
{
    const QString value = output.identical ? QStringLiteral("identical")
        : output.sqnrDb                    ? QStringLiteral("%1 dB SQNR").arg(*output.sqnrDb, 0, 'f', 1)
                                           : QStringLiteral("not finite");
    return QStringLiteral("%1: %2").arg(toQt(output.name), value);
}

} // namespace

QString worstOutputText(const ExportReport& report)
{
    if (report.outputs.empty())
        return {};
    const OutputError* worst = nullptr;
    for (const OutputError& output : report.outputs) {
        if (output.identical)
            continue;
        if (!worst || !output.sqnrDb || (worst->sqnrDb && *output.sqnrDb < *worst->sqnrDb))
            worst = &output;
        if (!worst->sqnrDb)
            break;
    }
    if (!worst)
        return QStringLiteral("identical");
    return worst->sqnrDb ? QStringLiteral("%1 dB (%2)").arg(*worst->sqnrDb, 0, 'f', 1).arg(toQt(worst->name))
                         : QStringLiteral("not finite (%1)").arg(toQt(worst->name));
}

QString exportSummary(const ExportReport& report)
{
    const auto passed
        = std::count_if(report.checks.begin(), report.checks.end(), [](const Check& check) { return check.ok; });
    const QString file = report.files.empty() ? QString() : pathText(report.files.front().filename());
    return QStringLiteral("Exported %1: %2, %3 of %4 checks passed")
        .arg(file, ratioText(report))
        .arg(passed)
        .arg(report.checks.size());
}

QString exportHtml(const ExportReport& report, const Theme& theme)
{
    QString html = QStringLiteral("<p style='margin:0'><span style='font-size:large; font-weight:600'>%1</span></p>")
                       .arg(exportSummary(report).toHtmlEscaped());
    html += section(QStringLiteral("Checks"));
    for (const Check& check : report.checks)
        html += checkHtml(check, theme);
    for (const Check& check : report.checks) {
        if (check.results.empty())
            continue;
        html += section(QStringLiteral("In the engine"));
        html += line(runSummary(check)) + fallbackHtml(check);
    }
    html += section(QStringLiteral("Numbers"));
    html += line(QStringLiteral("Size: %1 before, %2 after (%3)")
                     .arg(bytesText(report.bytesBefore), bytesText(report.bytesAfter), ratioText(report)));
    html += line(QStringLiteral("Parameters in int8: %1 %").arg(100.0 * report.int8Share, 0, 'f', 1));
    html += line(QStringLiteral("Quantizers: %1; ignored: %2")
                     .arg(countText(report.quantizers), nodesText(report.ignoredNodes)));
    if (!report.outputs.empty())
        html += line(QStringLiteral("Worst output: %1").arg(worstOutputText(report)));
    if (report.outputs.size() > 1) {
        html += section(QStringLiteral("Outputs"));
        for (const OutputError& output : report.outputs)
            html += line(outputText(output));
    }
    html += section(QStringLiteral("Files"));
    for (const auto& file : report.files)
        html += line(pathText(file));
    if (!report.defaults.empty())
        html += section(QStringLiteral("Defaults used"));
    for (const auto& text : report.defaults)
        html += line(toQt(text));
    if (!report.notes.empty())
        html += section(QStringLiteral("Notes"));
    for (const Note& note : report.notes)
        html += line(noteText(note));
    return html;
}

} // namespace duo::ui
