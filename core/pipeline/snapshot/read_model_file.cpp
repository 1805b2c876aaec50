// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/read_model_file.h"

#include "core/formats/file_formats.h"
#include "core/onnx/absent_data.h"
#include "core/support/file.h"

namespace duo {

Result<std::shared_ptr<const Model>> readModelFile(
    const std::filesystem::path& path, const ReadOptions& options, const JobContext& job)
{
    DUO_TRY(opened, OpenedFile::open(path));
    const FileFormat* format = formatOf(opened);
    if (format != nullptr && format->readModel != nullptr)
        return ifFilesWhole(format->readModel(opened, job));
    return ifFilesWhole(readStructure(path, options, job));
}

Status checkCanRun(const Model& model)
{
    if (model.format->canRun())
        return checkHasData(model);
    return Error{ErrorCode::Unsupported, std::string(model.format->refusal), model.path.string(),
        std::string(model.format->remedy)};
}

} // namespace duo
