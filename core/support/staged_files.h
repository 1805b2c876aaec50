// SPDX-License-Identifier: Apache-2.0
// StagedFiles: files that belong together, made out of sight and put in place all or none.
#pragma once

#include "core/support/leftovers.h"
#include "core/support/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace duo {

/// Names of files in one folder, or in a folder of it ("sample/0.bin").
struct FileSet {
    std::string main;
    std::vector<std::string> readByMain; // main is worth nothing without them, and wrong with others
    std::vector<std::string> beside;
};

/// A folder beside a target for files that will lie beside it. While files are put in place, the old ones are kept in
/// "was" in it: a failure puts them back at once, and after a kill the next StagedFiles for that target does.
class StagedFiles
{
public:
    /// Puts back and removes what killed processes left for this target. @return NotWritable
    static Result<StagedFiles> beside(const std::filesystem::path& target);
    /// For whoever ends the program while another thread is at work on them: as after a kill, but now.
    static void abandon(const std::filesystem::path& target);
    ~StagedFiles(); // removes what was not put in place
    StagedFiles(StagedFiles&& other) noexcept;
    StagedFiles& operator=(StagedFiles&&) = delete;
    StagedFiles(const StagedFiles&) = delete;

    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
    /// Renames those of the set that are in the folder over their namesakes beside the target, main as the last. Where
    /// what main reads is replaced, the old main is away meanwhile: whoever is killed leaves none that reads wrong
    /// files.
    /// @return NotWritable, also where a folder has one of the names; then everything is as it was before
    Status putInPlace(const FileSet& files);

private:
    StagedFiles(std::filesystem::path folder, std::filesystem::path target, HeldPath held);

    std::filesystem::path m_folder; // empty once moved from
    std::filesystem::path m_target;
    HeldPath m_held; // of the folder: it is nobody's leftover
};

/// Refuses a folder that is a link: whoever packed it may have let it lead anywhere. @return NotWritable
Status refuseLink(const std::filesystem::path& folder);

} // namespace duo
