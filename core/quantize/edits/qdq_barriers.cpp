// SPDX-License-Identifier: Apache-2.0
// QdqWriter, part three: barriers. A LeakyRelu of slope 1, which ONNX Runtime never removes, keeps it from fusing what
// is to stay in float with quantizers, and a product that runs in int8 with what stays in float behind it.
#include "core/model/clamp_range.h"
#include "core/model/held_tensors.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/quantize/edits/qdq_writer.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/profiles/clamps.h"
#include "core/transform/gemm_fusion.h"

#include <algorithm>

namespace duo {
namespace {

/// Nodes that ONNX Runtime drops before a QuantizeLinear or moves it across: what is ignored may hide behind them.
bool isSeenThrough(const Node& node)
{
    return has(node, mark::kClamp | mark::kDropped | mark::kQuantizersCross);
}

} // namespace

bool QdqWriter::needsBarrier(ValueId value, RegionId region) const
{
    if (!m_target.runsOnOrtCpu)
        return false;
    for (NodeId producer = m_model.value(value).producer; producer.valid() && regionOf(producer) == region;) {
        if (staysFloat(producer))
            return true;
        const Node& node = m_model.node(producer);
        if (!isSeenThrough(node) || node.inputs.empty() || !node.inputs[0].valid() || m_index.at(producer, 0))
            return false;
        producer = m_model.value(node.inputs[0]).producer;
    }
    return false;
}

std::string QdqWriter::addBarrier(const std::string& input, ValueId value, const NewNode& place)
{
    const std::string& name = m_model.value(value).name;
    const std::string output = m_names.value(name + "_kept_float");
    addNode(place, m_names.node(name + "_KeepFloat"), "LeakyRelu", {}, {input}, {output}, {{"alpha", 1.0F}});
    m_result.edits.newNodes.back().metadata = {{"duoscope.role", "float-barrier"}};
    return output;
}

void QdqWriter::keepIgnoredInFloat()
{
    if (!m_target.runsOnOrtCpu)
        return;
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
        const NodeId id(n);
        if (!isIgnoredProduct(id) && !isIgnoredMove(id))
            continue;
        NewNode before;
        before.anchor = id;
        rewire(id, 0, addBarrier(nameRead(id, 0), m_model.node(id).inputs[0], before));
    }
}

/// A product of two dequantized values runs in int8 even without a QuantizeLinear behind it.
bool QdqWriter::isIgnoredProduct(NodeId id) const
{
    const Node& node = m_model.node(id);
    return isProduct(node, Product::Matrix) && hasInt8Product(node) && staysFloat(id) && node.inputs.size() >= 2
        && isDequantized(id, 0) && isDequantized(id, 1);
}

/// A DequantizeLinear is moved across such an operator to the barrier behind it, which then runs on codes itself.
bool QdqWriter::isIgnoredMove(NodeId id) const
{
    const Node& node = m_model.node(id);
    return has(node, mark::kQuantizersCross) && isIgnored(m_decisions[id.index].state) && !node.inputs.empty()
        && isDequantized(id, 0) && !node.outputs.empty() && node.outputs[0].valid() && !isInsideCall(id)
        && m_index.onValueOrRead(node.outputs[0]);
}

/// ONNX Runtime gives up the int8 kernel of a product (1.30 to 1.32) where it looks for a quantizer behind the Relu or
/// Clip that alone reads the product, to drop the clamp, and finds none; and where it makes one float Gemm of product
/// and addition.
void QdqWriter::keepProductsInInt8()
{
    if (!m_target.runsOnOrtCpu)
        return;
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
        const NodeId id(n);
        if (!isDequantizedProduct(id) || m_sums.contains(id))
            continue;
        const ValueId product = m_model.node(id).outputs[0];
        const auto use = onlyUse(m_model, product);
        if (!use || m_index.onValue(product))
            continue;
        const bool isMatMul = m_model.node(id).opType == "MatMul";
        if (!clampsWithinCodes(id) && !(isMatMul && (clampsInFloat(id) || isAddedInFloat(id))))
            continue;
        NewNode before;
        before.anchor = use->node;
        rewire(use->node, use->port, addBarrier(nameRead(use->node, use->port), product, before));
    }
}

/// ONNX Runtime (1.30 to 1.32) computes a Gemm in float that adds anything but a vector or row of int32.
void QdqWriter::partSums()
{
    if (!m_target.runsOnOrtCpu)
        return;
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
        if (isDequantizedProduct(NodeId(n)) && addsBesideCodes(m_model, NodeId(n)))
            partSum(NodeId(n));
    }
}

void QdqWriter::partSum(NodeId gemm)
{
    const Node& node = m_model.node(gemm);
    const std::string& sum = m_model.value(node.outputs[0]).name;
    const std::string product = m_names.value(sum + "_product");
    renameOutput(gemm, 0, product);
    m_result.edits.inputs.push_back({gemm, kAddedPort, ""});
    m_result.products.emplace(gemm, product);
    m_sums.emplace(gemm, m_result.edits.newNodes.size());
    NewNode place;
    place.anchor = gemm;
    place.after = true;
    addNode(place, m_names.node(node.name + "_Add"), "Add", {}, {product, m_model.value(node.inputs[kAddedPort]).name},
        {sum}, {});
}

/// A Gemm or MatMul of which both factors come from DequantizeLinear.
bool QdqWriter::isDequantizedProduct(NodeId id) const
{
    const Node& node = m_model.node(id);
    if (!isProduct(node, Product::Matrix) || !hasInt8Product(node) || staysFloat(id) || node.inputs.size() < 2
        || isInsideCall(id))
        return false;
    const auto weight = m_index.at(id, 1);
    if (weight && m_parameters.contains(*weight) && m_parameters.at(*weight).block > 0)
        return false; // it multiplies in blocks
    return isDequantized(id, 0) && (isDequantized(id, 1) || duo::isDequantized(m_model, node.inputs[1]));
}

/// Whether clamps alone read the result, each read once, and nothing quantizes what they give.
bool QdqWriter::clampsInFloat(NodeId product) const
{
    const auto use = onlyUse(m_model, m_model.node(product));
    const NodeId end = endOfClamps(m_model, product);
    if (!use || end == product)
        return false;
    const auto behind = onlyUse(m_model, m_model.node(end));
    if (!onlyUse(m_model, m_model.node(use->node)) || m_index.onValue(m_model.node(end).outputs[0]))
        return false;
    return !behind
        || !(isDequantized(behind->node, behind->port) || m_model.node(behind->node).opType == "QuantizeLinear");
}

/// Whether clamps behind the product cut off what the quantizer behind them could tell apart: it does not make them
/// needless, and ONNX Runtime computes product and clamps in float.
bool QdqWriter::clampsWithinCodes(NodeId product) const
{
    const NodeId end = endOfClamps(m_model, product);
    if (end == product || m_model.node(end).outputs.empty())
        return false;
    const auto point = m_index.onValue(m_model.node(end).outputs[0]);
    const auto written = point ? m_parameters.find(*point) : m_parameters.end();
    if (written == m_parameters.end() || written->second.scale.size() != 1 || elementBits(written->second.type) != 8)
        return false;
    ClampRange range;
    for (NodeId clamp = end; clamp != product; clamp = m_model.value(m_model.node(clamp).inputs[0]).producer)
        range.narrow(clampRange(m_model, m_model.node(clamp)));
    const bool isSigned = written->second.type == ElementType::Int8;
    const auto valueOf = [&](int code) {
        return static_cast<float>(code - written->second.zeroPoint.front()) * written->second.scale.front();
    };
    return valueOf(isSigned ? -128 : 0) < range.low || valueOf(isSigned ? 127 : 255) > range.high;
}

/// Whether ONNX Runtime makes a Gemm of a product and the addition that alone reads it, and that in float: not with an
/// int32 bias.
bool QdqWriter::isAddedInFloat(NodeId product) const
{
    const auto added = addedBehind(m_model, product);
    if (!added || isDequantized(added->add, 1 - added->port))
        return false;
    const ValueId value = m_model.node(added->add).inputs[added->port];
    const bool isInt32 = m_model.constant(behindIdentities(m_model, value)) != nullptr
        && m_rewired.contains({added->add, added->port});
    return !isInt32 && gemmFusion(m_model, product, *added, &m_ranks) == GemmFusion::Yes;
}

/// Whether a quantizer in front of single readers would stand beside others that read a product in float, which takes
/// the int8 kernel from it.
bool QdqWriter::partsReaders(ValueId value, const ActivationNames& names) const
{
    const NodeId producer = m_model.value(value).producer;
    const bool isOnInputs = names.floating == m_model.value(value).name;
    if (!m_target.runsOnOrtCpu || !isOnInputs || !producer.valid())
        return false;
    const auto& uses = m_model.value(value).uses;
    const bool isReadInFloat = m_model.value(value).isOutput
        || std::ranges::any_of(uses, [this](const Use& use) { return !isDequantized(use.node, use.port); });
    return isReadInFloat && !m_sums.contains(producer) && (isDequantizedProduct(producer) || endsProduct(producer));
}

/// An addition of a bias behind a product, which become one.
bool QdqWriter::endsProduct(NodeId id) const
{
    return std::ranges::any_of(m_model.node(id).inputs, [this, id](ValueId value) {
        const NodeId product = value.valid() ? m_model.value(value).producer : NodeId{};
        const auto bias = product.valid() && isDequantizedProduct(product) ? biasOf(m_model, product) : std::nullopt;
        return bias && bias->node == id;
    });
}

/// ONNX Runtime moves quantizers across such operators, and its process ends where it meets a body that reads the
/// result (seen with 1.30 and 1.31): a barrier in front stops it.
void QdqWriter::shieldCapturedMoves()
{
    if (!m_target.runsOnOrtCpu || m_model.regions.size() == 1)
        return;
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
        const NodeId id(n);
        if (!movesToBody(id) || !movesDequantized(id))
            continue;
        NewNode before;
        before.anchor = id;
        rewire(id, 0, addBarrier(nameRead(id, 0), m_model.node(id).inputs[0], before));
    }
}

/// Whether a body reads what the node moves, as float.
bool QdqWriter::movesToBody(NodeId id) const
{
    const Node& node = m_model.node(id);
    if (!has(node, mark::kQuantizersCross) || node.inputs.empty() || !node.inputs[0].valid() || node.outputs.empty()
        || !node.outputs[0].valid() || m_index.onValue(node.outputs[0]) || isInsideCall(id))
        return false;
    const auto& uses = m_model.value(node.outputs[0]).uses;
    return std::any_of(
        uses.begin(), uses.end(), [&](const Use& use) { return crossesBorder(m_model, use.node, node.outputs[0]); });
}

bool QdqWriter::movesDequantized(NodeId id) const
{
    while (!isDequantized(id, 0)) {
        const ValueId read = m_model.node(id).inputs[0];
        const NodeId producer = m_model.value(read).producer;
        const bool isMoved = producer.valid() && !crossesBorder(m_model, id, read)
            && has(m_model.node(producer), mark::kQuantizersCross);
        if (!isMoved || m_model.node(producer).inputs.empty() || !m_model.node(producer).inputs[0].valid())
            return false;
        id = producer;
    }
    return true;
}

} // namespace duo
