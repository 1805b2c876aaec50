// SPDX-License-Identifier: Apache-2.0
// ScopeRecord: the scope facts of a model as one table, and its text: what an export keeps under `duoscope.scopes`.
#pragma once

#include "core/model/call_signature.h"
#include "core/onnx/metadata_keys.h" // kScopeRecordKey: under which the text stands in a model
#include "core/scope/facts/parameters.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

/// Numbers are places in the lists; paths and calls count from 1, 0 being the root; kNoKey and -1 mean none.
struct ScopeRecord {
    struct Path {
        std::int64_t parent = 0; // a smaller number than its own
        std::string atom;
        std::string className; // "" if not known
    };
    struct KeyEntry {
        std::int64_t owner = 0;
        std::string leaf;
        std::string label; // as the checkpoint has it; "" if that is the name
        std::int64_t first = 0; // the first key of the same tensor
        std::optional<Provenance> readBy;
        bool isRecorded = false;
    };
    struct CallEntry {
        std::int64_t parent = 0; // a smaller number than its own
        std::int64_t path = 0;
        std::int64_t number = 0; // the n-th call of the module
        bool isGuess = false; // what it holds may be of several calls, or of others
    };
    struct NodeEntry {
        std::string name;
        std::int64_t call = 0;
        Provenance from = Provenance::Guess;
        bool isScoped = false;
        bool isMade = false;
        bool isPastForward = false;
        bool isDirectCall = false;
        bool isUnregistered = false;
        bool operator==(const NodeEntry&) const = default;
    };
    struct ReadEntry {
        std::int64_t node = 0;
        std::int64_t key = kNoKey;
        std::int64_t owner = -1; // where there is no key
        std::string tensor; // what the original file called it; "" for its key
        std::string alias; // what the node called it, where an Identity stood between
        Provenance from = Provenance::Guess;
        bool isStored = false; // the file holds a tensor for it
        bool isRenamed = false;
        bool isEqualValues = false;
        bool isFolded = false;
    };
    struct OwnerEntry {
        std::int64_t node = 0; // it has bodies
        std::string name; // "If_0" of "If_0 [then]"
        std::string whole; // where another has that name
    };
    struct MergedEntry {
        std::int64_t producer = 0;
        std::int64_t reader = 0;
        std::int64_t port = 0;
        std::string name;
    };
    std::string rootClass;
    std::vector<Path> paths;
    std::vector<std::pair<std::int64_t, std::int64_t>> sameModules; // first path, another one
    std::vector<std::int64_t> modules; // paths that a checkpoint lists, definition order
    std::vector<KeyEntry> keys;
    std::vector<std::int64_t> order; // definition order: a key, or -1 - path for a module whose keys are not known
    std::vector<CallEntry> calls; // call order; one without nodes ran, but nothing is left of it
    std::vector<NodeEntry> nodes;
    std::vector<ReadEntry> reads; // by node, in port order
    std::vector<MergedEntry> merged;
    std::vector<OwnerEntry> owners; // by node
    std::vector<std::int64_t> neverExecuted; // paths, topmost only
    std::vector<CallSignature> signatures; // of calls in the program; of the types only element and rank
    bool namesScopes = false;
    bool hasRecords = false;
    bool hasContent = false;
};

/// One line of JSON, the same for the same record.
std::string scopeRecordText(const ScopeRecord& record);

/// @return nothing if the text is no such record: every number is checked, so that it may be followed
std::optional<ScopeRecord> parseScopeRecord(std::string_view text);

} // namespace duo
