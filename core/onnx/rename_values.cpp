// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/rename_values.h"

#include "core/onnx/walk_proto.h"

#include <set>
#include <string_view>
#include <vector>

namespace duo {
namespace {

class Renaming
{
public:
    explicit Renaming(const ValueNames& names)
        : m_names(names)
    {
    }

    void apply(onnx::NodeProto& node)
    {
        for (std::string& input : *node.mutable_input())
            rename(input);
        for (std::string& output : *node.mutable_output())
            rename(output);
        forEachBody(node, [&](onnx::GraphProto& body) { applyToBody(body); });
    }

private:
    void rename(std::string& name) const
    {
        const auto found = m_names.find(name);
        if (found != m_names.end() && !m_hidden.contains(name))
            name = found->second;
    }

    void applyToBody(onnx::GraphProto& graph)
    {
        std::vector<std::string> hidden;
        const auto hide = [&](const std::string& name) {
            if (m_names.contains(name) && m_hidden.insert(name).second)
                hidden.push_back(name);
        };
        for (const auto& input : graph.input())
            hide(input.name());
        for (const auto& tensor : graph.initializer())
            hide(tensor.name());
        for (const auto& tensor : graph.sparse_initializer())
            hide(tensor.values().name());
        for (const auto& node : graph.node()) {
            for (const std::string& output : node.output())
                hide(output);
        }
        for (auto& node : *graph.mutable_node())
            apply(node);
        for (auto& output : *graph.mutable_output())
            rename(*output.mutable_name()); // a value around it that is handed out as it is
        for (const std::string& name : hidden)
            m_hidden.erase(name);
    }

    const ValueNames& m_names;
    std::set<std::string, std::less<>> m_hidden; // of m_names, by the bodies it is in
};

} // namespace

void renameValues(onnx::NodeProto& node, const ValueNames& names)
{
    if (!names.empty())
        Renaming(names).apply(node);
}

} // namespace duo
