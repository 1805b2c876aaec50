// SPDX-License-Identifier: Apache-2.0
// Quantizer badges: the short text of a quantizer, and on which value a placement puts which.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/quantizer_setup.h"

#include <optional>
#include <string>
#include <vector>

namespace duo {

/// "u8", "s8 per channel", "s4"; "8 bit" where calibration decides the sign.
std::string quantizerBadge(const QuantizationPoint& point);

/// Which quantizer stands between a value and one of its readers. Refers to model and setup.
class QuantizerBadges
{
public:
    QuantizerBadges() = default; // none
    QuantizerBadges(const Model& model, const QuantizerSetup& setup);

    /// "" if none; a quantizer on the producer's output or on the model input counts for every reader.
    [[nodiscard]] std::string onRead(Use use) const;
    [[nodiscard]] std::string onValue(ValueId value) const;
    [[nodiscard]] std::string onWeight(NodeId node) const; // of the first quantized constant it reads

private:
    [[nodiscard]] std::string text(std::optional<PointId> point) const;

    const Model* m_model = nullptr;
    const QuantizerSetup* m_setup = nullptr;
    std::optional<PointIndex> m_index;
};

} // namespace duo
