// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/external_data.h"

#include <algorithm>
#include <utility>

namespace duo {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

bool liesBelow(const fs::path& file, const fs::path& root)
{
    return std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first == root.end();
}

bool leavesFolder(const fs::path& location)
{
    return location.is_absolute() || std::find(location.begin(), location.end(), "..") != location.end();
}

Error outside(const std::string& tensor, const std::string& location)
{
    return {ErrorCode::Unsupported, "external data of " + tensor + " lies outside the model's folder", location,
        "if you trust the model, allow the folder of that file with --allow-external", Remedy::AllowFolder};
}

Error cutOff(const std::string& tensor, const fs::path& file, const ExternalReference& wanted, std::uint64_t length,
    std::uint64_t size)
{
    return {ErrorCode::FileNotReadable, "external data of " + tensor + " ends behind its file", file.string(),
        "it needs " + std::to_string(length) + " bytes from byte " + std::to_string(wanted.offset)
            + " on and the file has " + std::to_string(size) + ", copy or download the file again"};
}

} // namespace

ExternalFiles::ExternalFiles(const fs::path& model, std::optional<fs::path> allowed, AbsentData absent)
    : m_ofAbsent(absent)
{
    std::error_code failed;
    m_folders.push_back(folderOf(model));
    if (const fs::path target = fs::canonical(model, failed); !failed && fs::is_symlink(model, failed))
        m_folders.push_back(folderOf(target));
    for (const fs::path& folder : m_folders) {
        if (fs::path root = fs::canonical(folder, failed); !failed)
            m_roots.push_back(std::move(root));
    }
    if (!allowed)
        return;
    fs::path root = fs::canonical(*allowed, failed);
    if (failed)
        return;
    if (fs::is_regular_file(root, failed)) {
        m_instead = root;
        root = folderOf(root);
    }
    m_allowed = root;
    m_roots.push_back(std::move(root));
}

Result<fs::path> ExternalFiles::find(const std::string& location, const std::string& tensor)
{
    const fs::path relative(location);
    if (location.find('\0') != std::string::npos || (leavesFolder(relative) && !m_allowed))
        return outside(tensor, location);
    for (const fs::path& folder : m_folders) {
        std::error_code failed;
        fs::path found = fs::canonical(folder / relative, failed);
        if (failed)
            continue;
        const auto allows = [&](const fs::path& root) { return liesBelow(found, root); };
        const bool isAllowed = leavesFolder(relative) ? allows(*m_allowed) : std::ranges::any_of(m_roots, allows);
        return isAllowed ? Result<fs::path>(std::move(found)) : outside(tensor, location);
    }
    for (const fs::path& name : {relative, relative.filename()}) {
        std::error_code failed;
        if (m_allowed && !leavesFolder(name)) {
            if (fs::path found = fs::canonical(*m_allowed / name, failed); !failed)
                return liesBelow(found, *m_allowed) ? Result<fs::path>(std::move(found)) : outside(tensor, location);
        }
    }
    return std::exchange(m_instead, {});
}

fs::path ExternalFiles::shown(const std::string& location) const
{
    return m_folders.empty() ? fs::path(location) : m_folders.front() / location;
}

Result<std::shared_ptr<const MappedFile>> ExternalFiles::open(const std::string& location, const std::string& tensor)
{
    if (const auto known = m_byLocation.find(location); known != m_byLocation.end())
        return known->second;
    if (const auto known = m_absent.find(location); known != m_absent.end()) {
        ++known->second;
        return std::shared_ptr<const MappedFile>();
    }
    DUO_TRY(path, find(location, tensor));
    if (path.empty() && m_ofAbsent == AbsentData::IsLeftOut) {
        m_absent.emplace(location, 1);
        return std::shared_ptr<const MappedFile>();
    }
    if (path.empty())
        return Error{ErrorCode::FileNotReadable, "external data of " + tensor + " is missing", shown(location).string(),
            m_folders.empty() ? "open the model from its own file" : "put this file beside the model"};
    std::shared_ptr<const MappedFile>& mapped = m_files[path.string()];
    if (!mapped) {
        auto opened = MappedFile::open(path);
        if (!opened) {
            m_files.erase(path.string());
            return Error{ErrorCode::FileNotReadable, "external data of " + tensor + ": " + opened.error().what,
                shown(location).string(), "put the data file there"};
        }
        mapped = *opened;
    }
    m_byLocation.emplace(location, mapped);
    return mapped;
}

Result<SharedBytes> ExternalFiles::bytesOf(
    const ExternalReference& reference, std::optional<std::uint64_t> needed, const std::string& tensor)
{
    DUO_TRY(file, open(reference.location, tensor));
    if (!file)
        return SharedBytes{};
    std::error_code gone;
    const fs::path beside = shown(reference.location);
    const fs::path named = fs::exists(beside, gone) ? beside : file->path(); // located elsewhere
    const std::uint64_t size = file->bytes().size();
    const std::uint64_t rest = reference.offset > size ? 0 : size - reference.offset;
    const std::uint64_t length = reference.length.value_or(needed.value_or(rest));
    if (needed && length != *needed)
        return Error{ErrorCode::MalformedModel,
            tensor + " has " + std::to_string(length) + " bytes of external data, its shape and type need "
                + std::to_string(*needed),
            named.string(), "export the model again"};
    if (reference.offset > size || length > rest)
        return cutOff(tensor, named, reference, length, size);
    return SharedBytes{
        file, file->bytes().subspan(static_cast<std::size_t>(reference.offset), static_cast<std::size_t>(length))};
}

} // namespace duo
