// SPDX-License-Identifier: Apache-2.0
// Source: the original file as the writer edits it: its structure, and its weights where they lie.
#pragma once

#include "core/onnx/external_data.h"
#include "core/onnx/structure.h"
#include "core/support/scratch_file.h"

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace duo {

struct Model;

class Source
{
public:
    Source(ExternalFiles files, std::vector<std::filesystem::path> libraries)
        : external(std::move(files))
        , customOps(std::move(libraries))
    {
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    std::unique_ptr<const Structure> structure; // a skeleton: see payloads.h; never null of a Model
    std::vector<SharedBytes> payloads; // what its tokens name
    std::shared_ptr<const MappedFile> file; // that holds them; null for a model built in memory
    std::shared_ptr<const ScratchFile> added; // that holds those of edits; null: none does
    ExternalFiles external;
    const std::vector<std::filesystem::path> customOps; // named by the user
    std::shared_ptr<const Model> inFile; // the model as its file has it, where this one was converted; else null
};

} // namespace duo
