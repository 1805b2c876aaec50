// SPDX-License-Identifier: Apache-2.0
#include "core/report/dequantize_report.h"

#include "core/support/phrases.h"

#include <map>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

std::string_view roleOf(const FoundQuantizer& quantizer)
{
    return quantizer.isBias ? "bias" : quantizer.isWeight ? "weight" : "activation";
}

std::string_view spreadOf(const FoundQuantizer& quantizer)
{
    return quantizer.block > 0        ? "per block"
        : quantizer.scale.size() > 1  ? "per channel"
        : quantizer.scale.size() == 1 ? "per tensor"
                                      : "per run";
}

Json quantizerJson(const Model& model, const FoundQuantizer& quantizer)
{
    Json json{{"tensor", quantizer.tensor}, {"value", model.value(quantizer.value).name},
        {"node", model.node(quantizer.node).name}, {"form", quantizerFormText(quantizer.form)},
        {"role", roleOf(quantizer)}, {"type", elementTypeName(quantizer.codes)}, {"bits", quantizer.bits},
        {"scale", quantizer.scale}, {"zero_point", quantizer.zeroPoint}};
    if (quantizer.axis)
        json["axis"] = *quantizer.axis;
    if (quantizer.block > 0)
        json["block_size"] = quantizer.block;
    return json;
}

Json reasonsJson(const Model& model, const std::vector<NotRecovered>& nodes)
{
    Json json = Json::array();
    for (const auto& [node, why] : nodes)
        json.push_back({{"node", model.node(node).name}, {"why", why}});
    return json;
}

/// A line per reason with how many nodes it is about, and the first of them.
std::string reasonsText(const Model& model, const std::vector<NotRecovered>& nodes, const std::string& what)
{
    std::map<std::string, std::pair<std::size_t, NodeId>> reasons;
    for (const auto& [node, why] : nodes) {
        auto& [count, first] = reasons.try_emplace(why, 0, node).first->second;
        ++count;
    }
    std::string text;
    for (const auto& [why, found] : reasons) {
        text += what + nodesText(found.first) + ": " + why + " (" + inQuotes(model.node(found.second).name)
            + (found.first > 1 ? " is the first)" : ")") + "\n";
    }
    return text;
}

std::string clampsText(const std::vector<AddedClamp>& clamps)
{
    constexpr std::size_t kListed = 5;
    if (clamps.empty())
        return {};
    std::vector<std::string> values;
    for (const AddedClamp& clamp : clamps)
        values.push_back(inQuotes(clamp.value));
    return "  " + counted(clamps.size(), "Relu or Clip that a quantizer had", "Relus and Clips that quantizers had")
        + " taken over: nodes again, of " + firstOf(values, kListed) + "\n";
}

} // namespace

Json dequantizeJson(
    const Model& model, const FoundQuantizers& found, const Dequantized& made, const WrittenFiles& written)
{
    Json quantizers = Json::array();
    for (const FoundQuantizer& quantizer : found.quantizers)
        quantizers.push_back(quantizerJson(model, quantizer));
    Json files = Json::array();
    for (const auto& file : written.files)
        files.push_back(file.string());
    Json clamps = Json::array();
    for (const auto& [node, value] : made.clamps)
        clamps.push_back({{"node", node}, {"of", value}});
    return {{"quantizers", std::move(quantizers)}, {"not_recovered", reasonsJson(model, found.notRecovered)},
        {"removed", {{"quantizers", made.quantizers}, {"weights", made.weights}, {"operators", made.operators}}},
        {"clamps", std::move(clamps)}, {"kept", reasonsJson(model, made.kept)}, {"files", std::move(files)}};
}

std::string dequantizeText(const Model& model, const FoundQuantizers& found, const Dequantized& made)
{
    std::map<std::string, std::size_t> kinds;
    for (const FoundQuantizer& quantizer : found.quantizers) {
        ++kinds[std::string(roleOf(quantizer)) + ", " + codesText(quantizer) + " " + std::string(spreadOf(quantizer))
            + ", " + std::string(quantizerFormText(quantizer.form))];
    }
    std::string text = counted(found.quantizers.size(), "quantizer", "quantizers") + " found\n";
    for (const auto& [kind, count] : kinds)
        text += "  " + kind + ": " + std::to_string(count) + "\n";
    text += reasonsText(model, found.notRecovered, "  not recovered, ");
    text += "in float again: " + counted(made.quantizers, "quantizer", "quantizers") + " of activations taken out, "
        + counted(made.weights, "constant", "constants") + ", " + counted(made.operators, "operator", "operators")
        + " on codes\n";
    return text + clampsText(made.clamps) + reasonsText(model, made.kept, "  stays as it is, ");
}

Json encodingsJson(std::string_view form, const EncodingsText& converted, const std::string& file)
{
    Json files = Json::array();
    if (!file.empty())
        files.push_back(file);
    return {{"to", form}, {"tensors", converted.tensors}, {"text", converted.text}, {"losses", converted.losses},
        {"without", converted.without}, {"files", std::move(files)}};
}

std::string encodingsSummary(std::string_view form, const EncodingsText& converted)
{
    std::string text
        = std::string(form) + ": " + counted(converted.tensors, "tensor has", "tensors have") + " an entry";
    if (!converted.without.empty())
        text += ", "
            + counted(converted.without.size(), "value of the float model has", "values of the float model have")
            + " none (" + inQuotes(converted.without.front()) + (converted.without.size() > 1 ? " is the first)" : ")");
    return text + "\n";
}

} // namespace duo
