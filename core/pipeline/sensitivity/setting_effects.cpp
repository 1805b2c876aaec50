// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/setting_effects.h"

#include "core/model/op_facts.h"
#include "core/pipeline/calibration/ranges.h"
#include "core/quantize/edits/bias_correction.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace duo {
namespace {

constexpr const char* kNothing = "nothing changes here";

void add(std::string& text, const std::string& part)
{
    text += (text.empty() ? "" : ", ") + part;
}

using PointPlace = std::tuple<std::uint32_t, std::uint32_t, std::int64_t, bool>;

std::map<PointPlace, const QuantizerConfig*> configsByPlace(const QuantizerSetup& setup)
{
    std::map<PointPlace, const QuantizerConfig*> configs;
    for (const auto& [id, point] : setup.points)
        configs.emplace(PointPlace{point.node.index, point.input.index,
                            point.port ? std::int64_t{*point.port} : std::int64_t{-1}, point.isWeight},
            &point.config);
    return configs;
}

/// How many quantizers come and go, and what those become that stay.
std::string quantizersText(const QuantizerSetup& before, const QuantizerSetup& after)
{
    const auto old = configsByPlace(before);
    std::size_t added = 0;
    std::size_t kept = 0;
    std::map<std::string, std::size_t> become;
    for (const auto& [place, now] : configsByPlace(after)) {
        const auto found = old.find(place);
        if (found == old.end()) {
            ++added;
            continue;
        }
        ++kept;
        const QuantizerConfig& then = *found->second;
        if (now->perChannel != then.perChannel)
            ++become[now->perChannel ? "per-channel" : "per-tensor"];
        if (now->mode != then.mode)
            ++become[now->mode == QuantizationMode::Symmetric ? "symmetric" : "asymmetric"];
        if (now->numBits != then.numBits)
            ++become["of " + std::to_string(now->numBits) + " bits"];
        if (now->signednessToForce != then.signednessToForce)
            ++become[!now->signednessToForce  ? "signed where values are negative"
                    : *now->signednessToForce ? "signed"
                                              : "unsigned"];
        if (now->narrowRange != then.narrowRange)
            ++become[now->narrowRange ? "of the narrow range" : "of the whole range"];
    }
    std::string text;
    for (const auto& [what, count] : become)
        add(text,
            std::to_string(count) + " of " + counted(kept, "quantizer", "quantizers")
                + (count == 1 ? " becomes " : " become ") + what);
    if (added > 0)
        add(text, counted(added, "quantizer more", "quantizers more"));
    if (kept < old.size())
        add(text, counted(old.size() - kept, "quantizer fewer", "quantizers fewer"));
    return text;
}

std::string changedNodesText(const Decisions& before, const Decisions& after)
{
    std::size_t more = 0;
    std::size_t fewer = 0;
    for (std::size_t i = 0; i < before.size() && i < after.size(); ++i) {
        const bool was = before[i].state == NodeState::Quantized;
        const bool is = after[i].state == NodeState::Quantized;
        more += !was && is ? 1 : 0;
        fewer += was && !is ? 1 : 0;
    }
    std::string text;
    if (more > 0)
        add(text, counted(more, "node more is quantized", "nodes more are quantized"));
    if (fewer > 0)
        add(text, counted(fewer, "node is no longer quantized", "nodes are no longer quantized"));
    return text;
}

std::string codesText(const Target& before, const Target& after)
{
    std::string text;
    if (before.codes != after.codes)
        add(text,
            after.codes == ActivationCodes::Int8        ? "activations take int8 codes"
                : after.codes == ActivationCodes::UInt8 ? "activations take uint8 codes"
                                                        : "activations take int8 codes where they are negative");
    if (before.bias != after.bias)
        add(text, after.bias == BiasForm::Float ? "biases stay float" : "biases become int32");
    return text;
}

std::size_t activationPoints(const QuantizerSetup& setup)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(setup.points, [](const auto& entry) { return !entry.second.isWeight; }));
}

/// Quantized weights of operators that multiply in one of these ways.
std::size_t weightsOf(const Snapshot& snapshot, bool areConvolutions)
{
    const auto isMeant = [&](const auto& entry) {
        if (!entry.second.isWeight) // one behind a model input has no node
            return false;
        const Node& node = snapshot.model->node(entry.second.node);
        return isFloatProduct(node) && isProduct(node, Product::Convolution) == areConvolutions;
    };
    return static_cast<std::size_t>(std::ranges::count_if(snapshot.placement->setup.points, isMeant));
}

std::string rangesText(const Snapshot& before, const Snapshot& after)
{
    if (activationsEstimator(before.recipe.quantization) == activationsEstimator(after.recipe.quantization))
        return {};
    std::string text = "ranges of " + counted(activationPoints(before.placement->setup), "activation", "activations")
        + " are chosen otherwise";
    if (!before.recipe.quantization.rangeEstimatorRules.empty())
        text += ", but of those that an estimator rule catches";
    return text;
}

std::string weightRangeText(const Snapshot& before, const Snapshot& after)
{
    const auto count = [](const Snapshot& snapshot) {
        return halfRangePoints(*snapshot.model, snapshot.placement->setup, snapshot.settings);
    };
    const auto then = count(before);
    const auto now = count(after);
    if (then == now)
        return {};
    const auto weights
        = std::ranges::count_if(after.placement->setup.points, [](const auto& entry) { return entry.second.isWeight; });
    return std::to_string(now.size()) + " of " + counted(static_cast<std::size_t>(weights), "weight", "weights")
        + " use half their codes, instead of " + std::to_string(then.size());
}

std::string biasesText(const Snapshot& before, const Snapshot& after)
{
    const auto& now = after.settings;
    const auto& then = before.settings;
    if (correctsBiases(now) == correctsBiases(then)
        && (!correctsBiases(now) || correctsBiasesFast(now) == correctsBiasesFast(then)))
        return {};
    const std::string biases = counted(correctableNodes(*after.model, after.placement->setup).size(), "bias", "biases");
    if (!correctsBiases(now))
        return biases + " no longer corrected";
    return biases + " corrected " + (correctsBiasesFast(now) ? "in closed form" : "by running the quantized model");
}

/// What another value acts on, where its size alone says nothing before data are run.
std::string reachText(const Snapshot& snapshot, SettingReach reach)
{
    switch (reach) {
    case SettingReach::Biases:
        return "of " + counted(correctableNodes(*snapshot.model, snapshot.placement->setup).size(), "bias", "biases")
            + "; how many shifts are taken is known once data were measured";
    case SettingReach::Products:
        return counted(weightsOf(snapshot, false), "product has", "products have")
            + " quantized weights; what it changes is known once data were measured";
    case SettingReach::Convolutions:
        return counted(weightsOf(snapshot, true), "convolution has", "convolutions have")
            + " quantized weights; what it changes is known once data were measured";
    case SettingReach::LayerPairs:
        return "which weights change is known after the next quantization";
    case SettingReach::Samples:
        return "no quantizer moves; how many samples are used is known once data were measured";
    case SettingReach::Scales:
        return "all " + counted(snapshot.placement->setup.points.size(), "scale", "scales") + " are rounded up";
    case SettingReach::Placement:
    case SettingReach::ActivationRanges:
    case SettingReach::WeightRange:
        break;
    }
    return {};
}

std::string smoothingText(const Snapshot& before, const Snapshot& after)
{
    const auto isOn = [](const Snapshot& snapshot) { return smoothQuantMatMul(snapshot.settings) >= 0; };
    if (isOn(before) == isOn(after))
        return {};
    return isOn(after) ? "SmoothQuant of products is on" : "SmoothQuant of products is off";
}

/// Everything that is known without data, whichever setting it comes from.
std::string changesText(const Snapshot& before, const Snapshot& after)
{
    if (!after.placement)
        return "this model cannot be quantized then: " + (after.refusal ? after.refusal->line() : std::string());
    std::string text;
    for (const std::string& part : {quantizersText(before.placement->setup, after.placement->setup),
             changedNodesText(before.placement->decisions, after.placement->decisions),
             codesText(targetOf(before.settings), targetOf(after.settings)), rangesText(before, after),
             weightRangeText(before, after), biasesText(before, after), smoothingText(before, after)}) {
        if (!part.empty())
            add(text, part);
    }
    return text;
}

Result<std::string> effectText(const Snapshot& before, const Setting& setting, const QuantizationSettings& settings)
{
    switch (setting.reach) {
    case SettingReach::Scales:
        return settings.powerOfTwoScales ? reachText(before, setting.reach)
                                         : std::string("scales are as exact as they can be");
    case SettingReach::LayerPairs:
    case SettingReach::Samples:
        return reachText(before, setting.reach);
    case SettingReach::Placement:
    case SettingReach::ActivationRanges:
    case SettingReach::WeightRange:
    case SettingReach::Biases:
    case SettingReach::Products:
    case SettingReach::Convolutions:
        break;
    }
    Recipe recipe = before.recipe;
    recipe.quantization = settings;
    DUO_TRY(after, withRecipe(before, recipe));
    return changesText(before, after);
}

} // namespace

Result<std::vector<SettingEffect>> settingEffects(
    const Snapshot& snapshot, const Setting& setting, const JobContext& job)
{
    DUO_CHECK(snapshot.checkPlaced());
    if (setting.choices.empty())
        return std::vector{SettingEffect{std::nullopt, reachText(snapshot, setting.reach)}};
    const QuantizationSettings& now = snapshot.recipe.quantization;
    const auto current = settingText(now, setting);
    std::vector<std::optional<std::string>> values(setting.choices.begin(), setting.choices.end());
    if (!setting.unset.empty())
        values.insert(values.begin(), std::nullopt);
    std::vector<SettingEffect> effects;
    for (const auto& value : values) {
        if (job.stopped())
            return cancelledError();
        if (value == current)
            continue;
        DUO_TRY(settings, withSetting(now, setting, value));
        DUO_TRY(text, effectText(snapshot, setting, settings));
        effects.push_back({value, text.empty() ? kNothing : std::move(text)});
    }
    return effects;
}

} // namespace duo
