// SPDX-License-Identifier: Apache-2.0
// Checks of a written model: it loads, keeps its interface and what was not touched, and runs as planned.
#pragma once

#include "core/engine/session.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/quantize/edits/qdq_edits.h"

#include <optional>
#include <vector>

namespace duo {

struct CheckedExport {
    std::vector<Check> checks;
    std::optional<Session> session; // of the file, as openExport() opens it; nothing where the engine refuses it
};

/// All checks that need no data, in a fixed order:
/// - "loads": ONNX Runtime opens it with all optimizations
/// - "interface": inputs and outputs have the same names, types and shapes
/// - "untouched": every parameter that was not quantized has the same bytes
/// - "ignored-float": no ignored node runs on an int8 kernel (profile ort-cpu)
/// - "int8-kernels": at least 95 % of the Conv, Gemm and MatMul planned in 8 bits run on one (profile ort-cpu); its
///   results tell of every planned node how it runs, and why not in int8
/// - "opset": what the model is for is known to read its opset (where it is known what that reads: TransformTarget)
/// @param original the model as it was opened: nodes that corrections added to it are not called ignored
/// @param edits that wrote it; of their EditList only what was removed is looked at
/// @return Cancelled, or an error of reading the written file back
Result<CheckedExport> checkExport(const Snapshot& snapshot, const Model& original, const QdqEdits& edits,
    const std::filesystem::path& written, const JobContext& job);

} // namespace duo
