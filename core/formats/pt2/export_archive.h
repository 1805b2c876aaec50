// SPDX-License-Identifier: Apache-2.0
// ExportArchive: where torch.export.save put the parts of a program in its zip archive.
#pragma once

#include "core/model/model.h"
#include "core/support/stored_zip.h"

#include <memory>
#include <string>
#include <vector>

namespace duo {

/// Tensors of one kind. Either a configuration that names raw payloads, or one nested torch.save archive.
struct ExportPayloads {
    const ZipMember* config = nullptr; // {"config": {key: {path_name, tensor_meta, ...}}}
    const ZipMember* saved = nullptr; // by torch.save
    std::string folder; // of the payloads: "data/weights/"
};

struct ExportArchive {
    std::shared_ptr<const StoredZip> zip;
    const ZipMember* program = nullptr; // JSON
    ExportPayloads weights;
    ExportPayloads constants;
    std::vector<Note> notes;
};

/// Whether a zip archive was written by torch.export.save, in either layout, or by what builds on it.
bool isExportArchive(const StoredZip& zip);

/// Layout of PyTorch 2.8 and later (`models/<name>.json`; of several the one called "model", else the first by name),
/// and the flat one of earlier versions (`serialized_exported_program.json`).
/// @return Unsupported: compiled code without a program, another archive version; MalformedModel: no program
Result<ExportArchive> openExportArchive(std::shared_ptr<const StoredZip> zip);

} // namespace duo
