// SPDX-License-Identifier: Apache-2.0
#include "core/state/place_state.h"

#include "core/model/op_facts.h"
#include "core/quantize/edits/bias_correction.h"
#include "core/quantize/points/point_groups.h"
#include "core/quantize/points/scale_runs.h"
#include "core/quantize/points/setup_json.h"
#include "core/quantize/points/weights.h"
#include "core/state/recorded_setup.h"

#include <map>
#include <optional>
#include <set>

namespace duo {
namespace {

constexpr std::size_t kMostWithNearest = 100; // each looks through all nodes

class Placer
{
public:
    Placer(const Model& model, const RecordedState& state, const NodesThere& there)
        : m_model(model)
        , m_state(state)
        , m_there(there)
    {
    }

    PlacedState place()
    {
        for (const RecordedPoint& point : m_state.setup.points)
            noteOtherWeight(point);
        for (const RecordedPoint& point : m_state.setup.points)
            placePoint(point);
        m_placed.setup.unifiedScaleGroups = remainingGroups(m_state.setup.unifiedScaleGroups, m_placed.setup.points);
        m_placed.setup.sharedInputGroups = remainingGroups(m_state.setup.sharedInputGroups, m_placed.setup.points);
        for (const auto& [name, shift] : m_state.biasShifts)
            placeShift(name, shift);
        for (const auto& [name, means] : m_state.inputMeans) {
            if (const NodeId node = m_there.find(name); node.valid())
                m_placed.inputMeans.emplace(node, std::vector<double>(means.begin(), means.end()));
        }
        for (const auto& [name, kept] : m_state.keptFloat) {
            if (const NodeId node = m_there.find(name); node.valid())
                m_placed.keptFloat.emplace(node, kept);
            else
                m_placed.leftOut.push_back("'" + name + "', which stays in float, was left out: there is no such node");
        }
        if (m_state.halved)
            placeHalves(*m_state.halved);
        return std::move(m_placed);
    }

private:
    void placeHalves(const std::vector<std::string>& names)
    {
        HalvedNodes& halved = m_placed.halved.emplace();
        for (const std::string& name : names) {
            if (const NodeId node = m_there.find(name); node.valid())
                halved.nodes.push_back(node);
            else
                m_placed.leftOut.push_back(
                    "'" + name + "', which computes in 16 bits, was left out: there is no such node");
        }
    }

    /// What a node gives is another value where its weight has other channels.
    void noteOtherWeight(const RecordedPoint& recorded)
    {
        QuantizationPoint point;
        point.port = recorded.port;
        point.isWeight = recorded.isWeight;
        if (point.isWeight && findTarget(recorded, point) && point.node.valid()
            && !channelMismatch(point, parametersOf(recorded, point)).empty())
            m_otherWeights.insert(recorded.target);
    }

    void placeShift(const std::string& name, const std::vector<float>& shift)
    {
        const auto leaveOut = [&](const std::string& why) {
            m_placed.leftOut.push_back("the corrected bias of '" + name + "' was left out: " + why);
        };
        const NodeId node = m_there.find(name);
        if (!node.valid())
            return leaveOut("there is no such node");
        const std::size_t channels = biasToCorrect(m_model, node).size();
        if (channels != shift.size())
            return leaveOut("it is of " + std::to_string(shift.size()) + " channels, and the bias there has "
                + std::to_string(channels));
        m_placed.biasShifts.emplace(node, shift);
    }

    void placePoint(const RecordedPoint& recorded)
    {
        QuantizationPoint point;
        point.port = recorded.port;
        point.isWeight = recorded.isWeight;
        point.config = recorded.config;
        if (!findTarget(recorded, point)) {
            leaveOut(recorded,
                "the model has no node '" + recorded.target + "'"
                    + (recorded.port ? " with input " + std::to_string(*recorded.port) : std::string())
                    + (m_placed.leftOut.size() < kMostWithNearest ? m_there.nearest(recorded.target) : std::string()));
            return;
        }
        if (std::string misfit = misfitOf(recorded, point); !misfit.empty()) {
            leaveOut(recorded, misfit);
            return;
        }
        for (const std::string& name : recorded.operators) {
            if (const NodeId node = m_there.find(name); node.valid())
                point.directlyQuantized.push_back(node);
            else
                m_placed.leftOut.push_back("quantizer " + std::to_string(recorded.id) + " is for one node less: '"
                    + name + "' is not in the model");
        }
        m_placed.found.push_back(foundPoint(recorded, point));
        m_placed.parameters.emplace(recorded.id, parametersOf(recorded, point));
        m_placed.setup.points.emplace(recorded.id, std::move(point));
    }

    [[nodiscard]] FoundPoint foundPoint(const RecordedPoint& recorded, const QuantizationPoint& point) const
    {
        if (point.node.valid())
            return {recorded.id, recorded.target, m_model.node(point.node).name, m_there.foundBy(recorded.target)};
        const auto& inputs = m_model.mainGraph().inputs;
        return {recorded.id, recorded.target,
            std::string(kInputPrefix) + std::to_string(std::ranges::find(inputs, point.input) - inputs.begin()),
            m_there.inputFoundBy(modelInputOf(recorded.target).value_or(0))};
    }

    /// Why a quantizer cannot be what it was where its node is; "" if it can.
    [[nodiscard]] std::string misfitOf(const RecordedPoint& recorded, const QuantizationPoint& point) const
    {
        if (point.isWeight && !point.node.valid())
            return "it is of a weight, and '" + recorded.target + "' is no input of a node";
        if (point.port && !point.node.valid())
            return "it is at input " + std::to_string(*point.port) + " of '" + recorded.target + "', which is no node";
        if (point.port && !m_there.takesTheSame(recorded.target))
            return "'" + recorded.target + "' is a part of '" + m_model.node(point.node).name + "' here";
        if (point.isWeight && !isWeight(point))
            return "it is of a weight, and input " + std::to_string(*point.port) + " of '" + recorded.target
                + "' is no constant";
        if (!point.isWeight && point.port && isWeight(point))
            return "it is of data, and input " + std::to_string(*point.port) + " of '" + recorded.target
                + "' is a constant";
        if (!point.port && point.node.valid() && givesWeight(m_model.node(point.node)))
            return "it is of data, and what '" + recorded.target + "' gives is made of a constant";
        if (!point.port && !m_there.givesTheSame(recorded.target))
            return "'" + recorded.target
                + "' gives another value than it did: it reads another one, or a bias or a norm is a part of it on one "
                  "side only";
        if (!point.port && m_otherWeights.contains(recorded.target))
            return "'" + recorded.target + "' has a weight of other channels";
        return channelMismatch(point, parametersOf(recorded, point));
    }

    /// Channels of a matrix lie along another axis where a Gemm turns it that was a MatMul.
    [[nodiscard]] QuantizationParameters parametersOf(
        const RecordedPoint& recorded, const QuantizationPoint& point) const
    {
        QuantizationParameters parameters = m_state.parameters.at(recorded.id);
        const bool isGemm = point.isWeight && point.node.valid() && isAnyOf(m_model.node(point.node), {"Gemm"});
        if (isGemm && parameters.axis && parameters.block == 0 && !m_there.givesTheSame(recorded.target))
            parameters.axis = weightChannelAxis(m_model, point.node, *point.port, 2).value_or(*parameters.axis);
        return parameters;
    }

    [[nodiscard]] bool isWeight(const QuantizationPoint& point) const
    {
        return weightSource(m_model, point.node, *point.port).valid()
            || isDequantizedConstant(m_model, m_model.node(point.node).inputs[*point.port]);
    }

    [[nodiscard]] bool givesWeight(const Node& node) const
    {
        return node.outputs.front().valid() && isReadAsWeight(m_model, node.outputs.front());
    }

    void leaveOut(const RecordedPoint& recorded, const std::string& why)
    {
        m_placed.leftOut.push_back("quantizer " + std::to_string(recorded.id) + " was left out: " + why);
    }

    bool findTarget(const RecordedPoint& recorded, QuantizationPoint& point) const
    {
        point.node = m_there.find(recorded.target);
        if (point.node.valid()) {
            const Node& node = m_model.node(point.node);
            return point.port ? *point.port < node.inputs.size() && node.inputs[*point.port].valid()
                              : !node.outputs.empty();
        }
        const auto index = modelInputOf(recorded.target);
        point.input = index ? m_there.input(*index) : ValueId();
        return point.input.valid();
    }

    [[nodiscard]] ValueId valueOf(const QuantizationPoint& point) const
    {
        if (point.input.valid())
            return point.input;
        const Node& node = m_model.node(point.node);
        return point.port ? node.inputs[*point.port] : node.outputs.front();
    }

    /// "" where the scales are as many as the value has channels, or its size is not known.
    [[nodiscard]] std::string channelMismatch(
        const QuantizationPoint& point, const QuantizationParameters& parameters) const
    {
        if (!parameters.axis || !valueOf(point).valid())
            return {};
        const auto axis = static_cast<std::size_t>(*parameters.axis);
        const Tensor* constant = m_model.constant(valueOf(point));
        if (parameters.block > 0)
            return constant == nullptr ? std::string() : blockMismatch(parameters, *constant);
        std::optional<std::int64_t> channels;
        if (constant != nullptr) {
            channels = axis < constant->dims.size() ? constant->dims[axis] : 0;
        } else if (const auto& shape = m_model.value(valueOf(point)).type.shape; shape) {
            channels = axis < shape->size() ? (*shape)[axis].size : std::optional<std::int64_t>(0);
        }
        if (!channels || *channels == static_cast<std::int64_t>(parameters.scale.size()))
            return {};
        return "it has " + std::to_string(parameters.scale.size()) + " scales along axis " + std::to_string(axis)
            + ", and what it stands on has " + std::to_string(*channels) + " channels there";
    }

    static std::string blockMismatch(const QuantizationParameters& parameters, const Tensor& weight)
    {
        const std::size_t blocks = scaleCount(weight.dims, parameters.axis, parameters.block);
        if (blocks == parameters.scale.size())
            return {};
        return "it has scales for " + std::to_string(parameters.scale.size()) + " blocks of "
            + std::to_string(parameters.block) + ", and what it stands on has " + std::to_string(blocks);
    }

    const Model& m_model;
    const RecordedState& m_state;
    const NodesThere& m_there;
    PlacedState m_placed;
    std::set<std::string> m_otherWeights; // nodes, by the names they had
};

} // namespace

PlacedState placedOnto(const Model& model, const RecordedState& state, const NodesThere& there)
{
    return Placer(model, state, there).place();
}

} // namespace duo
