// SPDX-License-Identifier: Apache-2.0
// CallScopes: the calls of a model's functions as scopes of the model that was made of it by writing them out.
#pragma once

#include "core/outline/plan_outline.h"
#include "core/scope/facts/scopes.h"

#include <string>
#include <unordered_map>

namespace duo {

/// A model as it was, with calls.
struct ModelWithCalls {
    const Model& model;
    const Scopes& scopes;
};

struct CallScopes {
    Scopes scopes; // of the model without calls; execution scopes are the calls there were, by the calling nodes' names
    FunctionsBefore functions;
    std::unordered_map<std::string, std::string> ranIn; // by path: the execution scope of the call itself
};

/// Nodes stand in the call that they were in (nodeBefore() of core/transform/fused_names.h), or those that became a
/// part of them. Others, which quantization added, go to those who read them, or stay with the value that they are of,
/// where a call would else give it and take it back. O(nodes + reads * nesting).
/// @param scopes of `model`
CallScopes callScopes(const Model& model, const Scopes& scopes, const ModelWithCalls& before);

} // namespace duo
