// SPDX-License-Identifier: Apache-2.0
// What ONNX Runtime's quantizer is given and keeps, and TensorRT's cache, which is ranges of tensors, too.
#include "core/interchange/foreign_readers.h"
#include "core/model/code_range.h"
#include "core/support/phrases.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <map>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kTensorRtStart = "TRT-";

std::string left(const std::string& tensor, const std::string& why)
{
    return "tensor " + inQuotes(tensor) + " " + why;
}

/// "QInt8", also as Python writes the value ("QuantType.QInt8"). Undefined: floats.
ElementType typeOf(std::string_view text)
{
    static const std::map<std::string_view, ElementType> kTypes{{"QInt8", ElementType::Int8},
        {"QUInt8", ElementType::UInt8}, {"QInt16", ElementType::Int16}, {"QUInt16", ElementType::UInt16},
        {"QInt4", ElementType::Int4}, {"QUInt4", ElementType::UInt4}};
    constexpr std::string_view kClass = "QuantType.";
    const auto found = kTypes.find(text.starts_with(kClass) ? text.substr(kClass.size()) : text);
    return found == kTypes.end() ? ElementType::Undefined : found->second;
}

Result<ForeignRange> rangeOf(const ForeignPlace& place, const char* lowKey, const char* highKey)
{
    DUO_TRY(lowAt, place.member(lowKey));
    DUO_TRY(low, lowAt.number());
    DUO_TRY(highAt, place.member(highKey));
    DUO_TRY(high, highAt.number());
    if (low > high)
        return place.error("its lowest value is above its highest one");
    return ForeignRange{low, high};
}

/// The overrides of one tensor: an object, or one for each channel.
class OverrideReader
{
public:
    OverrideReader(std::string tensor, ForeignPlace channels)
        : m_channels(std::move(channels))
    {
        m_encoding.tensor = std::move(tensor);
    }

    Status readInto(ForeignEncodings& result)
    {
        if (m_channels.json().empty())
            return m_channels.error("no override");
        for (std::size_t i = 0; i < m_channels.json().size() && m_why.empty(); ++i)
            DUO_CHECK(readChannel(m_channels.element(i), i == 0));
        if (m_hasConversion)
            result.notExpressed.push_back(
                left(m_encoding.tensor, "is converted to another type for some readers: all read the first"));
        if (!m_why.empty())
            result.notExpressed.push_back(left(m_encoding.tensor, m_why));
        else
            result.entries.push_back(std::move(m_encoding));
        return success();
    }

private:
    Status readChannel(const ForeignPlace& channel, bool isFirst)
    {
        if (!channel.json().is_object())
            return channel.error("not an object");
        if (isFirst)
            DUO_CHECK(readFirst(channel));
        if (!m_why.empty())
            return success();
        if (channel.has("scale") != channel.has("zero_point"))
            return channel.error("a scale without a zero point, or the other way round");
        if (channel.has("scale"))
            return addScale(channel);
        if (!channel.has("rmin")) {
            m_why = "has a type and no range";
            return success();
        }
        if (!isFirst || m_encoding.axis) {
            m_why = "has a range for each channel";
            return success();
        }
        DUO_TRY(range, rangeOf(channel, "rmin", "rmax"));
        m_encoding.range = range;
        return success();
    }

    Status readFirst(const ForeignPlace& channel)
    {
        m_hasConversion = channel.has("convert");
        if (channel.has("quant_type")) {
            DUO_TRY(typeAt, channel.member("quant_type"));
            DUO_TRY(type, typeAt.text());
            m_encoding.codes = typeOf(type);
            if (m_encoding.codes == ElementType::Undefined)
                m_why = "has codes of the type " + type;
            else
                m_encoding.bits = elementBits(m_encoding.codes);
        } else {
            m_why = "has no quant_type";
        }
        if (channel.has("axis") && !channel.member("axis")->json().is_null()) {
            DUO_TRY(axisAt, channel.member("axis"));
            DUO_TRY(axis, axisAt.integer(-64, 63));
            m_encoding.axis = axis;
        }
        return success();
    }

    Status addScale(const ForeignPlace& channel)
    {
        DUO_TRY(scaleAt, channel.member("scale"));
        DUO_TRY(scale, scaleAt.scale());
        DUO_TRY(zeroAt, channel.member("zero_point"));
        const CodeRange range = *codeRange(m_encoding.codes);
        DUO_TRY(zero, zeroAt.integer(range.lowest, range.highest));
        m_encoding.scale.push_back(scale);
        m_encoding.zeroPoint.push_back(static_cast<std::int32_t>(zero));
        return success();
    }

    ForeignPlace m_channels;
    ForeignEncoding m_encoding;
    bool m_hasConversion = false;
    std::string m_why; // it is left out
};

std::string_view nextLine(std::string_view& text)
{
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

} // namespace

Result<ForeignEncodings> readOrtOverrides(const ForeignPlace& document)
{
    ForeignEncodings result{ForeignForm::OrtOverrides, {}, {}};
    for (const auto& [tensor, channels] : document.json().get_ref<const Json::object_t&>())
        DUO_CHECK(OverrideReader(tensor, document.member(tensor, channels)).readInto(result));
    return result;
}

Result<ForeignEncodings> readOrtRanges(const ForeignPlace& tensors)
{
    if (!tensors.json().is_object())
        return tensors.error("not an object");
    ForeignEncodings result{ForeignForm::OrtCalibration, {}, {}};
    for (const auto& [tensor, value] : tensors.json().get_ref<const Json::object_t&>()) {
        const ForeignPlace place = tensors.member(tensor, value);
        if (!place.has("lowest") && place.has("avg")) {
            result.notExpressed.push_back(left(tensor, "has a mean and a deviation, and no range"));
            continue;
        }
        const auto isList = [&](const char* key) {
            const auto at = place.member(key);
            const bool isArray = at && at->has("data");
            const Json* json = !at ? nullptr : isArray ? &at->json().at("data") : &at->json();
            return json != nullptr && json->is_array() && json->size() > 1;
        };
        if (isList("lowest") || isList("highest")) {
            result.notExpressed.push_back(left(tensor, "has a range for each channel"));
            continue;
        }
        DUO_TRY(range, rangeOf(place, "lowest", "highest"));
        result.entries.push_back({.tensor = tensor, .range = range});
    }
    return result;
}

Result<ForeignEncodings> readOrtCalibration(const ForeignPlace& document)
{
    DUO_TRY(data, document.member("data"));
    DUO_TRY(result, readOrtRanges(data));
    if (document.has("smooth_quant") && document.json().at("smooth_quant") == true)
        return document.error("the ranges are of a model that SmoothQuant changed");
    return result;
}

bool isTensorRtCache(std::string_view text)
{
    return text.starts_with(kTensorRtStart);
}

/// "TRT-8601-EntropyCalibration2", then "tensor: " and the scale's bits as hexadecimal digits.
Result<ForeignEncodings> readTensorRtCache(std::string_view text, const std::string& name)
{
    constexpr int kHex = 16;
    constexpr std::int32_t kMiddle = 128; // codes of int8 as unsigned ones
    ForeignEncodings result{ForeignForm::TensorRtCache, {}, {}};
    nextLine(text);
    for (std::size_t number = 2; !text.empty(); ++number) {
        const std::string_view line = nextLine(text);
        if (line.empty())
            continue;
        const std::size_t colon = line.rfind(": ");
        std::uint32_t bits = 0;
        const char* const end = line.data() + line.size();
        const char* const from = colon == std::string_view::npos ? end : line.data() + colon + 2;
        const auto read = std::from_chars(from, end, bits, kHex);
        const auto scale = std::bit_cast<float>(bits);
        if (from == end || read.ec != std::errc() || read.ptr != end || end - from > 8)
            return Error{ErrorCode::BadData, "no tensor with the hexadecimal digits of a scale",
                name + " line " + std::to_string(number), "take the file as its tool wrote it"};
        const std::string tensor(line.substr(0, colon));
        if (!std::isfinite(scale) || scale <= 0)
            result.notExpressed.push_back(left(tensor, "has a scale that is not positive and finite"));
        else
            result.entries.push_back({.tensor = tensor, .scale = {scale}, .zeroPoint = {kMiddle}});
    }
    return result;
}

} // namespace duo
