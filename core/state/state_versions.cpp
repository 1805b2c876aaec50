// SPDX-License-Identifier: Apache-2.0
#include "core/state/state_versions.h"

#include "core/quantize/points/halved_nodes.h"
#include "core/quantize/points/setup_json.h"
#include "core/state/model_hash.h"
#include "core/state/recorded_state.h"
#include "core/support/json.h"

#include <array>
#include <limits>
#include <span>
#include <string_view>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

/// Not `transforms`: what they did is held against what they do now. `version` not in older ones.
constexpr std::array<std::string_view, 6> kDigested{
    "version", "producer", "model", "recipe", "builder_state", "ctrl_state"};

constexpr int kSinceDigestOfVersion = 5;

std::span<const std::string_view> digestedIn(std::int64_t version)
{
    return std::span(kDigested).subspan(version < kSinceDigestOfVersion ? 1 : 0);
}

std::string digestOf(const Json& part)
{
    return textHash(jsonText(part));
}

/// 1 became 2: digests, steps, and numbers in fewer bytes (which lists of decimals still are).
Status raiseFromOne(Json& json, const JsonPlace& place)
{
    if (json.contains("digests"))
        return place.member("digests").error("unknown field");
    const auto builder = json.find("builder_state");
    if (builder == json.end() || !builder->is_object() || !builder->contains("quantization")
        || !builder->at("quantization").is_object())
        return success(); // the reader says what is missing
    Json& quantization = builder->at("quantization");
    if (quantization.contains("steps"))
        return place.member("builder_state").member("quantization").member("steps").error("unknown field");
    quantization["steps"] = Json::object();
    return success();
}

/// 2 became 3: more of nodes, and what gives the outputs of the model; what is missing is not known.
Status raiseFromTwo(const Json& json, const JsonPlace& place)
{
    if (json.contains("model") && json["model"].is_object() && json["model"].contains("outputs"))
        return place.member("model").member("outputs").error("unknown field");
    return success();
}

/// 3 became 4: weights and ports of nodes, names of inputs and outputs of the model; what is missing is not known.
Status raiseFromThree(const Json& json, const JsonPlace& place)
{
    for (const char* key : {"input_names", "output_names"}) {
        if (json.contains("model") && json["model"].is_object() && json["model"].contains(key))
            return place.member("model").member(key).error("unknown field");
    }
    return success();
}

/// 5 became 6: weights with a scale for each block, and in codes of less than 8 bits.
Status raiseFromFive(const Json& json, const JsonPlace& place)
{
    const Json::json_pointer points("/builder_state/quantization/quantizer_setup/quantization_points");
    if (!json.contains(points))
        return success(); // the reader says what is missing
    for (const auto& [id, point] : json.at(points).items()) {
        const std::string key(kBlockKey);
        if (point.is_object() && point.contains("qconfig") && point["qconfig"].is_object()
            && point["qconfig"].contains(key))
            return place.member("quantizer_setup").member(id).member(key).error("unknown field");
    }
    return success();
}

/// 6 became 7: nodes in floats of 16 bits.
Status raiseFromSix(const Json& json, const JsonPlace& place)
{
    const Json::json_pointer measured("/ctrl_state/quantization");
    const std::string key(kHalvesKey);
    if (json.contains(measured) && json.at(measured).is_object() && json.at(measured).contains(key))
        return place.member("ctrl_state").member("quantization").member(key).error("unknown field");
    return success();
}

/// @return the keys whose digest is another one
Result<std::vector<std::string>> unlikeIn(const Json& json, std::int64_t version, const JsonPlace& place)
{
    if (!json.contains("digests"))
        return place.member("digests").error("missing field");
    const JsonPlace at = place.member("digests");
    DUO_TRY(digests,
        JsonFields::of(
            json["digests"], at, {"producer", "model", "recipe", "builder_state", "ctrl_state"}, {"version"}));
    if (digests.has("version") != (version >= kSinceDigestOfVersion))
        return at.member("version").error(digests.has("version") ? "unknown field" : "missing field");
    std::vector<std::string> unlike;
    for (const std::string_view key : digestedIn(version)) {
        DUO_TRY(digest, digests.text(key));
        if (json.contains(key) && digestOf(json[std::string(key)]) != digest)
            unlike.emplace_back(key);
    }
    return unlike;
}

} // namespace

Result<NewestState> inNewestVersion(Json json, const std::string& file)
{
    const JsonPlace place{file};
    if (!json.is_object() || !json.contains("format") || json["format"] != kStateFormat)
        return place.member("format").error("not a compression state");
    if (!json.contains("version"))
        return place.member("version").error("missing field");
    constexpr std::int64_t kMost = std::numeric_limits<int>::max();
    DUO_TRY(version, integerOf(json["version"], place.member("version"), 1, kMost));
    if (version > kStateVersion)
        return Error{ErrorCode::BadState,
            "the state is of version " + std::to_string(version) + ", and this Duoscope reads up to "
                + std::to_string(kStateVersion),
            file + " version", "use a newer Duoscope"};
    NewestState newest{std::move(json), {}};
    if (version == 1) {
        DUO_CHECK(raiseFromOne(newest.json, place));
    } else {
        DUO_TRY(unlike, unlikeIn(newest.json, version, place));
        newest.unlike = std::move(unlike);
    }
    if (version < 3)
        DUO_CHECK(raiseFromTwo(newest.json, place));
    if (version < 4)
        DUO_CHECK(raiseFromThree(newest.json, place));
    if (version < 6)
        DUO_CHECK(raiseFromFive(newest.json, place));
    if (version < 7)
        DUO_CHECK(raiseFromSix(newest.json, place));
    return newest;
}

void addDigests(Json& json)
{
    Json digests = Json::object();
    for (const std::string_view key : kDigested)
        addMember(digests, std::string(key), digestOf(json.at(std::string(key))));
    json["digests"] = std::move(digests);
}

} // namespace duo
