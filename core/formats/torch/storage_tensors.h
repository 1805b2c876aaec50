// SPDX-License-Identifier: Apache-2.0
// StorageTensors: the tensors of a PyTorch archive, which are views into storages; equal views are one tensor.
#pragma once

#include "core/model/checkpoint_draft.h"
#include "core/support/job.h"
#include "core/support/stored_zip.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace duo {

/// A tensor as PyTorch describes it; offset and strides count elements.
struct StorageView {
    std::string storage; // name of the member below the folder of storages
    ElementType type = ElementType::Undefined;
    std::int64_t storageBytes = 0; // at least that much the storage has to hold
    std::int64_t offset = 0;
    std::vector<std::int64_t> dims;
    std::vector<std::int64_t> strides; // as many as dims
    auto operator<=>(const StorageView&) const = default;
};

/// For one archive and one draft.
class StorageTensors
{
public:
    static constexpr std::int64_t kMaxUnpacked = std::int64_t{4} << 30; // bytes of packed storages, all together
    static constexpr std::size_t kMaxRank = 64; // PyTorch's own limit for most operators
    static constexpr std::int64_t kMaxRepeated = std::int64_t{64} << 20; // bytes strided views may add to the archive's

    /// @param folder where the storages lie in the archive, "data/"
    StorageTensors(std::shared_ptr<const StoredZip> zip, std::string folder, CheckpointDraft& draft, JobContext job);

    /// Adds the key with its tensor. Row-major views are not copied; others are written out densely, in memory up to
    /// StoredZip::kMemoryLimit together, then in temporary files. Strided views that would be longer than the archive
    /// and kMaxRepeated together are left out with a note.
    /// @return MalformedModel for a view that does not fit its storage; the errors of StoredZip::bytes; Unsupported
    Status addKey(const std::string& key, StorageView view);

private:
    Result<SharedBytes> storage(const std::string& name, const std::string& key);
    Status check(const StorageView& view, const SharedBytes& bytes, const std::string& key) const;
    Result<SharedBytes> densely(const StorageView& view, const SharedBytes& bytes, std::int64_t size);
    Result<Tensor> tensor(const StorageView& view, const SharedBytes& bytes);
    [[nodiscard]] bool repeatsTooMuch(const StorageView& view);

    std::shared_ptr<const StoredZip> m_zip;
    std::string m_folder;
    CheckpointDraft& m_draft;
    JobContext m_job;
    std::map<std::string, SharedBytes> m_storages;
    std::map<StorageView, std::uint32_t> m_tensors;
    std::int64_t m_unpacked = 0;
    std::int64_t m_repeated = 0;
    std::int64_t m_memory = StoredZip::kMemoryLimit; // left for copies
};

} // namespace duo
