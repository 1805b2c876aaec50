// SPDX-License-Identifier: Apache-2.0
#include "core/scope/facts/scopes.h"

#include "core/support/enum_text.h"

namespace duo {
namespace {

constexpr auto kProvenances = enumTexts<Provenance::Guess>({"recorded", "name", "content", "dataflow", "guess"});
constexpr auto kReasons = enumTexts<kLastReason>(
    {"aliased-parameter", "bypassed-call", "container-skipped", "equal-values", "exporter-made", "folded-producers",
        "foreign-call", "functional-use", "merged-calls", "renamed-tensor", "shared-module", "unregistered-module"});

} // namespace

std::string_view provenanceText(Provenance provenance)
{
    return enumText(kProvenances, provenance);
}

std::string_view reasonText(Reason reason)
{
    return enumText(kReasons, reason);
}

ScopeId ScopeTree::find(std::string_view path) const
{
    const auto found = index.find(std::string(path));
    return found == index.end() ? ScopeId{} : found->second;
}

} // namespace duo
