// SPDX-License-Identifier: Apache-2.0
#include "app/gui/graph_files.h"

#include "views/graph/edge_types.h"
#include "views/style/format.h"

namespace duo::app {
namespace {

/// What the window writes beside boxes and lines, for the picture that is saved.
DrawnNotes notesOf(const GraphFile& file, const ViewGraph& view, const Containment& containment)
{
    ui::Picture picture;
    picture.snapshot = file.snapshot;
    picture.form = file.form;
    picture.run = file.run;
    picture.containment = std::make_shared<const Containment>(containment);
    picture.graph = view;
    DrawnNotes notes;
    if (file.runs) {
        for (const ui::RunBadge& badge : ui::runBadges(*file.runs, picture))
            notes.pills.push_back({badge.text.toStdString(), badge.isWhole});
    }
    if (file.types) {
        for (const QString& text : ui::typesBesideEdges(picture, *file.types))
            notes.texts.push_back(text.toStdString());
    }
    return notes;
}

} // namespace

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
                file.hasQuantizerBoxes, file.form, file.run.get(), overlay, 0, file.shape, file.sizes,
                [&file](const ViewGraph& view, const Containment& containment) {
                    return notesOf(file, view, containment);
                }},
            client, file.target, job);
    };
}

} // namespace duo::app
