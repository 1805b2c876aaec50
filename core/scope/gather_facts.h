// SPDX-License-Identifier: Apache-2.0
// gatherScopeFacts: runs the stages that read and infer what is known of a model's scopes.
#pragma once

#include "core/scope/facts/scope_facts.h"
#include "core/scope/facts/sources.h"

namespace duo {

ScopeFacts gatherScopeFacts(const Model& model, const ScopeSources& sources);

} // namespace duo
