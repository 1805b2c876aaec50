// SPDX-License-Identifier: Apache-2.0
// Nodes of a file become functions and calls of them, and come back.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"
#include "core/transform/outline_edits.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace duo {

inline constexpr std::int64_t kFunctionsIr = 8; // the oldest IR version with functions

/// The model with these functions. Each call carries a record of what its nodes were, so that inlinedModel() gives the
/// same nodes with their names, metadata and order; that it does is checked here. O(structure).
/// @return Internal for edits that do not fit the model; Unsupported naming a node that would not come back as it is
Result<std::shared_ptr<const Model>> outlinedModel(
    const std::shared_ptr<const Model>& original, const OutlineEdits& edits, const JobContext& job = {});

using FunctionName = std::pair<std::string, std::string>; // domain and name; stands for all its overloads

/// A local function of a file.
struct LocalFunction {
    std::string domain;
    std::string name;
    std::string overload;
    std::int64_t calls = 0; // in the graph, its bodies and other functions
    bool isOutlined = false; // by outlinedModel()
    std::vector<std::string> inputs = {}; // formal ones
    std::vector<std::string> outputs = {};
};

/// In file order; empty for models that are no ONNX file. O(structure).
std::vector<LocalFunction> localFunctions(const Model& model);

/// Whether nodes that were in calls say what they were called there (core/transform/fused_names.h).
enum class NamesBefore { AreForgotten, AreKept };

struct Inlined {
    std::shared_ptr<const Model> model;
    std::int64_t calls = 0; // that are no more, outermost ones
    std::int64_t restored = 0; // of these, calls whose nodes are what they were before they were outlined
    std::set<std::pair<std::int64_t, std::int64_t>> raised = {}; // opsets of ai.onnx, and which they became
};

/// "of functions and the model they are in, what is written for opset 16 of ai.onnx is read as opset 17".
std::string raisedText(const std::set<std::pair<std::int64_t, std::int64_t>>& raised);

/// The model without calls of these functions: their nodes stand where the calls stood, or
/// where they stood before, with the name of the call in front, or the name they had. Functions that nothing calls any
/// more go. What comes together is written in the newest opset of ai.onnx that any of it is in. O(structure after).
/// @return Unsupported, naming the node, where one has no form in that opset; the same for other domains, whose opsets
/// must agree
Result<Inlined> inlinedModel(const std::shared_ptr<const Model>& original, const std::set<FunctionName>& functions,
    const JobContext& job = {}, NamesBefore names = NamesBefore::AreForgotten);

} // namespace duo
