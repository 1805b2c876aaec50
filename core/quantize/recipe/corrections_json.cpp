// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/corrections_json.h"

#include <cmath>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

bool isSet(const Json* json)
{
    return json != nullptr && !json->is_null();
}

Status readFlag(JsonKeys& keys, const char* key, std::optional<bool>& into)
{
    const Json* json = keys.find(key);
    if (!isSet(json))
        return success();
    if (!json->is_boolean())
        return invalidKey("not true or false", keys.path(key), "write true or false, or leave it out");
    into = json->get<bool>();
    return success();
}

Status readNumber(JsonKeys& keys, const char* key, std::optional<double>& into)
{
    const Json* json = keys.find(key);
    if (!isSet(json))
        return success();
    if (!json->is_number() || !std::isfinite(json->get<double>()))
        return invalidKey("not a number", keys.path(key), "write a number, or leave it out");
    into = json->get<double>();
    return success();
}

/// The object at a key, read by `read`; other keys in it are refused.
template <typename Read> Status readObject(JsonKeys& keys, const char* key, const char* wanted, const Read& read)
{
    const Json* json = keys.find(key);
    if (!isSet(json))
        return success();
    if (!json->is_object())
        return invalidKey("not an object", keys.path(key), "write an object, or leave it out");
    JsonKeys inner(*json, keys.path(key));
    DUO_CHECK(read(inner));
    const Json rest = inner.unknown();
    return rest.empty() ? success() : invalidKey("unknown key", inner.path(rest.begin().key()), wanted);
}

/// NNCF refuses apply_for_all_nodes with fast correction; here only nodes with a bias are ever corrected.
Status readBiasParameters(JsonKeys& keys, CorrectionSettings& corrections)
{
    std::optional<bool> all;
    DUO_CHECK(readFlag(keys, "apply_for_all_nodes", all));
    if (all.value_or(false))
        return invalidKey("nodes without a bias cannot be corrected", keys.path("apply_for_all_nodes"),
            "write false, or leave it out");
    DUO_CHECK(readNumber(keys, "threshold", corrections.biasThreshold));
    if (corrections.biasThreshold.value_or(1) <= 0)
        return invalidKey("not above zero", keys.path("threshold"), "write a number above 0");
    return success();
}

Status readAlpha(JsonKeys& keys, const char* key, std::optional<double>& into)
{
    DUO_CHECK(readNumber(keys, key, into));
    if (into.value_or(0) > 1)
        return invalidKey("not an alpha", keys.path(key), "write a number from 0 to 1, or -1 for none");
    return success();
}

} // namespace

Status readCorrections(JsonKeys& keys, CorrectionSettings& corrections)
{
    DUO_CHECK(readFlag(keys, "fast_bias_correction", corrections.fastBiasCorrection));
    DUO_CHECK(readFlag(keys, "disable_bias_correction", corrections.disableBiasCorrection));
    DUO_CHECK(keys.flag("cross_layer_equalization", corrections.crossLayerEqualization));
    DUO_CHECK(readObject(keys, "bias_correction_params", "write threshold or apply_for_all_nodes",
        [&](JsonKeys& inner) { return readBiasParameters(inner, corrections); }));
    return readObject(keys, "smooth_quant_alphas", "write matmul or convolution", [&](JsonKeys& inner) -> Status {
        DUO_CHECK(readAlpha(inner, "matmul", corrections.smoothQuantMatMul));
        return readAlpha(inner, "convolution", corrections.smoothQuantConvolution);
    });
}

void addCorrections(Json& json, const CorrectionSettings& corrections)
{
    if (corrections.fastBiasCorrection)
        json["fast_bias_correction"] = *corrections.fastBiasCorrection;
    if (corrections.disableBiasCorrection)
        json["disable_bias_correction"] = *corrections.disableBiasCorrection;
    if (corrections.biasThreshold)
        json["bias_correction_params"]["threshold"] = *corrections.biasThreshold;
    if (corrections.smoothQuantMatMul)
        json["smooth_quant_alphas"]["matmul"] = *corrections.smoothQuantMatMul;
    if (corrections.smoothQuantConvolution)
        json["smooth_quant_alphas"]["convolution"] = *corrections.smoothQuantConvolution;
    if (corrections.crossLayerEqualization)
        json["cross_layer_equalization"] = true;
}

} // namespace duo
