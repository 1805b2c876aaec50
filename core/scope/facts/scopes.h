// SPDX-License-Identifier: Apache-2.0
// Scopes: where each parameter lives (storage), where each node runs (execution), and why the two differ.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {

/// How a scope fact came to be known, best first (resources/docs/scopes.md, "Provenance").
enum class Provenance { Recorded, Name, Content, Dataflow, Guess };

/// Why execution and storage scope of a node are not the same plain path; in the order of their texts.
enum class Reason {
    AliasedParameter,
    BypassedCall,
    ContainerSkipped,
    EqualValues,
    ExporterMade,
    FoldedProducers,
    ForeignCall,
    FunctionalUse,
    MergedCalls,
    RenamedTensor,
    SharedModule,
    UnregisteredModule,
};
inline constexpr auto kLastReason = Reason::UnregisteredModule;

std::string_view provenanceText(Provenance provenance); // "recorded"
std::string_view reasonText(Reason reason); // "foreign-call"

/// The scope facts of one node (resources/docs/scopes.md, "Execution scopes as text").
struct NodeScope {
    std::string execution; // "blk#1/lin#3"; "" is the root
    std::string longForm; // "Net/Block[blk]/Linear[lin]", without classes where none is known
    std::vector<std::string> storage; // owners of the parameters read, in storage order, without repeats
    std::vector<std::string> keys; // the parameters read, in storage order
    std::vector<Reason> reasons; // sorted set
    bool differs = false;
    Provenance executionFrom = Provenance::Guess;
    Provenance storageFrom = Provenance::Guess;
    ScopeId executionScope; // in Scopes::execution
    std::vector<ScopeId> storageScopes; // in Scopes::storage, as `storage`
};

/// One scope of a tree; totals include everything below.
struct Scope {
    std::string path; // as NodeScope::execution, or dotted for storage; "" for the root
    std::string name; // last element (execution) or last atom (storage)
    std::string className; // "" if not known
    std::string module; // first path of the module: of the one called (execution), of the one stored here (storage)
    ScopeId parent; // invalid for the root
    ScopeId sameAs; // storage: the scope of the same module's first path, if that is another one
    std::vector<ScopeId> children;
    std::vector<NodeId> nodes; // directly here: run here (execution), or read a parameter owned here (storage)
    std::vector<std::string>
        keys; // storage: parameters owned directly, in definition order, as the checkpoint has them
    std::int64_t calls = 1; // execution: 1; storage: how often the module runs, 0 if never
    std::int64_t totalNodes = 0;
    std::int64_t totalParameters = 0; // elements
    std::int64_t totalBytes = 0;
    bool isBody = false; // execution: the body of a control-flow node; its `module` is that of the call around it
    bool neverRuns = false; // execution: in a body that a constant condition never takes
};

struct ScopeTree {
    std::vector<Scope> scopes; // [0] is the root; parents before children, children in definition/call order
    [[nodiscard]] const Scope& scope(ScopeId id) const { return scopes[id.index]; }
    [[nodiscard]] ScopeId find(std::string_view path) const; // invalid if absent; O(depth) or O(1)
    std::unordered_map<std::string, ScopeId> index;
};

/// What was read and inferred before it became trees and texts; for whoever has to show why (trees/evidence.h).
struct ScopeFacts;

struct Scopes {
    std::vector<NodeScope> nodes; // [Model::nodes]
    ScopeTree execution;
    ScopeTree storage;
    std::vector<std::string> neverExecuted; // module paths in definition order, topmost only
    std::int64_t keys = 0; // state_dict keys known: of the checkpoint where there is one, else of the model
    std::map<std::string, std::int64_t> matchedBy; // provenance text -> keys; each key that some node reads counts once
    std::shared_ptr<const ScopeFacts> facts; // null for scopes written down by hand
};

} // namespace duo
