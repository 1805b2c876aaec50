// SPDX-License-Identifier: Apache-2.0
// A deployment folder with the picture of its graph; the same from window and command line.
#pragma once

#include "core/pipeline/deployment.h"

namespace duo {

/// Draws the compressed graph as `graph.svg`, then writes what writeDeployment() does. A graph that cannot be drawn is
/// left out.
/// @return as writeDeployment()
Result<std::vector<std::filesystem::path>> deployFolder(
    Deployment deployment, StagedDeployment& staged, const JobContext& job);

} // namespace duo
