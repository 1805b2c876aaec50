// SPDX-License-Identifier: Apache-2.0
#include "core/support/staged_files.h"

#include "core/support/disk.h"
#include "core/support/file.h"

#include <set>
#include <utility>

namespace duo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWas = "was"; // folder of the old files; there from before the first change until after the last
constexpr std::string_view kAbsent = ".absent"; // stands there for a file, or a folder of files, that was not there

bool isThere(const fs::path& path)
{
    std::error_code unknown;
    return fs::exists(fs::symlink_status(path, unknown));
}

/// The folder of a name alone is the one that the program stands in.
bool isFolderThere(const fs::path& folder)
{
    return folder.empty() || isThere(folder);
}

bool isFolder(const fs::path& path)
{
    std::error_code unknown;
    return fs::is_directory(fs::symlink_status(path, unknown));
}

/// Of the folders on the way to a file.
/// @param name as seen from `place`
Status refuseLinks(const fs::path& place, const fs::path& name)
{
    fs::path at = place;
    for (const fs::path& part : name.parent_path())
        DUO_CHECK(refuseLink(at /= part));
    return success();
}

/// Whether it came back, or never went.
bool moveBack(const fs::path& kept, const fs::path& place)
{
    std::error_code unknown;
    return fs::equivalent(kept, place, unknown) || !renameFile(kept, place);
}

/// Files are put back from "was", those that there were none of are taken away; doing so twice does no harm. Links are
/// not followed: what they lead to was never in its place here. @return whether all is as it was
bool putBack(const fs::path& staged, const fs::path& target)
{
    const fs::path was = staged / kWas;
    if (!isFolder(was))
        return true;
    const std::string main = target.filename().string();
    const fs::path place = target.parent_path();
    std::error_code error;
    if (!isThere(staged / main) && isThere(was / main)) // the new one reads what is taken away now
        error = removeFile(place / main);
    bool isDone = !error;
    std::vector<fs::path> made; // folders
    for (fs::recursive_directory_iterator entry(was, error), end; !error && entry != end; entry.increment(error)) {
        std::string name = entry->path().lexically_relative(was).string();
        if (name == main || isFolder(entry->path()))
            continue;
        if (!refuseLinks(place, name)) {
            isDone = false;
            continue;
        }
        if (name.ends_with(kAbsent)) {
            name.resize(name.size() - kAbsent.size());
            if (isFolder(staged / name))
                made.push_back(place / name);
            else
                isDone = (isThere(staged / name) || !removeFile(place / name)) && isDone;
        } else {
            isDone = moveBack(entry->path(), place / name) && isDone;
        }
    }
    for (const fs::path& folder : made)
        removeFile(folder); // stays where others lie in it
    isDone = isDone && !error;
    return isDone && (!isThere(was / main) || moveBack(was / main, place / main));
}

/// Nothing of the only copies of old files is removed.
void clear(const fs::path& staged, const fs::path& target)
{
    if (putBack(staged, target))
        removeFolder(staged);
}

/// Keeps the old file of that name, or that there is none. A link leaves it in its place meanwhile.
std::error_code keepOld(const fs::path& file, const fs::path& kept)
{
    if (!isThere(file)) {
        NewFile mark(fs::path(kept) += kAbsent);
        return mark.error();
    }
    if (isFolder(file))
        return std::make_error_code(std::errc::is_a_directory);
    const std::error_code error = linkFile(file, kept);
    const bool hasNoLinks = error == std::errc::operation_not_permitted || error == std::errc::operation_not_supported
        || error == std::errc::too_many_links || error == std::errc::function_not_supported;
    return hasNoLinks ? renameFile(file, kept) : error;
}

/// Of names as seen from `folder`.
std::set<fs::path> foldersOf(const std::vector<std::string>& names, const fs::path& folder)
{
    std::set<fs::path> folders{folder};
    for (const fs::path name : names) {
        if (name.has_parent_path())
            folders.insert(folder / name.parent_path());
    }
    return folders;
}

std::vector<std::string> stagedOf(const std::vector<std::string>& names, const fs::path& staged)
{
    std::vector<std::string> found;
    for (const std::string& name : names) {
        if (isThere(staged / name))
            found.push_back(name);
    }
    return found;
}

/// A change on the way to the new files, each with what it is about.
struct Placing {
    fs::path staged;
    fs::path place;

    [[nodiscard]] Status keep(const std::string& name) const
    {
        const fs::path folder = fs::path(name).parent_path();
        std::error_code error;
        if (!folder.empty() && !isThere(staged / kWas / folder)) {
            error = makeFolders(staged / kWas / folder);
            if (!error && !isThere(place / folder))
                error = keepOld(place / folder, staged / kWas / folder);
        }
        if (!error)
            error = keepOld(place / name, staged / kWas / name);
        return error ? Status(notWritable(place / name, error)) : success();
    }

    /// Not removed: where the folder is abandoned at this moment, nothing is taken away any more.
    [[nodiscard]] Status takeAway(const std::string& name) const
    {
        if (!isThere(place / name))
            return success();
        const std::error_code error = renameFile(place / name, staged / "away");
        return error ? Status(notWritable(place / name, error)) : success();
    }

    [[nodiscard]] Status put(const std::string& name) const
    {
        const fs::path folder = (place / name).parent_path();
        std::error_code error = isFolderThere(folder) ? std::error_code() : makeFolders(folder);
        if (!error)
            error = renameFile(staged / name, place / name);
        return error ? Status(notWritable(place / name, error)) : success();
    }

    /// So that a crash of the system finds each change after those before it.
    [[nodiscard]] Status flush(const std::set<fs::path>& folders, const std::string& main) const
    {
        for (const fs::path& folder : folders) {
            if (!isFolderThere(folder)) // of files that are still to come
                continue;
            if (const std::error_code error = flushFolder(folder))
                return notWritable(place / main, error);
        }
        return success();
    }

    [[nodiscard]] Status run(const FileSet& files) const
    {
        std::vector<std::string> names = stagedOf(files.readByMain, staged);
        const std::size_t readByMain = names.size();
        for (std::string& name : stagedOf(files.beside, staged))
            names.push_back(std::move(name));
        for (std::string& name : stagedOf({files.main}, staged)) // none, of a picture in pages
            names.push_back(std::move(name));
        if (names.empty()) // somebody took the folder away
            return notWritable(place / files.main, std::make_error_code(std::errc::no_such_file_or_directory));
        for (const std::string& name : names)
            DUO_CHECK(refuseLinks(place, name));
        if (const std::error_code error = makeFolders(staged / kWas))
            return notWritable(place / files.main, error);
        bool mustBeAway = false;
        for (std::size_t i = 0; i < names.size(); ++i) {
            mustBeAway = mustBeAway || (i < readByMain && isThere(place / names[i]));
            DUO_CHECK(keep(names[i]));
        }
        for (const auto& folders : {foldersOf(names, staged / kWas), {staged}, foldersOf(names, place)})
            DUO_CHECK(flush(folders, files.main));
        if (mustBeAway)
            DUO_CHECK(takeAway(files.main));
        for (const std::string& name : names)
            DUO_CHECK(put(name));
        DUO_CHECK(flush(foldersOf(names, place), files.main));
        // From here on the new files are those that count.
        if (const std::error_code error = renameFile(staged / kWas, staged / "done"))
            return notWritable(place / files.main, error);
        flushFolder(staged); // they count already, whatever comes of this
        return success();
    }
};

} // namespace

Result<StagedFiles> StagedFiles::beside(const fs::path& target)
{
    for (const Leftover& leftover : leftoversIn(target.parent_path(), target.filename().string()))
        clear(leftover.path, target);
    constexpr int kTries = 100; // each needs another process that looks for leftovers at this very moment
    const fs::path folder = temporaryFor(target);
    for (int i = 0; i < kTries; ++i) {
        if (const std::error_code error = makeFolders(folder))
            return notWritable(target, error);
        HeldPath held(folder);
        if (held.holding() != Holding::Busy)
            return StagedFiles(folder, target, std::move(held));
    }
    return notWritable(target, std::make_error_code(std::errc::device_or_resource_busy));
}

void StagedFiles::abandon(const fs::path& target)
{
    // Under another name, so that whoever puts files in place finds none any more.
    const fs::path folder = temporaryFor(target);
    const fs::path left = fs::path(folder) += "0";
    if (!isThere(left) && !renameFile(folder, left))
        clear(left, target);
}

StagedFiles::StagedFiles(fs::path folder, fs::path target, HeldPath held)
    : m_folder(std::move(folder))
    , m_target(std::move(target))
    , m_held(std::move(held))
{
}

StagedFiles::StagedFiles(StagedFiles&& other) noexcept
    : m_folder(std::exchange(other.m_folder, {}))
    , m_target(std::move(other.m_target))
    , m_held(std::move(other.m_held))
{
}

StagedFiles::~StagedFiles()
{
    if (!m_folder.empty())
        clear(m_folder, m_target);
}

Status StagedFiles::putInPlace(const FileSet& files)
{
    Status status = Placing{m_folder, m_target.parent_path()}.run(files);
    if (!status && !putBack(m_folder, m_target)) {
        Error error = status.error();
        error.whatToDo += "; what was there before lies in " + (m_folder / kWas).string();
        return error;
    }
    return status;
}

Status refuseLink(const fs::path& folder)
{
    std::error_code unknown;
    if (!fs::is_symlink(fs::symlink_status(folder, unknown)))
        return success();
    return Error{ErrorCode::NotWritable, "a folder is wanted where a link lies", folder.string(),
        "remove it, or name another folder"};
}

} // namespace duo
