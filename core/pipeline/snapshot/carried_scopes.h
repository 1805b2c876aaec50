// SPDX-License-Identifier: Apache-2.0
// Scopes of a model on another one that was made of it, by the names and the provenance of its nodes.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/scopes.h"
#include "core/support/job.h"

#include <memory>
#include <string>

namespace duo {

/// What is known of the scopes of a model, for one that was made of it, by the names that nodes have there: a record as
/// ScopeSources takes it.
std::string carriedRecordText(const Model& model, const Scopes& scopes, const Model& made);

/// What was made of a model, with the record of the scopes that are known of it, for whoever opens the file that it is
/// written to: those of its nodes, and of nodes that became a part of these. @return Cancelled
Result<std::shared_ptr<const Model>> withScopesTold(
    const Model& model, const Scopes& scopes, const std::shared_ptr<const Model>& made, const JobContext& job = {});

} // namespace duo
