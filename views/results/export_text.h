// SPDX-License-Identifier: Apache-2.0
// What a quantization and an export did, as rich text: corrections, files, checks, sizes, output errors, settings left
// to the program.
#pragma once

#include "core/pipeline/session_file.h"
#include "core/pipeline/snapshot/compression.h"
#include "views/style/theme.h"

#include <QString>

namespace duo::ui {

/// Before the export: what corrections changed, and notes.
QString quantizedHtml(const Compression& compression, const Theme& theme);

/// One line: "Quantized: 42 quantizers, ranges measured on 300 samples".
QString quantizedSummary(const Compression& compression);

/// Empty where it was not measured.
QString verdictHtml(const Verdict& verdict, const Theme& theme);

/// The verdict first.
QString exportHtml(const ExportReport& report, const Theme& theme);

/// In the words it was told with then, with its date and what is another one now.
QString earlierHtml(const EarlierResult& result, const ResultOrigin& now, const Theme& theme);

/// One line: "Exported m.int8.onnx: 3.6× smaller, 5 of 5 checks passed, accepted".
QString exportSummary(const ExportReport& report);

} // namespace duo::ui
