// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/foreseen_size.h"

#include "core/onnx/absent_data.h"
#include "core/pipeline/snapshot/exported_edits.h"
#include "core/pipeline/snapshot/opened_model.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/points/scale_runs.h"
#include "core/quantize/points/weights.h"

#include <algorithm>
#include <set>
#include <vector>

namespace duo {
namespace {

/// What a quantizer adds to a file besides codes: QuantizeLinear and DequantizeLinear with names, scale, zero point.
constexpr std::int64_t kNodeBytes = 90; // names and scopes recorded
constexpr std::int64_t kActivationBytes = 330;
constexpr std::int64_t kWeightBytes = 230;
constexpr std::int64_t kScaleBytes = 5; // with a zero point

class WeightBytes
{
public:
    explicit WeightBytes(const Model& model, bool likeNncf)
        : m_model(model)
        , m_likeNncf(likeNncf)
    {
    }

    /// What the quantizer adds to the file; below 0 where codes take less than what they replace.
    std::int64_t added(const QuantizationPoint& point)
    {
        const ValueId source = weightSource(m_model, point.node, port(point));
        const Tensor* tensor = m_model.constant(source);
        if (tensor == nullptr)
            return 0;
        const std::int64_t scales = kWeightBytes + kScaleBytes * scaleCount(point, *tensor);
        const int fewer = std::max(elementBits(tensor->type) - point.config.numBits, 0);
        return m_seen.insert(source).second ? scales - tensor->elements() * fewer / 8 : scales;
    }

private:
    static std::uint32_t port(const QuantizationPoint& point) { return point.port.value_or(0); }

    [[nodiscard]] std::int64_t scaleCount(const QuantizationPoint& point, const Tensor& tensor) const
    {
        const std::vector<std::int64_t> dims = dimsAsRead(point, tensor);
        const auto axis = weightScaleAxis(m_model, point.node, port(point), dims.size(), point.config, m_likeNncf);
        return static_cast<std::int64_t>(duo::scaleCount(dims, axis, point.config.block));
    }

    /// As far as the file says so, else as the tensor is stored.
    [[nodiscard]] std::vector<std::int64_t> dimsAsRead(const QuantizationPoint& point, const Tensor& tensor) const
    {
        std::vector<std::int64_t> dims;
        const ValueType& type = m_model.value(m_model.node(point.node).inputs[port(point)]).type;
        for (const Dim& dim : type.shape.value_or(std::vector<Dim>()))
            dims.push_back(dim.size.value_or(-1));
        return type.shape && elementCount(dims) == tensor.elements() ? dims : tensor.dims;
    }

    const Model& m_model;
    bool m_likeNncf;
    std::set<ValueId> m_seen; // one tensor for several quantizers is written once
};

} // namespace

std::optional<ForeseenSize> foreseenSize(const Snapshot& snapshot)
{
    if (snapshot.placement->setup.points.empty() || !checkHasData(*snapshot.model))
        return std::nullopt;
    const Model& model = *snapshot.model;
    ForeseenSize size{openedBytes(snapshot), model.fileBytes};
    if (wantsFunctionsAgain(snapshot))
        size.after = size.before;
    size.after += kNodeBytes * static_cast<std::int64_t>(model.nodes.size());
    WeightBytes weights(model, targetOf(snapshot.recipe.quantization).likeNncf);
    for (const auto& [id, point] : snapshot.placement->setup.points)
        size.after += point.isWeight ? weights.added(point) : kActivationBytes;
    size.after = std::max<std::int64_t>(size.after, 0);
    size.isBeforeHalving = isHalvedInExport(snapshot);
    return size;
}

} // namespace duo
