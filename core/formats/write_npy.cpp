// SPDX-License-Identifier: Apache-2.0
#include "core/formats/write_npy.h"

#include "core/support/file.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace duo {
namespace {

constexpr std::size_t kAlignment = 64; // of the data, as NumPy writes it
constexpr std::size_t kBeforeHeader = 10; // magic, version, length
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// NumPy's name of an element type; "" where it has none.
std::string_view descrOf(ElementType type)
{
    switch (type) {
    case ElementType::Float32:
    case ElementType::BFloat16: // converted
        return "<f4";
    case ElementType::Float64:
        return "<f8";
    case ElementType::Float16:
        return "<f2";
    case ElementType::Int8:
        return "|i1";
    case ElementType::UInt8:
        return "|u1";
    case ElementType::Bool:
        return "|b1";
    case ElementType::Int16:
        return "<i2";
    case ElementType::UInt16:
        return "<u2";
    case ElementType::Int32:
        return "<i4";
    case ElementType::UInt32:
        return "<u4";
    case ElementType::Int64:
        return "<i8";
    case ElementType::UInt64:
        return "<u8";
    case ElementType::Complex64:
        return "<c8";
    case ElementType::Complex128:
        return "<c16";
    default:
        return {};
    }
}

std::string headerOf(std::string_view descr, const std::vector<std::int64_t>& dims)
{
    std::string shape; // "(3,)", "(3, 4)"
    for (const std::int64_t dim : dims)
        shape += (shape.empty() ? "" : ", ") + std::to_string(dim);
    if (dims.size() == 1)
        shape += ',';
    std::string header = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    const std::size_t whole = kBeforeHeader + header.size() + 1;
    header.append((kAlignment - whole % kAlignment) % kAlignment, ' ');
    return header + '\n';
}

void put(std::ostream& out, std::span<const std::byte> bytes)
{
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

Status writeData(std::ostream& out, const Tensor& tensor, const JobContext& job)
{
    const std::span<const std::byte> all = tensor.bytes();
    for (std::size_t at = 0; at < all.size(); at += kPieceBytes) {
        if (job.stopped())
            return cancelledError();
        const auto piece = all.subspan(at, std::min(kPieceBytes, all.size() - at));
        if (tensor.type != ElementType::BFloat16) {
            put(out, piece);
            continue;
        }
        Tensor part;
        part.type = tensor.type;
        part.dims = {static_cast<std::int64_t>(piece.size() / 2)};
        part.data = {tensor.data.owner, piece};
        put(out, std::as_bytes(std::span<const float>(toFloats(part))));
    }
    return success();
}

} // namespace

Status writeNpy(const Tensor& tensor, const std::filesystem::path& target, const JobContext& job)
{
    if (target.extension() != ".npy")
        return Error{ErrorCode::NotWritable, "not the name of an array file", target.string(), "let it end in .npy"};
    const std::string_view descr = descrOf(tensor.type);
    const auto bytes = packedBytes(tensor.type, tensor.elements());
    if (descr.empty())
        return Error{ErrorCode::Unsupported, "NumPy has no element type " + std::string(elementTypeName(tensor.type)),
            tensor.name, {}};
    if (!bytes || tensor.bytes().size() != static_cast<std::size_t>(*bytes))
        return Error{ErrorCode::Unsupported, "the values are not there", tensor.name,
            "the file they lie in is missing: put it beside the model"};
    return writeFileAtomically(target, [&](std::ostream& out) -> Status {
        const std::string header = headerOf(descr, tensor.dims);
        out << "\x93NUMPY" << '\x01' << '\x00' << static_cast<char>(header.size() & 0xFF)
            << static_cast<char>(header.size() >> 8) << header;
        DUO_CHECK(writeData(out, tensor, job));
        return checkMappedFiles();
    });
}

} // namespace duo
