// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/ranges_digest.h"

#include "core/model/value_address.h"
#include "core/pipeline/calibration/measured_values.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/profiles/clamps.h"
#include "core/state/digest.h"

#include <bit>
#include <set>

namespace duo {

std::string rangesDigest(const Model& model, const QuantizerSetup& setup, const Statistics& statistics)
{
    const MeasuredValues measured(model, statistics);
    std::set<ValueId> values;
    for (const auto& [id, point] : setup.points) {
        if (point.isWeight)
            continue;
        for (const ValueId value : pointValues(model, point))
            values.insert(behindClamps(model, value));
    }
    Digest digest;
    for (const ValueId value : values) {
        const ValueStatistics* found = measured.of(value);
        if (found == nullptr)
            continue;
        digest.add(addressOf(model, value));
        digest.add(found->elements);
        digest.add(std::bit_cast<std::int32_t>(found->min));
        digest.add(std::bit_cast<std::int32_t>(found->max));
        digest.add(std::bit_cast<std::int64_t>(found->mean()));
    }
    return digest.text();
}

} // namespace duo
