// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/export_target.h"

#include "core/onnx/writer.h"
#include "core/pipeline/export.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/support/file.h"

#include <array>
#include <utility>

#include <unistd.h>

namespace duo {
namespace {

namespace fs = std::filesystem;

fs::path dataPathFor(const fs::path& model)
{
    return model.string() + ".data";
}

Error notPlaced(const fs::path& target, const std::error_code& reason)
{
    return {ErrorCode::NotWritable, "cannot write file", target.string(), reason.message()};
}

} // namespace

Status checkExportTarget(const Model& model, const std::vector<fs::path>& inputs, const fs::path& target)
{
    for (const fs::path& file : {target, dataPathFor(target), statePathFor(target)}) {
        DUO_CHECK(refuseOverInput(model, file));
        for (const fs::path& input : inputs) {
            if (isSameFile(file, input))
                return Error{ErrorCode::NotWritable, "the output would replace a file that is read", file.string(),
                    "name another file"};
        }
        std::error_code unknown;
        if (fs::exists(file, unknown) && !fs::is_regular_file(file, unknown) && !fs::is_directory(file, unknown))
            return Error{ErrorCode::NotWritable, "the output is there and is no file", file.string(), "name a file"};
        DUO_CHECK(checkWritable(file));
    }
    return success();
}

fs::path StagedExport::folderFor(const fs::path& target)
{
    return target.parent_path() / ("." + target.filename().string() + ".part" + std::to_string(::getpid()));
}

Result<StagedExport> StagedExport::beside(const fs::path& target)
{
    const fs::path folder = folderFor(target);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return notPlaced(target, error);
    return StagedExport(folder, target);
}

StagedExport::StagedExport(fs::path folder, fs::path target)
    : m_folder(std::move(folder))
    , m_target(std::move(target))
{
}

StagedExport::StagedExport(StagedExport&& other) noexcept
    : m_folder(std::exchange(other.m_folder, {}))
    , m_target(std::move(other.m_target))
{
}

StagedExport::~StagedExport()
{
    std::error_code ignored;
    if (!m_folder.empty())
        fs::remove_all(m_folder, ignored);
}

fs::path StagedExport::model() const
{
    return m_folder / m_target.filename();
}

void StagedExport::clear() const
{
    std::error_code ignored;
    for (const fs::path& staged : {dataPathFor(model()), model(), statePathFor(model())})
        fs::remove(staged, ignored);
}

Result<std::vector<fs::path>> StagedExport::putInPlace()
{
    std::vector<fs::path> placed{m_target};
    for (const fs::path& staged : {dataPathFor(model()), model(), statePathFor(model())}) {
        std::error_code error;
        if (!fs::exists(staged, error))
            continue;
        const fs::path target = m_target.parent_path() / staged.filename();
        fs::rename(staged, target, error);
        if (error)
            return notPlaced(target, error);
        if (target != m_target)
            placed.push_back(target);
    }
    return placed;
}

} // namespace duo
