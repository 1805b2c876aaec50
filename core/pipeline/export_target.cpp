// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/export_target.h"

#include "core/onnx/writer.h"
#include "core/pipeline/export.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/support/disk.h"
#include "core/support/file.h"

#include <utility>

namespace duo {
namespace fs = std::filesystem;

fs::path dataPathFor(const fs::path& model)
{
    return model.string() + ".data";
}

Status checkExportTarget(const Model& model, const FilesRead& read, const fs::path& target)
{
    for (const fs::path& file : {target, dataPathFor(target), statePathFor(target)}) {
        DUO_CHECK(refuseOverInput(model, file));
        for (const fs::path* input : {&read.data, &read.recipe, &read.statistics, &read.checkpoint, &read.state}) {
            if (isSameFile(file, *input))
                return Error{ErrorCode::NotWritable, "the output would replace a file that is read", file.string(),
                    "name another file"};
        }
        DUO_CHECK(checkWritable(file));
    }
    return success();
}

Result<StagedExport> StagedExport::beside(const fs::path& target)
{
    DUO_TRY(files, StagedFiles::beside(target));
    return StagedExport(std::move(files), target);
}

StagedExport::StagedExport(StagedFiles files, fs::path target)
    : m_files(std::move(files))
    , m_target(std::move(target))
{
}

fs::path StagedExport::model() const
{
    return m_files.folder() / m_target.filename();
}

void StagedExport::clear() const
{
    for (const fs::path& staged : {dataPathFor(model()), model(), statePathFor(model())})
        removeFile(staged);
}

Result<std::vector<fs::path>> StagedExport::putInPlace()
{
    const fs::path data = dataPathFor(m_target);
    const fs::path state = statePathFor(m_target);
    std::vector<fs::path> placed{m_target};
    for (const fs::path& file : {data, state}) {
        std::error_code unknown;
        if (fs::exists(m_files.folder() / file.filename(), unknown))
            placed.push_back(file);
    }
    DUO_CHECK(m_files.putInPlace({.main = m_target.filename().string(),
        .readByMain = {data.filename().string()},
        .beside = {state.filename().string()}}));
    return placed;
}

} // namespace duo
