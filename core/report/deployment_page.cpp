// SPDX-License-Identifier: Apache-2.0
#include "core/report/deployment_page.h"

#include "core/quantize/points/compressed.h"
#include "core/report/decision_sentences.h"
#include "core/report/inspect_report.h"
#include "core/report/note_groups.h"
#include "core/report/verdict_report.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <map>
#include <span>
#include <utility>

namespace duo {
namespace {

constexpr std::size_t kMostScopes = 200;
constexpr std::size_t kMostListed = 50; // nodes kept in float

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --good: #1a7f37; --bad: #c4320a; }
@media (prefers-color-scheme: dark) { :root { --good: #4ac26b; --bad: #ff8f6b; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .7rem; border-bottom: 1px solid var(--line); }
th { text-align: left; font-weight: 600; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
td, li, p { overflow-wrap: anywhere; } td:first-child { min-width: 11rem; } a { color: inherit; } .good { color: var(--good); } .bad { color: var(--bad); }
.verdict { padding: .6rem 1rem; background: var(--soft); border-radius: .4rem; }
pre { padding: .8rem 1rem; background: var(--soft); border-radius: .4rem; overflow-x: auto; }
.wide { overflow-x: auto; }
figure { margin: .5rem 0 0; overflow: auto; max-height: 90vh; background: #fff; border-radius: .4rem; }
figure svg { max-width: 100%; height: auto; display: block; } #own:checked ~ figure svg { max-width: none; }
)";

std::string escaped(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default: // other controls are no characters of HTML
            out += static_cast<unsigned char>(c) < 0x20U && c != '\n' && c != '\t' ? '?' : c;
        }
    }
    return out;
}

/// A relative address: what is no letter, digit or one of -._~/ by its bytes.
std::string linkTo(std::string_view file)
{
    std::string link;
    for (const char c : file) {
        const auto byte = static_cast<unsigned char>(c);
        std::array<char, 4> code{};
        std::snprintf(code.data(), code.size(), "%%%02X", byte);
        link += std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos
            ? std::string(1, c)
            : code.data();
    }
    return link;
}

std::string heading(std::string_view text)
{
    return "<h2>" + escaped(text) + "</h2>\n";
}

std::string paragraph(std::string_view text, std::string_view kind = {})
{
    return "<p" + (kind.empty() ? std::string() : " class=\"" + std::string(kind) + "\"") + ">" + escaped(text)
        + "</p>\n";
}

/// The SVG element of a document, which has a head that HTML does not take.
std::string_view svgElement(std::string_view document)
{
    const std::size_t begin = document.find("<svg");
    return begin == std::string_view::npos ? std::string_view() : document.substr(begin);
}

class Table
{
public:
    /// Columns from `numbers` on hold numbers.
    Table(std::span<const std::string_view> columns, std::size_t numbers)
        : m_numbers(numbers)
    {
        m_text = "<div class=\"wide\"><table>\n<tr>";
        for (std::size_t i = 0; i < columns.size(); ++i)
            m_text += (i < m_numbers ? "<th>" : "<th class=\"n\">") + escaped(columns[i]) + "</th>";
        m_text += "</tr>\n";
    }

    void row(std::span<const std::string> cells)
    {
        m_text += "<tr>";
        for (std::size_t i = 0; i < cells.size(); ++i)
            m_text += (i < m_numbers ? "<td>" : "<td class=\"n\">") + escaped(cells[i]) + "</td>";
        m_text += "</tr>\n";
    }

    [[nodiscard]] std::string text() const { return m_text + "</table></div>\n"; }

private:
    std::size_t m_numbers;
    std::string m_text;
};

/// How many nodes are in 8 bits or fewer, go with one that is, stay in float by a rule or for a correction, and for
/// other reasons.
enum class Share : std::uint8_t { Quantized, Fused, ByRule, Float };
using Shares = std::array<std::size_t, 4>;

Share shareOf(NodeState state)
{
    if (state == NodeState::Fused)
        return Share::Fused;
    if (isCompressed(state))
        return Share::Quantized;
    return isIgnored(state) ? Share::ByRule : Share::Float;
}

constexpr std::array<std::string_view, 5> kTypeColumns{
    "operator", "quantized", "fused with one", "kept in float", "float otherwise"};
constexpr std::array<std::string_view, 6> kScopeColumns{
    "scope", "parameters", "quantized", "fused with one", "kept in float", "float otherwise"};

std::vector<std::string> cellsOf(std::string name, const Shares& shares)
{
    std::vector<std::string> cells{std::move(name)};
    for (const std::size_t count : shares)
        cells.push_back(std::to_string(count));
    return cells;
}

class Page
{
public:
    explicit Page(const DeploymentPage& page)
        : m_page(page)
    {
    }

    std::string text()
    {
        const std::string name = escaped(m_page.name);
        m_text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width\">\n<title>"
            + name + ", quantized</title>\n<style>" + std::string(kStyle) + "</style>\n</head>\n<body>\n<h1>" + name
            + ", quantized</h1>\n";
        addVerdict();
        addNotes();
        addModel();
        addOutputs();
        addChecks();
        addTypes();
        addScopes();
        addKept();
        addReasons();
        addRecipe();
        addPicture();
        addFiles();
        m_text += "</body>\n</html>\n";
        return std::move(m_text);
    }

private:
    void addVerdict()
    {
        const Verdict& verdict = m_page.report.verdict;
        m_text
            += "<div class=\"verdict\">\n" + paragraph(verdictHeadline(verdict), verdict.isAccepted() ? "good" : "bad");
        for (const std::string& line : verdictLines(verdict))
            m_text += paragraph(line);
        m_text += "</div>\n";
    }

    /// What makes the verdict doubtful, then all else.
    void addNotes()
    {
        std::vector<Note> notes = m_page.report.verdict.notes;
        std::erase_if(notes, [](const Note& note) { return note.kind == kWayOut; }); // the verdict says it
        const std::size_t doubts = groupNotes(notes).size();
        for (const Note& note : m_page.report.notes) {
            if (std::ranges::find(notes, note) == notes.end())
                notes.push_back(note);
        }
        if (notes.empty())
            return;
        m_text += heading("Notes") + "<ul>\n";
        const std::vector<NoteGroup> groups = groupNotes(notes);
        for (std::size_t i = 0; i < groups.size(); ++i)
            m_text
                += std::string(i < doubts ? "<li class=\"bad\">" : "<li>") + escaped(noteLine(groups[i])) + "</li>\n";
        m_text += "</ul>\n";
    }

    void addModel()
    {
        const Model& model = m_page.model;
        const ExportReport& report = m_page.report;
        constexpr std::array<std::string_view, 2> kColumns{"", ""};
        Table table(kColumns, 2);
        const auto add = [&](const char* what, std::string value) {
            if (!value.empty())
                table.row(std::array<std::string, 2>{what, std::move(value)});
        };
        add("graph", model.graphName);
        add("made by", model.producerName + (model.producerVersion.empty() ? "" : " " + model.producerVersion));
        add("operator set", std::to_string(model.opset()));
        add("measured by", "ONNX Runtime " + std::string(m_page.engine));
        add("size", bytesText(report.bytesBefore) + " in float, " + bytesText(report.bytesAfter) + " quantized");
        add("quantizers", std::to_string(report.quantizers));
        add("parameters in codes", fixedText(100 * report.int8Share, 1) + " %");
        for (const CorrectionMade& made : report.corrections)
            add("correction", correctionText(made));
        m_text += heading("The model") + table.text();
    }

    void addOutputs()
    {
        if (m_page.report.outputs.empty())
            return;
        constexpr std::array<std::string_view, 2> kColumns{"output", "beside the float model"};
        Table table(kColumns, 2);
        for (const OutputError& output : m_page.report.outputs)
            table.row(std::array<std::string, 2>{output.name, output.text});
        m_text += heading("Outputs") + table.text();
        m_text += paragraph("Over " + std::to_string(m_page.report.verdict.samples)
            + (m_page.report.verdict.areHeldBack ? " samples that were not calibrated with."
                                                 : " samples, which were calibrated with too."));
    }

    void addChecks()
    {
        m_text += heading("Checks") + "<div class=\"wide\"><table>\n";
        for (const Check& check : m_page.report.checks) {
            m_text += std::string("<tr><td class=\"") + (check.ok ? "good\">holds" : "bad\">does not hold")
                + "</td><td>" + escaped(check.message) + "</td><td><code>" + escaped(check.id) + "</code></td></tr>\n";
        }
        m_text += "</table></div>\n";
    }

    void addTypes()
    {
        std::map<std::string, Shares> types;
        for (std::size_t n = 0; n < m_page.model.nodes.size(); ++n)
            ++types[m_page.model.nodes[n].opType][static_cast<std::size_t>(shareAt(n))];
        Table table(kTypeColumns, 1);
        for (const auto& [type, shares] : types)
            table.row(cellsOf(type, shares));
        m_text += heading("Decisions by operator") + table.text();
    }

    /// The scopes of the two uppermost levels.
    void addScopes()
    {
        const ScopeTree& tree = m_page.scopes.execution;
        if (tree.scopes.size() < 2)
            return;
        std::vector<ScopeId> listed;
        for (const ScopeId top : tree.scopes.front().children) {
            listed.push_back(top);
            const auto& below = tree.scope(top).children;
            listed.insert(listed.end(), below.begin(), below.end());
        }
        const std::vector<Shares> shares = sharesBelow(tree);
        Table table(kScopeColumns, 1);
        for (std::size_t i = 0; i < std::min(listed.size(), kMostScopes); ++i) {
            const Scope& scope = tree.scope(listed[i]);
            auto cells = cellsOf(scope.path, shares[listed[i].index]);
            cells.insert(cells.begin() + 1, std::to_string(scope.totalParameters));
            table.row(cells);
        }
        m_text += heading("Decisions by execution scope") + table.text();
        if (listed.size() > kMostScopes)
            m_text += paragraph("And " + std::to_string(listed.size() - kMostScopes) + " more.");
    }

    /// [scopes]: of the nodes in each, and in all below it.
    [[nodiscard]] std::vector<Shares> sharesBelow(const ScopeTree& tree) const
    {
        std::vector<Shares> shares(tree.scopes.size(), Shares{});
        for (std::size_t s = tree.scopes.size(); s-- > 0;) { // parents before children
            for (const NodeId node : tree.scopes[s].nodes)
                ++shares[s][static_cast<std::size_t>(shareAt(node.index))];
            const ScopeId parent = tree.scopes[s].parent;
            for (std::size_t i = 0; parent.valid() && i < shares[s].size(); ++i)
                shares[parent.index][i] += shares[s][i];
        }
        return shares;
    }

    void addKept()
    {
        const auto& kept = m_page.report.keptFloat;
        if (kept.empty())
            return;
        constexpr std::array<std::string_view, 2> kColumns{"node", "stays in float because"};
        Table table(kColumns, 2);
        for (std::size_t i = 0; i < std::min(kept.size(), kMostListed); ++i)
            table.row(std::array<std::string, 2>{kept[i].node, kept[i].reason});
        m_text += heading("Kept in float after all") + table.text();
        if (kept.size() > kMostListed)
            m_text += paragraph("And " + std::to_string(kept.size() - kMostListed) + " more.");
    }

    /// Why nodes that no rule keeps in float are in float, by what is said of them.
    void addReasons()
    {
        std::map<std::string, std::vector<std::string>> nodes;
        for (std::size_t n = 0; n < m_page.model.nodes.size(); ++n) {
            const NodeId id(n);
            if (shareAt(n) == Share::Float && commonReason(m_page.model, m_page.placement, id))
                nodes[whyText(m_page.model, m_page.placement, id)].push_back(m_page.model.node(id).name);
        }
        if (nodes.empty())
            return;
        constexpr std::array<std::string_view, 3> kColumns{"because", "such as", "nodes"};
        constexpr std::size_t kNamed = 3;
        Table table(kColumns, 2);
        for (const auto& [why, names] : nodes)
            table.row(std::array<std::string, 3>{why, firstOf(names, kNamed), std::to_string(names.size())});
        m_text += heading("Why nodes are in float") + table.text();
    }

    void addRecipe()
    {
        m_text += heading("Rules and settings") + "<pre>" + escaped(m_page.recipe) + "</pre>\n";
        for (const std::string& line : m_page.report.defaults)
            m_text += paragraph("By default, " + line);
    }

    void addPicture()
    {
        const std::string_view svg = svgElement(m_page.picture);
        if (!svg.empty())
            m_text += heading("The compressed graph")
                + "<input type=\"checkbox\" id=\"own\"> <label for=\"own\">at its own size</label>\n<figure>"
                + std::string(svg) + "</figure>\n";
    }

    void addFiles()
    {
        m_text += heading("Files") + "<ul>\n";
        for (const std::string& file : m_page.files)
            m_text += "<li><a href=\"" + linkTo(file) + "\">" + escaped(file) + "</a></li>\n";
        m_text += "</ul>\n";
    }

    [[nodiscard]] Share shareAt(std::size_t node) const
    {
        const Decisions& decisions = m_page.placement.decisions;
        return node < decisions.size() ? shareOf(decisions[node].state) : Share::Float;
    }

    const DeploymentPage& m_page;
    std::string m_text;
};

} // namespace

std::string deploymentPage(const DeploymentPage& page)
{
    return Page(page).text();
}

} // namespace duo
