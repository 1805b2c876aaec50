// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/qdq_edits.h"

#include "core/quantize/edits/qdq_writer.h"
#include "core/transform/node_name_edits.h"

namespace duo {

Result<QdqEdits> buildQdqEdits(const Model& model, const QuantizerSetup& setup, const ParametersByPoint& parameters,
    const Decisions& decisions, const QuantizationSettings& settings, const BiasShifts& shifts)
{
    QdqWriter writer(model, setup, parameters, decisions, targetOf(settings), shifts);
    DUO_CHECK(writer.writeActivations());
    DUO_CHECK(writer.writeWeights());
    writer.keepIgnoredInFloat();
    writer.shieldCapturedMoves();
    writer.removeUnread();
    QdqEdits result = writer.take();
    result.edits.nodeNames = nodeNameEdits(model);
    return result;
}

} // namespace duo
