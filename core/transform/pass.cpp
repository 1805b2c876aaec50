// SPDX-License-Identifier: Apache-2.0
#include "core/transform/pass.h"

#include "core/transform/fold_batch_norm.h"
#include "core/transform/raise_opset.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace duo {
namespace {

constexpr std::array kPasses{
    Pass{"raise-opset", PassStage::Open, [](const Model& model, const std::set<NodeId>&) { return raiseOpset(model); }},
    Pass{"fold-batch-norm", PassStage::Write, foldBatchNorms},
};

} // namespace

std::span<const Pass> passes()
{
    return kPasses;
}

PassResult runWritePasses(const Model& model, const std::set<NodeId>& written)
{
    PassResult joined;
    for (const Pass& pass : kPasses) {
        if (pass.stage != PassStage::Write)
            continue;
        PassResult result = pass.run(model, written);
        if (result.edits && joined.edits)
            addInPlace(*joined.edits, *std::move(result.edits));
        else if (result.edits)
            joined.edits = std::move(result.edits);
        std::ranges::move(result.notes, std::back_inserter(joined.notes));
    }
    return joined;
}

} // namespace duo
