// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/foreign_encodings.h"

#include "core/interchange/foreign_readers.h"
#include "core/interchange/ort_table.h"
#include "core/model/code_range.h"
#include "core/support/enum_text.h"
#include "core/support/json.h"
#include "core/support/phrases.h"

#include <map>
#include <set>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kForms = enumTexts<ForeignForm::Model>({"aimet-0.6.1", "aimet-1.0.0", "aimet-2.0.0", "ort-overrides",
    "ort-calibration", "ort-table", "tensorrt-cache", "quantized-model"});

constexpr int kBiasBits = 32;

/// Why a quantizer of a model has no counterpart; "" where it has.
std::string whyNot(const FoundQuantizer& quantizer)
{
    if (quantizer.isBias)
        return {};
    if (quantizer.isSmoothed)
        return "has numbers that SmoothQuant rescaled: the float model has others there";
    if (quantizer.scale.empty())
        return "is quantized by the range of each run";
    if (!hasPositiveScales(quantizer))
        return "has a scale that is not above zero and finite";
    if (quantizer.zeroPoint.size() != quantizer.scale.size())
        return "has zero points that are no codes";
    if (quantizer.block > 0 && !quantizer.isWeight)
        return "has a scale for each block, and is computed from data";
    if (!codeRange(quantizer.codes) || (!quantizer.isWeight && quantizer.bits < 8))
        return quantizer.isWeight ? "has codes that are no integers" : "has codes that are not of 8 or 16 bits";
    return {};
}

bool holdsLists(const Json& json)
{
    return !json.empty() && std::ranges::all_of(json, [](const Json& value) { return value.is_array(); });
}

bool holdsRanges(const Json& json)
{
    return !json.empty() && std::ranges::all_of(json, [](const Json& value) {
        return value.is_object() && (value.contains("lowest") || value.contains("CLS"));
    });
}

Result<ForeignEncodings> readDocument(const ForeignPlace& document)
{
    const Json& json = document.json();
    if (document.has("encodings") || document.has("activation_encodings") || document.has("param_encodings"))
        return readAimet(document);
    if (document.has("data") && document.has("calibration_method"))
        return readOrtCalibration(document);
    if (json.is_object() && holdsRanges(json))
        return readOrtRanges(document);
    if (json.is_object() && holdsLists(json))
        return readOrtOverrides(document);
    Error error = document.error("no encodings, overrides or calibration of a tool that is known");
    error.code = ErrorCode::Unsupported;
    error.whatToDo = "give AIMET's encodings, ONNX Runtime's TensorQuantOverrides or calibration, or a calibration "
                     "cache of TensorRT";
    return error;
}

Result<ForeignEncodings> readJson(std::string_view text, const std::string& name)
{
    DUO_TRY(json, parseJson(text, name, ErrorCode::BadData, EqualKeys::Refused));
    return readDocument(ForeignPlace(json, name));
}

Result<ForeignEncodings> readAny(std::string_view text, const std::string& name)
{
    if (isTensorRtCache(text))
        return readTensorRtCache(text, name);
    if (isOrtFlatbuffers(text))
        return readOrtFlatbuffers(text, name);
    return isOrtTable(text) ? readOrtTable(text, name) : readJson(text, name);
}

} // namespace

std::string_view foreignFormText(ForeignForm form)
{
    return enumText(kForms, form);
}

std::optional<ForeignForm> foreignFormFromText(std::string_view text)
{
    return enumFromText<ForeignForm>(kForms, text);
}

Result<ForeignEncodings> parseForeignEncodings(std::string_view text, const std::string& name)
{
    DUO_TRY(encodings, readAny(text, name));
    std::set<std::string_view> seen;
    for (const ForeignEncoding& entry : encodings.entries) {
        if (!seen.insert(entry.tensor).second)
            return Error{ErrorCode::BadData, "tensor " + inQuotes(entry.tensor) + " has two entries", name,
                "take one of them out"};
    }
    return encodings;
}

ForeignEncodings encodingsOf(const Model& model, const FoundQuantizers& given)
{
    const FoundQuantizers found = withPositiveScales(given);
    ForeignEncodings encodings{ForeignForm::Model, {}, {}};
    std::map<std::string_view, std::size_t> seen;
    const auto leaveOut = [&](const FoundQuantizer& quantizer, const std::string& why) {
        encodings.notExpressed.push_back("tensor " + inQuotes(quantizer.tensor) + " " + why);
    };
    for (const FoundQuantizer& quantizer : given.quantizers) {
        if (isTurnedOver(quantizer))
            leaveOut(quantizer, "has scales below zero, taken as positive: its largest number may be a code off");
    }
    for (const FoundQuantizer& quantizer : found.quantizers) {
        if (const std::string why = whyNot(quantizer); !why.empty()) {
            leaveOut(quantizer, why);
            continue;
        }
        ForeignEncoding entry{.tensor = quantizer.tensor, .bits = kBiasBits};
        if (!quantizer.isBias) {
            entry.codes = quantizer.codes;
            entry.bits = quantizer.bits;
            entry.scale = quantizer.scale;
            entry.zeroPoint.assign(quantizer.zeroPoint.begin(), quantizer.zeroPoint.end());
            entry.axis = quantizer.axis;
            entry.block = quantizer.block;
            entry.blockDims = quantizer.blockDims;
        }
        const auto [first, isNew] = seen.emplace(quantizer.tensor, encodings.entries.size());
        std::vector<std::string> readers
            = quantizer.isWeight ? readersOf(model, quantizer) : std::vector<std::string>();
        if (!isNew) {
            ForeignEncoding& known = encodings.entries[first->second];
            entry.readers = known.readers;
            if (known == entry)
                known.readers.insert(known.readers.end(), readers.begin(), readers.end());
            else
                leaveOut(quantizer, "is quantized in several ways: the first counts");
            continue;
        }
        entry.readers = std::move(readers);
        encodings.entries.push_back(std::move(entry));
    }
    for (const auto& [node, why] : found.notRecovered)
        encodings.notExpressed.push_back("node " + inQuotes(model.node(node).name) + ": " + why);
    return encodings;
}

} // namespace duo
