// SPDX-License-Identifier: Apache-2.0
// Calls of functions in a model file become the nodes they stand for.
#pragma once

#include "core/onnx/outlined_model.h"
#include "core/onnx/reader.h"

#include <filesystem>
#include <string>
#include <vector>

namespace duo {

/// Which functions are to be written out: those named; else those that outlining made, where there are any; else all.
struct InlineRequest {
    std::vector<std::string> functions = {}; // names
    bool all = false;
};

struct InlinedFile {
    std::vector<LocalFunction> functions; // of the file
    Inlined inlined;
};

/// @return what readModelFile() and inlinedModel() return; Usage for a name of no function; Unsupported for a model
/// that is no ONNX file or lacks its external data
Result<InlinedFile> inlineFile(const std::filesystem::path& path, const ReadOptions& options,
    const InlineRequest& request, const JobContext& job = {});

} // namespace duo
