// SPDX-License-Identifier: Apache-2.0
// Quantizer badges: the short text of a quantizer, and on which value a placement puts which.
#pragma once

#include "core/model/model.h"
#include "core/quantize/quantizer_setup.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace duo {

/// "u8", "s8 per channel", "s4"; "8 bit" where calibration decides the sign.
std::string quantizerBadge(const QuantizationPoint& point);

/// Answers in O(1) which quantizer stands between a value and one of its readers.
class QuantizerBadges
{
public:
    QuantizerBadges() = default; // none
    QuantizerBadges(const Model& model, const QuantizerSetup& setup);

    /// "" if none; a quantizer on the producer's output counts for every reader.
    [[nodiscard]] std::string_view onRead(ValueId value, Use use) const;
    [[nodiscard]] std::string_view onValue(ValueId value) const; // of the producer's output
    [[nodiscard]] std::string_view onWeight(NodeId node) const; // the first one

private:
    std::unordered_map<std::uint64_t, std::string> m_reads; // node and port
    std::unordered_map<ValueId, std::string> m_values;
    std::unordered_map<NodeId, std::string> m_weights;
};

} // namespace duo
