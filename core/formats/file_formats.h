// SPDX-License-Identifier: Apache-2.0
// The formats that models, checkpoints, data and recipes are read from: one list, which readers, windows and help
// texts ask.
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"
#include "core/support/file.h"
#include "core/support/job.h"
#include "core/support/stored_zip.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// A file with what is looked at to tell its format.
struct OpenedFile {
    std::shared_ptr<const MappedFile> file;
    std::shared_ptr<const StoredZip> zip; // null: it is none

    /// @return FileNotReadable; BadData for a damaged archive
    static Result<OpenedFile> open(const std::filesystem::path& path);
};

/// Adding one: a file or folder beside this file with its reader, and a row in file_formats.cpp.
struct FileFormat {
    using Names = std::vector<std::string_view>;
    using ReadModel = Result<std::shared_ptr<const Model>> (*)(const OpenedFile&, const JobContext&);
    using ReadCheckpoint = Result<std::shared_ptr<const Checkpoint>> (*)(const OpenedFile&, const JobContext&);

    std::string_view title = {}; // "PyTorch programs"
    std::string_view name = {}; // Checkpoint::format of what it reads; "": that of its parts, or none
    Names endings = {}; // of names of such files, in small letters, likeliest first; none: those of another format
    Names beside = {}; // a checkpoint saved beside "m.onnx" is called "m" with one of these; mostly `endings`
    std::string_view asModel = {}; // "a .pt2 of torch.export"; "": it is no model
    std::string_view asCheckpoint = {}; // ".pt2"; "": it is no checkpoint, or goes without saying
    std::string_view asData = {}; // ".npz"; "": it holds no samples
    bool isCheckpoint = false; // may be one beside a model
    bool isRecipe = false; // of rules and settings: read by core/quantize/recipe
    bool namesInputs = false; // as data: a file holds an array for every input, by name
    bool bringsKeys = false; // as a model it needs no checkpoint
    bool sortsKeys = false; // by element type and name: the order they were defined in is lost
    bool (*isOf)(const OpenedFile&) = nullptr; // by content, no two at once; null: whatever no other format takes
    ReadModel readModel = nullptr; // null: no model, or read elsewhere (ONNX, by core/onnx)
    ReadCheckpoint readCheckpoint = nullptr;
};

/// Likeliest first.
std::span<const FileFormat> fileFormats();

/// The format that takes the file by its content; null: none.
const FileFormat* formatOf(const OpenedFile& file);

/// Whether keys of such a checkpoint stand sorted, not as they were defined. @param name of a format
bool sortsKeys(std::string_view name);

/// Names only; nothing is read.
bool isModelName(const std::filesystem::path& path);
bool isCheckpointName(const std::filesystem::path& path);
bool isRecipeName(const std::filesystem::path& path); // and no checkpoint's
/// The format of data that the name says; null: none.
const FileFormat* dataFormatOf(const std::filesystem::path& path);
/// The checkpoint in the model's folder that has the model's name: m.safetensors beside m.onnx; "" for none, and for
/// models that bring their own keys.
std::filesystem::path checkpointBeside(const std::filesystem::path& model);

/// "*.pth *.pt": what file dialogs take for such a file.
std::string patternsText(const FileFormat& format);
/// "an ONNX model, or a .pt2 of torch.export".
std::string modelFormatsText();
/// ".safetensors, torch.save, .pt2, TorchScript".
std::string checkpointFormatsText();
/// ".npz or .npy".
std::string dataFormatsText();

} // namespace duo
