// SPDX-License-Identifier: Apache-2.0
// Scopes with signatures of calls, as the record of an export has them.
#pragma once

#include "core/scope/make_record.h"
#include "core/scope/scope.h"

#include <utility>
#include <vector>

namespace duo::test {

inline Scopes scopesWith(const Model& model, std::vector<CallSignature> signatures)
{
    ScopeRecord record = scopeRecord(model, findScopes(model));
    record.signatures = std::move(signatures);
    return findScopes(model, {nullptr, nullptr, scopeRecordText(record)});
}

} // namespace duo::test
