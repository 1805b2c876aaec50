// SPDX-License-Identifier: Apache-2.0
#include "core/report/annotate_report.h"

#include "core/marks/mark_json.h"
#include "core/quantize/recipe/rule_json.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kModulesShown = 40;
constexpr std::size_t kDoubtsShown = 3;

std::string nameOf(const std::string& path)
{
    return path.empty() ? "(the model)" : path;
}

std::string modulesText(std::size_t count)
{
    return counted(count, "module", "modules");
}

Json pathsJson(const ModuleTree& tree, const std::vector<std::uint32_t>& modules)
{
    Json paths = Json::array();
    for (const std::uint32_t module : modules)
        paths.push_back(tree.modules[module].path);
    return paths;
}

Json moduleJson(const AnnotateReport& report, std::uint32_t number)
{
    const TreeModule& module = report.tree.modules[number];
    Json nodes = Json::array();
    for (const NodeId node : module.nodes)
        nodes.push_back(report.model.node(node).name);
    return {{"module", module.path}, {"class", module.className}, {"aliases", module.otherPaths},
        {"settings", markSettingsJson(report.marked.settings[number])}, {"nodes", std::move(nodes)},
        {"may_be_another", module.mayBeAnother}, {"guess", module.isGuess}};
}

std::string moduleLine(const AnnotateReport& report, std::uint32_t number)
{
    const TreeModule& module = report.tree.modules[number];
    std::string text = "    " + nameOf(module.path);
    for (const std::string& other : module.otherPaths)
        text += " = " + other;
    if (!module.className.empty())
        text += "  " + module.className.substr(module.className.rfind('.') + 1);
    if (module.isGuess)
        text += ", a guess";
    return text + "\n";
}

std::vector<std::uint32_t> inState(const Marked& marked, MarkState state)
{
    std::vector<std::uint32_t> modules;
    for (std::size_t m = 0; m < marked.states.size(); ++m) {
        if (marked.states[m] == state)
            modules.push_back(static_cast<std::uint32_t>(m));
    }
    return modules;
}

} // namespace

std::string markProblemText(const Mark& mark, const MarkOutcome& outcome)
{
    if (outcome.problem.empty())
        return {};
    std::string text = inQuotes(markText(mark)) + " marks nothing: " + outcome.problem;
    for (std::size_t i = 0; i < outcome.suggestions.size(); ++i)
        text += (i == 0 ? "; perhaps " : ", ") + nameOf(outcome.suggestions[i]);
    return text;
}

std::string evidenceText(const ModuleTree& tree)
{
    std::string text;
    switch (tree.evidence) {
    case ModuleEvidence::Objects:
        return "which paths are one module is known: the checkpoint keeps modules as objects";
    case ModuleEvidence::Program:
        text = "which paths are one module follows from the tensors and calls of the program";
        break;
    case ModuleEvidence::Paths:
        text
            = "which paths are one module is inferred: TorchScript saves a shared one once for each path, and only its "
              "parameters stay one";
        break;
    case ModuleEvidence::Parameters:
        text = "which paths are one module is inferred: these share all parameters under the same names";
        break;
    }
    const std::int64_t doubtful = tree.doubtful();
    if (doubtful == 0)
        return text;
    text
        += "; nothing tells whether " + modulesText(static_cast<std::size_t>(doubtful)) + " are objects of their own (";
    std::size_t shown = 0;
    for (const TreeModule& module : tree.modules) {
        if (module.mayBeAnother && shown < kDoubtsShown)
            text += (shown++ == 0 ? "" : ", ") + nameOf(module.path);
    }
    if (doubtful > static_cast<std::int64_t>(kDoubtsShown))
        text += ", ...";
    return text + "): a whole module of torch.save as checkpoint would";
}

Json annotateJson(const AnnotateReport& report)
{
    const Marked& marked = report.marked;
    Json marks = Json::array();
    for (std::size_t i = 0; i < report.marks.size(); ++i) {
        const MarkOutcome& outcome = marked.marks[i];
        marks.push_back({{"mark", markJson(report.marks[i])}, {"modules", pathsJson(report.tree, outcome.marked)},
            {"ignored", pathsJson(report.tree, outcome.ignored)},
            {"problem", outcome.problem.empty() ? Json() : Json(outcome.problem)},
            {"suggestions", outcome.suggestions}});
    }
    Json modules = Json::array();
    for (const std::uint32_t module : inState(marked, MarkState::Marked))
        modules.push_back(moduleJson(report, module));
    Json rules = Json::array();
    for (const Rule& rule : report.rules)
        rules.push_back(ruleJson(rule));
    Json files = Json::array();
    for (const auto& file : report.files)
        files.push_back(file.string());
    return {{"identity", moduleEvidenceText(report.tree.evidence)}, {"identity_text", evidenceText(report.tree)},
        {"counts",
            {{"modules", marked.counts.modules}, {"paths", marked.counts.paths}, {"aliases", marked.counts.aliases},
                {"nodes", marked.counts.nodes}, {"doubtful", report.tree.doubtful()}}},
        {"marks", std::move(marks)}, {"modules", std::move(modules)},
        {"ignored", pathsJson(report.tree, inState(marked, MarkState::Ignored))}, {"rules", std::move(rules)},
        {"snippet", report.snippet ? Json(report.snippet->text) : Json()},
        {"losses", report.snippet ? Json(report.snippet->losses) : Json::array()}, {"files", std::move(files)}};
}

std::string annotateText(const AnnotateReport& report)
{
    if (report.snippet)
        return report.snippet->text;
    std::string text;
    for (std::size_t i = 0; i < report.marks.size(); ++i) {
        const MarkOutcome& outcome = report.marked.marks[i];
        text += markText(report.marks[i]) + ": "
            + (!report.marks[i].enabled ? "switched off"
                    : outcome.problem.empty()
                    ? modulesText(outcome.marked.size()) + ", " + std::to_string(outcome.ignored.size()) + " ignored"
                    : outcome.problem)
            + "\n";
    }
    text += "marked: " + markCountsText(report.marked.counts) + "\n";
    const auto modules = inState(report.marked, MarkState::Marked);
    for (std::size_t i = 0; i < std::min(modules.size(), kModulesShown); ++i)
        text += moduleLine(report, modules[i]);
    if (modules.size() > kModulesShown)
        text += "    and " + std::to_string(modules.size() - kModulesShown) + " more, which --json names\n";
    for (const Rule& rule : report.rules)
        text += "rule: " + ruleText(rule) + "\n";
    return text + evidenceText(report.tree) + "\n";
}

} // namespace duo
