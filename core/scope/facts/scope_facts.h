// SPDX-License-Identifier: Apache-2.0
// ScopeFacts: everything read and inferred about a model's scopes, before it becomes trees and texts.
#pragma once

#include "core/model/call_signature.h"
#include "core/model/forward_order.h"
#include "core/model/model.h"
#include "core/scope/facts/call_tree.h"
#include "core/scope/facts/canonical_order.h"
#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/module_aliases.h"
#include "core/scope/facts/module_paths.h"
#include "core/scope/facts/parameters.h"
#include "core/scope/facts/scopes.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

/// A read of a value that stands for another of equal content, which the exporter dropped.
struct MergedRead {
    NodeId producer; // of the value that is left
    NodeId reader;
    std::uint32_t port = 0; // of the reader
    std::string name; // the dropped one, as the exporter recorded it; "" if it did not
};

/// Keys and modules in definition order.
struct StorageOrder {
    /// One key, or one owner of parameters without names.
    struct Item {
        std::int32_t key = kNoKey;
        PathId owner;
    };
    std::vector<Item> items;
    std::vector<std::int32_t> keyRank; // [keys] position among keys
};

/// What bodies are called after: "If_0" of "If_0 [then]", and what stands for it where another has that name.
struct BodyOwner {
    std::string name;
    std::string whole;
};
using BodyOwners = std::unordered_map<NodeId, BodyOwner>;

/// Nodes that became parts of others before the file was written, and the calls that these ran in.
struct NodeParts {
    struct Part {
        std::string name;
        CallId call; // in `calls`
        Provenance from = Provenance::Guess;
        std::vector<NodeId> wholes; // what it became a part of
    };
    std::vector<Part> parts;
    CallTree calls; // of the parts alone
    ScopeTree scopes; // [calls] as scopes of an execution tree
};

struct ScopeFacts {
    NodeOrder nodeOrder;
    ModulePaths paths;
    Parameters parameters;
    std::vector<FramedNode> frames; // [nodes]
    CodeLines code; // [line marks]
    ModuleAliases aliases;
    CallTree tree;
    std::vector<Provenance> executionFrom; // [nodes]
    std::vector<MergedRead> merged; // by producer
    NodeParts parts; // recorded; empty for most
    std::vector<bool> isUnregistered; // [nodes] a module ran here that the model does not know of
    std::vector<RecordedModule> modules; // as the model or the checkpoint records them; often none
    std::optional<StorageOrder> order; // nothing: to be worked out
    std::optional<std::vector<PathId>> neverExecuted; // recorded; nothing: to be worked out
    std::vector<ScopeId> scopeOfCall; // [CallTree::calls] in the execution tree, once that is made
    BodyOwners bodyOwners; // recorded; of all owners, once the tree is made
    std::vector<PathId> inlinedModels; // modules of no program: an inliner's prefixes, which tell several models apart
    std::vector<CallSignature> signatures; // of calls in the program, as a checkpoint or an earlier export records them
    ForwardOrders forwards; // of modules, as a checkpoint tells; often none
    bool namesScopes = false; // the file says of some node where it runs
};

} // namespace duo
