// SPDX-License-Identifier: Apache-2.0
#include "core/graph/nncf_dot.h"

#include "core/graph/dot_text.h"

#include <algorithm>
#include <cctype>

namespace duo {
namespace {

std::string identifierOrQuoted(std::string_view text)
{
    const auto isPlain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const bool isIdentifier = !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0
        && std::all_of(text.begin(), text.end(), isPlain);
    return isIdentifier ? std::string(text) : dotQuoted(text);
}

/// "12 /conv/Conv"
std::string labelOf(const CompressedGraph& graph, std::uint32_t id)
{
    return std::to_string(id) + " " + graph.nodes[id].name;
}

std::string keyOf(std::string label)
{
    std::replace(label.begin(), label.end(), ':', '^');
    return label;
}

std::string shapeText(const ValueType& type)
{
    std::string text = "[";
    if (type.shape) {
        for (const Dim& dim : *type.shape) {
            text += text.size() > 1 ? ", " : "";
            text += dim.size ? std::to_string(*dim.size) : "-1";
        }
    }
    return text + "]";
}

} // namespace

void writeNncfDot(const Model& model, const CompressedGraph& graph, const WriteText& write)
{
    write("strict digraph {\n");
    for (std::uint32_t id = 0; id < graph.nodes.size(); ++id) {
        const std::string label = labelOf(graph, id);
        const std::string key = keyOf(label);
        std::string line = dotQuoted(key) + " [id=" + std::to_string(id);
        if (key != label)
            line += ", label=" + dotQuoted(label);
        write(line + ", type=" + identifierOrQuoted(graph.nodes[id].opType) + "];\n");
    }
    for (const CompressedEdge& edge : graph.edges) {
        write(dotQuoted(keyOf(labelOf(graph, edge.from))) + " -> " + dotQuoted(keyOf(labelOf(graph, edge.to)))
            + " [label=" + dotQuoted(shapeText(model.value(edge.value).type))
            + ", style=" + (edge.isInteger ? "dashed" : "solid") + "];\n");
    }
    write("}\n");
}

} // namespace duo
