// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/array_cut.h"

#include "core/calibrate/samples/name_words.h"
#include "core/model/tensor.h"

#include <cstring>

namespace duo {
namespace {

bool isWidened(ElementType stored, ElementType wanted)
{
    return stored == ElementType::Int32 && wanted == ElementType::Int64;
}

Status checkType(const ModelInput& input, const NpyHeader& header, const std::string& where)
{
    if (header.type == input.type || isWidened(header.type, input.type))
        return success();
    const std::string wanted(elementTypeName(input.type));
    return Error{ErrorCode::BadData, "array has another type than the input", where,
        "it is " + std::string(elementTypeName(header.type)) + "; save array.astype('" + wanted + "')"};
}

/// "" where an axis may well be a batch.
std::string nameOfNoBatch(const Dim& dim)
{
    const NameWords words(dim.symbol);
    const bool isLength = words.has({"audio", "frame", "frames", "len", "length", "seq", "seqlen", "sequence", "step",
        "steps", "t", "time", "timesteps", "token", "tokens"});
    return isLength && !words.has("batch") ? dim.symbol : std::string();
}

Error badShape(const ModelInput& input, const NpyHeader& header, const std::string& where)
{
    return {ErrorCode::BadData, "array does not fit the input", where,
        "its shape is " + shapeText(header.dims) + ", input '" + input.name + "' takes " + shapeText(input.shape)
            + " or one more axis in front"};
}

/// Entries of the first axis that make one feed, or nothing where the array cannot be cut for the input; 0: the whole.
std::optional<std::int64_t> entriesPerPiece(const ModelInput& input, const std::vector<std::int64_t>& dims)
{
    if (!input.shape)
        return dims.empty() ? 0 : 1;
    const auto& shape = *input.shape;
    const std::span<const std::int64_t> all(dims);
    if (dims.size() == shape.size() + 1)
        return fits(shape, all.subspan(1)) ? std::optional<std::int64_t>(1) : std::nullopt;
    if (dims.size() != shape.size())
        return std::nullopt;
    if (dims.empty())
        return 0;
    const std::int64_t first = shape[0].size.value_or(1);
    const bool restFits = fits({shape.begin() + 1, shape.end()}, all.subspan(1));
    return restFits && first > 0 ? std::optional(first) : std::nullopt;
}

HostTensor emptyPiece(const ModelInput& input, const std::vector<std::int64_t>& dims, std::int64_t perPiece)
{
    HostTensor piece{input.name, input.type, dims, {}};
    const bool stacked = input.shape && dims.size() == input.shape->size() + 1;
    if (stacked)
        piece.dims.erase(piece.dims.begin());
    else if (!dims.empty())
        piece.dims[0] = perPiece;
    return piece;
}

} // namespace

Result<ArrayCut> cutArray(const ModelInput& input, const NpyHeader& header, const std::string& where)
{
    DUO_CHECK(checkType(input, header, where));
    const auto perPiece = entriesPerPiece(input, header.dims);
    if (!perPiece)
        return badShape(input, header, where);
    ArrayCut cut;
    cut.repeated = *perPiece == 0;
    cut.pieces = cut.repeated ? 1 : header.dims[0] / *perPiece;
    cut.dropped = cut.repeated ? 0 : header.dims[0] % *perPiece;
    const bool isSameRank = input.shape && !input.shape->empty() && header.dims.size() == input.shape->size();
    cut.isSplit = isSameRank && !input.shape->front().size && header.dims[0] > 1;
    if (cut.isSplit)
        cut.axis = nameOfNoBatch(input.shape->front());
    cut.stored = header.type;
    cut.empty = emptyPiece(input, header.dims, *perPiece);
    cut.pieceElements = elementCount(cut.empty.dims).value_or(0);
    if (cut.pieces == 0)
        return Error{ErrorCode::BadData, "array holds no whole sample", where,
            "it has " + std::to_string(header.dims[0]) + " entries, input '" + input.name + "' takes "
                + std::to_string(*perPiece) + " at once"};
    return cut;
}

HostTensor ArrayCut::piece(std::span<const std::byte> array, std::int64_t index) const
{
    HostTensor out = empty;
    const std::int64_t bytes = packedBytes(stored, pieceElements).value_or(0);
    const auto offset = repeated ? 0 : static_cast<std::size_t>(index * bytes);
    const auto slice = array.subspan(offset, static_cast<std::size_t>(bytes));
    if (stored == out.type) {
        out.bytes.assign(slice.begin(), slice.end());
        return out;
    }
    out.bytes.resize(slice.size() * 2);
    for (std::size_t i = 0; i < static_cast<std::size_t>(pieceElements); ++i) {
        std::int32_t narrow = 0;
        std::memcpy(&narrow, slice.data() + i * sizeof(narrow), sizeof(narrow));
        const std::int64_t wide = narrow;
        std::memcpy(out.bytes.data() + i * sizeof(wide), &wide, sizeof(wide));
    }
    return out;
}

} // namespace duo
