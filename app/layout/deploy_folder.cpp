// SPDX-License-Identifier: Apache-2.0
#include "app/layout/deploy_folder.h"

#include "app/layout/graph_export.h"

namespace duo {

Result<std::vector<std::filesystem::path>> deployFolder(
    Deployment deployment, StagedDeployment& staged, const JobContext& job)
{
    const Snapshot& placed = placedBy(deployment.compression, deployment.snapshot);
    Placement placement = *placed.placement;
    placement.setup = deployment.compression.setup;
    GraphExport graph;
    graph.model = placed.model.get();
    graph.scopes = placed.scopes.get();
    graph.placement = &placement;
    LayoutClient client;
    const auto drawn = exportGraph(graph, client, staged.folder() / "graph.svg", job);
    if (drawn)
        deployment.picture = drawn->file;
    else if (drawn.error().code == ErrorCode::Cancelled)
        return drawn.error();
    return writeDeployment(deployment, staged, job);
}

} // namespace duo
