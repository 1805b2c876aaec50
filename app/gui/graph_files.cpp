// SPDX-License-Identifier: Apache-2.0
#include "app/gui/graph_files.h"

namespace duo::app {

GraphFiles::GraphFiles(QObject* parent)
    : QObject(parent)
    , m_job(
          m_pool, *this, [this] { return work(); },
          [this](Result<ExportedGraph>&& result, bool isStale) {
              if (result)
                  Q_EMIT written(*result);
              else if (!isStale && result.error().code != ErrorCode::Cancelled)
                  Q_EMIT failed(result.error());
          })
{
    m_pool.setMaxThreadCount(1);
}

GraphFiles::~GraphFiles()
{
    m_job.stop();
    m_pool.waitForDone();
}

void GraphFiles::write(const GraphFile& file)
{
    m_wanted = file;
    m_job.run();
}

LatestJob<ExportedGraph>::Work GraphFiles::work()
{
    return [file = *m_wanted](const JobContext& job) -> Result<ExportedGraph> {
        LayoutClient client;
        const Overlay* overlay = file.overlay && file.overlay->values ? &*file.overlay->values : nullptr;
        return exportGraph(
            {file.snapshot->model.get(), file.snapshot->scopes.get(), file.snapshot->placement.get(), file.open,
                file.hasQuantizerBoxes, file.form, file.run.get(), overlay, 0, file.shape, file.sizes},
            client, file.target, job);
    };
}

} // namespace duo::app
