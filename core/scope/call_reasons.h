// SPDX-License-Identifier: Apache-2.0
// What the calls a node runs in say about a difference, whatever the node reads.
#pragma once

#include "core/scope/scope_facts.h"

#include <set>
#include <vector>

namespace duo {

/// Of one call and all calls around it.
struct CallReasons {
    std::set<Reason> reasons; // foreign-call, shared-module, container-skipped, bypassed-call
    [[nodiscard]] bool differs() const
    {
        return reasons.contains(Reason::ForeignCall) || reasons.contains(Reason::SharedModule);
    }
};

std::vector<CallReasons> callReasons(const ScopeFacts& facts); // [CallTree::calls]

/// Whether a module, or one below it, owns a parameter as far as known, guesses included. [ModulePaths]
std::vector<bool> modulesWithParameters(const ScopeFacts& facts);

} // namespace duo
