// SPDX-License-Identifier: Apache-2.0
// ArrayFile: the arrays of a .npy file or a .npz archive, described at once and read when asked for.
#pragma once

#include "core/formats/npy.h"
#include "core/model/tensor.h"
#include "core/support/file.h"
#include "core/support/job.h"
#include "core/support/stored_zip.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace duo {

struct StoredArray {
    std::string name; // member without ".npy"; for a .npy file its name without extension
    Result<NpyHeader> header; // an array that cannot be used fails only when it is needed
    std::size_t member = 0; // index into StoredZip::members
};

/// Safe for several threads. Memory: the mapped file; an array read from an archive is unpacked as a whole.
class ArrayFile
{
public:
    /// Decides by content. @return FileNotReadable; BadData for a damaged archive, repeated names, encrypted members or
    /// sizes that cannot be true
    static Result<std::shared_ptr<const ArrayFile>> open(const std::filesystem::path& path);

    [[nodiscard]] const std::vector<StoredArray>& arrays() const { return m_arrays; }
    [[nodiscard]] const StoredArray* find(const std::string& name) const; // null if absent
    [[nodiscard]] const std::filesystem::path& path() const { return m_file->path(); }
    [[nodiscard]] Status checkWhole() const { return m_file->checkWhole(); } // as MappedFile has it
    [[nodiscard]] bool isArchive() const { return m_archive != nullptr; }

    /// The elements. Arrays of archives above `memoryLimit` bytes are unpacked into a file without name in the folder
    /// for temporary files. @return BadData, NotWritable, Cancelled
    [[nodiscard]] Result<SharedBytes> read(
        const StoredArray& array, const JobContext& job = {}, std::int64_t memoryLimit = kMemoryLimit) const;

    static constexpr std::int64_t kMemoryLimit = StoredZip::kMemoryLimit; // bytes

private:
    explicit ArrayFile(std::shared_ptr<const MappedFile> file);
    static Result<std::shared_ptr<const ArrayFile>> of(const std::shared_ptr<const MappedFile>& mapped);
    void listArchive();
    [[nodiscard]] Result<NpyHeader> readHeader(const ZipMember& member) const;

    std::shared_ptr<const MappedFile> m_file;
    std::shared_ptr<const StoredZip> m_archive; // null for a .npy file
    std::vector<StoredArray> m_arrays;
};

} // namespace duo
