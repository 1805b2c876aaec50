// SPDX-License-Identifier: Apache-2.0
// ONNX files, their external data, single tensors, and all that commands say of strange graphs.
#include "tests/fuzz/fuzz_target.h"

#include "core/onnx/reader.h"
#include "core/onnx/tensor_file.h"
#include "core/onnx/writer.h"
#include "tests/fuzz/graph_mutations.h"
#include "tests/fuzz/stages_of_model.h"

#include <fstream>

namespace duo::test {
namespace {

using Texts = std::vector<std::string>;

Texts modelSeeds()
{
    Texts seeds;
    for (const char* folder : {"models", "cases", "hostile"})
        for (std::string& file : seedFiles(folder, ".onnx", 4096))
            seeds.push_back(std::move(file));
    return seeds;
}

void touchWeights(const Model& model)
{
    for (const Tensor& tensor : model.tensors) {
        if (tensor.type == ElementType::Undefined || tensor.type == ElementType::String)
            continue;
        require(packedBytes(tensor.type, tensor.elements()) == static_cast<std::int64_t>(tensor.bytes().size()),
            "a tensor whose bytes do not fit its shape");
        static_cast<void>(toFloats(tensor));
    }
}

/// What opens is also written, and what is written opens.
void runModel(std::string_view bytes)
{
    const SharedBytes input = sharedBytes(bytes);
    const auto read = readModelBytes(input, "input");
    const auto* model = valueOf(read);
    if (model == nullptr)
        return;
    touchWeights(**model);
    const auto written = engineModel(**model, {});
    require(written.hasValue(), "a model that was read is not written");
    if (!written->weights.empty())
        return; // they lie apart
    const auto again = readModelBytes({nullptr, written->proto}, "written");
    require(again.hasValue(), "a model that was written does not read");
    require((*again)->nodes.size() == (*model)->nodes.size(), "a model that was written has other nodes");
}

/// A model beside "external.bin" of 64 bytes, a folder, and a link that leads out.
void runExternal(std::string_view bytes)
{
    static FuzzedFile file("input.onnx");
    static const bool isThere = [] {
        std::ofstream(file.folder() / "external.bin") << std::string(64, '\1');
        std::filesystem::create_directory(file.folder() / "folder");
        std::filesystem::create_symlink("/etc/hostname", file.folder() / "link");
        return true;
    }();
    require(isThere, "the data are missing");
    const auto read = readModel(file.write(bytes));
    if (const auto* model = valueOf(read))
        touchWeights(**model);
}

Texts externalSeeds()
{
    Texts seeds;
    for (std::string& file : seedFiles("hostile", ".onnx", 1024))
        if (file.find("location") != std::string::npos)
            seeds.push_back(std::move(file));
    return seeds;
}

void runTensor(std::string_view bytes)
{
    static FuzzedFile file("input_0.pb");
    const auto read = readTensorFile(file.write(bytes));
    if (const Tensor* tensor = valueOf(read))
        if (tensor->type != ElementType::String)
            require(packedBytes(tensor->type, tensor->elements()) == static_cast<std::int64_t>(tensor->bytes().size()),
                "a tensor whose bytes do not fit its shape");
}

Texts tensorSeeds()
{
    using namespace std::string_literals;
    return {"\x08\x02\x10\x01\x4a\x08\x00\x00\x80\x3f\x00\x00\x00\x40"s,
        "\x08\x03\x10\x07\x3a\x03\x01\x02\x03\x42\x01x"s, "\x08\x01\x10\x08\x32\x02hi"s,
        "\x08\x02\x10\x16\x2a\x01\x21"s};
}

void runStages(std::string_view bytes)
{
    static FuzzedFile file("input.onnx");
    const std::vector<std::string> findings = lookAtModel(file.write(bytes));
    if (!findings.empty())
        found(findings.front());
}

std::string withStrangeGraph(const std::string& input, std::uint64_t seed)
{
    onnx::ModelProto model;
    if (!model.ParseFromString(input) || !model.has_graph())
        return {};
    std::mt19937_64 random(seed);
    mutateInPlace(model, random);
    return model.SerializeAsString();
}

const std::vector<std::string> kWords{"Conv", "MatMul", "Gemm", "Constant", "If", "Loop", "Scan", "Identity",
    "DequantizeLinear", "QuantizeLinear", "ai.onnx", "com.microsoft", "body", "then_branch", "else_branch", "value",
    "location", "offset", "length", "external.bin", "link", "folder", "../", "/etc/hostname", "nn_module_stack",
    "duoscope.scopes", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x80\x80\x80\x80\x08"};

} // namespace

std::vector<FuzzTarget> modelTargets()
{
    return {
        {"onnx", modelSeeds, kWords, runModel},
        {"external", externalSeeds, kWords, runExternal, 1024},
        {"tensor", tensorSeeds, {"\x08", "\x10", "\x4a", "\x2a", "\x70\x01"}, runTensor, 512},
        {"graph", modelSeeds, kWords, runStages, 8192, withStrangeGraph},
    };
}

} // namespace duo::test
