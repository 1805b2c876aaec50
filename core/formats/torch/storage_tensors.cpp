// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/storage_tensors.h"

#include "core/support/unpacked_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

namespace duo {
namespace {

/// The elements of a strided view in row-major order, piece after piece.
/// The caller has checked that every element lies inside the storage.
class StridedReader
{
public:
    /// @param start offset of the first element in bytes; `strides` [rank] in bytes, >= 0; `dims` [rank] > 0
    StridedReader(std::span<const std::byte> storage, std::int64_t start, std::vector<std::int64_t> dims,
        std::vector<std::int64_t> strides, std::size_t elementBytes);

    /// Fills `target`, a multiple of elementBytes long; not beyond the last element.
    void next(std::span<std::byte> target);

private:
    template <std::size_t Bytes> void copy(std::span<std::byte> target);
    void advance();

    std::span<const std::byte> m_storage;
    std::int64_t m_position;
    std::vector<std::int64_t> m_dims;
    std::vector<std::int64_t> m_strides;
    std::vector<std::int64_t> m_index;
    std::size_t m_elementBytes;
};

StridedReader::StridedReader(std::span<const std::byte> storage, std::int64_t start, std::vector<std::int64_t> dims,
    std::vector<std::int64_t> strides, std::size_t elementBytes)
    : m_storage(storage)
    , m_position(start)
    , m_dims(std::move(dims))
    , m_strides(std::move(strides))
    , m_index(m_dims.size())
    , m_elementBytes(elementBytes)
{
}

void StridedReader::advance()
{
    for (std::size_t axis = m_dims.size(); axis > 0; --axis) {
        const std::size_t i = axis - 1;
        m_position += m_strides[i];
        if (++m_index[i] < m_dims[i])
            return;
        m_position -= m_strides[i] * m_dims[i];
        m_index[i] = 0;
    }
}

template <std::size_t Bytes> void StridedReader::copy(std::span<std::byte> target)
{
    for (std::size_t at = 0; at < target.size(); at += Bytes) {
        std::memcpy(target.data() + at, m_storage.data() + m_position, Bytes);
        advance();
    }
}

void StridedReader::next(std::span<std::byte> target)
{
    switch (m_elementBytes) { // a copy of known length is one instruction
    case 1:
        return copy<1>(target);
    case 2:
        return copy<2>(target);
    case 4:
        return copy<4>(target);
    case 8:
        return copy<8>(target);
    default:
        return copy<16>(target);
    }
}

std::int64_t elementBytes(const StorageView& view)
{
    return elementBits(view.type) / 8;
}

/// The stride along an axis of one element means nothing; without it equal views are equal.
void forgetIdleStridesInPlace(StorageView& view)
{
    for (std::size_t i = 0; i < view.dims.size(); ++i)
        if (view.dims[i] == 1)
            view.strides[i] = 0;
}

bool isRowMajor(const StorageView& view)
{
    std::int64_t expected = 1;
    for (std::size_t i = view.dims.size(); i > 0; --i) {
        if (view.dims[i - 1] != 1 && view.strides[i - 1] != expected)
            return false;
        expected *= view.dims[i - 1];
    }
    return true;
}

/// The number of elements a storage needs for the view, or nothing beyond 64 bits. Dims are positive.
std::optional<std::int64_t> neededElements(const StorageView& view)
{
    std::int64_t last = view.offset;
    for (std::size_t i = 0; i < view.dims.size(); ++i) {
        std::int64_t step = 0;
        if (__builtin_mul_overflow(view.dims[i] - 1, view.strides[i], &step)
            || __builtin_add_overflow(last, step, &last))
            return std::nullopt;
    }
    return last == std::numeric_limits<std::int64_t>::max() ? std::nullopt : std::optional(last + 1);
}

} // namespace

StorageTensors::StorageTensors(
    std::shared_ptr<const StoredZip> zip, std::string folder, CheckpointDraft& draft, JobContext job)
    : m_zip(std::move(zip))
    , m_folder(std::move(folder))
    , m_draft(draft)
    , m_job(std::move(job))
{
}

Status StorageTensors::addKey(const std::string& key, StorageView view)
{
    if (m_job.stopped())
        return cancelledError();
    DUO_TRY(bytes, storage(view.storage, key));
    DUO_CHECK(check(view, bytes, key));
    forgetIdleStridesInPlace(view);
    const auto known = m_tensors.find(view);
    if (known != m_tensors.end())
        return m_draft.addKey(key, known->second);
    if (repeatsTooMuch(view))
        return m_draft.leaveOut(key, "it repeats its storage too often to be written out");
    DUO_TRY(made, tensor(view, bytes));
    const std::uint32_t index = m_draft.addTensor(std::move(made));
    m_tensors.emplace(std::move(view), index);
    return m_draft.addKey(key, index);
}

Result<SharedBytes> StorageTensors::storage(const std::string& name, const std::string& key)
{
    const auto known = m_storages.find(name);
    if (known != m_storages.end())
        return known->second;
    const ZipMember* member = m_zip->find(m_folder + name);
    if (member == nullptr)
        return Error{ErrorCode::MalformedModel, "checkpoint lacks a storage", m_draft.where(key),
            "the archive has no '" + m_folder + name + "'"};
    std::int64_t memoryLimit = 0;
    if (!member->isStored) {
        m_unpacked += member->bytes;
        if (m_unpacked > kMaxUnpacked)
            return Error{ErrorCode::Unsupported, "checkpoint is packed", m_draft.where(),
                "more than 4 GB would have to be unpacked; save it again with torch.save"};
        memoryLimit = member->bytes <= m_memory ? member->bytes : 0;
        m_memory -= memoryLimit;
    }
    DUO_TRY(bytes, m_zip->bytes(*member, m_job, memoryLimit));
    m_storages.emplace(name, bytes);
    return bytes;
}

Status StorageTensors::check(const StorageView& view, const SharedBytes& bytes, const std::string& key) const
{
    const auto count = elementCount(view.dims);
    const bool hasNegative = std::ranges::any_of(view.strides, [](std::int64_t stride) { return stride < 0; });
    const bool fits = view.dims.size() <= kMaxRank && view.strides.size() == view.dims.size() && !hasNegative
        && view.offset >= 0 && elementBytes(view) > 0;
    if (!fits || !count || !packedBytes(view.type, *count))
        return Error{ErrorCode::MalformedModel, "tensor has an impossible shape", m_draft.where(key), "save it again"};
    const auto held = static_cast<std::int64_t>(bytes.bytes.size());
    if (view.storageBytes > held)
        return Error{ErrorCode::MalformedModel, "storage is shorter than it says", m_draft.where(key),
            std::to_string(held) + " bytes of " + std::to_string(view.storageBytes) + "; the file is damaged"};
    const auto needed = *count == 0 ? std::optional<std::int64_t>(0) : neededElements(view);
    if (!needed || *needed > held / elementBytes(view))
        return Error{ErrorCode::MalformedModel, "tensor reaches beyond its storage", m_draft.where(key),
            "the storage has " + std::to_string(held) + " bytes; the file is damaged"};
    return success();
}

bool StorageTensors::repeatsTooMuch(const StorageView& view)
{
    const std::int64_t count = *elementCount(view.dims);
    if (count == 0 || isRowMajor(view))
        return false;
    const auto limit = static_cast<std::int64_t>(m_zip->archiveBytes()) + kMaxRepeated;
    const std::int64_t size = *packedBytes(view.type, count);
    if (size > limit - m_repeated)
        return true;
    m_repeated += size;
    return false;
}

Result<Tensor> StorageTensors::tensor(const StorageView& view, const SharedBytes& bytes)
{
    const std::int64_t size = *packedBytes(view.type, *elementCount(view.dims));
    Tensor tensor{.name = {}, .type = view.type, .dims = view.dims, .data = {}, .place = TensorPlace::External};
    if (size == 0)
        return tensor;
    if (isRowMajor(view)) {
        const auto start = static_cast<std::size_t>(view.offset * elementBytes(view));
        tensor.data = {bytes.owner, bytes.bytes.subspan(start, static_cast<std::size_t>(size))};
        return tensor;
    }
    DUO_TRY(copied, densely(view, bytes, size));
    tensor.data = std::move(copied);
    return tensor;
}

Result<SharedBytes> StorageTensors::densely(const StorageView& view, const SharedBytes& bytes, std::int64_t size)
{
    const std::int64_t width = elementBytes(view);
    std::vector<std::int64_t> strides = view.strides;
    for (std::int64_t& stride : strides)
        stride *= width;
    StridedReader reader(
        bytes.bytes, view.offset * width, view.dims, std::move(strides), static_cast<std::size_t>(width));
    const auto readNext = [&](std::span<std::byte> target) -> Status {
        reader.next(target);
        return success();
    };
    const bool fits = size <= m_memory;
    if (fits)
        m_memory -= size;
    return unpackBytes(size, !fits, readNext, m_job);
}

} // namespace duo
