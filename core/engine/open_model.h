// SPDX-License-Identifier: Apache-2.0
// openModel: a model that was read from a file, opened in the engine as it is or with more outputs.
#pragma once

#include "core/engine/session.h"
#include "core/transform/edit_list.h"
#include "core/transform/main_nodes.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace duo {

/// A session with one thread. `values`: values of the main graph that nodes compute, wanted as outputs too. Nodes that
/// share a name in the file get the names they have here, because the engine refuses such a file (since 1.31).
/// @return EngineFailed, Unsupported (too large to edit), Cancelled; so do all of these
Result<Session> openModel(const Model& model, const std::vector<std::string>& values = {}, const JobContext& job = {});

/// The model with these edits, as an export would be. @return EngineFailed, Unsupported (too large to edit)
Result<Session> openWithEdits(const Model& model, EditList edits, const JobContext& job = {});

/// The model as a run uses it, but for the layout of its tensors: `folder` gets the optimized graph as
/// "optimized.onnx", and a profile of all runs, which Session::endProfile names. Every node has the name it has here.
/// @return EngineFailed, NotWritable, Unsupported (too large to edit)
Result<Session> openProfiled(
    const Model& model, const std::filesystem::path& folder, int threads, const JobContext& job = {});

/// Writes the graph that a run of the model uses, but for the layout of its tensors. Every node has the name it has
/// here.
/// @return as openProfiled()
Status writeOptimized(const Model& model, const std::filesystem::path& target, const JobContext& job = {});

/// The model to be asked what its values are, not to be run: what nodes of the main graph compute are outputs, and
/// large initializers inputs, unless an operator wants them as they are. @return EngineFailed, Unsupported
Result<Session> openForTypes(const Model& model, const JobContext& job = {});

/// The same of nodes of the main graph, in topological order; `types` [values] are those of what they read.
Result<Session> openForTypes(const Model& model, const MainNodes& mainNodes, std::span<const NodeId> nodes,
    std::span<const ValueType> types, const JobContext& job = {});

/// A file written from `original`, with the custom operators that model needs. @return EngineFailed
Result<Session> openExport(const Model& original, const std::filesystem::path& written, SessionOptions options = {});

} // namespace duo
