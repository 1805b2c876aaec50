// SPDX-License-Identifier: Apache-2.0
#include "core/formats/read_checkpoint.h"

#include "core/formats/file_formats.h"
#include "core/support/file.h"

namespace duo {

Error noCheckpoint(const std::filesystem::path& path)
{
    return {ErrorCode::Unsupported, "not a checkpoint", path.string(),
        "give a file of one of these formats: " + checkpointFormatsText()};
}

Result<std::shared_ptr<const Checkpoint>> readCheckpoint(const OpenedFile& opened, const JobContext& job)
{
    const FileFormat* format = formatOf(opened);
    if (format == nullptr || format->readCheckpoint == nullptr)
        return ifFilesWhole(Result<std::shared_ptr<const Checkpoint>>(noCheckpoint(opened.file->path())));
    return ifFilesWhole(format->readCheckpoint(opened, job));
}

Result<std::shared_ptr<const Checkpoint>> readCheckpoint(const std::filesystem::path& path, const JobContext& job)
{
    DUO_TRY(opened, OpenedFile::open(path));
    return readCheckpoint(opened, job);
}

} // namespace duo
