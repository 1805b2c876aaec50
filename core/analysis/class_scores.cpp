// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/class_scores.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace duo {
namespace {

/// A list of names as exporters write it: a JSON array or object, a Python dictionary, or lines, or between commas.
std::int64_t entriesOf(std::string_view text)
{
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos)
        return 0;
    text = text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
    const bool isBracketed = text.front() == '{' || text.front() == '[';
    const char separator = !isBracketed && text.find('\n') != std::string_view::npos ? '\n' : ',';
    std::int64_t entries = 1;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isBracketed && quote != 0 && text[i] == '\\')
            ++i;
        else if (quote != 0)
            quote = text[i] == quote ? char(0) : quote;
        else if (isBracketed && (text[i] == '"' || text[i] == '\''))
            quote = text[i];
        else if (text[i] == separator)
            ++entries;
    }
    return entries;
}

bool hasLabelsFor(const Metadata& metadata, std::int64_t classes)
{
    constexpr std::array<std::string_view, 6> kKeys{
        "labels", "names", "classes", "class_names", "class_labels", "id2label"};
    return std::ranges::any_of(metadata, [&](const auto& entry) {
        return std::ranges::find(kKeys, entry.first) != kKeys.end() && entriesOf(entry.second) == classes;
    });
}

bool passesOn(const Node& node)
{
    return node.domain.empty() && (node.opType == "Identity" || node.opType == "Cast");
}

/// By its last axis.
bool choosesClass(const Model& model, const Node& node, const Value& read)
{
    if (node.opType == "ZipMap")
        return true;
    const bool isSoftmax = node.opType == "Softmax" || node.opType == "LogSoftmax";
    if (!node.domain.empty() || (!isSoftmax && node.opType != "ArgMax"))
        return false;
    const std::int64_t unset = node.opType == "ArgMax" ? 0 : model.opset() < 13 ? 1 : -1;
    const std::int64_t axis = node.intAttribute("axis", unset);
    return axis == -1
        || (axis > 0 && read.type.shape && axis + 1 == static_cast<std::int64_t>(read.type.shape->size()));
}

} // namespace

bool isToldAsClassScores(const Model& model, ValueId output)
{
    const Value& value = model.value(output);
    const auto& shape = value.type.shape;
    if (shape && shape->size() == 2 && shape->back().size && *shape->back().size > 1
        && hasLabelsFor(model.metadata, *shape->back().size))
        return true;
    std::vector<ValueId> same{output}; // values that hold the same numbers
    for (std::size_t i = 0; i < same.size(); ++i) {
        for (const Use& use : model.value(same[i]).uses) {
            const Node& reader = model.node(use.node);
            if (use.port == 0 && choosesClass(model, reader, model.value(same[i])))
                return true;
            if (passesOn(reader) && !reader.outputs.empty() && reader.outputs.front().valid())
                same.push_back(reader.outputs.front());
        }
        const NodeId producer = model.value(same[i]).producer;
        const bool isPassedOn = i == 0 && producer.valid() && passesOn(model.node(producer))
            && !model.node(producer).inputs.empty() && model.node(producer).inputs.front().valid();
        if (isPassedOn && same.size() < 64)
            same.push_back(model.node(producer).inputs.front());
    }
    return false;
}

} // namespace duo
