// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/taken_codes.h"

#include "core/interchange/code_numbers.h"
#include "core/model/node_inputs.h"
#include "core/model/value_address.h"
#include "core/quantize/points/fake_quantize.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/scale_runs.h"
#include "core/quantize/points/weights.h"
#include "core/support/parallel.h"
#include "core/support/phrases.h"
#include "core/support/turned_matrix.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_map>

namespace duo {
namespace {

using Dims = std::vector<std::int64_t>;

constexpr double kTold = 0.01; // share of codes; fewer differ by how a tool rounds ties

/// What the codes of a weight stand for; nothing where they do not fit their scales, or are no constants.
std::optional<Numbers> numbersOf(const Model& file, const FoundQuantizer& quantizer)
{
    const Node& node = file.node(quantizer.node);
    if (quantizer.form == QuantizerForm::Packed)
        return packedNumbers(file, node);
    if (quantizer.form == QuantizerForm::Codes)
        return constantAt(file, node, 0) != nullptr ? numbersAt(file, node, 0) : std::nullopt;
    const auto port = std::ranges::find(node.inputs, quantizer.value);
    return port == node.inputs.end() ? std::nullopt
                                     : numbersAt(file, node, static_cast<std::uint32_t>(port - node.inputs.begin()));
}

Numbers turned(const Numbers& numbers)
{
    return {
        {numbers.dims[1], numbers.dims[0]}, turnedMatrix(numbers.values, static_cast<std::size_t>(numbers.dims[1]))};
}

/// With blocks the other way round; nothing where the matrix is not square.
std::optional<QuantizationParameters> turned(const QuantizationParameters& parameters, const Dims& dims)
{
    if (parameters.block == 0 || dims.size() != 2 || dims[0] != dims[1])
        return std::nullopt;
    const auto columns = static_cast<std::size_t>(scaleDims(dims, parameters.axis, parameters.block)[1]);
    QuantizationParameters result = parameters;
    result.axis = 1 - *parameters.axis;
    result.scale = turnedMatrix(parameters.scale, columns);
    result.zeroPoint = turnedMatrix(parameters.zeroPoint, columns);
    return result;
}

/// The share of codes that stand for other numbers.
double shareOfOthers(const Weight& weight, const QuantizationParameters& parameters, const Numbers& numbers)
{
    std::vector<float> here(weight.values.size());
    dequantize(quantizedCodes(weight, parameters), weight.dims, parameters, here);
    std::size_t others = 0;
    forEachRun(here.size(), weight.dims, parameters, [&](std::size_t i, std::size_t length, std::size_t at) {
        for (const std::size_t end = i + length; i < end; ++i)
            others += std::abs(here[i] - numbers.values[i]) > parameters.scale[at] / 2 ? 1U : 0U;
    });
    return here.empty() ? 0 : static_cast<double>(others) / static_cast<double>(here.size());
}

class Comparison
{
public:
    Comparison(const Model& file, const FoundQuantizers& found, const Model& model)
        : m_file(file)
        , m_model(model)
    {
        for (const FoundQuantizer& quantizer : found.quantizers) {
            if (quantizer.isWeight && !quantizer.isBias)
                m_byTensor.emplace(quantizer.tensor, &quantizer);
        }
    }

    /// @return what is to be told of a weight; "": nothing
    Result<std::string> compare(const QuantizationPoint& point, QuantizationParameters& parameters) const
    {
        const FoundQuantizer* quantizer = quantizerOf(point);
        if (quantizer == nullptr)
            return std::string();
        DUO_TRY(weight, readWeight(m_model, point.node, point.port.value_or(0)));
        const std::string what = "tensor " + inQuotes(quantizer->tensor) + " ";
        auto numbers = numbersOf(m_file, *quantizer);
        if (!numbers)
            return what + "has codes that their scales do not fit";
        if (numbers->dims != weight.dims && numbers->dims.size() == 2)
            numbers = turned(*numbers);
        if (numbers->dims != weight.dims)
            return std::string();
        double share = shareOfOthers(weight, parameters, *numbers);
        const auto other = share > kTold ? turned(parameters, weight.dims) : std::nullopt;
        if (other) {
            const Numbers& stored = *numbers;
            const Numbers turnedNumbers = turned(stored);
            for (const Numbers* candidate : {&stored, &turnedNumbers}) {
                const double shareThere = shareOfOthers(weight, *other, *candidate);
                if (shareThere < share) {
                    share = shareThere;
                    parameters = *other;
                }
            }
        }
        if (share <= kTold)
            return std::string();
        return what + "has other codes than the weight here gives it (" + std::to_string(std::lround(100 * share))
            + " %): its tool rounded otherwise, or it is another weight; the codes are made anew. What dequantize "
              "makes of "
              "the file keeps them";
    }

private:
    [[nodiscard]] const FoundQuantizer* quantizerOf(const QuantizationPoint& point) const
    {
        for (const ValueId value :
            {pointValue(m_model, point), weightSource(m_model, point.node, point.port.value_or(0))}) {
            const auto known = value.valid() ? m_byTensor.find(addressOf(m_model, value)) : m_byTensor.end();
            if (known != m_byTensor.end())
                return known->second;
        }
        return nullptr;
    }

    const Model& m_file;
    const Model& m_model;
    std::unordered_map<std::string_view, const FoundQuantizer*> m_byTensor; // the first
};

} // namespace

Result<std::vector<std::string>> otherCodesInPlace(const Model& file, const FoundQuantizers& found, const Model& model,
    Compression& compression, int threads, const JobContext& job)
{
    const Comparison comparison(file, found, model);
    std::vector<PointId> ids;
    for (const auto& [id, point] : compression.setup.points) {
        if (point.isWeight)
            ids.push_back(id);
    }
    std::vector<std::string> told(ids.size());
    DUO_CHECK(parallelFor(ids.size(), threads, job, [&](std::size_t i) -> Status {
        DUO_TRY(text, comparison.compare(compression.setup.points.at(ids[i]), compression.parameters.at(ids[i])));
        told[i] = std::move(text);
        return success();
    }));
    std::vector<std::string> notes;
    std::set<std::string_view> seen{""}; // a tensor may have several points
    for (const std::string& text : told) {
        if (seen.insert(text).second)
            notes.push_back(text);
    }
    return notes;
}

} // namespace duo
