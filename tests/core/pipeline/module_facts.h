// SPDX-License-Identifier: Apache-2.0
// What the scopes of a model say about its modules, whatever nodes an exporter made of them.
#pragma once

#include "core/scope/scope.h"

#include <string>
#include <vector>

namespace duo::test {

/// One text per call that reads parameters, sorted: "blk#1/lin#1 <- blk.lin {shared-module} differs". Owners and
/// reasons are those of all its nodes; what tells only how an exporter stores tensors (renamed-tensor, equal-values,
/// exporter-made) and places that are merely inferred are left out.
std::vector<std::string> callFacts(const Scopes& scopes);

/// One text per storage scope that holds parameters, in tree order: "blk.lin x3 [Linear] 20". Modules that never run
/// have x0; totals count what is below, once.
std::vector<std::string> storageFacts(const Scopes& scopes);

} // namespace duo::test
