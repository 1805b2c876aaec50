// SPDX-License-Identifier: Apache-2.0
#include "core/report/data_report.h"

#include "core/report/inspect_report.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

std::string dimsText(const InputPreview& input)
{
    std::string text;
    for (const std::int64_t size : input.dims)
        text += (text.empty() ? "" : ",") + std::to_string(size);
    return "[" + text + "]" + (input.isVariable ? " and other sizes" : "");
}

} // namespace

std::string inputText(const InputPreview& input)
{
    std::string text = std::string(elementTypeName(input.type)) + dimsText(input);
    if (input.count > 0)
        text += ", from " + shortText(input.min) + " to " + shortText(input.max) + ", mean " + shortText(input.mean)
            + ", deviation " + shortText(input.deviation);
    if (input.notFinite > 0)
        text += ", " + std::to_string(input.notFinite) + " not finite";
    return text;
}

Json dataJson(const DatasetPreview& preview)
{
    Json inputs = Json::array();
    for (const InputPreview& input : preview.inputs) {
        const bool hasNumbers = input.count > 0;
        const auto orNull = [&](double number) { return hasNumbers ? Json(number) : Json(); };
        inputs.push_back({{"name", input.name}, {"type", elementTypeName(input.type)}, {"dims", input.dims},
            {"variable", input.isVariable}, {"not_finite", input.notFinite}, {"min", orNull(input.min)},
            {"max", orNull(input.max)}, {"mean", orNull(input.mean)}, {"deviation", orNull(input.deviation)}});
    }
    return {{"samples", preview.samples}, {"looked_at", preview.first.size()}, {"inputs", std::move(inputs)},
        {"notes", notesJson(preview.notes)}};
}

std::string dataText(const DatasetPreview& preview)
{
    std::string text = std::to_string(preview.samples) + (preview.samples == 1 ? " sample" : " samples");
    if (static_cast<std::int64_t>(preview.first.size()) < preview.samples)
        text += ", of which the first " + std::to_string(preview.first.size()) + " have";
    text += "\n";
    for (const InputPreview& input : preview.inputs)
        text += "  " + input.name + " " + inputText(input) + "\n";
    for (const Note& note : preview.notes)
        text += "note: " + note.text + "\n";
    return text;
}

} // namespace duo
