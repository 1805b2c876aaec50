// SPDX-License-Identifier: Apache-2.0
#include "core/state/number_list.h"

#include "core/model/code_range.h"
#include "core/support/bytes_of.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostInWords = 8;
constexpr std::size_t kMostCodesInWords = 64;
constexpr int kByteBits = 8;
constexpr double kRoundsToInfinity = 0x1.ffffffp127; // as a float
constexpr std::string_view kPrefix = "f32:";
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The double whose shortest text is that of the float.
double shortDouble(float number)
{
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    double value = 0;
    std::from_chars(text.data(), end, value);
    return static_cast<float>(value) == number ? value : static_cast<double>(number);
}

/// None of the libraries that core uses has it.
std::string base64Of(std::string_view bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63U];
    }
    return text;
}

/// Nothing for what base64Of does not write.
std::optional<std::string> bytesOfBase64(std::string_view text)
{
    if (text.size() % 4 != 0)
        return std::nullopt;
    std::array<std::uint32_t, 256> valueOf{};
    valueOf.fill(64);
    for (std::uint32_t i = 0; i < kDigits.size(); ++i)
        valueOf[static_cast<unsigned char>(kDigits[i])] = i;
    const std::size_t pads = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    text.remove_suffix(pads);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0; // read and not yet a byte
    std::uint32_t count = 0;
    for (const char c : text) {
        const std::uint32_t digit = valueOf[static_cast<unsigned char>(c)];
        if (digit == 64)
            return std::nullopt;
        bits = bits << 6U | digit;
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 255U);
        bits &= (1U << count) - 1;
    }
    return bits == 0 ? std::optional(std::move(bytes)) : std::nullopt; // otherwise two texts would mean the same
}

std::string bytesOfNumbers(std::span<const float> numbers)
{
    std::string bytes;
    bytes.reserve(numbers.size() * 4);
    for (const float number : numbers) {
        const auto bits = std::bit_cast<std::uint32_t>(number);
        for (const std::uint32_t shift : {0U, 8U, 16U, 24U})
            bytes += static_cast<char>(bits >> shift & 255U);
    }
    return bytes;
}

std::optional<std::vector<float>> numbersOfText(std::string_view text)
{
    if (!text.starts_with(kPrefix))
        return std::nullopt;
    const auto bytes = bytesOfBase64(text.substr(kPrefix.size()));
    if (!bytes || bytes->size() % 4 != 0)
        return std::nullopt;
    std::vector<float> numbers;
    numbers.reserve(bytes->size() / 4);
    for (std::size_t i = 0; i < bytes->size(); i += 4) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 4; ++k)
            bits |= static_cast<std::uint32_t>(static_cast<unsigned char>((*bytes)[i + k])) << (8 * k);
        numbers.push_back(std::bit_cast<float>(bits));
    }
    return numbers;
}

/// Nothing for another type, another count, and bits behind the last code that are not zero.
std::optional<std::vector<std::int32_t>> codesOfText(std::string_view text, std::size_t count, ElementType type)
{
    const int bits = elementBits(type);
    const std::string prefix = std::string(elementTypeName(type)) + ':';
    if (bits > kByteBits || !text.starts_with(prefix))
        return std::nullopt;
    const auto bytes = bytesOfBase64(text.substr(prefix.size()));
    if (!bytes || bytes->size() != codeBytes(count, bits))
        return std::nullopt;
    const bool isSigned = codeRange(type).value_or(CodeRange()).isSigned();
    const std::size_t all = bytes->size() * static_cast<std::size_t>(kByteBits / bits);
    auto codes = codesOfBytes(std::as_bytes(std::span(*bytes)), all, bits, isSigned);
    const bool isPadded = std::all_of(
        codes.begin() + static_cast<std::ptrdiff_t>(count), codes.end(), [](std::int32_t code) { return code == 0; });
    codes.resize(count);
    return isPadded ? std::optional(std::move(codes)) : std::nullopt;
}

} // namespace

Json numbersJson(std::span<const float> numbers)
{
    if (numbers.size() > kMostInWords)
        return std::string(kPrefix) + base64Of(bytesOfNumbers(numbers));
    Json json = Json::array();
    for (const float number : numbers)
        json.push_back(shortDouble(number));
    return json;
}

Result<std::vector<float>> numbersFromJson(const Json& json, const JsonPlace& place)
{
    std::vector<float> numbers;
    if (json.is_string()) {
        auto read = numbersOfText(json.get_ref<const std::string&>());
        if (!read)
            return place.error("not a list of numbers");
        numbers = *std::move(read);
    } else if (json.is_array()) {
        numbers.reserve(json.size());
        for (const Json& item : json) {
            if (!item.is_number())
                return place.element(numbers.size()).error("not a number");
            if (std::abs(item.get<double>()) >= kRoundsToInfinity)
                return place.element(numbers.size()).error("not a finite number");
            numbers.push_back(static_cast<float>(item.get<double>()));
        }
    } else {
        return place.error("not a list of numbers");
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!std::isfinite(numbers[i]))
            return place.element(i).error("not a finite number");
    }
    return numbers;
}

Json codesJson(std::span<const std::int32_t> codes, ElementType type)
{
    const bool areEqual
        = !codes.empty() && std::ranges::all_of(codes, [&](std::int32_t code) { return code == codes.front(); });
    if (areEqual)
        return codes.front();
    const int bits = elementBits(type);
    if (bits > kByteBits || codes.size() <= kMostCodesInWords)
        return std::vector<std::int32_t>(codes.begin(), codes.end());
    std::string text;
    for (const std::byte byte : bytesOfCodes(codes, bits))
        text += static_cast<char>(byte);
    return std::string(elementTypeName(type)) + ':' + base64Of(text);
}

Result<std::vector<std::int32_t>> codesFromJson(
    const Json& json, const JsonPlace& place, std::size_t count, ElementType type)
{
    const CodeRange range = codeRange(type).value_or(CodeRange());
    if (json.is_string()) {
        auto codes = codesOfText(json.get_ref<const std::string&>(), count, type);
        if (!codes)
            return place.error("not " + std::to_string(count) + " codes of the type");
        return *std::move(codes);
    }
    if (!json.is_array()) {
        DUO_TRY(code, integerOf(json, place, range.lowest, range.highest));
        return std::vector<std::int32_t>(count, static_cast<std::int32_t>(code));
    }
    if (json.size() != count)
        return place.error(
            std::to_string(json.size()) + " numbers where there are " + std::to_string(count) + " scales");
    std::vector<std::int32_t> codes;
    for (const Json& item : json) {
        DUO_TRY(code, integerOf(item, place.element(codes.size()), range.lowest, range.highest));
        codes.push_back(static_cast<std::int32_t>(code));
    }
    return codes;
}

} // namespace duo
