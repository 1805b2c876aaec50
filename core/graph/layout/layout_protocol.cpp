// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/layout_protocol.h"

#include "core/graph/layout/layered_layout.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace duo {
namespace {

constexpr std::uint32_t kRequestMark = 0x354C5544; // "DUL5"
constexpr std::uint32_t kReplyMark = 0x315C5544;
constexpr std::uint32_t kErrorMark = 0x315E5544;
constexpr std::size_t kBoxBytes = 17; // width, height, pin
constexpr std::size_t kEdgeBytes = 26; // ends, and where they meet their boxes
constexpr std::size_t kPointBytes = 16;

static_assert(std::endian::native == std::endian::little, "numbers travel as they lie in memory");

class Writer
{
public:
    template <typename T> Writer& put(T value)
    {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        m_bytes.append(bytes, sizeof(T));
        return *this;
    }
    Writer& putCount(std::size_t count) { return put(static_cast<std::uint32_t>(count)); }
    Writer& putPoint(Point point) { return put(point.x).put(point.y); }
    Writer& putPlace(const std::optional<double>& place)
    {
        return put(static_cast<std::uint8_t>(place ? 1 : 0)).put(place.value_or(0));
    }
    Writer& putText(std::string_view text)
    {
        putCount(text.size());
        m_bytes.append(text);
        return *this;
    }
    [[nodiscard]] std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

/// Reads past the end give zeros and are remembered.
class Reader
{
public:
    explicit Reader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }
    template <typename T> T get()
    {
        T value{};
        if (m_bytes.size() < sizeof(T)) {
            m_failed = true;
            m_bytes = {};
            return value;
        }
        std::memcpy(&value, m_bytes.data(), sizeof(T));
        m_bytes.remove_prefix(sizeof(T));
        return value;
    }
    /// A count of things of `size` bytes each that must still follow; 0 if they cannot.
    std::size_t getCount(std::size_t size)
    {
        const auto count = std::size_t{get<std::uint32_t>()};
        if (count <= m_bytes.size() / size)
            return count;
        m_failed = true;
        return 0;
    }
    Point getPoint()
    {
        const auto x = get<double>();
        const auto y = get<double>();
        m_failed = m_failed || !std::isfinite(x) || !std::isfinite(y);
        return {x, y};
    }
    std::optional<double> getPlace()
    {
        const auto isGiven = get<std::uint8_t>();
        const auto place = get<double>();
        m_failed = m_failed || isGiven > 1 || (isGiven == 0 && place != 0);
        return isGiven == 1 ? std::optional(place) : std::nullopt;
    }
    std::string getText()
    {
        const std::size_t count = getCount(1);
        std::string text(m_bytes.substr(0, count));
        m_bytes.remove_prefix(count);
        return text;
    }
    void fail() { m_failed = true; }
    [[nodiscard]] bool isComplete() const { return !m_failed && m_bytes.empty(); }

private:
    std::string_view m_bytes;
    bool m_failed = false;
};

Error badFrame(const char* which)
{
    return Error{ErrorCode::BadData, std::string("the layout ") + which + " cannot be read", {}, {}};
}

} // namespace

std::string framed(std::string_view payload)
{
    Writer writer;
    writer.putCount(payload.size());
    return writer.take().append(payload);
}

std::uint32_t frameLength(std::string_view header)
{
    return Reader(header).get<std::uint32_t>();
}

std::string encodeRequest(const LayoutInput& input)
{
    Writer writer;
    writer.put(kRequestMark).putCount(input.boxes.size());
    for (std::size_t b = 0; b < input.boxes.size(); ++b)
        writer.put(input.boxes[b].width).put(input.boxes[b].height).put(static_cast<std::uint8_t>(input.pin(b)));
    writer.putCount(input.edges.size());
    for (const auto& edge : input.edges)
        writer.put(edge.from).put(edge.to).putPlace(edge.leaves).putPlace(edge.enters);
    for (const auto* list : {&input.spine, &input.atTop, &input.leftFirst}) {
        writer.putCount(list->size());
        for (const std::uint32_t index : *list)
            writer.put(index);
    }
    writer.put(input.aspect).put(input.spread).put(static_cast<std::uint8_t>(input.keepsPinOrder ? 1 : 0));
    return writer.take();
}

Result<LayoutInput> decodeRequest(std::string_view payload)
{
    Reader reader(payload);
    if (reader.get<std::uint32_t>() != kRequestMark)
        return badFrame("request");
    LayoutInput input;
    input.boxes.resize(reader.getCount(kBoxBytes));
    input.pins.resize(input.boxes.size());
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        input.boxes[b].width = reader.get<double>();
        input.boxes[b].height = reader.get<double>();
        const auto pin = reader.get<std::uint8_t>();
        if (pin > static_cast<std::uint8_t>(Pin::Lowered))
            reader.fail();
        else
            input.pins[b] = static_cast<Pin>(pin);
    }
    input.edges.resize(reader.getCount(kEdgeBytes));
    for (auto& edge : input.edges) {
        edge.from = reader.get<std::uint32_t>();
        edge.to = reader.get<std::uint32_t>();
        edge.leaves = reader.getPlace();
        edge.enters = reader.getPlace();
    }
    for (auto* list : {&input.spine, &input.atTop, &input.leftFirst}) {
        list->resize(reader.getCount(4));
        for (std::uint32_t& index : *list)
            index = reader.get<std::uint32_t>();
    }
    input.aspect = reader.get<double>();
    input.spread = reader.get<double>();
    const auto keepsPinOrder = reader.get<std::uint8_t>();
    input.keepsPinOrder = keepsPinOrder == 1;
    if (keepsPinOrder > 1)
        reader.fail();
    if (!reader.isComplete() || !checkLayoutInput(input))
        return badFrame("request");
    return input;
}

std::string encodeReply(const Result<LayoutResult>& reply)
{
    Writer writer;
    if (!reply)
        return writer.put(kErrorMark).putText(reply.error().what).take();
    writer.put(kReplyMark).putText(reply->engine).put(reply->crossings);
    writer.put(reply->size.width).put(reply->size.height);
    writer.putCount(reply->centers.size());
    for (const Point& center : reply->centers)
        writer.putPoint(center);
    writer.putCount(reply->lines.size());
    for (const auto& line : reply->lines) {
        writer.putCount(line.size());
        for (const Point& point : line)
            writer.putPoint(point);
    }
    return writer.take();
}

Result<LayoutResult> decodeReply(std::string_view payload, const LayoutInput& input)
{
    Reader reader(payload);
    const auto mark = reader.get<std::uint32_t>();
    if (mark == kErrorMark) {
        std::string text = reader.getText();
        if (reader.isComplete() && !text.empty())
            return Error{ErrorCode::EngineFailed, std::move(text), {}, {}};
    }
    if (mark != kReplyMark)
        return badFrame("reply");
    LayoutResult result;
    result.engine = reader.getText();
    result.crossings = reader.get<std::uint64_t>();
    const Point size = reader.getPoint();
    result.size = {size.x, size.y};
    result.centers.resize(reader.getCount(kPointBytes));
    for (Point& center : result.centers)
        center = reader.getPoint();
    result.lines.resize(reader.getCount(4));
    for (auto& line : result.lines) {
        line.resize(reader.getCount(kPointBytes));
        if (line.size() < 2)
            reader.fail();
        for (Point& point : line)
            point = reader.getPoint();
    }
    if (!reader.isComplete() || result.centers.size() != input.boxes.size()
        || result.lines.size() != input.edges.size())
        return badFrame("reply");
    return result;
}

} // namespace duo
