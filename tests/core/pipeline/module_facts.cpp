// SPDX-License-Identifier: Apache-2.0
#include "tests/core/pipeline/module_facts.h"

#include <map>
#include <set>
#include <string_view>

namespace duo::test {
namespace {

struct CallReads {
    std::set<std::string> owners;
    std::set<std::string_view> reasons;
    bool differs = false;
};

bool isOfTheExporter(Reason reason)
{
    return reason == Reason::RenamedTensor || reason == Reason::EqualValues || reason == Reason::ExporterMade;
}

std::map<std::string, CallReads> readsOfCalls(const Scopes& scopes)
{
    std::map<std::string, CallReads> calls;
    for (const NodeScope& node : scopes.nodes) {
        if (node.storage.empty() || node.executionFrom > Provenance::Name)
            continue;
        CallReads& call = calls[node.execution];
        call.owners.insert(node.storage.begin(), node.storage.end());
        call.differs = call.differs || node.differs;
        for (const Reason reason : node.reasons) {
            if (!isOfTheExporter(reason))
                call.reasons.insert(reasonText(reason));
        }
    }
    return calls;
}

template <typename Texts> std::string joined(const Texts& texts)
{
    std::string all;
    for (const auto& text : texts) {
        all += all.empty() ? "" : " ";
        all += text;
    }
    return all;
}

void addStorage(const ScopeTree& tree, ScopeId id, std::vector<std::string>& facts)
{
    const Scope& scope = tree.scope(id);
    if (scope.totalParameters > 0 && scope.parent.valid()) {
        const std::string shortClass = scope.className.substr(scope.className.rfind('.') + 1);
        facts.push_back(scope.path + " x" + std::to_string(scope.calls) + " [" + shortClass + "] "
            + std::to_string(scope.totalParameters));
    }
    for (const ScopeId child : scope.children)
        addStorage(tree, child, facts);
}

} // namespace

std::vector<std::string> callFacts(const Scopes& scopes)
{
    std::vector<std::string> facts;
    for (const auto& [execution, reads] : readsOfCalls(scopes)) {
        const std::string reasons = reads.reasons.empty() ? "" : " {" + joined(reads.reasons) + "}";
        facts.push_back(execution + " <- " + joined(reads.owners) + reasons + (reads.differs ? " differs" : ""));
    }
    return facts;
}

std::vector<std::string> storageFacts(const Scopes& scopes)
{
    std::vector<std::string> facts;
    addStorage(scopes.storage, ScopeId(0), facts);
    return facts;
}

} // namespace duo::test
