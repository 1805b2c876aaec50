// SPDX-License-Identifier: Apache-2.0
#include "core/formats/checkpoint/read_checkpoint.h"

#include "core/formats/checkpoint/checkpoint_draft.h"
#include "core/formats/checkpoint/safetensors/safetensors.h"
#include "core/formats/checkpoint/safetensors/shard_index.h"
#include "core/formats/checkpoint/script/torch_script.h"
#include "core/formats/checkpoint/torch/torch_save.h"
#include "core/formats/pt2/export_archive.h"
#include "core/formats/pt2/read_pt2.h"
#include "core/formats/zip/stored_zip.h"
#include "core/support/file.h"

#include <algorithm>

namespace duo {
namespace {

using Read = Result<std::shared_ptr<const Checkpoint>>;

Error noCheckpoint(const std::filesystem::path& path)
{
    return {ErrorCode::Unsupported, "not a checkpoint", path.string(),
        "give a safetensors file or its index, or a file of torch.save, torch.jit.save or torch.export.save"};
}

/// Protocol 2, then the number 0x1950a86a20f9469cfc6c: torch/serialization.py, before zip archives.
bool isLegacyTorchSave(std::span<const std::byte> bytes)
{
    constexpr unsigned char kStart[]
        = {0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19};
    return bytes.size() >= sizeof(kStart)
        && std::ranges::equal(std::as_bytes(std::span(kStart)), bytes.first(sizeof(kStart)));
}

bool isTorchScript(const StoredZip& zip)
{
    return zip.find("constants.pkl") != nullptr
        || std::ranges::any_of(zip.members(), [](const ZipMember& member) { return member.path.starts_with("code/"); });
}

Read readArchive(const std::shared_ptr<const MappedFile>& file, const JobContext& job)
{
    DUO_TRY(zip, StoredZip::open(SharedBytes{file, file->bytes()}, file->path().string()));
    if (isExportArchive(*zip))
        return readTorchExportCheckpoint(std::move(zip), file->path(), job);
    if (zip->find("data.pkl") == nullptr)
        return noCheckpoint(file->path());
    const bool isScript = isTorchScript(*zip);
    CheckpointDraft draft(file->path(), isScript ? "torchscript" : "torch-save");
    DUO_CHECK(isScript ? readTorchScript(zip, draft, job) : readTorchSave(zip, draft, job));
    return std::move(draft).finish();
}

/// Text that begins with a brace. A safetensors file may too, with its length; the length's last byte is 0 then.
bool isIndex(std::span<const std::byte> bytes)
{
    constexpr std::size_t kLastOfLength = 7;
    if (bytes.size() > kLastOfLength && bytes[kLastOfLength] == std::byte{0})
        return false;
    const auto start = bytes.first(std::min<std::size_t>(bytes.size(), 64));
    const auto first = std::ranges::find_if(start, [](std::byte byte) {
        return byte != std::byte{' '} && byte != std::byte{'\n'} && byte != std::byte{'\r'} && byte != std::byte{'\t'};
    });
    return first != start.end() && *first == std::byte{'{'};
}

/// Any file that is no index.
Read readFile(const std::shared_ptr<const MappedFile>& file, const JobContext& job)
{
    if (StoredZip::isZip(file->bytes()))
        return readArchive(file, job);
    if (isLegacyTorchSave(file->bytes()))
        return Error{ErrorCode::Unsupported, "checkpoint was written by PyTorch before 1.6, or in its old format",
            file->path().string(), "load it with torch.load and save it again with torch.save"};
    if (isIndex(file->bytes()) || !isSafetensors(file->bytes()))
        return noCheckpoint(file->path());
    CheckpointDraft draft(file->path(), "safetensors");
    DUO_CHECK(readSafetensors(file, draft, job));
    return std::move(draft).finish();
}

} // namespace

Result<std::shared_ptr<const Checkpoint>> readCheckpoint(const std::filesystem::path& path, const JobContext& job)
{
    DUO_TRY(file, MappedFile::open(path));
    if (!isIndex(file->bytes()))
        return readFile(file, job);
    CheckpointDraft draft(path, "safetensors");
    const ShardReader read = [&](const std::filesystem::path& shard) -> Read {
        DUO_TRY(part, MappedFile::open(shard));
        return readFile(part, job);
    };
    DUO_CHECK(readShardIndex(path, draft, read, job));
    return std::move(draft).finish();
}

} // namespace duo
