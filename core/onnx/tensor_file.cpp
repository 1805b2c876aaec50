// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/tensor_file.h"

#include "core/onnx/reader.h"
#include "core/onnx/wire.h"
#include "core/support/file.h"

namespace duo {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 31U;

std::string field(std::uint32_t number, std::string_view message)
{
    std::string out;
    appendVarint(out, wireTag(number, WireType::Bytes));
    appendVarint(out, message.size());
    out += message;
    return out;
}

/// A ModelProto whose only node is a Constant with the tensor; the numbers are onnx.proto's.
std::string modelAround(std::string_view tensor)
{
    const std::string attribute = field(1, "value") + field(5, tensor) + std::string("\xA0\x01\x04", 3); // type: TENSOR
    const std::string node = field(2, "tensor") + field(4, "Constant") + field(5, attribute);
    return field(7, field(1, node));
}

/// The tensor is read as part of a model, so that one reader knows all forms a tensor can take.
Result<Tensor> tensorOf(const std::shared_ptr<const MappedFile>& file)
{
    const std::filesystem::path& path = file->path();
    const auto bytes = file->bytes();
    const auto refuse = [&](const std::string& reason) {
        return Error{ErrorCode::BadData, "no ONNX tensor can be read", path.string(), reason};
    };
    if (bytes.size() >= kMaxBytes)
        return refuse("it is larger than 2 GB");
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string modelText = modelAround(text);
    const auto view = std::as_bytes(std::span(modelText));
    const auto model = readModelBytes(SharedBytes::own({view.begin(), view.end()}), path.string());
    if (!model)
        return refuse(model.error().line());
    if ((*model)->tensors.size() != 1 || (*model)->tensors[0].type == ElementType::Undefined)
        return refuse("the file is something else");
    return (*model)->tensors[0];
}

} // namespace

Result<Tensor> readTensorFile(const std::filesystem::path& path)
{
    return readMapped(path, tensorOf);
}

} // namespace duo
