// SPDX-License-Identifier: Apache-2.0
#include "core/report/inspect_report.h"

#include "core/report/note_groups.h"
#include "core/report/port_report.h"
#include "core/scope/parameters/learned_tensors.h"
#include "core/support/phrases.h"

#include <array>
#include <charconv>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

std::string qualifiedType(const Node& node)
{
    return node.domain.empty() || node.domain == "ai.onnx" ? node.opType : node.domain + "." + node.opType;
}

std::map<std::string, std::int64_t> opTypes(const Model& model)
{
    std::map<std::string, std::int64_t> counts;
    for (const Node& node : model.nodes)
        ++counts[qualifiedType(node)];
    return counts;
}

std::string formatText(const Model& model)
{
    const std::string text(model.format->text);
    return model.format == &kOnnxFormat ? text + ", IR version " + std::to_string(model.irVersion) : text;
}

std::string producerText(const Model& model)
{
    return model.producerName + (model.producerVersion.empty() ? "" : " " + model.producerVersion);
}

void appendPorts(std::string& text, const Model& model, const char* title, const std::vector<ValueId>& ids)
{
    for (const ValueId id : ids)
        text += std::string(title) + model.value(id).name + " " + typeText(model.value(id).type) + "\n";
}

} // namespace

Json notesJson(const std::vector<Note>& notes)
{
    Json json = Json::array();
    for (const NoteGroup& group : groupNotes(notes))
        json.push_back({{"kind", group.kind}, {"text", group.text},
            {"where", group.places.empty() ? std::string() : group.places.front()}, {"count", group.count},
            {"places", group.places}});
    return json;
}

std::string typeText(const ValueType& type)
{
    std::string text(elementTypeName(type.element));
    if (!type.shape)
        return type.element == ElementType::Undefined ? "type not known" : text + " of unknown rank";
    text += "[";
    for (std::size_t i = 0; i < type.shape->size(); ++i) {
        const Dim& dim = (*type.shape)[i];
        text += i > 0 ? "," : "";
        text += dim.size ? std::to_string(*dim.size) : dim.symbol.empty() ? "?" : dim.symbol;
    }
    return text + "]";
}

std::string shortText(double number)
{
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general, 4).ptr;
    return {text.data(), end};
}

std::string bytesText(std::int64_t bytes)
{
    constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; amount >= 1000 && unit + 1 < kUnits.size(); ++unit)
        amount /= 1000;
    return fixedText(amount, unit == 0 ? 0 : 1) + " " + kUnits[unit];
}

std::string fixedText(double number, int decimals)
{
    std::array<char, 400> text{}; // the largest double has 309 digits
    const auto end
        = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, decimals).ptr;
    return {text.data(), end};
}

Json inspectJson(const Model& model)
{
    Json opsets = Json::object();
    for (const auto& [domain, version] : model.opsets)
        opsets[domain.empty() ? "ai.onnx" : domain] = version;
    const ParameterTotals totals = parameterTotals(model);
    return {{"format", model.format->name}, {"ir_version", model.irVersion}, {"opsets", std::move(opsets)},
        {"producer", producerText(model)}, {"nodes", model.nodes.size()}, {"parameters", totals.parameters},
        {"parameter_bytes", totals.bytes}, {"file_bytes", model.fileBytes},
        {"inputs", portsJson(model, model.mainGraph().inputs)},
        {"outputs", portsJson(model, model.mainGraph().outputs)}, {"op_types", opTypes(model)},
        {"notes", notesJson(model.notes)}};
}

std::string inspectText(const Model& model)
{
    std::string text = formatText(model);
    for (const auto& [domain, version] : model.opsets)
        text += ", " + (domain.empty() ? std::string("opset") : domain) + " " + std::to_string(version);
    if (!producerText(model).empty())
        text += ", made by " + producerText(model);
    const ParameterTotals totals = parameterTotals(model);
    text += "\n" + countText(model.nodes.size()) + " nodes, " + countText(totals.parameters) + " parameters ("
        + bytesText(totals.bytes) + ")\n";
    appendPorts(text, model, "input  ", model.mainGraph().inputs);
    appendPorts(text, model, "output ", model.mainGraph().outputs);
    for (const auto& [type, count] : opTypes(model))
        text += "  " + countText(count) + " x " + type + "\n";
    for (const NoteGroup& group : groupNotes(model.notes))
        text += "note: " + noteLine(group) + "\n";
    return text;
}

} // namespace duo
