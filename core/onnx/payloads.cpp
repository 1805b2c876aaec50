// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/payloads.h"

#include "core/onnx/wire.h"

#include <array>
#include <bit>
#include <cstring>

namespace duo {
namespace {

constexpr int kMaxDepth = 256; // messages in messages; four per control-flow body
constexpr std::size_t kLengthBytes = 5; // of a length whose value is not known yet: a varint may be padded

enum PayloadField : std::uint32_t { kFloatData = 4, kRawData = 9, kDoubleData = 10 };

std::span<const std::byte> bytesOf(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

void append(std::string& out, std::span<const std::byte> bytes)
{
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

template <typename T> void appendToken(std::string& out, std::uint32_t number, T index)
{
    appendVarint(out, wireTag(number, WireType::Bytes));
    appendVarint(out, sizeof(T));
    std::array<char, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &index, sizeof(T));
    out.append(bytes.data(), bytes.size());
}

/// Writes a length into the place kept for it, as a varint of exactly kLengthBytes.
void patchLength(std::string& out, std::size_t position)
{
    std::uint64_t length = out.size() - position - kLengthBytes;
    for (std::size_t i = 0; i < kLengthBytes; ++i, length >>= 7U)
        out[position + i] = static_cast<char>((length & 0x7FU) | (i + 1 < kLengthBytes ? 0x80U : 0U));
}

/// The pieces of one payload field of one tensor.
using Pieces = std::vector<std::span<const std::byte>>;

class Splitter
{
public:
    explicit Splitter(const SharedBytes& file)
        : m_owner(file.owner)
    {
    }

    std::optional<SplitFault> split(MessageKind kind, std::span<const std::byte> message, int depth)
    {
        if (kind == MessageKind::Tensor)
            return splitTensor(message);
        if (depth > kMaxDepth)
            return SplitFault::TooDeep;
        WireCursor cursor(message);
        const std::byte* kept = message.data(); // bytes from here on are to be copied as they are
        while (const auto field = cursor.next()) {
            const auto child = childKind(kind, field->number);
            if (!child || field->type != WireType::Bytes)
                continue;
            append(result.proto, {kept, field->whole.data()});
            kept = field->whole.data() + field->whole.size();
            if (auto fault = splitChild(*child, *field, depth))
                return fault;
        }
        if (cursor.fault() != WireFault::None)
            return depth == 0 && cursor.fault() == WireFault::PastEnd ? SplitFault::CutOff : SplitFault::Broken;
        append(result.proto, {kept, message.data() + message.size()});
        return std::nullopt;
    }

    Skeleton result;

private:
    std::optional<SplitFault> splitChild(MessageKind kind, const WireField& field, int depth)
    {
        appendVarint(result.proto, wireTag(field.number, WireType::Bytes));
        const std::size_t length = result.proto.size();
        result.proto.append(kLengthBytes, '\0');
        if (auto fault = split(kind, field.content, depth + 1))
            return fault;
        patchLength(result.proto, length);
        return std::nullopt;
    }

    std::optional<SplitFault> splitTensor(std::span<const std::byte> message)
    {
        WireCursor cursor(message);
        std::optional<std::span<const std::byte>> raw;
        Pieces floats;
        Pieces doubles;
        while (const auto field = cursor.next()) {
            const bool isBytes = field->type == WireType::Bytes;
            if (field->number == kRawData && isBytes)
                raw = field->content; // the last one counts
            else if (field->number == kFloatData && (isBytes || field->type == WireType::Fixed32))
                floats.push_back(field->content);
            else if (field->number == kDoubleData && (isBytes || field->type == WireType::Fixed64))
                doubles.push_back(field->content);
            else
                append(result.proto, field->whole);
        }
        if (cursor.fault() != WireFault::None)
            return SplitFault::Broken;
        if (raw)
            appendToken(result.proto, kRawData, keep({m_owner, *raw}));
        const bool whole
            = keepPacked<std::uint32_t>(kFloatData, floats) && keepPacked<std::uint64_t>(kDoubleData, doubles);
        return whole ? std::nullopt : std::optional(SplitFault::Broken);
    }

    std::uint32_t keep(SharedBytes payload)
    {
        result.payloads.push_back(std::move(payload));
        return static_cast<std::uint32_t>(result.payloads.size() - 1);
    }

    /// @return false if a piece holds a broken element
    template <typename Token> bool keepPacked(std::uint32_t number, const Pieces& pieces)
    {
        std::size_t size = 0;
        for (const auto& piece : pieces) {
            if (piece.size() % sizeof(Token) != 0)
                return false;
            size += piece.size();
        }
        if (size == 0)
            return true;
        SharedBytes payload{m_owner, pieces.front()};
        if (pieces.size() > 1) {
            std::vector<std::byte> gathered;
            gathered.reserve(size);
            for (const auto& piece : pieces)
                gathered.insert(gathered.end(), piece.begin(), piece.end());
            payload = SharedBytes::own(std::move(gathered));
        }
        appendToken(result.proto, number, static_cast<Token>(keep(std::move(payload))));
        return true;
    }

    std::shared_ptr<const void> m_owner;
};

/// Payloads that the tokens of a payload field name; nothing if one names none.
class TokenReader
{
public:
    explicit TokenReader(std::span<const SharedBytes> payloads)
        : m_payloads(payloads)
    {
    }
    [[nodiscard]] static bool isPayload(const WireField& field)
    {
        return field.type == WireType::Bytes
            && (field.number == kFloatData || field.number == kRawData || field.number == kDoubleData);
    }
    [[nodiscard]] std::optional<Pieces> payloadsOf(const WireField& field) const
    {
        const std::size_t width = field.number == kDoubleData ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
        Pieces found;
        if (field.content.size() % width != 0 || (field.number == kRawData && field.content.size() != width))
            return std::nullopt;
        for (std::size_t at = 0; at < field.content.size(); at += width) {
            std::uint64_t index = 0;
            std::memcpy(&index, field.content.data() + at, width);
            if (index >= m_payloads.size())
                return std::nullopt;
            found.push_back(m_payloads[static_cast<std::size_t>(index)].bytes);
        }
        return found;
    }

private:
    std::span<const SharedBytes> m_payloads;
};

std::uint64_t totalSize(const Pieces& pieces)
{
    std::uint64_t size = 0;
    for (const auto& piece : pieces)
        size += piece.size();
    return size;
}

std::uint64_t framedSize(const WireField& field, std::uint64_t content)
{
    return varintSize(wireTag(field.number, WireType::Bytes)) + varintSize(content) + content;
}

/// Size of a message with its payloads; appends the sizes of nested ones in the order in which they are written.
std::optional<std::uint64_t> measure(
    MessageKind kind, std::span<const std::byte> message, const TokenReader& tokens, std::vector<std::uint64_t>& sizes)
{
    WireCursor cursor(message);
    std::uint64_t size = 0;
    while (const auto field = cursor.next()) {
        const auto child = childKind(kind, field->number);
        if (kind == MessageKind::Tensor && TokenReader::isPayload(*field)) {
            const auto pieces = tokens.payloadsOf(*field);
            if (!pieces)
                return std::nullopt;
            size += framedSize(*field, totalSize(*pieces));
        } else if (child && field->type == WireType::Bytes) {
            const std::size_t place = sizes.size();
            sizes.push_back(0);
            const auto nested = measure(*child, field->content, tokens, sizes);
            if (!nested)
                return std::nullopt;
            sizes[place] = *nested;
            size += framedSize(*field, *nested);
        } else {
            size += field->whole.size();
        }
    }
    return cursor.fault() == WireFault::None ? std::optional(size) : std::nullopt;
}

class Joiner
{
public:
    Joiner(const TokenReader& tokens, const std::vector<std::uint64_t>& sizes, const ByteSink& sink)
        : m_tokens(tokens)
        , m_sizes(sizes)
        , m_sink(sink)
    {
    }

    bool join(MessageKind kind, std::span<const std::byte> message)
    {
        WireCursor cursor(message);
        while (const auto field = cursor.next()) {
            const auto child = childKind(kind, field->number);
            bool done = true;
            if (kind == MessageKind::Tensor && TokenReader::isPayload(*field))
                done = writePayload(*field);
            else if (child && field->type == WireType::Bytes)
                done = writeFrame(*field, m_sizes[m_next++]) && join(*child, field->content);
            else
                done = m_sink(field->whole);
            if (!done)
                return false;
        }
        return true;
    }

private:
    bool writeFrame(const WireField& field, std::uint64_t size)
    {
        std::string frame;
        appendVarint(frame, wireTag(field.number, WireType::Bytes));
        appendVarint(frame, size);
        return m_sink(bytesOf(frame));
    }

    bool writePayload(const WireField& field)
    {
        const Pieces pieces = m_tokens.payloadsOf(field).value_or(Pieces{});
        if (!writeFrame(field, totalSize(pieces)))
            return false;
        for (const auto& piece : pieces) {
            if (!m_sink(piece))
                return false;
        }
        return true;
    }

    const TokenReader& m_tokens;
    const std::vector<std::uint64_t>& m_sizes;
    const ByteSink& m_sink;
    std::size_t m_next = 0;
};

} // namespace

std::variant<Skeleton, SplitFault> splitPayloads(const SharedBytes& file)
{
    Splitter splitter(file);
    if (const auto fault = splitter.split(MessageKind::Model, file.bytes, 0))
        return *fault;
    return std::move(splitter.result);
}

std::string payloadToken(std::uint32_t index)
{
    std::string token(sizeof(index), '\0');
    std::memcpy(token.data(), &index, sizeof(index));
    return token;
}

std::optional<std::uint32_t> payloadIndex(std::string_view rawData)
{
    std::uint32_t index = 0;
    if (rawData.size() != sizeof(index))
        return std::nullopt;
    std::memcpy(&index, rawData.data(), sizeof(index));
    return index;
}

std::uint32_t payloadIndex(float floatData)
{
    return std::bit_cast<std::uint32_t>(floatData);
}

std::optional<std::uint32_t> payloadIndex(double doubleData)
{
    const auto bits = std::bit_cast<std::uint64_t>(doubleData);
    return bits <= 0xFFFFFFFFU ? std::optional(static_cast<std::uint32_t>(bits)) : std::nullopt;
}

Result<JoinedModel> JoinedModel::of(std::string_view proto, std::span<const SharedBytes> payloads)
{
    JoinedModel joined(bytesOf(proto), payloads);
    const auto size = measure(MessageKind::Model, joined.m_proto, TokenReader(payloads), joined.m_sizes);
    if (!size)
        return Error{ErrorCode::Internal, "the weights do not fit the edited model", {}, "report this"};
    joined.m_size = *size;
    return joined;
}

bool JoinedModel::write(const ByteSink& sink) const
{
    const TokenReader tokens(m_payloads);
    return Joiner(tokens, m_sizes, sink).join(MessageKind::Model, m_proto);
}

Result<std::vector<std::byte>> JoinedModel::bytes(const std::string& model) const
{
    std::vector<std::byte> all;
    all.reserve(static_cast<std::size_t>(m_size));
    const bool isWhole = write([&](std::span<const std::byte> piece) {
        all.insert(all.end(), piece.begin(), piece.end());
        return true;
    });
    if (!isWhole)
        return Error{ErrorCode::Internal, "the model could not be joined", model, "report this"};
    return all;
}

} // namespace duo
