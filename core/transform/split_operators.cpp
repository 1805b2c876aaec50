// SPDX-License-Identifier: Apache-2.0
// Operators that stand for several, written as these for targets that compute them better so.
#include "core/model/op_facts.h"
#include "core/transform/common_passes.h"
#include "core/transform/elimination.h"
#include "core/transform/older_form.h"

#include <algorithm>
#include <initializer_list>

namespace duo {
namespace {

PassResult split(const PassScene& scene, std::initializer_list<std::string_view> opTypes)
{
    const Model& model = scene.model;
    const auto isOne = [&](const Node& node) { return isAnyOf(node, opTypes) && !model.isInFunction(node); };
    if (model.irVersion < kInitializersNeedNoInput || std::ranges::none_of(model.nodes, isOne))
        return {};
    OlderForms forms(model, scene.sizes);
    PassResult result;
    for (const NodeId id : model.order) {
        if (!isOne(model.node(id)) || !scene.mayChange(id))
            continue;
        if (auto why = writeAsSeveral(forms, id))
            result.skipped.push_back({id, *std::move(why)});
        else
            result.applied.push_back(id);
    }
    if (!result.applied.empty())
        result.edits = std::move(forms.edits);
    return result;
}

} // namespace

PassResult splitGemms(const PassScene& scene)
{
    return split(scene, {"Gemm"});
}

PassResult splitAttention(const PassScene& scene)
{
    return split(scene, {"Attention"});
}

PassResult splitNorms(const PassScene& scene)
{
    return split(scene, {"GroupNormalization", "LayerNormalization", "RMSNormalization"});
}

PassResult splitActivations(const PassScene& scene)
{
    return split(scene, {"Gelu", "HardSwish", "Mish", "Swish"});
}

} // namespace duo
