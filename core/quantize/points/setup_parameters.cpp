// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/setup_parameters.h"

#include "core/quantize/points/batch_norm.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/weights.h"
#include "core/quantize/profiles/profile_rules.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace duo {
namespace {

class Builder
{
public:
    Builder(const Model& model, const QuantizerSetup& setup, const std::map<std::string, Range>& ranges,
        const QuantizationSettings& settings)
        : m_model(model)
        , m_setup(setup)
        , m_ranges(ranges)
        , m_settings(settings)
        , m_index(model, setup)
    {
        for (const auto& [group, members] : setup.unifiedScaleGroups) {
            for (const PointId member : members)
                m_groups.emplace(member, &members);
        }
    }

    Result<ParametersByPoint> build(int threads, const JobContext& job)
    {
        DUO_CHECK(addActivations());
        DUO_CHECK(addWeights(threads, job));
        return std::move(m_parameters);
    }

private:
    /// A table of a Gather: quantized like the activation that comes out of it.
    static bool isLikeActivation(const QuantizationPoint& point)
    {
        return !point.isWeight || (point.config.mode == QuantizationMode::Asymmetric && !point.config.perChannel);
    }

    Result<Range> rangeOfPoint(const QuantizationPoint& point) const
    {
        if (!point.isWeight)
            return measured(point);
        DUO_TRY(weight, readWeight(m_model, point.node, point.port.value_or(0)));
        return rangeOf(weight);
    }

    Result<Range> measured(const QuantizationPoint& point) const
    {
        std::optional<Range> range;
        for (const ValueId id : pointValues(m_model, point)) {
            const auto found = m_ranges.find(m_model.value(id).name);
            if (found == m_ranges.end())
                continue;
            range = range ? Range{std::min(range->min, found->second.min), std::max(range->max, found->second.max)}
                          : found->second;
        }
        if (range)
            return *range;
        return Error{ErrorCode::BadData, "no range was measured", pointText(m_model, point), "calibrate again"};
    }

    /// The group a point shares its range with: itself where it is in none.
    std::vector<PointId> rangeGroup(PointId id) const
    {
        const auto found = m_groups.find(id);
        return found == m_groups.end() ? std::vector<PointId>{id} : *found->second;
    }

    Status addActivations()
    {
        for (const auto& [id, point] : m_setup.points) {
            if (point.isWeight || m_parameters.contains(id))
                continue;
            const auto group = rangeGroup(id);
            std::optional<Range> united;
            for (const PointId member : group) {
                const auto found = m_setup.points.find(member);
                if (found == m_setup.points.end() || !isLikeActivation(found->second))
                    continue;
                DUO_TRY(range, rangeOfPoint(found->second));
                united = united ? Range{std::min(united->min, range.min), std::max(united->max, range.max)} : range;
            }
            DUO_CHECK(addGroup(group, point, *united));
        }
        return success();
    }

    Status addGroup(const std::vector<PointId>& group, const QuantizationPoint& point, const Range& range)
    {
        auto parameters
            = activationParameters(point.config, range, profileRules(m_settings.profile).codes, rangeFloor());
        if (!parameters) {
            Error error = parameters.error();
            const ValueId value = pointValue(m_model, point);
            error.where = "value '" + (value.valid() ? m_model.value(value).name : std::string()) + "'";
            return error;
        }
        if (m_settings.powerOfTwoScales)
            makePowersOfTwo(*parameters);
        for (const PointId member : group) {
            const auto found = m_setup.points.find(member);
            if (found != m_setup.points.end() && isLikeActivation(found->second))
                m_parameters.emplace(member, *parameters);
        }
        return success();
    }

    Status addWeights(int threads, const JobContext& job)
    {
        std::vector<PointId> ids;
        for (const auto& [id, point] : m_setup.points) {
            if (point.isWeight && !m_parameters.contains(id))
                ids.push_back(id);
        }
        std::vector<QuantizationParameters> results(ids.size());
        DUO_CHECK(parallelFor(ids.size(), threads, job, [&](std::size_t i) -> Status {
            auto parameters = weightParametersOf(m_setup.points.at(ids[i]));
            if (!parameters) {
                Error error = parameters.error();
                if (error.where.empty())
                    error.where = "node '" + m_model.node(m_setup.points.at(ids[i]).node).name + "'";
                return error;
            }
            results[i] = *std::move(parameters);
            return success();
        }));
        for (std::size_t i = 0; i < ids.size(); ++i)
            m_parameters.emplace(ids[i], std::move(results[i]));
        return success();
    }

    Result<QuantizationParameters> weightParametersOf(const QuantizationPoint& point) const
    {
        const std::uint32_t port = point.port.value_or(0);
        DUO_TRY(weight, readWeight(m_model, point.node, port));
        if (point.config.mode == QuantizationMode::Asymmetric && !point.config.perChannel) {
            DUO_TRY(table, activationParameters(point.config, rangeOf(weight), ActivationCodes::UInt8, rangeFloor()));
            if (m_settings.powerOfTwoScales)
                makePowersOfTwo(table);
            return table;
        }
        std::optional<std::int64_t> axis;
        if (point.config.perChannel)
            axis = weightChannelAxis(m_model, point.node, port, weight.dims.size());
        DUO_TRY(parameters,
            weightParameters(point.config, maxAbsByChannel(weight, axis), usesHalfRange(point), rangeFloor()));
        parameters.axis = axis;
        raiseForBias(point, parameters);
        if (m_settings.powerOfTwoScales)
            makePowersOfTwo(parameters);
        return parameters;
    }

    [[nodiscard]] RangeFloor rangeFloor() const
    {
        return m_settings.nncfCompatible ? RangeFloor::Nncf : RangeFloor::Relative;
    }

    bool usesHalfRange(const QuantizationPoint& point) const
    {
        const auto fallback = m_settings.nncfCompatible ? OverflowFix::FirstLayer : OverflowFix::Disable;
        switch (m_settings.overflowFix.value_or(fallback)) {
        case OverflowFix::Disable:
            return false;
        case OverflowFix::Enable: {
            const std::string& type = m_model.node(point.node).opType;
            return type == "Conv" || type == "ConvTranspose" || type == "Gemm" || type == "MatMul";
        }
        case OverflowFix::FirstLayer:
            return m_model.node(point.node).opType == "Conv" && readsModelInput(point.node);
        }
        return false;
    }

    /// Whether the first weighted node after a model input: its data comes from an input through nodes without weights.
    bool readsModelInput(NodeId node) const
    {
        std::set<NodeId> seen;
        std::vector<ValueId> open{m_model.node(node).inputs.front()};
        while (!open.empty()) {
            const ValueId id = open.back();
            open.pop_back();
            if (!id.valid())
                continue;
            const Value& value = m_model.value(id);
            if (value.isInput)
                return true;
            if (!value.producer.valid() || !seen.insert(value.producer).second)
                continue;
            const Node& producer = m_model.node(value.producer);
            if (producer.opType == "Conv" || producer.opType == "Gemm" || producer.opType == "MatMul")
                continue;
            open.insert(open.end(), producer.inputs.begin(), producer.inputs.end());
        }
        return false;
    }

    /// An int32 bias has scale input scale times weight scale; too small a weight scale would overflow it.
    void raiseForBias(const QuantizationPoint& point, QuantizationParameters& parameters) const
    {
        const auto inputPoint = m_index.at(point.node, 0);
        if (!inputPoint || profileRules(m_settings.profile).bias != BiasForm::Int32)
            return;
        const auto input = m_parameters.find(*inputPoint);
        if (input == m_parameters.end())
            return;
        const auto values = effectiveBias(m_model, point.node);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t channel = parameters.scale.size() == values.size() ? i : 0;
            const float least = minimumBiasScale(std::abs(values[i])) / input->second.scale.front();
            if (std::isfinite(least))
                parameters.scale[channel] = std::max(parameters.scale[channel], least);
        }
    }

    const Model& m_model;
    const QuantizerSetup& m_setup;
    const std::map<std::string, Range>& m_ranges;
    const QuantizationSettings& m_settings;
    PointIndex m_index;
    std::map<PointId, const std::vector<PointId>*> m_groups; // unified scales
    ParametersByPoint m_parameters;
};

} // namespace

std::vector<std::string> valuesToMeasure(const Model& model, const QuantizerSetup& setup)
{
    std::set<std::string> names;
    for (const auto& [id, point] : setup.points) {
        if (point.isWeight)
            continue;
        for (const ValueId value : pointValues(model, point))
            names.insert(model.value(value).name);
    }
    return {names.begin(), names.end()};
}

Result<ParametersByPoint> setupParameters(const Model& model, const QuantizerSetup& setup,
    const std::map<std::string, Range>& ranges, const QuantizationSettings& settings, int threads,
    const JobContext& job)
{
    return Builder(model, setup, ranges, settings).build(threads, job);
}

float minimumBiasScale(float maxAbs)
{
    constexpr float kCodes = 2147483647.0F;
    constexpr float kMargin = 1.0001F;
    return kMargin * maxAbs / kCodes;
}

} // namespace duo
