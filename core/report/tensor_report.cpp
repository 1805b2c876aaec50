// SPDX-License-Identifier: Apache-2.0
#include "core/report/tensor_report.h"

#include "core/report/inspect_report.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kChannelsShown = 20;

bool hasNumbers(const TensorSummary& summary)
{
    return !summary.bins.empty();
}

Json rangeJson(const Range& range)
{
    return range.min > range.max ? Json{{"min", nullptr}, {"max", nullptr}}
                                 : Json{{"min", range.min}, {"max", range.max}};
}

} // namespace

Json tensorJson(const Tensor& tensor, const TensorSummary& summary)
{
    const auto orNull = [&](double number) { return hasNumbers(summary) ? Json(number) : Json(); };
    Json json{{"name", tensor.name}, {"type", elementTypeName(tensor.type)}, {"dims", tensor.dims},
        {"elements", summary.elements}, {"not_finite", summary.notFinite}, {"zeros", summary.zeros},
        {"min", orNull(summary.min)}, {"max", orNull(summary.max)}, {"mean", orNull(summary.mean)},
        {"deviation", orNull(summary.deviation)}, {"histogram", summary.bins}};
    json["axis"] = summary.axis ? Json(*summary.axis) : Json();
    json["channels"] = Json::array();
    for (const Range& range : summary.channels)
        json["channels"].push_back(rangeJson(range));
    return json;
}

std::string spreadText(const TensorSummary& summary)
{
    std::string text = countText(summary.elements) + (summary.elements == 1 ? " value" : " values");
    if (hasNumbers(summary))
        text += " from " + shortText(summary.min) + " to " + shortText(summary.max) + ", mean "
            + shortText(summary.mean) + ", deviation " + shortText(summary.deviation);
    if (summary.zeros > 0)
        text += ", " + countText(summary.zeros) + (summary.zeros == 1 ? " zero" : " zeros");
    if (summary.notFinite > 0)
        text += ", " + countText(summary.notFinite) + " not finite";
    return text;
}

std::string tensorText(const Tensor& tensor, const TensorSummary& summary)
{
    std::string dims;
    for (const std::int64_t dim : tensor.dims)
        dims += (dims.empty() ? "" : ",") + std::to_string(dim);
    std::string text = tensor.name + " " + std::string(elementTypeName(tensor.type)) + "[" + dims + "], "
        + spreadText(summary) + "\n";
    const std::size_t shown = std::min(kChannelsShown, summary.channels.size());
    if (shown > 0)
        text += "channels along axis " + std::to_string(*summary.axis) + ":\n";
    for (std::size_t i = 0; i < shown; ++i) {
        const Range& range = summary.channels[i];
        text += "  " + std::to_string(i) + ": "
            + (range.min > range.max ? "nothing finite" : shortText(range.min) + " to " + shortText(range.max)) + "\n";
    }
    if (shown < summary.channels.size())
        text += "  and " + countText(summary.channels.size() - shown) + " more\n";
    return text;
}

} // namespace duo
