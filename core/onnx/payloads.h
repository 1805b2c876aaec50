// SPDX-License-Identifier: Apache-2.0
// Takes the weights out of a serialized ModelProto and puts them back, so that protobuf sees the structure only and
// weights stay where they are.
#pragma once

#include "core/model/tensor.h"
#include "core/support/result.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace duo {

/// A ModelProto in which every payload (TensorProto.raw_data, float_data, double_data) is a token: the index of the
/// payload as 4 bytes of raw_data, or as the bits of the one element of float_data or double_data.
struct Skeleton {
    std::string proto;
    std::vector<SharedBytes> payloads; // views into the file where it holds them in one piece
};

enum class SplitFault : std::uint8_t { Broken, CutOff, TooDeep };

/// O(fields); payload bytes are not touched, except for float_data and double_data written in several pieces.
/// @return CutOff if a field of the outermost message ends behind the file
std::variant<Skeleton, SplitFault> splitPayloads(const SharedBytes& file);

std::string payloadToken(std::uint32_t index); // for TensorProto.raw_data
std::optional<std::uint32_t> payloadIndex(std::string_view rawData);
std::uint32_t payloadIndex(float floatData);
std::optional<std::uint32_t> payloadIndex(double doubleData);

/// Takes a piece of the output; false stops.
using ByteSink = std::function<bool(std::span<const std::byte>)>;

/// The reverse of splitPayloads, for a skeleton serialized by protobuf; `proto` and `payloads` must outlive it.
class JoinedModel
{
public:
    /// @return Internal if a token names no payload
    static Result<JoinedModel> of(std::string_view proto, std::span<const SharedBytes> payloads);

    [[nodiscard]] std::uint64_t size() const { return m_size; } // bytes
    /// @return false if the sink stopped
    [[nodiscard]] bool write(const ByteSink& sink) const;
    /// All of it. @return Internal, naming `model`, if it is not whole
    [[nodiscard]] Result<std::vector<std::byte>> bytes(const std::string& model) const;

private:
    JoinedModel(std::span<const std::byte> proto, std::span<const SharedBytes> payloads)
        : m_proto(proto)
        , m_payloads(payloads)
    {
    }
    std::span<const std::byte> m_proto;
    std::span<const SharedBytes> m_payloads;
    std::vector<std::uint64_t> m_sizes; // of the nested messages on the way to tensors, in the order of their tags
    std::uint64_t m_size = 0;
};

} // namespace duo
