// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/qdq_edits.h"

#include "core/quantize/edits/qdq_writer.h"
#include "core/transform/node_name_edits.h"
#include "core/transform/pass.h"

namespace duo {
namespace {

std::set<NodeId> weightReaders(const QuantizerSetup& setup)
{
    std::set<NodeId> readers;
    for (const auto& [id, point] : setup.points) {
        if (!point.isWeight)
            continue;
        readers.insert(point.node);
        readers.insert(point.directlyQuantized.begin(), point.directlyQuantized.end());
    }
    return readers;
}

} // namespace

Result<QdqEdits> buildQdqEdits(const Model& model, const QuantizerSetup& setup, const ParametersByPoint& parameters,
    const Decisions& decisions, const QuantizationSettings& settings, const BiasShifts& shifts)
{
    PassResult passed = runWritePasses(model, weightReaders(setup));
    QdqWriter writer(
        model, setup, parameters, decisions, targetOf(settings), shifts, std::move(passed.edits).value_or(EditList{}));
    writer.partSums();
    DUO_CHECK(writer.writeActivations());
    DUO_CHECK(writer.writeWeights());
    writer.keepIgnoredInFloat();
    writer.keepProductsInInt8();
    writer.shieldCapturedMoves();
    writer.removeUnread();
    QdqEdits result = writer.take();
    result.edits.nodeNames = nodeNameEdits(model);
    result.fused = std::move(passed.fused);
    return result;
}

} // namespace duo
