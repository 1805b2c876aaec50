// SPDX-License-Identifier: Apache-2.0
#include "core/report/deployment_snippets.h"

#include <array>
#include <cstddef>
#include <utility>

namespace duo {
namespace {

/// A text in quotes for Python and for C++; both take UTF-8 and three octal digits.
std::string literal(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (code < 0x20U || code == 0x7FU) {
            out += '\\';
            for (const unsigned shift : {6U, 3U, 0U})
                out += static_cast<char>('0' + ((code >> shift) & 7U));
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::string dimsText(const std::vector<std::int64_t>& dims)
{
    std::string text;
    for (const std::int64_t dim : dims)
        text += (text.empty() ? "" : ", ") + std::to_string(dim);
    return text;
}

/// The last part of "sample/0.bin".
std::string fileName(const std::string& path)
{
    return path.substr(path.find_last_of('/') + 1);
}

constexpr std::string_view kCppHead
    = R"(// Loads the model beside this file and runs it on one sample. Build it with the headers and the library of ONNX Runtime:
//   c++ -std=c++17 run.cpp -I ORT/include -L ORT/lib -l onnxruntime -o run && ./run
)"
      "#include <onnxruntime_cxx_api.h>\n"
      R"(
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

struct Input {
    std::string name;
    ONNXTensorElementDataType type;
    std::vector<std::int64_t> dims;
    std::string file;
};

static std::vector<char> bytesOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

int main(int argc, char** argv)
try {
    const std::filesystem::path folder = argc > 1 ? argv[1] : "."; // that holds the model
    const std::vector<Input> inputs{
)";

constexpr std::string_view kCppSession = R"(    };
    Ort::Env env;
    Ort::SessionOptions options;
)";

constexpr std::string_view kCppRun = R"(
    const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
    std::vector<std::vector<char>> data; // outlives the tensors
    std::vector<Ort::Value> feeds;
    std::vector<const char*> inputNames;
    for (const Input& input : inputs) {
        data.push_back(bytesOf(folder / "sample" / input.file));
        feeds.push_back(Ort::Value::CreateTensor(
            memory, data.back().data(), data.back().size(), input.dims.data(), input.dims.size(), input.type));
        inputNames.push_back(input.name.c_str());
    }
    std::vector<std::string> outputs;
    Ort::AllocatorWithDefaultOptions allocator;
    for (std::size_t i = 0; i < session.GetOutputCount(); ++i)
        outputs.push_back(session.GetOutputNameAllocated(i, allocator).get());
    std::vector<const char*> outputNames;
    for (const std::string& output : outputs)
        outputNames.push_back(output.c_str());

    const auto results = session.Run(
        Ort::RunOptions(), inputNames.data(), feeds.data(), feeds.size(), outputNames.data(), outputNames.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        std::cout << outputs[i] << " [";
        if (results[i].IsTensor()) {
            const auto info = results[i].GetTensorTypeAndShapeInfo();
            for (const std::int64_t dim : info.GetShape())
                std::cout << ' ' << dim;
            std::cout << " ]";
            if (info.GetElementType() == ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) {
                const float* values = results[i].GetTensorData<float>();
                for (std::size_t v = 0; v < std::min<std::size_t>(info.GetElementCount(), 5); ++v)
                    std::cout << ' ' << values[v];
            }
        }
        std::cout << '\n';
    }
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
)";

} // namespace

bool canBeFed(ElementType type)
{
    switch (type) {
    case ElementType::Float32:
    case ElementType::UInt8:
    case ElementType::Int8:
    case ElementType::UInt16:
    case ElementType::Int16:
    case ElementType::Int32:
    case ElementType::Int64:
    case ElementType::Bool:
    case ElementType::Float16:
    case ElementType::Float64:
    case ElementType::UInt32:
    case ElementType::UInt64:
        return true;
    default:
        return false;
    }
}

std::string pythonSnippet(std::string_view model, const std::vector<SampleFile>& inputs, bool hasLibrary)
{
    std::string text = "# Loads the model beside this file and runs it on one sample. Needs: pip install onnxruntime "
                       "numpy\nfrom pathlib import Path\n\nimport numpy\nimport onnxruntime\n\n"
                       "folder = Path(__file__).parent\noptions = onnxruntime.SessionOptions()\n";
    if (hasLibrary)
        text += "# The model has operators of your own:\n"
                "# options.register_custom_ops_library(\"your library\")\n";
    text += "session = onnxruntime.InferenceSession(\n    str(folder / " + literal(model)
        + "), options, providers=[\"CPUExecutionProvider\"])\n\n\ndef sample(file, kind, *dims):\n"
          "    return numpy.fromfile(folder / \"sample\" / file, dtype=kind).reshape(dims)\n\n\nfeeds = {\n";
    for (const SampleFile& input : inputs)
        text += "    " + literal(input.input) + ": sample(" + literal(fileName(input.file)) + ", \""
            + std::string(elementTypeName(input.type)) + "\"" + (input.dims.empty() ? "" : ", " + dimsText(input.dims))
            + "),\n";
    return text
        + "}\nfor output, value in zip(session.get_outputs(), session.run(None, feeds)):\n"
          "    value = numpy.asarray(value)\n"
          "    print(output.name, list(value.shape), *value.ravel()[:5])\n";
}

std::string cppSnippet(std::string_view model, const std::vector<SampleFile>& inputs, bool hasLibrary)
{
    std::string text(kCppHead);
    for (const SampleFile& input : inputs)
        text += "        {" + literal(input.input) + ", static_cast<ONNXTensorElementDataType>("
            + std::to_string(static_cast<int>(input.type)) + "), {" + dimsText(input.dims) + "}, "
            + literal(fileName(input.file)) + "}, // " + std::string(elementTypeName(input.type)) + "\n";
    text += kCppSession;
    if (hasLibrary)
        text += "    // The model has operators of your own: options.RegisterCustomOpsLibrary(\"your library\");\n";
    text += "    Ort::Session session(env, (folder / " + literal(model) + ").c_str(), options);\n";
    text += kCppRun;
    return text;
}

} // namespace duo
