// SPDX-License-Identifier: Apache-2.0
// What a model comes to, in a few words: as foreseen, or as it was measured.
#pragma once

#include "core/pipeline/sensitivity/foresight.h"
#include "core/report/export_report.h"

#include <QString>

namespace duo::ui {

/// "foreseen: about 120.7 kB of 461.0 kB, 38.2 dB"; "" where nothing can be foreseen.
QString foreseenText(const Foresight& foresight);
/// "measured: 120.7 kB of 461.0 kB, 37.9 dB, top-1 accuracy 98.1 % (float 98.5 %)"; of outputs the worst counts.
QString measuredText(const ExportReport& report);

} // namespace duo::ui
