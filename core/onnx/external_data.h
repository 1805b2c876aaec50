// SPDX-License-Identifier: Apache-2.0
// Tensors outside the model file: where they may lie (resources/docs/promises.md, "External data"), and their bytes.
#pragma once

#include "core/model/tensor.h"
#include "core/support/file.h"
#include "core/support/result.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace duo {

/// What TensorProto.external_data says.
struct ExternalReference {
    std::string location; // a path relative to the model's folder
    std::uint64_t offset = 0; // bytes
    std::optional<std::uint64_t> length; // bytes; nothing: to the end of the file
};

/// What is done with a tensor whose file is not there.
enum class AbsentData { IsRefused, IsLeftOut };

/// The external files of one model, each mapped once.
class ExternalFiles
{
public:
    ExternalFiles() = default; // a model in memory: has none
    /// @param model the path the user gave; data may lie below its folder, below the folder of the file it is a link
    /// to, and below `allowed`, which is looked into last. `allowed` may be a file: then its folder is meant, and the
    /// first location that is not found is that file, whatever its name.
    ExternalFiles(const std::filesystem::path& model, std::optional<std::filesystem::path> allowed,
        AbsentData absent = AbsentData::IsRefused);

    /// @param tensor names the tensor in errors: "tensor 'w'"
    /// @param needed bytes the tensor's shape asks for; nothing: as many as `reference` says
    /// @return without an owner where the file is absent and left out; FileNotReadable for a missing or short file;
    /// Unsupported for one that lies elsewhere; MalformedModel if the length does not fit the shape
    Result<SharedBytes> bytesOf(
        const ExternalReference& reference, std::optional<std::uint64_t> needed, const std::string& tensor);

    [[nodiscard]] const std::map<std::string, std::shared_ptr<const MappedFile>>& files() const { return m_files; }
    /// The same by what the model calls them.
    [[nodiscard]] const std::map<std::string, std::shared_ptr<const MappedFile>>& byLocation() const
    {
        return m_byLocation;
    }
    /// Locations left out, with the number of tensors that each was asked for.
    [[nodiscard]] const std::map<std::string, std::int64_t>& absent() const { return m_absent; }
    [[nodiscard]] std::filesystem::path shown(const std::string& location) const; // in messages

private:
    /// "": it is nowhere.
    Result<std::filesystem::path> find(const std::string& location, const std::string& tensor);
    /// Null where it is absent and left out.
    Result<std::shared_ptr<const MappedFile>> open(const std::string& location, const std::string& tensor);

    std::vector<std::filesystem::path> m_folders; // as given: where a location is looked up
    std::vector<std::filesystem::path> m_roots; // canonical: below which files may lie
    std::optional<std::filesystem::path> m_allowed; // canonical
    std::filesystem::path m_instead; // canonical file that was named, for the first location not found; "": none
    AbsentData m_ofAbsent = AbsentData::IsRefused;
    std::map<std::string, std::int64_t> m_absent;
    std::map<std::string, std::shared_ptr<const MappedFile>> m_byLocation;
    std::map<std::string, std::shared_ptr<const MappedFile>> m_files; // by canonical path
};

} // namespace duo
