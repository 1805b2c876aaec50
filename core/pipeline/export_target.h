// SPDX-License-Identifier: Apache-2.0
// The files an export leaves: refused before any work where they cannot be written, put in place all at the end.
#pragma once

#include "core/model/model.h"
#include "core/support/staged_files.h"

#include <filesystem>
#include <vector>

namespace duo {

/// What a run reads besides the model, as files; "": none.
struct FilesRead {
    std::filesystem::path data = {}; // or what else names data: then no file has this name
    std::filesystem::path recipe = {};
    std::filesystem::path statistics = {};
    std::filesystem::path checkpoint = {};
    std::filesystem::path state = {};
};

/// Of the external data of an exported model, where it has such.
std::filesystem::path dataPathFor(const std::filesystem::path& model);

/// @return NotWritable if the model, its state or its data would replace something that is read, or cannot be written
Status checkExportTarget(const Model& model, const FilesRead& read, const std::filesystem::path& target);

/// A folder beside the target in which an export is written and checked under its final names.
class StagedExport
{
public:
    /// @return NotWritable
    static Result<StagedExport> beside(const std::filesystem::path& target);

    [[nodiscard]] std::filesystem::path model() const; // the target's name, in the folder
    /// Removes what was written so far.
    void clear() const;
    /// Puts data, state and model in place, all or none.
    /// @return the files in place, the model first; NotWritable
    Result<std::vector<std::filesystem::path>> putInPlace();

private:
    StagedExport(StagedFiles files, std::filesystem::path target);
    StagedFiles m_files;
    std::filesystem::path m_target;
};

} // namespace duo
