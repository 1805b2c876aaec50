// SPDX-License-Identifier: Apache-2.0
#include "views/properties/engine_sections.h"

#include "views/properties/properties_link.h"
#include "views/style/format.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

namespace duo::ui {
namespace {

constexpr std::size_t kNodes = 6; // listed per reason

using RunsByName = std::unordered_map<std::string_view, const NodeRun*>;

RunsByName runsOf(const ExportReport& report)
{
    RunsByName runs;
    for (const Check& check : report.checks) {
        for (const NodeRun& run : check.results)
            runs.emplace(run.node, &run);
    }
    return runs;
}

QString sentenceOf(const NodeRun& run)
{
    if (run.runs == "int8")
        return QStringLiteral("runs in int8 as %1").arg(toQt(run.kernel));
    const QString reason = run.reason.empty() ? QString() : QStringLiteral(": ") + toQt(run.reason);
    return (run.runs == "gone" ? QStringLiteral("was not found in the optimized graph")
                               : QStringLiteral("runs in float although int8 was planned"))
        + reason;
}

} // namespace

void addEngine(Page& page, const Model& model, const ExportReport& report, const std::vector<NodeId>& nodes)
{
    const RunsByName all = runsOf(report);
    std::map<QString, std::vector<NodeId>> fallbacks; // by what is said of them
    std::int64_t planned = 0;
    const NodeRun* last = nullptr;
    for (const NodeId node : nodes) {
        const auto found = all.find(model.node(node).name);
        if (found == all.end())
            continue;
        ++planned;
        last = found->second;
        if (last->runs != "int8")
            fallbacks[sentenceOf(*last)].push_back(node);
    }
    if (planned == 0)
        return;
    page.section(QStringLiteral("In the engine"));
    if (nodes.size() == 1) {
        const bool isInt8 = last->runs == "int8";
        page.colored((isInt8 ? QStringLiteral("✓ ") : QStringLiteral("! ")) + sentenceOf(*last),
            (isInt8 ? page.theme().good : page.theme().warning).ink);
        return;
    }
    std::int64_t fallen = 0;
    for (const auto& [sentence, fell] : fallbacks)
        fallen += static_cast<std::int64_t>(fell.size());
    page.line(
        QStringLiteral("%1 of %2 planned nodes run in int8").arg(countText(planned - fallen), countText(planned)));
    for (const auto& [sentence, fell] : fallbacks) {
        QStringList links;
        for (std::size_t i = 0; i < std::min(kNodes, fell.size()); ++i)
            links += Page::link(nodeLink(fell[i]), toQt(model.node(fell[i]).name));
        if (fell.size() > kNodes)
            links += QStringLiteral("… %1 more").arg(fell.size() - kNodes);
        page.colored(QStringLiteral("! %1 %2").arg(nodesText(static_cast<std::int64_t>(fell.size())), sentence),
            page.theme().warning.ink);
        page.lineHtml(links.join(QStringLiteral(", ")));
    }
}

} // namespace duo::ui
