// SPDX-License-Identifier: Apache-2.0
// What is known about the selected node or scope, as rich text in sections.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/export_report.h"
#include "views/intent/selection.h"
#include "views/style/theme.h"

#include <QString>

namespace duo::ui {

/// HTML; every text from the model is escaped. @param report the last export, of this recipe; may be null
QString propertiesHtml(
    const Snapshot& snapshot, const Selection& selection, const Theme& theme, const ExportReport* report = nullptr);

} // namespace duo::ui
