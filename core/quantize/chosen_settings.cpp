// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/chosen_settings.h"

#include "core/quantize/operators/attention.h"
#include "core/quantize/points/profile_rules.h"

namespace duo {
namespace {

/// Of a sentence encoder NNCF's 0.95 leaves sentences as near to float as 0.7 does, but spoils the tokens that are
/// masked; 0.5 gains little.
constexpr double kAlpha = 0.7;

} // namespace

ChosenSettings chosenSettings(const Model& model, QuantizationSettings settings)
{
    ChosenSettings chosen{std::move(settings), std::nullopt};
    if (targetOf(chosen.settings).likeNncf || chosen.settings.modelType || !model.format->canRun())
        return chosen;
    const TransformerSigns signs = transformerSigns(model);
    if (!signs.isTransformer())
        return chosen;
    chosen.settings.modelType = ModelType::Transformer;
    auto& alpha = chosen.settings.corrections.smoothQuantMatMul;
    const bool smooths = !alpha;
    if (smooths)
        alpha = kAlpha;
    chosen.note = Note{"transformer",
        "transformer recognised: " + std::to_string(signs.attentions)
            + (signs.attentions == 1 ? " attention block" : " attention blocks") + "; model_type transformer"
            + (smooths ? " and SmoothQuant chosen" : " chosen") + " (--model-type none, or \"model_type\": \"none\" "
            + "in the recipe, leaves " + (smooths ? "them" : "it") + " out)",
        {}, Severity::Remark};
    return chosen;
}

} // namespace duo
