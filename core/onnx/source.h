// SPDX-License-Identifier: Apache-2.0
// Source: the original file as the writer edits it: its structure parsed, its weights where they lie.
#pragma once

#include "core/onnx/external_data.h"
#include "core/support/scratch_file.h"

#include <google/protobuf/arena.h>
#include <onnx.pb.h>

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
        : proto(google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&m_arena))
        , external(std::move(files))
        , customOps(std::move(libraries))
    {
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

private:
    google::protobuf::Arena m_arena; // before `proto`, which lives in it

public:
    onnx::ModelProto* const proto; // a skeleton: see payloads.h
    std::vector<SharedBytes> payloads; // what its tokens name
    std::shared_ptr<const MappedFile> file; // that holds them; null for a model built in memory
    std::shared_ptr<const ScratchFile> added; // that holds those of edits; null: none does
    ExternalFiles external;
    const std::vector<std::filesystem::path> customOps; // named by the user
    std::shared_ptr<const Model> inFile; // the model as its file has it, where this one was converted; else null
};

} // namespace duo
