// SPDX-License-Identifier: Apache-2.0
// What the calls a node runs in say about a difference, whatever the node reads.
#pragma once

#include "core/scope/facts/scope_facts.h"

#include <bitset>
#include <vector>

namespace duo {

/// A set of reasons; there are few, and every node has one.
class ReasonSet
{
public:
    void insert(Reason reason) { m_bits.set(static_cast<std::size_t>(reason)); }
    [[nodiscard]] bool contains(Reason reason) const { return m_bits.test(static_cast<std::size_t>(reason)); }
    /// Nothing but reasons that never make a node differ (resources/docs/scopes.md, "What differs means").
    [[nodiscard]] bool isHarmless() const;
    [[nodiscard]] std::vector<Reason> sorted() const;

private:
    static constexpr std::size_t kReasons = static_cast<std::size_t>(kLastReason) + 1;
    std::bitset<kReasons> m_bits;
};

/// Of each call and all calls around it: foreign-call, shared-module, container-skipped, bypassed-call.
std::vector<ReasonSet> callReasons(const ScopeFacts& facts); // [CallTree::calls]

/// Modules between caller and callee that the call went past, innermost first.
std::vector<PathId> skippedModules(const ScopeFacts& facts, const Call& call);

/// Whether a module that was gone past is one to be called: it runs elsewhere, or its class says so; else it is a list.
bool isBypassed(const ScopeFacts& facts, PathId path);

/// Whether a module, or one below it, owns a parameter as far as known, guesses included; so does one whose
/// calls share a tensor that nobody is known to own. [ModulePaths]
std::vector<bool> modulesWithParameters(const ScopeFacts& facts);

} // namespace duo
