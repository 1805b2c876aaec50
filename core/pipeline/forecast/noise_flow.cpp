// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/forecast/noise_flow.h"

#include "core/quantize/points/point_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace duo {
namespace {

/// Of one element: mean squares.
struct Level {
    double power = 0;
    double noise = 0; // of rounding
    double clipping = 0; // noise that goes with the signal
    bool isConstant = false;
};

enum class Kind { Pass, Product, Sum, Mean, Relu, Concat, Softmax, Ratio };

struct KindOf {
    std::string_view opType;
    Kind kind;
};

constexpr std::array kKinds{KindOf{"Conv", Kind::Product}, KindOf{"ConvTranspose", Kind::Product},
    KindOf{"Gemm", Kind::Product}, KindOf{"MatMul", Kind::Product}, KindOf{"Add", Kind::Sum}, KindOf{"Sub", Kind::Sum},
    KindOf{"Sum", Kind::Sum}, KindOf{"GlobalAveragePool", Kind::Mean}, KindOf{"AveragePool", Kind::Mean},
    KindOf{"ReduceMean", Kind::Mean}, KindOf{"Relu", Kind::Relu}, KindOf{"Clip", Kind::Relu},
    KindOf{"Concat", Kind::Concat}, KindOf{"Softmax", Kind::Softmax}, KindOf{"LogSoftmax", Kind::Sum},
    KindOf{"Reshape", Kind::Pass}, KindOf{"Transpose", Kind::Pass}, KindOf{"Flatten", Kind::Pass},
    KindOf{"Squeeze", Kind::Pass}, KindOf{"Unsqueeze", Kind::Pass}, KindOf{"Identity", Kind::Pass},
    KindOf{"Dropout", Kind::Pass}, KindOf{"Slice", Kind::Pass}, KindOf{"Split", Kind::Pass}, KindOf{"Pad", Kind::Pass},
    KindOf{"Gather", Kind::Pass}, KindOf{"Expand", Kind::Pass}, KindOf{"Cast", Kind::Pass},
    KindOf{"MaxPool", Kind::Pass}, KindOf{"Resize", Kind::Pass}};

Kind kindOf(const Node& node)
{
    const auto* found = std::ranges::find(kKinds, std::string_view(node.opType), &KindOf::opType);
    return !node.domain.empty() || found == kKinds.end() ? Kind::Ratio : found->kind;
}

double ratioOf(double noise, const Level& level)
{
    return level.power > 0 ? noise / level.power : 0;
}

/// The clipping noise of all inputs if it goes with the signal; `power` is the result's.
double coherentOf(const std::vector<Level>& inputs, Kind kind, double power)
{
    double sum = 0;
    double carried = 0;
    for (const Level& input : inputs) {
        if (input.isConstant)
            continue;
        const bool isAbsolute = kind == Kind::Sum || kind == Kind::Concat;
        sum += isAbsolute ? input.clipping : ratioOf(input.clipping, input);
        carried += input.power;
    }
    if (kind == Kind::Sum || kind == Kind::Concat)
        return carried > 0 ? sum / carried * power : 0;
    return sum * power;
}

class NoiseFlow
{
public:
    NoiseFlow(const Model& model, const QuantizerSetup& setup, const MeasuredValues& measured,
        const WeightErrors& weights, const AddedNoise& noise)
        : m_model(model)
        , m_setup(setup)
        , m_weights(weights)
        , m_noise(noise)
        , m_measured(measured)
        , m_index(model, setup)
        , m_levels(model.values.size())
    {
    }

    std::vector<OutputForecast> run()
    {
        for (std::size_t i = 0; i < m_model.values.size(); ++i) {
            const Value& value = m_model.values[i];
            if (value.producer.valid())
                continue;
            Level& level = m_levels[i];
            level.isConstant = value.initializer.valid();
            if (!level.isConstant) {
                level.power = measuredPower(ValueId(i)).value_or(0);
                addOwnNoise(ValueId(i), level);
            }
        }
        for (const NodeId id : m_model.order)
            pass(id);
        std::vector<OutputForecast> outputs;
        for (const ValueId output : m_model.mainGraph().outputs) {
            const Level& level = m_levels[output.index];
            OutputForecast forecast{m_model.value(output).name, std::nullopt};
            const double noise = level.noise + level.clipping;
            if (noise > 0 && level.power > 0 && std::isfinite(noise / level.power))
                forecast.sqnrDb = 10 * std::log10(level.power / noise);
            outputs.push_back(std::move(forecast));
        }
        return outputs;
    }

private:
    const ValueStatistics* measured(ValueId id) const
    {
        const ValueStatistics* found = m_measured.of(id);
        return found && found->finite() > 0 ? found : nullptr;
    }

    std::optional<double> measuredPower(ValueId id) const
    {
        const ValueStatistics* statistics = m_measured.statistics().kinds.moments ? measured(id) : nullptr;
        if (!statistics)
            return std::nullopt;
        return statistics->squares.value() / static_cast<double>(statistics->finite());
    }

    void addNoise(PointId point, Level& level) const
    {
        const auto found = m_noise.find(point);
        if (found == m_noise.end())
            return;
        level.noise += found->second.noise - found->second.clippingNoise;
        level.clipping += found->second.clippingNoise;
    }

    void addOwnNoise(ValueId id, Level& level) const
    {
        if (const auto point = m_index.onValue(id); point && !m_setup.points.at(*point).isWeight)
            addNoise(*point, level);
    }

    /// What a node sees at an input: a quantizer that stands there adds its noise.
    Level seen(NodeId node, std::uint32_t port) const
    {
        Level level = m_levels[m_model.node(node).inputs[port].index];
        const auto point = m_index.at(node, port);
        if (!point)
            return level;
        const QuantizationPoint& quantizer = m_setup.points.at(*point);
        if (quantizer.isWeight) {
            const auto error = m_weights.errors.find(*point);
            if (error != m_weights.errors.end() && error->second.elements > 0) {
                level.power = error->second.error.signal / static_cast<double>(error->second.elements);
                level.noise = error->second.error.noise / static_cast<double>(error->second.elements);
            }
        } else if (quantizer.port) {
            addNoise(*point, level);
        }
        return level;
    }

    std::vector<Level> inputsOf(NodeId id) const
    {
        std::vector<Level> inputs;
        const auto& values = m_model.node(id).inputs;
        for (std::uint32_t port = 0; port < values.size(); ++port) {
            if (values[port].valid())
                inputs.push_back(seen(id, port));
        }
        return inputs;
    }

    void pass(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (node.isCall)
            return;
        const std::vector<Level> inputs = inputsOf(id);
        const bool isConstant = std::ranges::all_of(inputs, &Level::isConstant);
        for (const ValueId output : node.outputs) {
            if (!output.valid())
                continue;
            Level level = inputs.empty() ? Level{} : outcome(id, inputs, output);
            level.isConstant = isConstant;
            addOwnNoise(output, level);
            m_levels[output.index] = level;
        }
    }

    Level outcome(NodeId id, const std::vector<Level>& inputs, ValueId output) const
    {
        const Kind kind = kindOf(m_model.node(id));
        const auto power = measuredPower(output);
        Level level = independent(id, kind, inputs, output);
        const auto gain = m_weights.gains.find(id);
        if (kind == Kind::Product && gain != m_weights.gains.end())
            level.noise += inputs.front().power * weightNoise(id) * gain->second.perError;
        level.power = power.value_or(level.power);
        std::vector<Level> clipped = inputs;
        for (Level& input : clipped)
            input.noise = input.clipping;
        level.clipping
            = std::sqrt(independent(id, kind, clipped, output).noise * coherentOf(inputs, kind, level.power));
        return level;
    }

    /// Powers as they add up without the error of a weight.
    Level independent(NodeId id, Kind kind, const std::vector<Level>& inputs, ValueId output) const
    {
        const auto power = measuredPower(output);
        Level level;
        switch (kind) {
        case Kind::Product:
            level = product(id, inputs);
            break;
        case Kind::Sum:
            level = sum(inputs);
            break;
        case Kind::Concat:
            level = mean(id, inputs);
            break;
        case Kind::Mean:
            level = inputs.front();
            level.noise *= shareOfElements(m_model.node(id).inputs.front(), output);
            break;
        case Kind::Relu:
            level = inputs.front();
            level.noise *= shareNotZero(output);
            break;
        case Kind::Pass:
            level = inputs.front();
            break;
        case Kind::Softmax:
            level.power = inputs.front().power;
            level.noise = inputs.front().noise * power.value_or(0); // dp = p (dx - mean of dx)
            break;
        case Kind::Ratio:
            level = byRatio(inputs, power);
            break;
        }
        return level;
    }

    /// Sum of the squared errors of a product's weight; 0 where it is not quantized.
    double weightNoise(NodeId id) const
    {
        const auto point = m_weights.points.find({id, 1});
        return point == m_weights.points.end() ? 0 : m_weights.errors.at(point->second).error.noise;
    }

    Level product(NodeId id, const std::vector<Level>& inputs) const
    {
        Level level;
        const Level& x = inputs.front();
        const auto gain = m_weights.gains.find(id);
        if (gain != m_weights.gains.end()) {
            level.power = x.power * gain->second.power;
            level.noise = x.noise * gain->second.power;
            return level;
        }
        if (inputs.size() < 2)
            return x;
        const double terms = innerSize(id);
        level.power = terms * x.power * inputs[1].power;
        level.noise = terms * (x.noise * inputs[1].power + x.power * inputs[1].noise);
        return level;
    }

    /// Elements that one element of a product of matrices sums over; 1 where the shape is not known.
    double innerSize(NodeId id) const
    {
        const auto& shape = m_model.value(m_model.node(id).inputs.front()).type.shape;
        if (!shape || shape->empty() || !shape->back().size)
            return 1;
        return static_cast<double>(*shape->back().size);
    }

    static Level sum(const std::vector<Level>& inputs)
    {
        Level level;
        for (const Level& input : inputs) {
            level.power += input.power;
            level.noise += input.noise;
        }
        return level;
    }

    /// Of the parts of a Concat, by their size where it is known.
    Level mean(NodeId id, const std::vector<Level>& inputs) const
    {
        Level level;
        double all = 0;
        std::size_t at = 0;
        for (const ValueId value : m_model.node(id).inputs) {
            if (!value.valid())
                continue;
            const ValueStatistics* statistics = measured(value);
            const double weight = statistics ? static_cast<double>(statistics->elements) : 1;
            level.power += weight * inputs[at].power;
            level.noise += weight * inputs[at].noise;
            all += weight;
            ++at;
        }
        if (all > 0) {
            level.power /= all;
            level.noise /= all;
        }
        return level;
    }

    static Level byRatio(const std::vector<Level>& inputs, std::optional<double> power)
    {
        Level level;
        double ratio = 0;
        for (const Level& input : inputs) {
            ratio += ratioOf(input.noise, input);
            if (!input.isConstant)
                level.power = std::max(level.power, input.power);
        }
        level.noise = ratio * power.value_or(level.power);
        return level;
    }

    double shareOfElements(ValueId input, ValueId output) const
    {
        const ValueStatistics* before = measured(input);
        const ValueStatistics* after = measured(output);
        if (!before || !after || before->elements < after->elements || before->elements == 0)
            return 1;
        return static_cast<double>(after->elements) / static_cast<double>(before->elements);
    }

    double shareNotZero(ValueId output) const
    {
        const ValueStatistics* statistics = measured(output);
        if (!statistics || statistics->histogram.total() == 0)
            return 1;
        std::uint64_t zeros = 0;
        for (const BinCount& bin : statistics->histogram.bins())
            zeros += bin.bin == 0 ? bin.count : 0;
        return 1 - static_cast<double>(zeros) / static_cast<double>(statistics->histogram.total());
    }

    const Model& m_model;
    const QuantizerSetup& m_setup;
    const WeightErrors& m_weights;
    const AddedNoise& m_noise;
    const MeasuredValues& m_measured;
    PointIndex m_index;
    std::vector<Level> m_levels; // [values]
};

} // namespace

std::vector<OutputForecast> outputForecasts(const Model& model, const QuantizerSetup& setup,
    const MeasuredValues& measured, const WeightErrors& weights, const AddedNoise& noise)
{
    return NoiseFlow(model, setup, measured, weights, noise).run();
}

} // namespace duo
