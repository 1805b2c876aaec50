// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/precision_json.h"

#include "core/quantize/recipe/setting_choices.h"

#include <array>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Status readFlag(JsonKeys& keys, const char* key, std::optional<bool>& into)
{
    const Json* value = keys.find(key);
    if (value == nullptr || value->is_null())
        return success();
    bool flag = false;
    DUO_CHECK(keys.flag(key, flag));
    into = flag;
    return success();
}

} // namespace

Status readPrecision(JsonKeys& settings, const char* key, PrecisionOverride& into)
{
    const std::string wanted = "write num_bits, mode, signedness_to_force, per_channel or narrow_range";
    const Json* json = settings.find(key);
    if (json == nullptr || json->is_null())
        return success();
    if (!json->is_object())
        return invalidKey("not quantization parameters", settings.path(key), wanted);
    JsonKeys keys(*json, settings.path(key));
    if (const Json* bits = keys.find("num_bits"); bits != nullptr && !bits->is_null()) {
        const auto count = bits->is_number_integer() ? bits->get<std::int64_t>() : 0;
        if (count != 2 && count != 4 && count != 8 && count != 16)
            return invalidKey("not a number of bits", keys.path("num_bits"), "write 8 or 16");
        into.numBits = static_cast<int>(count);
    }
    std::optional<std::size_t> mode;
    DUO_CHECK(keys.choice("mode", kModeTexts, mode));
    if (mode)
        into.mode = static_cast<QuantizationMode>(*mode);
    DUO_CHECK(readFlag(keys, "signedness_to_force", into.signednessToForce));
    DUO_CHECK(readFlag(keys, "per_channel", into.perChannel));
    DUO_CHECK(readFlag(keys, "narrow_range", into.narrowRange));
    const Json rest = keys.unknown();
    return rest.empty() ? success() : invalidKey("unknown key", keys.path(rest.begin().key().c_str()), wanted);
}

Json precisionJson(const PrecisionOverride& precision)
{
    Json json = Json::object();
    if (precision.numBits)
        json["num_bits"] = *precision.numBits;
    if (precision.mode)
        json["mode"] = enumText(kModeTexts, *precision.mode);
    if (precision.signednessToForce)
        json["signedness_to_force"] = *precision.signednessToForce;
    if (precision.perChannel)
        json["per_channel"] = *precision.perChannel;
    if (precision.narrowRange)
        json["narrow_range"] = *precision.narrowRange;
    return json;
}

} // namespace duo
