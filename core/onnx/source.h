// SPDX-License-Identifier: Apache-2.0
// Source: the original file as the writer edits it: its structure parsed, its weights where they lie.
#pragma once

#include "core/onnx/weights/external_data.h"

#include <google/protobuf/arena.h>
#include <onnx.pb.h>

#include <optional>
#include <vector>

namespace duo {

class Source
{
public:
    /// @param model empty for bytes in memory
    explicit Source(const std::filesystem::path& model, const std::optional<std::filesystem::path>& allowExternal)
        : proto(google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&m_arena))
        , external(model.empty() ? ExternalFiles() : ExternalFiles(model, allowExternal))
    {
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

private:
    google::protobuf::Arena m_arena; // before `proto`, which lives in it

public:
    onnx::ModelProto* const proto; // a skeleton: see payloads.h
    std::vector<SharedBytes> payloads; // what its tokens name
    ExternalFiles external;
};

} // namespace duo
