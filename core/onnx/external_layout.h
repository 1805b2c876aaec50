// SPDX-License-Identifier: Apache-2.0
// Lays out the external data file of an exported model.
#pragma once

#include "core/onnx/edited_model.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace duo {

/// The tensors of `<target>.data`, each at a multiple of 4096 bytes (so that it can be mapped by itself).
class ExternalLayout
{
public:
    struct Piece {
        std::uint64_t offset = 0; // bytes
        SharedBytes content;
    };

    /// @param location what the model calls the file: its name beside the model
    explicit ExternalLayout(std::string location)
        : m_location(std::move(location))
    {
    }

    /// Moves what the tensor's reference names into this file and rewrites the reference. Tensors that shared their
    /// bytes still do. `files` is where they are read from.
    Status moveExternal(onnx::TensorProto& tensor, ExternalFiles& files);

    /// Makes an inline tensor of raw_data external.
    void moveInline(onnx::TensorProto& tensor, const SharedBytes& content);

    [[nodiscard]] const std::vector<Piece>& pieces() const { return m_pieces; }
    [[nodiscard]] std::uint64_t size() const { return m_end; } // bytes

private:
    std::uint64_t place(const SharedBytes& content);
    void rewrite(onnx::TensorProto& tensor, std::uint64_t offset, std::uint64_t length) const;

    std::string m_location;
    std::vector<Piece> m_pieces; // ascending
    std::uint64_t m_end = 0;
    std::map<std::pair<const std::byte*, std::size_t>, std::uint64_t> m_placed; // offset by source bytes
};

} // namespace duo
