// SPDX-License-Identifier: Apache-2.0
#include "core/state/state_file.h"

#include "core/quantize/recipe/recipe_json.h"
#include "core/state/model_hash.h"
#include "core/state/recorded_state.h"
#include "core/support/file.h"
#include "core/support/json.h"

#include <nlohmann/json.hpp>

#include <system_error>

namespace duo {

std::filesystem::path statePathFor(const std::filesystem::path& model)
{
    auto path = model;
    path.replace_extension(".state.json");
    return path;
}

Result<std::optional<StateSummary>> stateOfExport(const Model& model)
{
    const std::string_view digest = metadataValue(model.metadata, kStateDigestKey);
    StateSummary summary;
    summary.path = statePathFor(model.path);
    std::error_code unknown;
    if (digest.empty() || !std::filesystem::is_regular_file(summary.path, unknown))
        return std::optional<StateSummary>();
    DUO_TRY(text, readTextFile(summary.path, kMaxStateBytes));
    if (textHash(text) != digest)
        return std::optional<StateSummary>();
    const std::string name = summary.path.string();
    DUO_TRY(json, parseJson(text, name, ErrorCode::BadState));
    const nlohmann::ordered_json nothing;
    const auto at = [&](std::initializer_list<const char*> keys) -> const nlohmann::ordered_json& {
        const nlohmann::ordered_json* found = &json;
        for (const char* key : keys)
            found = found->is_object() && found->contains(key) ? &found->at(key) : &nothing;
        return *found;
    };
    DUO_TRY(recipe, recordedRecipeFromJson(at({"recipe"}), name + " recipe"));
    summary.recipe = std::move(recipe);
    summary.quantizers = static_cast<std::int64_t>(
        at({"builder_state", "quantization", "quantizer_setup", "quantization_points"}).size());
    if (const auto& samples = at({"ctrl_state", "quantization", "samples"}); samples.is_number_integer())
        summary.samples = samples.get<std::int64_t>();
    if (const auto& left = at({"ctrl_state", "quantization", "float_nodes"}); left.is_array()) {
        DUO_TRY(kept, keptFloatsFromJson(left, {name, "ctrl_state.quantization.float_nodes"}));
        summary.keptFloat = std::move(kept);
    }
    return std::optional(std::move(summary));
}

} // namespace duo
