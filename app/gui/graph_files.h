// SPDX-License-Identifier: Apache-2.0
// GraphFiles: writes the graph as a picture or as .dot in the background, as `duoscope-cli graph` does.
#pragma once

#include "app/layout/graph_export.h"
#include "app/session/latest_job.h"
#include "core/model/value_types.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "views/graph/run_badges.h"
#include "views/intent/shown_overlay.h"

#include <QObject>
#include <QThreadPool>

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace duo::app {

/// What to write, and where.
struct GraphFile {
    std::shared_ptr<const Snapshot> snapshot;
    std::set<std::string> open; // keys
    bool hasQuantizerBoxes = false;
    std::filesystem::path target;
    GraphForm form = GraphForm::Compressed;
    std::shared_ptr<const RunGraph> run = {}; // for GraphForm::AsRun
    std::shared_ptr<const ui::ShownOverlay> overlay = {}; // null: none
    std::optional<PictureShape> shape = {}; // as which it is shown; nothing: that of a page
    BoxSizes sizes = {}; // with which it is shown
    std::shared_ptr<const RunsOfNodes> runs = {}; // pills of how boxes run; null: none
    std::shared_ptr<const ValueTypes> types = {}; // what is written beside edges; null: nothing
};

class GraphFiles : public QObject
{
    Q_OBJECT

public:
    explicit GraphFiles(QObject* parent = nullptr);
    ~GraphFiles() override; // stops what runs and waits for it

    void write(const GraphFile& file); // what is still being written is left

Q_SIGNALS:
    void written(const duo::ExportedGraph& graph);
    void failed(const duo::Error& error);

private:
    [[nodiscard]] LatestJob<ExportedGraph>::Work work();

    QThreadPool m_pool;
    std::optional<GraphFile> m_wanted;
    LatestJob<ExportedGraph> m_job;
};

} // namespace duo::app
