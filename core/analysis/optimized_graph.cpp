// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/optimized_graph.h"

#include "core/engine/open_model.h"
#include "core/onnx/reader.h"
#include "core/support/disk.h"
#include "core/support/scratch_folder.h"

namespace duo {
namespace {

constexpr const char* kFile = "optimized.onnx";

Status openAndClose(const Model& original, const std::filesystem::path& written, const SessionOptions& options)
{
    DUO_TRY(session, openExport(original, written, options));
    return success();
}

} // namespace

Result<std::shared_ptr<const Model>> optimizedModel(const Model& model, const JobContext& job)
{
    DUO_TRY(scratch, ScratchFolder::make());
    DUO_CHECK(writeOptimized(model, scratch.path() / kFile, job));
    return readModel(scratch.path() / kFile, {}, job); // the mapping outlives the file's name
}

Result<std::shared_ptr<const Model>> optimizedExport(
    const Model& original, const std::filesystem::path& written, const JobContext& job)
{
    DUO_TRY(scratch, ScratchFolder::make());
    SessionOptions options;
    options.optimization = Optimization::Extended;
    options.stop = job.stop;
    options.optimizedModel = scratch.path() / kFile;
    DUO_CHECK(openAndClose(original, written, options)); // before what it wrote takes memory here
    // What the engine left outside it still names relative to its own folder.
    const std::filesystem::path data = std::filesystem::absolute(written.string() + ".data");
    std::error_code error;
    if (std::filesystem::exists(data, error))
        error = pointTo(data, scratch.path() / data.filename());
    if (error)
        return Error{ErrorCode::NotWritable, "cannot link to the model's data", data.string(), error.message()};
    return readModel(*options.optimizedModel, ReadOptions{data.parent_path()}, job);
}

} // namespace duo
