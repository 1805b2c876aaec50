// SPDX-License-Identifier: Apache-2.0
// The document of `explain` for people: the same facts, a line each.
#include "core/report/explain_report.h"

#include "core/report/decision_sentences.h"
#include "core/report/inspect_report.h"
#include "core/report/port_report.h"
#include "core/support/phrases.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

std::string place(const Json& path)
{
    const auto text = path.get<std::string>();
    return text.empty() ? "(model)" : text;
}

std::string places(const Json& paths)
{
    std::string text;
    for (const Json& path : paths)
        text += (text.empty() ? "" : ", ") + place(path);
    return text.empty() ? "nothing" : text;
}

std::string textOr(const Json& value, const std::string& otherwise)
{
    return value.is_null() ? otherwise : value.get<std::string>();
}

/// One line, cut where long: what exporters record can be a whole stack trace.
std::string shortened(std::string text)
{
    constexpr std::size_t kMost = 160;
    for (char& c : text) {
        if (c == '\n' || c == '\r' || c == '\t')
            c = ' ';
    }
    return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

std::string aliasNote(const Json& aliases)
{
    return aliases.empty() ? "" : ", the same tensor as " + places(aliases);
}

std::string differencesText(const Json& differences)
{
    std::string text;
    for (const Json& group : differences) {
        text += "  " + place(group["execution"]) + " reads " + places(group["storage"]) + ": "
            + group["nodes"].front().get<std::string>();
        text += group["nodes"].size() > 1 ? " and " + countText(group["nodes"].size() - 1) + " more\n" : "\n";
        for (const Json& reason : group["reasons"])
            text += "    " + reason["reason"].get<std::string>() + ": " + reason["sentence"].get<std::string>() + "\n";
    }
    return text.empty() ? "Differences: none\n" : "Differences:\n" + text;
}

std::string sizesText(const Json& scope)
{
    return countText(scope["nodes"].get<std::int64_t>()) + " nodes, "
        + countText(scope["parameters"].get<std::int64_t>()) + " parameters ("
        + bytesText(scope["bytes"].get<std::int64_t>()) + ")";
}

std::string parameterText(const Json& parameter)
{
    std::string text = "    " + textOr(parameter["key"], "a parameter without a key") + " of "
        + (parameter["module"].is_null() ? "an unknown module" : place(parameter["module"])) + "  ["
        + parameter["provenance"].get<std::string>() + "]";
    if (!parameter["tensor"].is_null())
        text += ", stored as " + parameter["tensor"].get<std::string>() + " " + parameter["type"].get<std::string>();
    return text + aliasNote(parameter["aliases"]) + "\n";
}

std::string reasonsText(const Json& node)
{
    std::string text = node["differs"].get<bool>() ? "  the two differ:\n"
        : node["reasons"].empty()                  ? "  both are the same\n"
                                                   : "  both are the same, but:\n";
    for (const Json& reason : node["reasons"]) {
        text += "    " + reason["reason"].get<std::string>() + ": " + reason["sentence"].get<std::string>() + "\n";
        for (const auto& [name, value] : reason["recorded"].items())
            text += "      " + name + ": " + shortened(value.get<std::string>()) + "\n";
        for (const Json& finding : reason["findings"])
            text += "      " + finding.get<std::string>() + "\n";
    }
    return text;
}

/// @param namesRule the reason says by which rule
std::string decisionText(const Json& decision, bool namesRule)
{
    if (decision.is_null())
        return {};
    const auto reason = decision["reason"].get<std::string>();
    std::string text = "  is        " + decision["state"].get<std::string>() + (reason.empty() ? "" : ": " + reason);
    const bool isRuleMissing = !decision["rule"].is_null() && !namesRule;
    text += isRuleMissing ? " (rule: " + decision["rule"].get<std::string>() + ")\n" : "\n";
    const std::string counterfactual = textOr(decision["counterfactual"], "");
    return text + (counterfactual.empty() ? "" : "            " + counterfactual + "\n");
}

std::string decisionsText(const Json& decisions)
{
    std::string text;
    for (const Json& group : decisions) {
        const auto& nodes = group["nodes"];
        text += "  " + countText(nodes.size()) + " " + group["state"].get<std::string>() + ": "
            + group["reason"].get<std::string>() + ": " + nodes.front().get<std::string>();
        text += nodes.size() > 1 ? " and " + countText(nodes.size() - 1) + " more\n" : "\n";
        const std::string counterfactual = textOr(group["counterfactual"], "");
        text += counterfactual.empty() ? "" : "      " + counterfactual + "\n";
    }
    return text.empty() ? "" : "Nodes:\n" + text;
}

std::string neverRunsLine(const Json& subject)
{
    return subject["never_runs"].get<bool>() ? "  never runs: it is in a body that a constant condition never takes\n"
                                             : "";
}

/// "  takes     x float32[N,3]", a line each.
std::string portsText(std::string title, const Json& ports)
{
    constexpr std::size_t kMost = 12;
    title.resize(10, ' ');
    std::string text;
    for (std::size_t i = 0; i < ports.size() && i < kMost; ++i)
        text += "  " + (i == 0 ? title : std::string(title.size(), ' ')) + portText(ports[i]) + "\n";
    if (ports.size() > kMost)
        text += std::string(title.size() + 2, ' ') + "and " + countText(ports.size() - kMost) + " more\n";
    return text;
}

std::string nodeText(const Json& node, bool namesRule)
{
    std::string text = "Node " + node["name"].get<std::string>() + " (" + node["op_type"].get<std::string>() + ")\n";
    text += "  runs in   " + place(node["execution"]) + "  [" + node["provenance"]["execution"].get<std::string>()
        + "]\n";
    if (!node["long_form"].get<std::string>().empty() && node["long_form"] != node["execution"])
        text += "            " + node["long_form"].get<std::string>() + "\n";
    text += neverRunsLine(node);
    if (node.contains("doubt"))
        text += "            " + node["doubt"].get<std::string>() + "\n";
    text += "  reads     " + places(node["storage"])
        + (node["storage"].empty() ? "\n" : "  [" + node["provenance"]["storage"].get<std::string>() + "]\n");
    for (const Json& parameter : node["parameters"])
        text += parameterText(parameter);
    text += portsText("takes", node["inputs"]) + portsText("gives", node["outputs"]);
    const std::string inHalves = textOr(node["in_halves"], "");
    return text + reasonsText(node) + decisionText(node["decision"], namesRule)
        + (inHalves.empty() ? "" : "  16 bits   " + inHalves + "\n");
}

std::string scopeTitle(const std::string& kind, const Json& scope)
{
    return kind + " scope " + place(scope["scope"])
        + (scope["class"].is_null() ? "\n" : " [" + scope["class"].get<std::string>() + "]\n") + "  holds     "
        + sizesText(scope) + "\n";
}

std::string executionText(const Json& scope)
{
    return scopeTitle("Execution", scope) + neverRunsLine(scope) + "  stored in " + places(scope["counterparts"]) + "\n"
        + differencesText(scope["differences"]) + decisionsText(scope["decisions"]);
}

std::string runsText(const Json& scope)
{
    const auto calls = scope["calls"].get<std::int64_t>();
    const Json& never = scope["never_executed"];
    if (!never.empty() && never.front() == scope["scope"])
        return "  never runs, and nothing reads its parameters\n";
    std::string text = calls > 0 ? "  runs in   " : scope["counterparts"].empty() ? "" : "  read in   ";
    if (!text.empty())
        text += places(scope["counterparts"]) + "\n";
    return never.empty() ? text : text + "  never run: " + places(never) + "\n";
}

std::string storageText(const Json& scope)
{
    std::string text = scopeTitle("Storage", scope) + runsText(scope);
    if (!scope["other_paths"].empty())
        text += "  the same module as " + places(scope["other_paths"]) + "\n";
    for (const Json& key : scope["keys"]) {
        text += "    " + key["key"].get<std::string>()
            + (key["found_by"].is_null() ? "  read by no node" : "  [" + key["found_by"].get<std::string>() + "]");
        text += aliasNote(key["aliases"]) + "\n";
    }
    return text + differencesText(scope["differences"]) + decisionsText(scope["decisions"]);
}

} // namespace

std::string explainText(const Known& known, const Asked& asked)
{
    const Json json = explainJson(known, asked);
    std::string text;
    if (!json["node"].is_null())
        text += nodeText(json["node"], known.placement != nullptr && namesItsRule(*known.placement, asked.node));
    if (!json["execution_scope"].is_null())
        text += (text.empty() ? "" : "\n") + executionText(json["execution_scope"]);
    if (!json["storage_scope"].is_null())
        text += (text.empty() ? "" : "\n") + storageText(json["storage_scope"]);
    return text;
}

} // namespace duo
