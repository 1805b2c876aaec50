// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/foreign_readers.h"
#include "core/model/code_range.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostBits = 32; // of a bias
constexpr std::int64_t kLargestBlock = std::int64_t{1} << 31U;

constexpr int kDeepestList = 8; // of scales of blocks, which lie as the tensor does

/// Calls take(place) for the numbers of a list, of lists in it, or the one that stands for a list.
template <typename Take> Status forEachNumber(const ForeignPlace& place, const Take& take, int depth = 0)
{
    if (!place.json().is_array())
        return take(place);
    if (depth == kDeepestList)
        return place.error("a list in more lists than tensors have dimensions");
    for (std::size_t i = 0; i < place.json().size(); ++i)
        DUO_CHECK(forEachNumber(place.element(i), take, depth + 1));
    return success();
}

Status addScales(ForeignEncoding& encoding, const ForeignPlace& scales)
{
    DUO_CHECK(forEachNumber(scales, [&](const ForeignPlace& at) -> Status {
        DUO_TRY(scale, at.scale());
        encoding.scale.push_back(scale);
        return success();
    }));
    return encoding.scale.empty() ? Status(scales.error("no number")) : success();
}

Status readBlock(ForeignEncoding& encoding, const ForeignPlace& entry)
{
    DUO_TRY(blockAt, entry.member("block_size"));
    DUO_TRY(block, blockAt.integer(1, kLargestBlock));
    encoding.block = block;
    return success();
}

/// Lower case, for words that versions write in either.
std::string lowered(std::string text)
{
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return text;
}

/// What is said of a tensor before its numbers are looked at. @return a reason where there is no counterpart
std::string whyNot(int bits)
{
    const bool isKnown = codeType(bits, false).has_value() || bits == kMostBits;
    return isKnown ? std::string() : "has codes of " + std::to_string(bits) + " bits";
}

/// Reads the entries of one document of any version.
class AimetReader
{
public:
    explicit AimetReader(ForeignForm form) { m_result.form = form; }

    /// 0.6.1: {tensor: [one entry for each channel]}.
    Status readSections(const ForeignPlace& section)
    {
        if (!section.json().is_object())
            return section.error("not an object");
        for (const auto& [tensor, channels] : section.json().get_ref<const Json::object_t&>())
            DUO_CHECK(readChannels(tensor, section.member(tensor, channels)));
        return success();
    }

    /// 1.0.0 and 2.0.0: a flat list.
    Status readList(const ForeignPlace& list)
    {
        if (!list.json().is_array())
            return list.error("not a list");
        for (std::size_t i = 0; i < list.json().size(); ++i) {
            const ForeignPlace entry = list.element(i);
            DUO_TRY(nameAt, entry.member("name"));
            DUO_TRY(tensor, nameAt.text());
            DUO_CHECK(m_result.form == ForeignForm::Aimet200 ? readOnnxEntry(tensor, entry) : readEntry(tensor, entry));
        }
        return success();
    }

    ForeignEncodings take() { return std::move(m_result); }

private:
    void leaveOut(const std::string& tensor, const std::string& why)
    {
        m_result.notExpressed.push_back("tensor " + inQuotes(tensor) + " " + why);
    }

    Status addFloat(const std::string& tensor, int bits)
    {
        if (bits != 32)
            leaveOut(tensor, "is in floats of " + std::to_string(bits) + " bits: it stays as it is");
        else
            m_result.entries.push_back({.tensor = tensor, .isFloat = true});
        return success();
    }

    /// An offset counts codes from 0: minus the zero point of unsigned codes.
    static Status addOffset(ForeignEncoding& encoding, const ForeignPlace& place)
    {
        DUO_TRY(offset, place.integer(-((std::int64_t{1} << encoding.bits) - 1), 0));
        encoding.zeroPoint.push_back(static_cast<std::int32_t>(-offset));
        return success();
    }

    /// Scale and offset, else both of minimum and maximum, as Qualcomm's converter takes them.
    static Status addChannel(ForeignEncoding& encoding, const ForeignPlace& channel)
    {
        if (channel.has("scale") && channel.has("offset")) {
            DUO_TRY(scaleAt, channel.member("scale"));
            DUO_TRY(scale, scaleAt.scale());
            encoding.scale.push_back(scale);
            DUO_TRY(offsetAt, channel.member("offset"));
            return addOffset(encoding, offsetAt);
        }
        DUO_TRY(minimumAt, channel.member("min"));
        DUO_TRY(minimum, minimumAt.number());
        DUO_TRY(maximumAt, channel.member("max"));
        DUO_TRY(maximum, maximumAt.number());
        const double codes = std::ldexp(1.0, encoding.bits) - 1;
        const auto scale = static_cast<float>((static_cast<double>(maximum) - minimum) / codes);
        if (minimum > 0 || maximum < 0 || !std::isfinite(scale) || scale <= 0)
            return channel.error("no range with zero in it");
        encoding.scale.push_back(scale);
        const double zero = std::nearbyint(-static_cast<double>(minimum) / scale);
        encoding.zeroPoint.push_back(static_cast<std::int32_t>(std::clamp(zero, 0.0, codes)));
        return success();
    }

    Status readChannels(const std::string& tensor, const ForeignPlace& channels)
    {
        if (!channels.json().is_array() || channels.json().empty())
            return channels.error("not a list of encodings");
        ForeignEncoding encoding{.tensor = tensor};
        std::string type = "int";
        for (std::size_t i = 0; i < channels.json().size(); ++i) {
            const ForeignPlace channel = channels.element(i);
            DUO_TRY(bitsAt, channel.member("bitwidth"));
            DUO_TRY(bits, bitsAt.integer(1, 64));
            if (i > 0 && bits != encoding.bits)
                return bitsAt.error("not the width of the channels before");
            encoding.bits = static_cast<int>(bits);
            if (channel.has("dtype")) {
                DUO_TRY(typeAt, channel.member("dtype"));
                DUO_TRY(said, typeAt.text());
                type = lowered(said);
            }
            if (type == "float")
                return addFloat(tensor, encoding.bits);
            if (type != "int")
                return channel.member("dtype")->error("unknown type");
            if (const std::string why = whyNot(encoding.bits); !why.empty()) {
                leaveOut(tensor, why);
                return success();
            }
            if (encoding.bits != kMostBits)
                DUO_CHECK(addChannel(encoding, channel));
        }
        m_result.entries.push_back(std::move(encoding));
        return success();
    }

    Status readEntry(const std::string& tensor, const ForeignPlace& entry)
    {
        ForeignEncoding encoding{.tensor = tensor};
        DUO_TRY(bitsAt, entry.member("bw"));
        DUO_TRY(bits, bitsAt.integer(1, 64));
        encoding.bits = static_cast<int>(bits);
        DUO_TRY(typeAt, entry.member("dtype"));
        DUO_TRY(type, typeAt.text());
        if (lowered(type) == "float")
            return addFloat(tensor, encoding.bits);
        if (lowered(type) != "int")
            return typeAt.error("unknown type");
        std::string spread = "PER_TENSOR";
        if (entry.has("enc_type")) {
            DUO_TRY(spreadAt, entry.member("enc_type"));
            DUO_TRY(said, spreadAt.text());
            spread = said;
        }
        std::string why = whyNot(encoding.bits);
        if (spread == "PER_BLOCK") {
            DUO_CHECK(readBlock(encoding, entry));
        } else if (spread != "PER_TENSOR" && spread != "PER_CHANNEL") {
            why = "has scales of the kind " + spread;
        }
        if (!why.empty()) {
            leaveOut(tensor, why);
            return success();
        }
        if (encoding.bits != kMostBits)
            DUO_CHECK(readLists(encoding, entry, "scale", "offset"));
        m_result.entries.push_back(std::move(encoding));
        return success();
    }

    Status readLists(ForeignEncoding& encoding, const ForeignPlace& entry, const char* scaleKey, const char* zeroKey)
    {
        DUO_TRY(scalesAt, entry.member(scaleKey));
        DUO_CHECK(addScales(encoding, scalesAt));
        DUO_TRY(offsetsAt, entry.member(zeroKey));
        DUO_CHECK(forEachNumber(offsetsAt, [&](const ForeignPlace& at) { return addOffset(encoding, at); }));
        if (encoding.zeroPoint.size() != encoding.scale.size())
            return offsetsAt.error("not as many as scales");
        return success();
    }

    /// 2.0.0 says it in ONNX's words.
    Status readOnnxEntry(const std::string& tensor, const ForeignPlace& entry)
    {
        ForeignEncoding encoding{.tensor = tensor};
        DUO_TRY(typeAt, entry.member("output_dtype"));
        DUO_TRY(type, typeAt.text());
        if (type == "float32") {
            m_result.entries.push_back({.tensor = tensor, .isFloat = true});
            return success();
        }
        encoding.codes = codeTypeNamed(type).value_or(ElementType::Undefined);
        encoding.bits = type == "int32" ? kMostBits : elementBits(encoding.codes);
        std::string why = encoding.bits == 0 ? "has codes of the type " + type : std::string();
        if (entry.has("per_block_int_scale"))
            why = "has whole numbers that scale its blocks";
        if (!why.empty()) {
            leaveOut(tensor, why);
            return success();
        }
        if (entry.has("block_size"))
            DUO_CHECK(readBlock(encoding, entry));
        if (encoding.bits != kMostBits)
            DUO_CHECK(readOnnxNumbers(encoding, entry));
        m_result.entries.push_back(std::move(encoding));
        return success();
    }

    static Status readOnnxNumbers(ForeignEncoding& encoding, const ForeignPlace& entry)
    {
        DUO_TRY(scalesAt, entry.member("y_scale"));
        DUO_CHECK(addScales(encoding, scalesAt));
        const CodeRange range = *codeRange(encoding.codes);
        if (entry.has("y_zero_point") && !entry.member("y_zero_point")->json().is_null()) {
            DUO_TRY(zerosAt, entry.member("y_zero_point"));
            DUO_CHECK(forEachNumber(zerosAt, [&](const ForeignPlace& at) -> Status {
                DUO_TRY(zero, at.integer(range.lowest, range.highest));
                encoding.zeroPoint.push_back(static_cast<std::int32_t>(zero));
                return success();
            }));
            if (encoding.zeroPoint.size() != encoding.scale.size())
                return zerosAt.error("not as many as scales");
        } else {
            encoding.zeroPoint.assign(encoding.scale.size(), 0);
        }
        if (!entry.has("axis") || entry.member("axis")->json().is_null())
            return success();
        DUO_TRY(axisAt, entry.member("axis"));
        DUO_TRY(axis, axisAt.integer(-64, 63));
        encoding.axis = axis;
        return success();
    }

    ForeignEncodings m_result;
};

/// Which of the three; older files of Qualcomm's tools name no version.
Result<ForeignForm> formOf(const ForeignPlace& document)
{
    const bool isFlat = document.has("encodings");
    if (!document.has("version"))
        return isFlat ? ForeignForm::Aimet200 : ForeignForm::Aimet061;
    DUO_TRY(versionAt, document.member("version"));
    DUO_TRY(version, versionAt.text());
    if (isFlat && version == "2.0.0")
        return ForeignForm::Aimet200;
    if (!isFlat && version == "1.0.0")
        return ForeignForm::Aimet100;
    if (!isFlat && version.starts_with("0."))
        return ForeignForm::Aimet061;
    Error error = versionAt.error("version " + inQuotes(version) + " of encodings is not read");
    error.code = ErrorCode::Unsupported;
    error.whatToDo = "export version 0.6.1, 1.0.0 or 2.0.0";
    return error;
}

} // namespace

Result<ForeignEncodings> readAimet(const ForeignPlace& document)
{
    DUO_TRY(form, formOf(document));
    AimetReader reader(form);
    if (form == ForeignForm::Aimet200) {
        DUO_TRY(list, document.member("encodings"));
        DUO_CHECK(reader.readList(list));
        return reader.take();
    }
    for (const char* key : {"activation_encodings", "param_encodings"}) {
        if (!document.has(key))
            continue;
        DUO_TRY(section, document.member(key));
        DUO_CHECK(form == ForeignForm::Aimet061 ? reader.readSections(section) : reader.readList(section));
    }
    return reader.take();
}

} // namespace duo
