// SPDX-License-Identifier: Apache-2.0
#include "core/search/search_subject.h"

namespace duo {
namespace {

std::string_view behindLast(std::string_view text, char separator)
{
    const auto at = text.rfind(separator);
    return at == std::string_view::npos || at + 1 == text.size() ? text : text.substr(at + 1);
}

} // namespace

SearchSubject nodeSubject(const Model& model, const Scopes& scopes, const Decisions* decisions, NodeId id)
{
    const Node& node = model.node(id);
    const NodeScope& scope = scopes.nodes[id.index];
    SearchSubject subject;
    subject.model = &model;
    subject.node = id;
    subject.lines.reserve(3 + node.outputs.size() + scope.storage.size() + scope.keys.size());
    subject.lines.push_back({SearchField::Name, node.name, behindLast(node.name, '/')});
    subject.lines.push_back({SearchField::Type, node.opType, node.opType});
    for (const ValueId output : node.outputs) {
        if (output.valid())
            subject.lines.push_back(
                {SearchField::Name, model.value(output).name, behindLast(model.value(output).name, '/')});
    }
    subject.lines.push_back({SearchField::Scope, scope.execution, {}});
    for (const std::string& owner : scope.storage)
        subject.lines.push_back({SearchField::Scope, owner, {}});
    for (const std::string& key : scope.keys)
        subject.lines.push_back({SearchField::Parameter, key, behindLast(key, '.')});
    if (decisions != nullptr)
        subject.state = (*decisions)[id.index].state;
    return subject;
}

SearchSubject scopeSubject(const Scope& scope)
{
    SearchSubject subject;
    subject.lines.push_back({SearchField::Scope, scope.path, scope.name});
    if (!scope.className.empty())
        subject.lines.push_back({SearchField::Class, scope.className, scope.className});
    if (scope.totalNodes == 0) {
        for (const std::string& key : scope.keys)
            subject.lines.push_back({SearchField::Parameter, key, behindLast(key, '.')});
    }
    return subject;
}

SearchSubject tensorSubject(std::string_view name)
{
    SearchSubject subject;
    subject.lines.push_back({SearchField::Parameter, name, behindLast(name, '.')});
    return subject;
}

} // namespace duo
