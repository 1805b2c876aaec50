// SPDX-License-Identifier: Apache-2.0
// placeOnce: quantizers of a model that is prepared for nothing else.
#pragma once

#include "core/quantize/placement.h"

namespace duo::test {

/// @return errors of preparePlacement and placeQuantizers
inline Result<Placement> placeOnce(const Model& model, const RuleHits& hits, const QuantizationSettings& settings)
{
    DUO_TRY(base, preparePlacement(model, settings));
    return placeQuantizers(model, *base, hits);
}

} // namespace duo::test
