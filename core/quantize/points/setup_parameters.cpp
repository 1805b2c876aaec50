// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/setup_parameters.h"

#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/points/weights.h"
#include "core/support/parallel.h"
#include "core/transform/fold_batch_norm.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace duo {
namespace {

constexpr int kLeastMadeBits = 8; // codes of fewer are taken from files of others

RangeFloor rangeFloorOf(const Target& target)
{
    return target.likeNncf ? RangeFloor::Nncf : RangeFloor::Relative;
}

class Builder
{
public:
    Builder(const Model& model, const QuantizerSetup& setup, const std::map<std::string, MeasuredRange>& ranges,
        const QuantizationSettings& settings)
        : m_model(model)
        , m_setup(setup)
        , m_ranges(ranges)
        , m_settings(settings)
        , m_target(targetOf(settings))
        , m_index(model, setup)
    {
        if (m_target.overflowFix == OverflowFix::FirstLayer)
            m_firstConvs = firstConvs();
        for (const auto& [group, members] : setup.unifiedScaleGroups) {
            for (const PointId member : members)
                m_groups.emplace(member, &members);
        }
    }

    Result<ParametersByPoint> build(int threads, const JobContext& job)
    {
        for (const auto& [id, point] : m_setup.points) {
            if (point.config.numBits < kLeastMadeBits)
                return unsupportedBits(point.config.numBits);
        }
        DUO_CHECK(addActivations());
        DUO_CHECK(addWeights(threads, job));
        return std::move(m_parameters);
    }

    Result<ParametersByPoint> buildBeside(ParametersByPoint known, int threads, const JobContext& job)
    {
        m_parameters = std::move(known);
        DUO_CHECK(addWeights(threads, job));
        return std::move(m_parameters);
    }

    [[nodiscard]] std::vector<PointId> halfRange() const
    {
        std::vector<PointId> points;
        for (const auto& [id, point] : m_setup.points) {
            if (point.isWeight && !isLikeActivation(point) && point.config.numBits == 8 && usesHalfRange(point))
                points.push_back(id);
        }
        return points;
    }

private:
    /// A table of a Gather: quantized like the activation that comes out of it.
    static bool isLikeActivation(const QuantizationPoint& point)
    {
        return !point.isWeight || (point.config.mode == QuantizationMode::Asymmetric && !point.config.perChannel);
    }

    static Range united(const Range& a, const Range& b) { return {std::min(a.min, b.min), std::max(a.max, b.max)}; }

    Result<MeasuredRange> rangeOfPoint(const QuantizationPoint& point) const
    {
        if (!point.isWeight)
            return measured(point);
        DUO_TRY(weight, readWeight(m_model, point.node, point.port.value_or(0)));
        return MeasuredRange{rangeOf(weight)};
    }

    Result<MeasuredRange> measured(const QuantizationPoint& point) const
    {
        std::optional<MeasuredRange> range;
        for (const ValueId id : pointValues(m_model, point)) {
            const auto found = m_ranges.find(addressOf(m_model, id));
            if (found == m_ranges.end())
                continue;
            range = range ? MeasuredRange{united(range->whole, found->second.whole)} : found->second;
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
            std::optional<MeasuredRange> range;
            for (const PointId member : group) {
                const auto found = m_setup.points.find(member);
                if (found == m_setup.points.end() || !isLikeActivation(found->second))
                    continue;
                DUO_TRY(one, rangeOfPoint(found->second));
                range = range ? MeasuredRange{united(range->whole, one.whole)} : std::move(one);
            }
            DUO_CHECK(addGroup(group, point, *range));
        }
        return success();
    }

    Status addGroup(const std::vector<PointId>& group, const QuantizationPoint& point, const MeasuredRange& range)
    {
        const bool isPerChannel = point.config.perChannel && m_target.perChannelActivations && !range.channels.empty();
        auto parameters = isPerChannel ? channelParameters(point.config, range.channels, m_target.codes, rangeFloor())
                                       : activationParameters(point.config, range.whole, m_target.codes, rangeFloor());
        if (!parameters) {
            Error error = parameters.error();
            const ValueId value = pointValue(m_model, point);
            error.where = "value '" + (value.valid() ? addressOf(m_model, value) : std::string()) + "'";
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
        const std::int64_t block = point.config.block;
        const auto axis
            = weightScaleAxis(m_model, point.node, port, weight.dims.size(), point.config, m_target.likeNncf);
        if (point.config.mode == QuantizationMode::Asymmetric)
            return asymmetricWeight(point.config, rangesByScale(weight, axis, block), axis);
        DUO_TRY(parameters,
            weightParameters(point.config, maxAbsByChannel(weight, axis, block), usesHalfRange(point), rangeFloor()));
        parameters.axis = axis;
        parameters.block = block;
        raiseForBias(point, parameters);
        if (m_settings.powerOfTwoScales)
            makePowersOfTwo(parameters);
        return parameters;
    }

    /// Of a scale for each channel or block, which only files of others ask for.
    Result<QuantizationParameters> asymmetricWeight(
        const QuantizerConfig& config, const std::vector<Range>& ranges, std::optional<std::int64_t> axis) const
    {
        const ActivationCodes codes
            = config.signednessToForce.value_or(false) ? ActivationCodes::Int8 : ActivationCodes::UInt8;
        QuantizationParameters all{{}, {}, {}, axis, config.block};
        for (const Range& range : ranges) {
            DUO_TRY(one, activationParameters(config, range, codes, rangeFloor()));
            all.type = one.type;
            all.scale.push_back(one.scale.front());
            all.zeroPoint.push_back(one.zeroPoint.front());
        }
        if (m_settings.powerOfTwoScales)
            makePowersOfTwo(all);
        return all;
    }

    [[nodiscard]] RangeFloor rangeFloor() const { return rangeFloorOf(m_target); }

    bool usesHalfRange(const QuantizationPoint& point) const
    {
        switch (m_target.overflowFix) {
        case OverflowFix::Disable:
            return false;
        case OverflowFix::Enable: {
            const Node& node = m_model.node(point.node);
            return isFloatProduct(node) && (!isProduct(node, Product::Convolution) || isPlainConv(node));
        }
        case OverflowFix::FirstLayer:
            return m_firstConvs.contains(point.node);
        }
        return false;
    }

    static bool isPlainConv(const Node& node)
    {
        return isProduct(node, Product::Convolution) && node.intAttribute("group", 1) == 1;
    }

    /// The first convolutions with quantized weights that data of the model's inputs reach, whatever else lies between.
    [[nodiscard]] std::set<NodeId> firstConvs() const
    {
        std::set<NodeId> convs;
        for (const auto& [id, point] : m_setup.points) {
            if (point.isWeight && isPlainConv(m_model.node(point.node)))
                convs.insert(point.node);
        }
        std::multimap<NodeId, RegionId> bodies;
        for (std::size_t r = 1; r < m_model.regions.size(); ++r)
            bodies.emplace(m_model.regions[r].owner, RegionId(r));
        std::set<NodeId> first;
        std::vector<bool> seen(m_model.nodes.size());
        std::vector<ValueId> open = m_model.mainGraph().inputs;
        while (!open.empty()) {
            const ValueId value = open.back();
            open.pop_back();
            if (!value.valid())
                continue;
            for (const Use& use : m_model.value(value).uses) {
                if (seen[use.node.index])
                    continue;
                seen[use.node.index] = true;
                if (convs.contains(use.node))
                    first.insert(use.node);
                else
                    addReached(use.node, bodies, open);
            }
        }
        return first;
    }

    /// What a node gives: out of a body through its owner, into bodies as what these are given.
    void addReached(NodeId id, const std::multimap<NodeId, RegionId>& bodies, std::vector<ValueId>& open) const
    {
        const Node& node = m_model.node(id);
        open.insert(open.end(), node.outputs.begin(), node.outputs.end());
        const bool leaves = std::ranges::any_of(
            node.outputs, [&](ValueId output) { return output.valid() && isBodyOutput(m_model, output); });
        if (leaves) {
            const auto& given = m_model.node(m_model.region(node.region).owner).outputs;
            open.insert(open.end(), given.begin(), given.end());
        }
        const auto [from, to] = bodies.equal_range(id);
        for (auto body = from; body != to; ++body) {
            const auto& inputs = m_model.region(body->second).inputs;
            open.insert(open.end(), inputs.begin(), inputs.end());
        }
    }

    /// An int32 bias has scale input scale times weight scale; too small a weight scale would overflow it.
    void raiseForBias(const QuantizationPoint& point, QuantizationParameters& parameters) const
    {
        const auto inputPoint = m_index.at(point.node, 0);
        if (!inputPoint || m_target.bias != BiasForm::Int32)
            return;
        const auto input = m_parameters.find(*inputPoint);
        if (input == m_parameters.end())
            return;
        const auto values = parameters.block > 0 ? std::vector<float>{} : effectiveBias(m_model, point.node);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t channel = parameters.scale.size() == values.size() ? i : 0;
            const float least = minimumBiasScale(std::abs(values[i])) / input->second.scale.front();
            if (std::isfinite(least))
                parameters.scale[channel] = std::max(parameters.scale[channel], least);
        }
    }

    const Model& m_model;
    const QuantizerSetup& m_setup;
    const std::map<std::string, MeasuredRange>& m_ranges;
    const QuantizationSettings& m_settings;
    Target m_target;
    std::set<NodeId> m_firstConvs; // whose weights overflow_fix halves
    PointIndex m_index;
    std::map<PointId, const std::vector<PointId>*> m_groups; // unified scales
    ParametersByPoint m_parameters;
};

} // namespace

std::vector<PointId> halfRangePoints(
    const Model& model, const QuantizerSetup& setup, const QuantizationSettings& settings)
{
    return Builder(model, setup, {}, settings).halfRange();
}

std::vector<std::string> valuesToMeasure(const Model& model, const QuantizerSetup& setup)
{
    std::set<std::string> names;
    for (const auto& [id, point] : setup.points) {
        if (point.isWeight)
            continue;
        for (const ValueId value : pointValues(model, point))
            names.insert(addressOf(model, value));
    }
    return {names.begin(), names.end()};
}

Result<ParametersByPoint> setupParameters(const Model& model, const QuantizerSetup& setup,
    const std::map<std::string, MeasuredRange>& ranges, const QuantizationSettings& settings, int threads,
    const JobContext& job)
{
    return Builder(model, setup, ranges, settings).build(threads, job);
}

Result<ParametersByPoint> withWeightParameters(const Model& model, const QuantizerSetup& setup, ParametersByPoint known,
    const QuantizationSettings& settings, int threads, const JobContext& job)
{
    return Builder(model, setup, {}, settings).buildBeside(std::move(known), threads, job);
}

Result<QuantizationParameters> rangeParameters(
    const QuantizerConfig& config, const Range& range, const QuantizationSettings& settings)
{
    const Target target = targetOf(settings);
    DUO_TRY(parameters, activationParameters(config, range, target.codes, rangeFloorOf(target)));
    if (settings.powerOfTwoScales)
        makePowersOfTwo(parameters);
    return parameters;
}

float minimumBiasScale(float maxAbs)
{
    constexpr float kMargin = 1.0001F;
    return kMargin * maxAbs / static_cast<float>(kMostBiasCodes);
}

} // namespace duo
