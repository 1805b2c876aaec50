// SPDX-License-Identifier: Apache-2.0
// Pass: a change of the model that keeps what it computes, as edits; and the list of all of them, in their order.
#pragma once

#include "core/transform/edit_list.h"

#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace duo {

enum class PassStage {
    Open, // behind the reader; each pass sees what the one before made, all stages see what the last one made
    Write, // while an export is written; what is shown and decided is the model as it was
};

struct PassResult {
    std::optional<EditList> edits; // nothing: the model stays as it is
    std::vector<Note> notes; // what was done, or why it could not be
};

struct Pass {
    std::string_view id; // stable
    PassStage stage = PassStage::Open;
    /// @param written Write: nodes whose weights and biases the export writes anew, by readWeight() and
    /// effectiveBias(), which know what the pass takes out. Open: empty
    PassResult (*run)(const Model& model, const std::set<NodeId>& written) = nullptr;
};

/// All passes, in the order in which they run.
std::span<const Pass> passes();

/// What the passes of stage Write make of one model, joined: each changes nodes that no other does.
PassResult runWritePasses(const Model& model, const std::set<NodeId>& written);

} // namespace duo
