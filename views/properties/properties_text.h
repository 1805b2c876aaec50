// SPDX-License-Identifier: Apache-2.0
// What is known about the selected node or scope, as rich text in sections.
#pragma once

#include "core/graph/run_graph.h"
#include "core/model/value_types.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/decisions_below.h"
#include "core/report/node_runs.h"
#include "views/intent/selection.h"
#include "views/properties/file_quantizers.h"
#include "views/style/theme.h"

#include <QString>

#include <span>

namespace duo::ui {

/// What is known besides the snapshot; each may be null.
struct KnownBesides {
    const ValueTypes* types = nullptr;
    const RunsOfNodes* runs = nullptr; // in the last export under this recipe
    const RunGraph* run = nullptr; // what the engine runs of the model
    const FileQuantizers* inFile = nullptr; // of a model that holds some
    std::span<const DecisionGroup> decisions = {}; // about the selected nodes
    const Note* producer = nullptr; // producerNote of the model: asking for it again takes a pass over all names
};

/// HTML; every text from the model is escaped.
QString propertiesHtml(
    const Snapshot& snapshot, const Selection& selection, const Theme& theme, const KnownBesides& known);

} // namespace duo::ui
