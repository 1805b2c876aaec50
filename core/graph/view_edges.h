// SPDX-License-Identifier: Apache-2.0
// View edges: values lifted to the visible boxes, merged per pair of boxes, and stubs instead of edges for hubs.
#pragma once

#include "core/graph/view_graph.h"
#include "core/model/model.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/quantizer_setup.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
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

/// The visible box that stands for each node and value end; kNoBox where there is none.
struct BoxIndex {
    static constexpr std::uint32_t kNoBox = 0xFFFFFFFF;
    std::vector<std::uint32_t> ofNode; // [Model::nodes]
    std::vector<std::uint32_t> ofInput; // [Model::values] model inputs, and what comes from outside
    std::vector<std::uint32_t> ofOutput; // [Model::values] model outputs, and what goes outside
    std::vector<std::uint32_t> bundle; // [boxes] the outermost open bundle around each: where its edges to others end
};

/// How values come into bodies of control flow and go out of them, beside what Value::uses tells. Nothing of calls:
/// what a function reads and makes are values of the caller.
class BodyBorders
{
public:
    BodyBorders() = default; // none
    explicit BodyBorders(const Model& model);

    /// Nodes that give a body's result on: those that own the body.
    [[nodiscard]] std::vector<NodeId> ownersGiving(ValueId result) const;
    /// The inputs of bodies as which a value comes in, of bodies in them too: the loop-carried value that begins with
    /// it, what a Scan takes apart. The count of a Loop is none: the body is told the number of the run.
    [[nodiscard]] std::vector<ValueId> inputsOf(ValueId value) const;

private:
    std::multimap<ValueId, NodeId> m_owners; // by result
    std::multimap<ValueId, ValueId> m_inputs; // of bodies, by what the owner reads
};

/// Boxes of one open scope that may read a value before its edges become stubs.
inline constexpr std::size_t kMostReaders = 8;

/// Adds edges, and stub boxes at the end of the boxes, to a view that has boxes only.
/// @param order all nodes: the edges of what each makes come in it (Containment::order)
void addEdgesInPlace(ViewGraph& view, const Model& model, std::span<const NodeId> order, const BoxIndex& boxes,
    const QuantizerBadges& badges);

} // namespace duo
