// SPDX-License-Identifier: Apache-2.0
#include "core/formats/file_formats.h"

#include "core/formats/pt2/export_archive.h"
#include "core/formats/pt2/read_pt2.h"
#include "core/formats/read_checkpoint.h"
#include "core/formats/safetensors.h"
#include "core/formats/shard_index.h"
#include "core/formats/torch/torch_save.h"
#include "core/formats/torch/torch_script.h"
#include "core/model/checkpoint_draft.h"
#include "core/support/letters.h"

#include <algorithm>
#include <cctype>

namespace duo {
namespace {

using ReadKeys = Result<std::shared_ptr<const Checkpoint>>;

std::span<const std::byte> bytesOf(const OpenedFile& opened)
{
    return opened.file->bytes();
}

// safetensors

constexpr const char* kSafetensors = "safetensors";

/// Text that begins with a brace. A safetensors file may too, with its length; the length's last byte is 0 then.
bool isIndex(const OpenedFile& opened)
{
    constexpr std::size_t kLastOfLength = 7;
    const auto bytes = bytesOf(opened);
    if (bytes.size() > kLastOfLength && bytes[kLastOfLength] == std::byte{0})
        return false;
    const auto start = bytes.first(std::min<std::size_t>(bytes.size(), 64));
    const auto first = std::ranges::find_if(start, [](std::byte byte) {
        return byte != std::byte{' '} && byte != std::byte{'\n'} && byte != std::byte{'\r'} && byte != std::byte{'\t'};
    });
    return first != start.end() && *first == std::byte{'{'};
}

bool isSafetensorsFile(const OpenedFile& opened)
{
    return !opened.zip && !isIndex(opened) && isSafetensors(bytesOf(opened));
}

ReadKeys readSafetensorsFile(const OpenedFile& opened, const JobContext& job)
{
    CheckpointDraft draft(opened.file->path(), kSafetensors);
    DUO_CHECK(readSafetensors(opened.file, draft, job));
    return std::move(draft).finish();
}

ReadKeys readIndexed(const OpenedFile& opened, const JobContext& job)
{
    CheckpointDraft draft(opened.file->path(), kSafetensors);
    const ShardReader read = [&](const std::filesystem::path& shard) -> ReadKeys {
        DUO_TRY(part, OpenedFile::open(shard));
        return isIndex(part) ? noCheckpoint(shard) : readCheckpoint(part, job);
    };
    DUO_CHECK(readShardIndex(opened.file->path(), draft, read, job));
    return std::move(draft).finish();
}

// PyTorch

constexpr const char* kTorchSave = "torch-save";
constexpr const char* kTorchScript = "torchscript";

bool isTorchExport(const OpenedFile& opened)
{
    return opened.zip && isExportArchive(*opened.zip);
}

bool isTorchArchive(const OpenedFile& opened)
{
    return opened.zip && !isExportArchive(*opened.zip) && opened.zip->find("data.pkl") != nullptr;
}

bool isTorchScript(const OpenedFile& opened)
{
    return isTorchArchive(opened)
        && (opened.zip->find("constants.pkl") != nullptr
            || std::ranges::any_of(
                opened.zip->members(), [](const ZipMember& member) { return member.path.starts_with("code/"); }));
}

/// Protocol 2, then the number 0x1950a86a20f9469cfc6c: torch/serialization.py, before zip archives.
bool isLegacyTorchSave(const OpenedFile& opened)
{
    constexpr unsigned char kStart[]
        = {0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19};
    const auto bytes = bytesOf(opened);
    return bytes.size() >= sizeof(kStart)
        && std::ranges::equal(std::as_bytes(std::span(kStart)), bytes.first(sizeof(kStart)));
}

bool isTorchSave(const OpenedFile& opened)
{
    return isLegacyTorchSave(opened) || (isTorchArchive(opened) && !isTorchScript(opened));
}

ReadKeys readTorchSaved(const OpenedFile& opened, const JobContext& job)
{
    if (!opened.zip)
        return Error{ErrorCode::Unsupported, "checkpoint was written by PyTorch before 1.6, or in its old format",
            opened.file->path().string(), "load it with torch.load and save it again with torch.save"};
    CheckpointDraft draft(opened.file->path(), kTorchSave);
    DUO_CHECK(readTorchSave(opened.zip, draft, job));
    return std::move(draft).finish();
}

ReadKeys readScripted(const OpenedFile& opened, const JobContext& job)
{
    CheckpointDraft draft(opened.file->path(), kTorchScript);
    DUO_CHECK(readTorchScript(opened.zip, draft, job));
    return std::move(draft).finish();
}

ReadKeys readExportedKeys(const OpenedFile& opened, const JobContext& job)
{
    return readTorchExportCheckpoint(opened.zip, opened.file->path(), job);
}

Result<std::shared_ptr<const Model>> readExported(const OpenedFile& opened, const JobContext& job)
{
    return readTorchExport(opened.zip, opened.file->path(), job);
}

std::vector<FileFormat> makeFormats()
{
    return {
        {.title = "ONNX models", .endings = {".onnx"}, .asModel = "an ONNX model"},
        {.title = "safetensors",
            .name = kSafetensors,
            .endings = {".safetensors"},
            .beside = {".safetensors"},
            .asCheckpoint = ".safetensors",
            .isCheckpoint = true,
            .sortsKeys = true,
            .isOf = isSafetensorsFile,
            .readCheckpoint = readSafetensorsFile},
        {.title = "safetensors in several files",
            .endings = {".index.json"},
            .beside = {".safetensors.index.json"},
            .isCheckpoint = true,
            .isOf = isIndex,
            .readCheckpoint = readIndexed},
        {.title = "PyTorch checkpoints",
            .name = kTorchSave,
            .endings = {".pth", ".pt", ".bin", ".ckpt"},
            .beside = {".pth", ".pt", ".bin", ".ckpt"},
            .asCheckpoint = "torch.save",
            .isCheckpoint = true,
            .isOf = isTorchSave,
            .readCheckpoint = readTorchSaved},
        {.title = "PyTorch programs",
            .name = "pt2",
            .endings = {".pt2"},
            .beside = {".pt2"},
            .asModel = "a .pt2 of torch.export",
            .asCheckpoint = ".pt2",
            .isCheckpoint = true,
            .bringsKeys = true,
            .isOf = isTorchExport,
            .readModel = readExported,
            .readCheckpoint = readExportedKeys},
        {.title = "TorchScript",
            .name = kTorchScript,
            .asCheckpoint = "TorchScript",
            .isCheckpoint = true,
            .isOf = isTorchScript,
            .readCheckpoint = readScripted},
        {.title = "NumPy archives", .endings = {".npz"}, .asData = ".npz", .namesInputs = true},
        {.title = "NumPy arrays", .endings = {".npy"}, .asData = ".npy"},
        {.title = "recipes and rules", .endings = {".json"}, .isRecipe = true},
        {.title = "rules in Python", .endings = {".py"}, .isRecipe = true},
    };
}

std::string lowerName(const std::filesystem::path& path)
{
    return lowered(path.filename().string());
}

bool isNamedAs(const FileFormat& format, const std::filesystem::path& path)
{
    return std::ranges::any_of(
        format.endings, [name = lowerName(path)](std::string_view ending) { return name.ends_with(ending); });
}

void addWords(std::string& text, std::string_view words, std::string_view between)
{
    if (!words.empty())
        text += (text.empty() ? "" : std::string(between)) + std::string(words);
}

} // namespace

Result<OpenedFile> OpenedFile::open(const std::filesystem::path& path)
{
    return readMapped(path, [&](const std::shared_ptr<const MappedFile>& file) -> Result<OpenedFile> {
        OpenedFile opened{file, nullptr};
        if (StoredZip::isZip(file->bytes())) {
            DUO_TRY(zip, StoredZip::open(SharedBytes{file, file->bytes()}, path.string()));
            opened.zip = std::move(zip);
        }
        return opened;
    });
}

std::span<const FileFormat> fileFormats()
{
    static const std::vector<FileFormat> formats = makeFormats();
    return formats;
}

const FileFormat* formatOf(const OpenedFile& file)
{
    const auto found = std::ranges::find_if(
        fileFormats(), [&](const FileFormat& format) { return format.isOf != nullptr && format.isOf(file); });
    return found == fileFormats().end() ? nullptr : &*found;
}

bool sortsKeys(std::string_view name)
{
    const auto found = std::ranges::find(fileFormats(), name, &FileFormat::name);
    return found != fileFormats().end() && found->sortsKeys;
}

bool isModelName(const std::filesystem::path& path)
{
    return std::ranges::any_of(
        fileFormats(), [&](const FileFormat& format) { return !format.asModel.empty() && isNamedAs(format, path); });
}

bool isCheckpointName(const std::filesystem::path& path)
{
    return std::ranges::any_of(
        fileFormats(), [&](const FileFormat& format) { return format.isCheckpoint && isNamedAs(format, path); });
}

bool isRecipeName(const std::filesystem::path& path)
{
    return !isCheckpointName(path) && std::ranges::any_of(fileFormats(), [&](const FileFormat& format) {
        return format.isRecipe && isNamedAs(format, path);
    });
}

const FileFormat* dataFormatOf(const std::filesystem::path& path)
{
    const auto found = std::ranges::find_if(
        fileFormats(), [&](const FileFormat& format) { return !format.asData.empty() && isNamedAs(format, path); });
    return found == fileFormats().end() ? nullptr : &*found;
}

std::filesystem::path checkpointBeside(const std::filesystem::path& model)
{
    for (const FileFormat& format : fileFormats()) {
        if (format.bringsKeys && isNamedAs(format, model))
            return {};
    }
    for (const FileFormat& format : fileFormats()) {
        for (const std::string_view ending : format.beside) {
            const auto candidate = model.parent_path() / (model.stem().string() + std::string(ending));
            std::error_code error;
            if (candidate != model && std::filesystem::is_regular_file(candidate, error))
                return candidate;
        }
    }
    return {};
}

std::string patternsText(const FileFormat& format)
{
    std::string text;
    for (const std::string_view ending : format.endings)
        addWords(text, "*" + std::string(ending), " ");
    return text;
}

std::string modelFormatsText()
{
    std::string text;
    for (const FileFormat& format : fileFormats())
        addWords(text, format.asModel, ", or ");
    return text;
}

std::string dataFormatsText()
{
    std::string text;
    for (const FileFormat& format : fileFormats())
        addWords(text, format.asData, " or ");
    return text;
}

std::string checkpointFormatsText()
{
    std::string text;
    for (const FileFormat& format : fileFormats())
        addWords(text, format.asCheckpoint, ", ");
    return text;
}

} // namespace duo
