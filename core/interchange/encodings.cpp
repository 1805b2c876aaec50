// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/encodings.h"

#include "core/interchange/ort_table.h"
#include "core/model/code_range.h"
#include "core/model/op_facts.h"
#include "core/support/enum_text.h"
#include "core/support/json.h"
#include "core/support/one_of.h"
#include "core/support/phrases.h"
#include "core/support/turned_matrix.h"
#include "core/support/version.h"

#include <cmath>
#include <map>
#include <set>
#include <span>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

bool isUnsigned(ElementType type)
{
    return type == ElementType::UInt8 || type == ElementType::UInt16 || type == ElementType::UInt4
        || type == ElementType::UInt2;
}

/// Codes in a row, 256 of eight bits.
double codesOf(const FoundQuantizer& quantizer)
{
    return std::ldexp(1.0, quantizer.bits);
}

/// AIMET counts codes from 0: the number at code 0 is scale * offset.
std::int64_t offsetOf(const FoundQuantizer& quantizer, std::size_t i)
{
    const std::int64_t middle = isUnsigned(quantizer.codes) ? 0 : std::int64_t{1} << (quantizer.bits - 1);
    return -quantizer.zeroPoint[i] - middle;
}

bool isSymmetric(const FoundQuantizer& quantizer)
{
    const std::int64_t middle = isUnsigned(quantizer.codes) ? std::int64_t{1} << (quantizer.bits - 1) : 0;
    return std::ranges::all_of(quantizer.zeroPoint, [&](std::int64_t zero) { return zero == middle; });
}

/// One number, a list, or of blocks lists in lists, as the numbers lie in memory.
template <typename T> Json numbersJson(const std::vector<T>& numbers, std::span<const std::int64_t> dims)
{
    if (dims.empty())
        return numbers.size() == 1 ? Json(numbers.front()) : Json(numbers);
    Json list = Json::array();
    const std::size_t row = numbers.size() / static_cast<std::size_t>(dims.front());
    for (std::size_t first = 0; first < numbers.size(); first += row) {
        const std::vector<T> part(numbers.begin() + static_cast<std::ptrdiff_t>(first),
            numbers.begin() + static_cast<std::ptrdiff_t>(first + row));
        list.push_back(dims.size() == 1 ? Json(part.front()) : numbersJson(part, dims.subspan(1)));
    }
    return list;
}

/// One tensor's entry of a form, of those that it has a word for.
Json entry061(const FoundQuantizer& quantizer)
{
    Json entries = Json::array();
    for (std::size_t i = 0; i < quantizer.scale.size(); ++i) {
        const double scale = quantizer.scale[i];
        const auto offset = static_cast<double>(offsetOf(quantizer, i));
        entries.push_back({{"bitwidth", quantizer.bits}, {"dtype", "int"},
            {"is_symmetric", isSymmetric(quantizer) ? "True" : "False"}, {"min", scale * offset},
            {"max", scale * (offset + codesOf(quantizer) - 1)}, {"scale", quantizer.scale[i]},
            {"offset", offsetOf(quantizer, i)}});
    }
    return entries;
}

/// AIMET turns a matrix whose inputs come first, and its blocks with it: [blocks, outputs] to [outputs, blocks].
bool isBlocksFirst(const FoundQuantizer& quantizer)
{
    return quantizer.blockDims.size() == 2 && (quantizer.axis == 0 || quantizer.axis == -2);
}

FoundQuantizer withOutputsFirst(const FoundQuantizer& quantizer)
{
    FoundQuantizer turned = quantizer;
    const auto outputs = static_cast<std::size_t>(quantizer.blockDims[1]);
    turned.scale = turnedMatrix(quantizer.scale, outputs);
    turned.zeroPoint = turnedMatrix(quantizer.zeroPoint, outputs);
    return turned;
}

Json entry100(const FoundQuantizer& given)
{
    const FoundQuantizer quantizer = isBlocksFirst(given) ? withOutputsFirst(given) : given;
    Json offsets = Json::array();
    for (std::size_t i = 0; i < quantizer.scale.size(); ++i)
        offsets.push_back(offsetOf(quantizer, i));
    const char* spread = quantizer.block > 0 ? "PER_BLOCK" : quantizer.scale.size() > 1 ? "PER_CHANNEL" : "PER_TENSOR";
    Json entry{{"name", quantizer.tensor}, {"dtype", "INT"}, {"bw", quantizer.bits}, {"is_sym", isSymmetric(quantizer)},
        {"enc_type", spread}, {"scale", quantizer.scale}, {"offset", std::move(offsets)}};
    if (quantizer.block > 0)
        entry["block_size"] = quantizer.block;
    return entry;
}

Json entry200(const FoundQuantizer& quantizer)
{
    Json entry{{"name", quantizer.tensor}, {"output_dtype", elementTypeName(quantizer.codes)},
        {"y_scale", numbersJson(quantizer.scale, quantizer.blockDims)}};
    if (std::ranges::any_of(quantizer.zeroPoint, [](std::int64_t zero) { return zero != 0; }))
        entry["y_zero_point"] = numbersJson(quantizer.zeroPoint, quantizer.blockDims);
    if (quantizer.axis)
        entry["axis"] = *quantizer.axis;
    if (quantizer.block > 0)
        entry["block_size"] = quantizer.block;
    return entry;
}

const char* ortTypeOf(ElementType type)
{
    switch (type) {
    case ElementType::Int8:
        return "QInt8";
    case ElementType::UInt8:
        return "QUInt8";
    case ElementType::Int16:
        return "QInt16";
    case ElementType::UInt16:
        return "QUInt16";
    case ElementType::Int4:
        return "QInt4";
    case ElementType::UInt4:
        return "QUInt4";
    default:
        return nullptr;
    }
}

Json entryOrt(const FoundQuantizer& quantizer)
{
    Json entries = Json::array();
    for (std::size_t i = 0; i < quantizer.scale.size(); ++i) {
        entries.push_back({{"quant_type", ortTypeOf(quantizer.codes)}, {"scale", quantizer.scale[i]},
            {"zero_point", quantizer.zeroPoint[i]}});
        if (i == 0 && quantizer.axis)
            entries.back()["axis"] = *quantizer.axis;
    }
    return entries;
}

/// What the lowest and the highest code stand for.
TensorRange rangeOf(const FoundQuantizer& quantizer)
{
    const std::int64_t lowest = isUnsigned(quantizer.codes) ? 0 : -(std::int64_t{1} << (quantizer.bits - 1));
    const auto number = [&](std::int64_t code) {
        return static_cast<float>(static_cast<double>(code - quantizer.zeroPoint.front()) * quantizer.scale.front());
    };
    return {quantizer.tensor, number(lowest), number(lowest + (std::int64_t{1} << quantizer.bits) - 1)};
}

/// @param kind what Netron knows the tensor as: an initializer is a "tensor", all else a "value"
Json entryNetron(const FoundQuantizer& quantizer, const char* kind)
{
    std::string text(elementTypeName(quantizer.codes));
    if (quantizer.scale.size() == 1 && quantizer.zeroPoint.size() == 1) {
        text += ", scale " + Json(quantizer.scale.front()).dump() + ", zero point "
            + std::to_string(quantizer.zeroPoint.front());
    } else if (!quantizer.scale.empty()) {
        text += ", " + std::to_string(quantizer.scale.size()) + (quantizer.block > 0 ? " blocks" : " channels");
    } else {
        text += ", range of each run";
    }
    return {{"kind", kind}, {"target", quantizer.tensor}, {"name", "duoscope.quantizer"}, {"value", text},
        {"type", "string"}};
}

void addNetronEntries(Json& all, const FoundQuantizer& quantizer)
{
    all.push_back(entryNetron(quantizer, "value")); // also of a weight, which a node may hand on
    if (quantizer.isWeight)
        all.push_back(entryNetron(quantizer, "tensor"));
}

/// Why a form has no word for a quantizer; nothing where it has.
const char* lossOf(const FoundQuantizer& quantizer, EncodingForm form)
{
    if (quantizer.isSmoothed)
        return "of numbers that SmoothQuant or equalization rescaled: the float model has others there";
    if (form == EncodingForm::Netron)
        return nullptr;
    if (quantizer.form == QuantizerForm::Dynamic && quantizer.scale.empty())
        return "quantized by the range of each run";
    if (quantizer.bits == 0 || isFloating(quantizer.codes))
        return "of codes that are no integers";
    if (!hasPositiveScales(quantizer))
        return "with a scale that is not above zero and finite";
    const bool isOrt = form == EncodingForm::OrtOverrides;
    if (quantizer.zeroPoint.size() != quantizer.scale.size())
        return "with zero points that are no codes";
    if (quantizer.block > 0 && form != EncodingForm::Aimet100 && form != EncodingForm::Aimet200)
        return "with a scale for each block";
    if (isOfRanges(form) && quantizer.scale.size() > 1)
        return "with a scale for each channel";
    if (isOrt && !quantizer.isBias && ortTypeOf(quantizer.codes) == nullptr)
        return "of a type that it does not have";
    return nullptr;
}

/// A bias follows from data and weight, and ranges are of data: forms that do not want others lose nothing.
bool wants(const FoundQuantizer& quantizer, EncodingForm form)
{
    if (isOfRanges(form))
        return !quantizer.isWeight && !quantizer.isBias;
    return !quantizer.isBias || form == EncodingForm::Aimet200 || form == EncodingForm::Netron;
}

bool isTable(EncodingForm form)
{
    return form == EncodingForm::OrtTable || form == EncodingForm::OrtFlatbuffers;
}

bool saysTheSame(const FoundQuantizer& first, const FoundQuantizer& second)
{
    return first.codes == second.codes && first.bits == second.bits && first.scale == second.scale
        && first.zeroPoint == second.zeroPoint && first.axis == second.axis && first.block == second.block;
}

Json documentOf(EncodingForm form, const std::vector<const FoundQuantizer*>& quantizers)
{
    const Json producer{{"package", "duoscope"}, {"version", kVersion}};
    Json activations = form == EncodingForm::Aimet061 ? Json::object() : Json::array();
    Json parameters = activations;
    Json all = form == EncodingForm::OrtOverrides ? Json::object() : Json::array();
    for (const FoundQuantizer* quantizer : quantizers) {
        Json& section = quantizer->isWeight ? parameters : activations;
        if (form == EncodingForm::Aimet061)
            addMember(section, quantizer->tensor, entry061(*quantizer));
        else if (form == EncodingForm::Aimet100)
            section.push_back(entry100(*quantizer));
        else if (form == EncodingForm::Aimet200)
            all.push_back(entry200(*quantizer));
        else if (form == EncodingForm::OrtOverrides)
            addMember(all, quantizer->tensor, entryOrt(*quantizer));
        else
            addNetronEntries(all, *quantizer);
    }
    switch (form) {
    case EncodingForm::OrtOverrides:
        return all;
    case EncodingForm::Netron:
        return {{"signature", "netron:attachment"}, {"metadata", std::move(all)}};
    case EncodingForm::Aimet200:
        return {{"version", "2.0.0"}, {"producer", producer}, {"encodings", std::move(all)}};
    default:
        return {{"version", form == EncodingForm::Aimet061 ? "0.6.1" : "1.0.0"}, {"producer", producer},
            {"activation_encodings", std::move(activations)}, {"param_encodings", std::move(parameters)},
            {"quantizer_args", Json::object()}};
    }
}

/// @param isAroundZero the form holds magnitudes: of codes around zero the lowest has no counterpart, and does not
/// count
std::vector<TensorRange> rangesOf(const std::vector<const FoundQuantizer*>& quantizers, bool isAroundZero)
{
    std::vector<TensorRange> ranges;
    for (const FoundQuantizer* quantizer : quantizers) {
        TensorRange range = rangeOf(*quantizer);
        if (isAroundZero && isSymmetric(*quantizer))
            range.lowest = -range.highest;
        ranges.push_back(std::move(range));
    }
    return ranges;
}

/// A calibration, of the method MinMax.
std::string calibrationText(const std::vector<TensorRange>& ranges)
{
    Json data = Json::object();
    for (const TensorRange& range : ranges)
        addMember(data, range.tensor, {{"lowest", range.lowest}, {"highest", range.highest}, {"CLS", "TensorData"}});
    const Json method{{"CLS", "CalibrationMethod"}, {"value", "CalibrationMethod.MinMax"}};
    return jsonText({{"CLS", "TensorsData"}, {"data", std::move(data)}, {"calibration_method", method},
                        {"smooth_quant", false}},
               1)
        + "\n";
}

/// Values of the float model that have none: what nodes other than quantizers give, as floats.
std::vector<std::string> valuesWithout(const Model& model, const std::set<std::uint32_t>& covered)
{
    std::vector<std::string> names;
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        const bool isQuantizing
            = isQuantizerOrBarrier(node) || isOneOf(node.opType, {"DynamicQuantizeLinear", "Constant"}) || node.isCall;
        for (const ValueId output : node.outputs) {
            if (!isQuantizing && output.valid() && isFloating(model.value(output).type.element)
                && !covered.contains(output.index))
                names.push_back(model.value(output).name);
        }
    }
    return names;
}

constexpr const char* kOnlyLargerEnd = "with a range that is not around zero: only its larger end is said";

std::string lossText(const std::string& reason, const std::vector<std::string>& tensors)
{
    return counted(tensors.size(), "tensor", "tensors") + " " + reason + ": " + inQuotes(tensors.front())
        + (tensors.size() > 1 ? " and others" : "");
}

constexpr auto kForms = enumTexts<EncodingForm::Netron>({"aimet-0.6.1", "aimet-1.0.0", "aimet-2.0.0", "ort-overrides",
    "ort-calibration", "ort-table", "ort-flatbuffers", "netron"});

} // namespace

std::string_view encodingFormText(EncodingForm form)
{
    return enumText(kForms, form);
}

std::optional<EncodingForm> encodingFormFromText(std::string_view text)
{
    return enumFromText<EncodingForm>(kForms, text);
}

EncodingsText encodingsText(const Model& model, const FoundQuantizers& given, EncodingForm form)
{
    const FoundQuantizers found = withPositiveScales(given);
    EncodingsText result;
    std::vector<const FoundQuantizer*> said;
    std::map<std::string_view, const FoundQuantizer*> first; // of each tensor
    std::set<std::uint32_t> covered;
    std::map<std::string, std::vector<std::string>> lost; // reasons and whom they are about
    for (const FoundQuantizer& quantizer : given.quantizers) {
        if (isTurnedOver(quantizer) && wants(quantizer, form))
            lost["with scales below zero, taken as positive: the largest number may be a code off"].push_back(
                quantizer.tensor);
    }
    for (const FoundQuantizer& quantizer : found.quantizers) {
        covered.insert(behindFloatBarriers(model, quantizer.value).index);
        if (!wants(quantizer, form))
            continue;
        if (const char* reason = lossOf(quantizer, form))
            lost[reason].push_back(quantizer.tensor);
        else if (const auto [known, isFirst] = first.emplace(quantizer.tensor, &quantizer); isFirst) {
            said.push_back(&quantizer);
            if (isTable(form) && !isSymmetric(quantizer))
                lost[kOnlyLargerEnd].push_back(quantizer.tensor);
        } else if (!saysTheSame(*known->second, quantizer)) // else a graph's own copy
            lost["quantized more than once, in several ways: the first counts"].push_back(quantizer.tensor);
    }
    for (const auto& [reason, tensors] : lost)
        result.losses.push_back(lossText(reason, tensors));
    for (const auto& [node, why] : found.notRecovered)
        result.losses.push_back("node " + inQuotes(model.node(node).name) + ": " + why);
    result.tensors = said.size();
    result.text = isOfRanges(form) ? rangesText(rangesOf(said, isTable(form)), form)
                                   : jsonText(documentOf(form, said), 1) + "\n";
    result.without = valuesWithout(model, covered);
    return result;
}

EncodingsText encodingsOfRanges(const std::vector<TensorRange>& ranges, EncodingForm form)
{
    EncodingsText result{rangesText(ranges, form), ranges.size(), {}, {}};
    std::vector<std::string> lost;
    for (const TensorRange& range : ranges) {
        if (isTable(form) && -range.lowest != range.highest)
            lost.push_back(range.tensor);
    }
    if (!lost.empty())
        result.losses.push_back(lossText(kOnlyLargerEnd, lost));
    return result;
}

bool isOfRanges(EncodingForm form)
{
    return form == EncodingForm::OrtCalibration || isTable(form);
}

std::string rangesText(const std::vector<TensorRange>& ranges, EncodingForm form)
{
    if (form == EncodingForm::OrtTable)
        return ortTableText(ranges);
    return form == EncodingForm::OrtFlatbuffers ? ortTableFlatbuffers(ranges) : calibrationText(ranges);
}

} // namespace duo
