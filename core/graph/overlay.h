// SPDX-License-Identifier: Apache-2.0
// Overlay: one value per node and scope, to be shown as colour and as a number (resources/docs/overlays.md).
#pragma once

#include "core/graph/containment.h"
#include "core/graph/view_graph.h"
#include "core/model/model.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

enum class OverlayKind : std::uint8_t {
    Decision,
    Precision,
    Parameters,
    Bytes,
    Range,
    Error,
    Sensitivity,
    Time,
    Half,
    Difference
};
inline constexpr std::size_t kOverlayKinds = static_cast<std::size_t>(OverlayKind::Difference) + 1;

std::string_view overlayKindText(OverlayKind kind); // "decision"; as the command line has it
std::optional<OverlayKind> overlayKindFrom(std::string_view text);

/// What a value is, and how those of several nodes make one.
enum class OverlayUnit : std::uint8_t {
    Category, // index of Overlay::categories; of several nodes only where they are the same
    Count, // summed; colours by the share of the whole
    Bytes, // likewise
    Microseconds, // likewise
    Share, // 0..1 of the whole; of several nodes the largest, unless they were measured together
    Magnitude, // the largest; colours between the least and the largest, in equal ratios
    Decibel, // the least: the worst
};

inline constexpr int kOverlaySteps = 5; // colours of an overlay that is no category, from little to much

struct Overlay {
    OverlayKind kind = OverlayKind::Decision;
    OverlayUnit unit = OverlayUnit::Category;
    std::string about; // one sentence: of what, from where
    std::vector<std::string> categories;
    std::vector<std::optional<double>> ofNode; // [Model::nodes]
    std::vector<std::string> whyOfNode; // [Model::nodes] what more there is to say of it, or ""; empty: of none
    std::vector<std::optional<double>> ofExecution; // [scopes]
    std::vector<std::optional<double>> ofStorage; // [scopes]
    double whole = 0; // of summed units: of the model; shares are of it
    double least = 0; // of Magnitude: over nodes, above zero
    double most = 0;

    /// Of what does not add up twice: several nodes together. Nothing where none has a value.
    [[nodiscard]] std::optional<double> of(const std::vector<NodeId>& nodes) const;
    [[nodiscard]] std::string whyOf(NodeId node) const; // "": there is no more to say
    /// 0 .. kOverlaySteps - 1; of a category its index.
    [[nodiscard]] int stepOf(double value) const;
    /// Where steps 1 .. begin, in the order of steps: shares, decibels (falling), magnitudes. Empty for categories.
    [[nodiscard]] std::vector<double> limits() const;
    [[nodiscard]] bool isSummed() const;
};

std::string overlayTitle(OverlayKind kind); // "Foreseen error"
/// "1.2 ms, 34 %", "12,345", "8 bit", "31.2 dB", "4.5"
std::string overlayText(const Overlay& overlay, double value);
/// What a step stands for: "under 0.1 %", "0.1 to 1 %", "over 20 %"
std::string stepText(const Overlay& overlay, int step);

/// [boxes] the values of boxes of nodes, scopes and groups, open ones too, since they are drawn closed where they are
/// small; nothing for others. O(boxes + nodes * depth).
std::vector<std::optional<double>> overlayOfBoxes(
    const Overlay& overlay, const ViewGraph& view, const Containment& containment);
/// [boxes] whether the nodes of a scope or group belong to several categories. O(boxes + nodes * depth).
std::vector<bool> mixedBoxes(const Overlay& overlay, const ViewGraph& view, const Containment& containment);

/// Fills Overlay::ofExecution and ofStorage from ofNode by the rule of the unit, a node counting once in every scope.
/// O(nodes * depth)
void rollUpInPlace(Overlay& overlay, const Scopes& scopes);

} // namespace duo
