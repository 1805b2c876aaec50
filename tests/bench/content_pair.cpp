// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/content_pair.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace duo::bench {
namespace {

using Values = std::vector<float>;

Values randomValues(std::size_t count, std::uint64_t seed)
{
    Values values(count);
    std::uint64_t state = seed * 0x9E3779B97F4A7C15U + 1;
    for (float& value : values) {
        state ^= state << 13U;
        state ^= state >> 7U;
        state ^= state << 17U;
        value = static_cast<float>(static_cast<std::int32_t>(state >> 32U)) * 0x1p-35F;
    }
    return values;
}

Values transposed(const Values& values, std::size_t rows)
{
    const std::size_t columns = values.size() / rows;
    Values result(values.size());
    constexpr std::size_t kTile = 64;
    for (std::size_t r0 = 0; r0 < rows; r0 += kTile) {
        for (std::size_t c0 = 0; c0 < columns; c0 += kTile) {
            for (std::size_t r = r0; r < std::min(r0 + kTile, rows); ++r) {
                for (std::size_t c = c0; c < std::min(c0 + kTile, columns); ++c)
                    result[c * rows + r] = values[r * columns + c];
            }
        }
    }
    return result;
}

std::shared_ptr<const MappedFile> mapped(const std::filesystem::path& path)
{
    auto file = MappedFile::open(path);
    if (file)
        return *std::move(file);
    std::fprintf(stderr, "%s\n", file.error().line().c_str());
    std::abort();
}

Tensor tensorAt(const std::shared_ptr<const MappedFile>& file, const std::string& name,
    const std::vector<std::int64_t>& dims, std::size_t offset)
{
    Tensor tensor;
    tensor.name = name;
    tensor.type = ElementType::Float32;
    tensor.dims = dims;
    const auto bytes = static_cast<std::size_t>(tensor.elements()) * sizeof(float);
    tensor.data = {file, file->bytes().subspan(offset, bytes)};
    return tensor;
}

} // namespace

/// Fills both files, module by module.
class ContentPair::Writer
{
public:
    explicit Writer(ContentPair& pair)
        : m_pair(pair)
        , m_stored(pair.storedPath(), std::ios::binary)
        , m_model(pair.modelPath(), std::ios::binary)
    {
    }

    void embedding(std::int64_t words, std::int64_t width)
    {
        const Values values = fresh({words, width});
        store("embedding.weight", {words, width}, values);
        read("embedding.weight", {words, width}, values, "Gather");
    }

    void product(const std::string& module, std::int64_t out, std::int64_t in)
    {
        const Values weight = fresh({out, in});
        store(module + ".weight", {out, in}, weight);
        read("onnx::MatMul_" + std::to_string(++m_number), {in, out}, transposed(weight, static_cast<std::size_t>(out)),
            "MatMul");
        const Values bias = fresh({out});
        store(module + ".bias", {out}, bias);
        read(module + ".bias", {out}, bias, "Add");
    }

    void layerNorm(const std::string& module, std::int64_t width)
    {
        for (const char* leaf : {".weight", ".bias"}) {
            const Values values(static_cast<std::size_t>(width), leaf[1] == 'w' ? 1.F : 0.F);
            store(module + leaf, {width}, values);
            read(module + leaf, {width}, values, "Mul");
        }
    }

    void foldedConvolution(const std::string& module, std::int64_t out, std::int64_t in)
    {
        Values weight = fresh({out, in, 3, 3});
        store(module + ".conv.weight", {out, in, 3, 3}, weight);
        Values gamma = fresh({out});
        Values variance = fresh({out});
        const Values beta = fresh({out});
        const Values mean = fresh({out});
        for (std::size_t c = 0; c < gamma.size(); ++c) {
            gamma[c] += 1;
            variance[c] = 0.5F + std::abs(variance[c]);
        }
        store(module + ".bn.weight", {out}, gamma);
        store(module + ".bn.bias", {out}, beta);
        store(module + ".bn.running_mean", {out}, mean);
        store(module + ".bn.running_var", {out}, variance);
        const std::size_t each = weight.size() / gamma.size();
        Values bias;
        for (std::size_t c = 0; c < gamma.size(); ++c) {
            const float factor = gamma[c] / std::sqrt(variance[c] + 1e-5F);
            for (std::size_t i = c * each; i < (c + 1) * each; ++i)
                weight[i] *= factor;
            bias.push_back(beta[c] + (0 - mean[c]) * factor);
        }
        const std::string number = std::to_string(++m_number);
        read("onnx::Conv_" + number, {out, in, 3, 3}, weight, "Conv");
        read("onnx::Conv_" + number + "b", {out}, bias, "Bias");
    }

private:
    Values fresh(const std::vector<std::int64_t>& dims)
    {
        return randomValues(static_cast<std::size_t>(*elementCount(dims)), ++m_seed);
    }
    void store(const std::string& name, std::vector<std::int64_t> dims, const Values& values)
    {
        m_pair.m_largest = std::max(m_pair.m_largest, values.size() * sizeof(float));
        m_pair.m_stored.push_back({name, std::move(dims), m_pair.m_storedBytes, {}});
        m_pair.m_storedBytes += write(m_stored, values);
    }
    void read(const std::string& name, std::vector<std::int64_t> dims, const Values& values, const std::string& opType)
    {
        m_pair.m_model.push_back({name, std::move(dims), m_pair.m_modelBytes, opType});
        m_pair.m_modelBytes += write(m_model, values);
    }
    static std::size_t write(std::ofstream& file, const Values& values)
    {
        const std::size_t bytes = values.size() * sizeof(float);
        file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(bytes));
        return bytes;
    }

    ContentPair& m_pair;
    std::ofstream m_stored;
    std::ofstream m_model;
    std::uint64_t m_seed = 0;
    int m_number = 0;
};

ContentPair::ContentPair(const std::filesystem::path& folder, double scale)
    : m_folder(folder)
{
    constexpr std::int64_t kWidth = 2048;
    const auto times = [&](int count) { return std::max(1, static_cast<int>(count * scale)); };
    Writer writer(*this);
    writer.embedding(times(32000), kWidth);
    for (int layer = 0; layer < times(3); ++layer) {
        const std::string module = "layers." + std::to_string(layer);
        for (const char* name : {".attention.query", ".attention.key", ".attention.value", ".attention.output"})
            writer.product(module + name, kWidth, kWidth);
        writer.layerNorm(module + ".norm1", kWidth);
        writer.product(module + ".mlp.up", 4 * kWidth, kWidth);
        writer.product(module + ".mlp.down", kWidth, 4 * kWidth);
        writer.layerNorm(module + ".norm2", kWidth);
    }
    for (int block = 0; block < times(20); ++block)
        writer.foldedConvolution("blocks." + std::to_string(block), 512, 512);
}

Checkpoint ContentPair::checkpoint() const
{
    const auto file = mapped(storedPath());
    Checkpoint checkpoint;
    checkpoint.format = "safetensors";
    for (const Piece& piece : m_stored) {
        checkpoint.keys.push_back({piece.name, static_cast<std::uint32_t>(checkpoint.tensors.size())});
        checkpoint.tensors.push_back(tensorAt(file, piece.name, piece.dims, piece.offset));
    }
    return checkpoint;
}

std::shared_ptr<const Model> ContentPair::model() const
{
    const auto file = mapped(modelPath());
    Model draft;
    draft.irVersion = 8;
    draft.opsets[""] = 17;
    draft.regions.emplace_back();
    const auto addValue = [&](const std::string& name) {
        Value value;
        value.name = name;
        value.region = RegionId(0);
        draft.values.push_back(std::move(value));
        return ValueId(draft.values.size() - 1);
    };
    ValueId last = addValue("x");
    draft.values[last.index].isInput = true;
    draft.regions[0].inputs.push_back(last);
    for (const Piece& piece : m_model) {
        const ValueId weight = addValue(piece.name);
        draft.values[weight.index].initializer = TensorId(draft.tensors.size());
        draft.initializers.emplace_back(draft.tensors.size());
        draft.tensors.push_back(tensorAt(file, piece.name, piece.dims, piece.offset));
        if (piece.opType == "Bias") { // of the convolution before it
            draft.nodes.back().inputs.push_back(weight);
            continue;
        }
        Node node;
        node.opType = piece.opType;
        node.localName = piece.opType + std::to_string(draft.nodes.size());
        node.region = RegionId(0);
        node.inputs = {last, weight};
        if (piece.opType == "Gather")
            node.inputs = {weight, last};
        last = addValue("v" + std::to_string(draft.nodes.size()));
        node.outputs = {last};
        draft.regions[0].nodes.emplace_back(draft.nodes.size());
        draft.nodes.push_back(std::move(node));
    }
    draft.values[last.index].isOutput = true;
    draft.regions[0].outputs.push_back(last);
    auto sealed = sealModel(std::move(draft));
    if (!sealed)
        std::abort();
    return *sealed;
}

} // namespace duo::bench
