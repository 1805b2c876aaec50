// SPDX-License-Identifier: Apache-2.0
// A model and its checkpoint as an exporter leaves them, about a gigabyte each, for benchmarks.
#pragma once

#include "core/model/checkpoint.h"
#include "core/support/file.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace duo::bench {

/// Two files of raw float32 and what lies where. In the model the products' weights are transposed and renamed, batch
/// norms folded into the convolutions before them; embedding and layer norms keep their names.
class ContentPair
{
public:
    /// Writes `<folder>/stored.bin` and `<folder>/model.bin`. @param scale 1: a gigabyte each; less is less of
    /// everything
    ContentPair(const std::filesystem::path& folder, double scale);

    [[nodiscard]] std::size_t bytes() const { return m_storedBytes + m_modelBytes; }
    [[nodiscard]] std::size_t largestTensor() const { return m_largest; }
    [[nodiscard]] std::size_t tensors() const { return m_model.size(); }
    [[nodiscard]] std::filesystem::path storedPath() const { return m_folder / "stored.bin"; }
    [[nodiscard]] std::filesystem::path modelPath() const { return m_folder / "model.bin"; }

    /// Views into fresh mappings of the files.
    [[nodiscard]] Checkpoint checkpoint() const;
    [[nodiscard]] std::shared_ptr<const Model> model() const;

private:
    struct Piece {
        std::string name;
        std::vector<std::int64_t> dims;
        std::size_t offset = 0;
        std::string opType; // of the reader, in the model
    };
    class Writer;

    std::filesystem::path m_folder;
    std::vector<Piece> m_stored;
    std::vector<Piece> m_model;
    std::size_t m_storedBytes = 0;
    std::size_t m_modelBytes = 0;
    std::size_t m_largest = 0;
};

} // namespace duo::bench
