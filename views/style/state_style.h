// SPDX-License-Identifier: Apache-2.0
// How decisions look: a mark, a text and a shade for each state, never colour alone.
#pragma once

#include "core/quantize/placement.h"
#include "views/style/theme.h"

#include <QString>

namespace duo::ui {

/// One character that tells the state without colour.
QString stateMark(NodeState state);
/// "quantized", "ignored-inherited", of a quantizer of the file "quantizer": as the command line says it.
QString stateLabel(NodeState state);
QString stateLabel(const Decision& decision);
/// With the mark before it, "■ quantized"; a quantizer has none.
QString markedLabel(const Decision& decision);
const Shade& stateShade(const Theme& theme, NodeState state);

/// What a group of nodes is, from the counts of its decisions.
struct StateCounts {
    std::int64_t total = 0; // without quantizers of the file: neither quantized nor float says what they are
    std::int64_t quantized = 0;
    std::int64_t ignored = 0; // by a rule, explicit or inherited
    std::int64_t fused = 0; // run inside a neighbour
    std::int64_t quantizers = 0; // of the file
    std::int64_t ofFile = 0; // of the quantized: as the file has them, and not planned

    void add(const Decision& decision);
    void add(const StateCounts& other);
    bool operator==(const StateCounts&) const = default;
};

/// "■ 12/40 quantized", "⊘ ignored", "– float", "quantizers"; empty for no nodes.
QString countsLabel(const StateCounts& counts);
/// The shade of the state the label names.
const Shade& countsShade(const Theme& theme, const StateCounts& counts);

} // namespace duo::ui
