// SPDX-License-Identifier: Apache-2.0
#include "tests/core/scope/found_scopes.h"

#include "core/onnx/reader.h"

#include <cstdio>
#include <cstdlib>

namespace duo::test {
namespace {

std::string listed(const std::vector<std::string>& items)
{
    std::string text;
    for (const std::string& item : items)
        text += (text.empty() ? "" : ", ") + item;
    return "{" + text + "}";
}

FoundScopes readScopes(const std::string& path)
{
    auto model = readModel(path);
    if (model)
        return FoundScopes(*model);
    std::fprintf(stderr, "test model: %s\n", model.error().line().c_str());
    std::abort();
}

} // namespace

std::ostream& operator<<(std::ostream& out, const Expected& expected)
{
    return out << "runs in '" << expected.execution << "', reads " << listed(expected.storage) << ", "
               << (expected.differs ? "differs " : "same ") << listed(expected.reasons);
}

FoundScopes::FoundScopes(std::shared_ptr<const Model> from, const ScopeSources& sources)
    : model(std::move(from))
    , scopes(findScopes(*model, sources))
{
}

FoundScopes FoundScopes::ofFile(const std::string& path)
{
    return readScopes(std::string(DUO_TEST_DATA) + "/" + path);
}

FoundScopes FoundScopes::ofSample(const std::string& name)
{
    return readScopes(std::string(DUO_SAMPLES) + "/" + name);
}

const NodeScope& FoundScopes::node(const std::string& name) const
{
    const NodeId id = model->findNode(name);
    if (id.valid())
        return scopes.nodes[id.index];
    std::fprintf(stderr, "test model has no node %s\n", name.c_str());
    std::abort();
}

Expected FoundScopes::at(const std::string& name) const
{
    const NodeScope& found = node(name);
    Expected result{found.execution, found.storage, {}, found.differs};
    for (const Reason reason : found.reasons)
        result.reasons.emplace_back(reasonText(reason));
    return result;
}

std::string FoundScopes::provenance(const std::string& name) const
{
    const NodeScope& found = node(name);
    return std::string(provenanceText(found.executionFrom)) + "/" + std::string(provenanceText(found.storageFrom));
}

std::vector<std::string> FoundScopes::paths(const ScopeTree& tree) const
{
    std::vector<std::string> found;
    std::vector<ScopeId> open{ScopeId(0)};
    while (!open.empty()) {
        const Scope& scope = tree.scope(open.back());
        open.pop_back();
        if (scope.parent.valid())
            found.push_back(scope.path);
        open.insert(open.end(), scope.children.rbegin(), scope.children.rend());
    }
    return found;
}

} // namespace duo::test
