// SPDX-License-Identifier: Apache-2.0
#include "views/results/export_text.h"

#include "core/report/verdict_report.h"
#include "views/style/format.h"
#include "views/style/tr.h"
#include "views/style/window_words.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <map>

namespace duo::ui {
namespace {

constexpr std::size_t kNodesListed = 10;

/// For HTML. Of words that nobody would read, as a name of 100,000 letters, the middle is left out: they are laid out
/// in a time that grows with their square.
QString escaped(const QString& text)
{
    static const QRegularExpression kLong(QStringLiteral("(\\S{700})\\S{400,}(\\S{300})"));
    QString shown = text;
    return shown.replace(kLong, QStringLiteral("\\1[...]\\2")).toHtmlEscaped();
}

QString ratioText(const ExportReport& report)
{
    if (report.bytesAfter <= 0)
        return {};
    const double ratio = static_cast<double>(report.bytesBefore) / static_cast<double>(report.bytesAfter);
    return ratio >= 1 ? QStringLiteral("%1× smaller").arg(ratio, 0, 'f', 1)
                      : QStringLiteral("%1× larger").arg(1 / ratio, 0, 'f', 1);
}

QString section(const QString& title)
{
    return QStringLiteral("<p style='margin:10px 0 2px 0; font-weight:600'>%1</p>").arg(escaped(title));
}

QString line(const QString& text)
{
    return QStringLiteral("<p style='margin:0 0 2px 0'>%1</p>").arg(escaped(text));
}

/// "what to do: ...", which stands out from what the verdict rests on.
QString wayOutHtml(const QString& text)
{
    const qsizetype colon = text.indexOf(QLatin1Char(':')) + 1;
    return QStringLiteral("<p style='margin:6px 0 8px 0'><b>%1</b>%2</p>")
        .arg(escaped(text.left(colon)), escaped(text.mid(colon)));
}

/// The first of them, and how many more there are.
QString namesText(const std::vector<std::string>& names)
{
    QStringList shown;
    for (std::size_t i = 0; i < names.size() && i < kNodesListed; ++i)
        shown += toQt(names[i]);
    if (names.size() > kNodesListed)
        shown += QStringLiteral("… %1 more").arg(names.size() - kNodesListed);
    return shown.join(QStringLiteral(", "));
}

QString checkLine(bool isOk, const QString& text, const Theme& theme)
{
    return QStringLiteral("<p style='margin:0 0 2px 0; color:%1'>%2 %3</p>")
        .arg((isOk ? theme.good : theme.bad).ink.name(), isOk ? QStringLiteral("✓") : QStringLiteral("✗"),
            escaped(text));
}

QString checkHtml(const Check& check, const Theme& theme)
{
    QString html = checkLine(check.ok, windowWords(toQt(check.message)), theme);
    if (check.ok || check.nodes.empty())
        return html;
    return html + line(namesText(check.nodes));
}

/// What fell back to float although int8 was planned, by reason.
QString fallbackHtml(const Check& check)
{
    std::map<std::string, QStringList> nodes;
    for (const NodeRun& run : check.results) {
        if (run.runs != RunsAs::Int8)
            nodes[run.reason] += toQt(run.node);
    }
    QString html;
    for (const auto& [reason, names] : nodes) {
        constexpr auto kMost = static_cast<qsizetype>(kNodesListed);
        QString text = names.mid(0, kMost).join(QStringLiteral(", "));
        if (names.size() > kMost)
            text += QStringLiteral(" … %1 more").arg(names.size() - kMost);
        html += line(QStringLiteral("! %1 not in int8: %2").arg(nodesText(names.size()), text)
            + (reason.empty() ? QString() : QStringLiteral(" — ") + windowWords(toQt(reason))));
    }
    return html;
}

/// "Planned nodes: 12 of 14 run in int8"; empty where the probe was not made.
QString runSummary(const Check& check)
{
    const auto int8 = std::count_if(
        check.results.begin(), check.results.end(), [](const NodeRun& run) { return run.runs == RunsAs::Int8; });
    return check.results.empty()
        ? QString()
        : QStringLiteral("%1 of %2 planned nodes run in int8")
              .arg(countText(int8), countText(static_cast<std::int64_t>(check.results.size())));
}

/// Each correction as the command line says it, and the nodes under it.
QString correctionsHtml(const std::vector<CorrectionMade>& corrections, const Theme& theme)
{
    QString html = corrections.empty() ? QString() : section(QStringLiteral("Corrections"));
    const auto nodes = [&](const QString& what, const std::vector<std::string>& names) {
        if (!names.empty())
            html += QStringLiteral("<p style='margin:0 0 2px 12px; color:%1'>%2: %3</p>")
                        .arg(theme.muted.name(), what, escaped(namesText(names)));
    };
    for (const CorrectionMade& made : corrections) {
        html += line(toQt(correctionText(made)));
        nodes(QStringLiteral("changed"), made.nodes);
        nodes(QStringLiteral("left"), made.skipped);
    }
    return html;
}

/// By reason, the first nodes of each.
QString keptHtml(const std::vector<KeptNode>& kept)
{
    std::map<QString, std::vector<std::string>> byReason;
    for (const KeptNode& node : kept)
        byReason[toQt(node.reason)].push_back(node.node);
    QString html = kept.empty() ? QString() : section(QStringLiteral("Kept in float"));
    for (const auto& [reason, nodes] : byReason)
        html += line(namesText(nodes) + QStringLiteral(" — ") + reason);
    return html;
}

QString notesHtml(const std::vector<Note>& notes)
{
    QString html = notes.empty() ? QString() : section(QStringLiteral("Notes"));
    for (const NoteGroup& group : groupNotes(notes))
        html += line(noteText(group));
    return html;
}

QString headline(const QString& text)
{
    return QStringLiteral("<p style='margin:0'><span style='font-size:large; font-weight:600'>%1</span></p>")
        .arg(escaped(text));
}

QString kindText(ResultKind kind)
{
    switch (kind) {
    case ResultKind::Export:
        return tr("Export");
    case ResultKind::Sensitivity:
        return tr("Sensitivity");
    case ResultKind::Quantization:
        return tr("Quantization");
    }
    return {};
}

QString outputText(const OutputError& output)
{
    return QStringLiteral("%1: %2").arg(toQt(output.name), windowWords(toQt(output.text)));
}

/// A row of a table, whose columns stand below those of the rows around it.
QString rowHtml(const QString& text)
{
    return QStringLiteral("<p style='white-space:pre; font-family:monospace; margin:0'>%1</p>").arg(escaped(text));
}

/// "size            1 MB" of a report of the command line, which has its words in columns.
QString fieldHtml(const QString& name, const QString& value, const Theme& theme)
{
    const bool isOk = name == QStringLiteral("ok");
    if (isOk || name == QStringLiteral("FAILED"))
        return checkLine(isOk, value, theme);
    return QStringLiteral("<p style='margin:0 0 2px 0'><span style='color:%1'>%2:</span> %3</p>")
        .arg(theme.muted.name(), escaped(name), escaped(value));
}

/// A report of the command line in letters of any width; tables as they are.
QString reportHtml(const QStringList& lines, const Theme& theme)
{
    static const QRegularExpression kGap(QStringLiteral("\\S {2,}(?=\\S)"));
    static const QRegularExpression kField(QStringLiteral("^ *(\\S+(?: \\S+)*) {2,}(\\S.*)$"));
    const auto isIndented = [](const QString& text) { return text.startsWith(QLatin1Char(' ')); };
    QString html;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QString text = windowWords(lines[i]);
        const auto field = kField.match(text);
        if (text.count(kGap) > 1)
            html += rowHtml(text);
        else if (field.hasMatch())
            html += fieldHtml(field.captured(1), field.captured(2), theme);
        else if (!isIndented(text) && i + 1 < lines.size() && isIndented(lines[i + 1]))
            html += section(text);
        else if (!text.isEmpty())
            html += line(text.trimmed());
    }
    return html;
}

} // namespace

QString exportSummary(const ExportReport& report)
{
    const auto passed
        = std::count_if(report.checks.begin(), report.checks.end(), [](const Check& check) { return check.ok; });
    QString file = report.files.empty() ? QString() : pathText(report.files.front().filename());
    const auto isPage = [](const std::filesystem::path& path) { return path.filename() == "report.html"; };
    if (std::ranges::any_of(report.files, isPage))
        file = pathText(report.files.front().parent_path().filename() / report.files.front().filename());
    const bool isJudged = report.verdict.kind != VerdictKind::NotMeasured;
    return QStringLiteral("Exported %1: %2, %3 of %4 checks passed%5")
        .arg(file, ratioText(report))
        .arg(passed)
        .arg(report.checks.size())
        .arg(QStringLiteral(", ")
            + toQt(isJudged ? std::string(verdictName(report.verdict.kind)) : "error not measured"));
}

QString quantizedSummary(const Compression& compression)
{
    const QString count = countText(static_cast<std::int64_t>(compression.setup.points.size()));
    if (compression.setup.points.empty())
        return QStringLiteral("Quantized: nothing, for no node takes quantizers here");
    if (compression.samples == 0)
        return QStringLiteral("Quantized: %1 quantizers, with the scales of a file").arg(count);
    return QStringLiteral("Quantized: %1 quantizers, ranges measured on %2 samples")
        .arg(count, countText(compression.samples));
}

QString quantizedHtml(const Compression& compression, const Theme& theme)
{
    return headline(quantizedSummary(compression)) + line(QStringLiteral("Not exported yet."))
        + correctionsHtml(compression.corrections, theme) + notesHtml(compression.notes);
}

QString verdictHtml(const Verdict& verdict, const Theme& theme)
{
    if (verdict.kind == VerdictKind::NotMeasured)
        return line(windowWords(toQt(verdict.sentence)));
    const bool isBad = verdict.kind == VerdictKind::Regression || verdict.kind == VerdictKind::CheckFailed
        || verdict.kind == VerdictKind::Infeasible;
    const Shade& shade = verdict.isAccepted() ? theme.good : isBad ? theme.bad : theme.warning;
    const QString mark = verdict.isAccepted() ? QStringLiteral("✓ ") : QStringLiteral("✗ ");
    QString html
        = QStringLiteral("<p style='background-color:%1; color:%2; margin:0 0 4px 0'>"
                         "<span style='font-size:large; font-weight:600'>&nbsp;%3</span></p>")
              .arg(shade.fill.name(), shade.text.name(), escaped(mark + toQt(std::string(verdictName(verdict.kind)))));
    html += line(windowWords(toQt(verdict.sentence)));
    const std::vector<std::string> lines = verdictLines(verdict);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool isWayOut = i == 0 && noteOf(verdict.notes, kWayOut) != nullptr;
        const QString text = windowWords(toQt(lines[i]));
        html += isWayOut ? wayOutHtml(text) : line(text);
    }
    return html + QStringLiteral("<p style='margin:0'>&nbsp;</p>");
}

QString earlierHtml(const EarlierResult& result, const ResultOrigin& now, const Theme& theme)
{
    QStringList changed;
    for (const std::string& change : changesSince(result.of, now))
        changed += toQt(change);
    QString html = headline(tr("%1 of an earlier run, %2").arg(kindText(result.kind), dateText(result.date)));
    if (!changed.isEmpty())
        html += QStringLiteral("<p style='background-color:%1; color:%2; margin:0 0 4px 0'>&nbsp;%3</p>")
                    .arg(theme.warning.fill.name(), theme.warning.text.name(),
                        escaped(tr("! Changed since: %1.").arg(changed.join(QStringLiteral(", ")))));
    return html + reportHtml(toQt(result.text).split(QLatin1Char('\n')), theme);
}

QString exportHtml(const ExportReport& report, const Theme& theme)
{
    QString html = verdictHtml(report.verdict, theme) + headline(exportSummary(report));
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
    html += line(QStringLiteral("Parameters in codes: %1 %").arg(100.0 * report.int8Share, 0, 'f', 1));
    html += line(QStringLiteral("Quantizers: %1; ignored: %2")
                     .arg(countText(report.quantizers), nodesText(report.ignoredNodes)));
    if (!report.verdict.outputs.empty())
        html += line(QStringLiteral("Worst output: %1").arg(windowWords(toQt(worstOutputText(report.verdict)))));
    if (report.outputs.size() > 1) {
        html += section(QStringLiteral("Outputs"));
        for (const OutputError& output : report.outputs)
            html += line(outputText(output));
    }
    html += keptHtml(report.keptFloat);
    html += correctionsHtml(report.corrections, theme);
    html += section(QStringLiteral("Files"));
    for (const auto& file : report.files)
        html += line(pathText(file));
    if (!report.defaults.empty())
        html += section(QStringLiteral("Defaults used"));
    for (const auto& text : report.defaults)
        html += line(toQt(text));
    return html + notesHtml(report.notes);
}

} // namespace duo::ui
