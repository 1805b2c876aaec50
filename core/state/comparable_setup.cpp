// SPDX-License-Identifier: Apache-2.0
#include "core/state/comparable_setup.h"

#include "core/content/telling.h"
#include "core/interchange/found_quantizers.h"
#include "core/model/held_tensors.h"
#include "core/state/node_digest.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

namespace duo {
namespace {

constexpr const char* kRules = "/rules"; // none leave a null

/// A rule that two recipes have alike is one text in both.
void takeRecipe(const Recipe& recipe, ComparableSetup& setup)
{
    for (const Rule& rule : recipe.rules.rules)
        setup.rules.push_back(ruleText(rule) + (rule.enabled ? "" : " (off)"));
    const nlohmann::json flat = nlohmann::json::parse(recipeText(recipe)).flatten();
    for (const auto& [path, value] : flat.items()) {
        if (path != kRules && !path.starts_with(std::string(kRules) + "/"))
            setup.settings.emplace(path, value.dump());
    }
}

std::string placeOf(const RecordedPoint& point)
{
    const std::string role = point.isWeight ? "weight at input " : "input ";
    return (point.port ? role + std::to_string(*point.port) : "output") + " of " + point.target;
}

std::string joined(const std::vector<std::string>& parts)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : ", ") + part;
    return text;
}

std::string runsText(const RecordedState& state)
{
    std::vector<std::string> parts;
    for (const PassRun& run : state.transforms)
        parts.push_back(run.id + " " + std::to_string(run.version) + " (" + std::to_string(run.applied) + ")");
    return joined(parts);
}

std::string stepsText(const RecordedState& state)
{
    std::vector<std::string> parts;
    for (const AppliedStep& step : state.steps)
        parts.push_back(step.id + " " + std::to_string(step.version));
    return joined(parts);
}

void takeFacts(const RecordedState& state, ComparableSetup& setup)
{
    setup.facts = {{"producer", state.producer}, {"engine", state.engine}, {"data", state.data},
        {"statistics", state.statistics}, {"model graph", state.model.graph}, {"model weights", state.model.weights},
        {"samples", std::to_string(state.samples)}, {"transforms", runsText(state)}, {"steps", stepsText(state)}};
}

/// The first of them, and a digest of all.
std::string numbersText(const std::vector<float>& numbers)
{
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(numbers.size(), kShown); ++i) {
        std::array<char, 32> number{};
        std::snprintf(number.data(), number.size(), "%.4g, ", static_cast<double>(numbers[i]));
        text += number.data();
    }
    Digest digest;
    digest.add(std::as_bytes(std::span(numbers)));
    return text + "… (" + std::to_string(numbers.size()) + " numbers, " + digest.text() + ")";
}

void takeCorrections(const RecordedState& state, ComparableSetup& setup)
{
    for (const auto& [node, shift] : state.biasShifts)
        setup.corrections.emplace("bias shift of " + node, numbersText(shift));
    for (const auto& [node, means] : state.inputMeans)
        setup.corrections.emplace("input means of " + node, numbersText(means));
    for (const FloatChange& change : state.floatChanges) {
        const std::string what = std::string(floatChangeText(change.kind)) + " of "
            + (change.value.empty() ? "" : change.value + " for ") + joined(change.nodes);
        setup.corrections.emplace(
            what, numbersText(change.scales) + (change.foldedInto.empty() ? "" : ", folded into " + change.foldedInto));
    }
    if (state.tellsKeptFloat || !state.keptFloat.empty())
        setup.keptFloat.emplace();
    for (const auto& [node, why] : state.keptFloat)
        setup.keptFloat->emplace("in float: " + node, "yes");
    for (const std::string& node : state.halved.value_or(std::vector<std::string>()))
        setup.corrections.emplace("in 16 bits: " + node, "yes");
}

const char* spreadText(bool isPerChannel)
{
    return isPerChannel ? "per channel" : "per tensor";
}

std::string blockText(std::int64_t block)
{
    return "per block of " + std::to_string(block);
}

/// What a quantizer found in a file is, beside its codes' type.
std::string spreadOf(const FoundQuantizer& quantizer)
{
    if (quantizer.block > 0)
        return blockText(quantizer.block);
    return quantizer.scale.empty() ? "per run" : spreadText(quantizer.scale.size() > 1);
}

bool saysTheSame(const ComparableQuantizer& known, const FoundQuantizer& found)
{
    return known.type == codesText(found) && known.spread == spreadOf(found) && known.scale == found.scale
        && known.zeroPoint == found.zeroPoint;
}

/// @return whether the elements are there
bool addConstant(Digest& digest, const Tensor& tensor)
{
    addShape(digest, tensor);
    digest.add(tensor.bytes());
    return hasAllBytes(tensor);
}

/// Of all constants of a model; "" where some are not there.
std::string constantsDigest(const Model& model)
{
    Digest digest;
    bool isWhole = true;
    for (const HeldTensor& held : heldTensors(model)) {
        digest.add(held.name);
        isWhole = addConstant(digest, model.tensor(held.tensor)) && isWhole;
    }
    return isWhole ? digest.text() : std::string();
}

/// Of places and masks, which are data.
bool isNoScale(ElementType type)
{
    return type == ElementType::Int64 || type == ElementType::Int32 || type == ElementType::Bool;
}

/// Nodes by the constants that they read beside their data, which are all constants of the model where something of it
/// is computed.
class UnknownNodes
{
public:
    explicit UnknownNodes(const Model& model)
        : m_model(model)
    {
    }

    std::string digestOf(const Node& node)
    {
        Digest digest;
        digest.add(node.opType);
        addAttributes(digest, m_model, node);
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            const ValueId input = node.inputs[port];
            const Tensor* tensor = input.valid() ? m_model.constant(input) : nullptr;
            digest.add(static_cast<std::int64_t>(port));
            if (tensor != nullptr && !addConstant(digest, *tensor))
                return {};
            if (tensor != nullptr || !input.valid() || port == 0 || isNoScale(m_model.value(input).type.element))
                continue;
            if (allConstants().empty())
                return {};
            digest.add(allConstants());
        }
        return digest.text();
    }

private:
    const std::string& allConstants()
    {
        if (!m_all)
            m_all = constantsDigest(m_model);
        return *m_all;
    }

    const Model& m_model;
    std::optional<std::string> m_all;
};

} // namespace

ComparableSetup comparableSetup(const Recipe& recipe)
{
    ComparableSetup setup;
    takeRecipe(recipe, setup);
    return setup;
}

ComparableSetup comparableSetup(const RecordedState& state)
{
    ComparableSetup setup;
    setup.source = SetupSource::State;
    takeRecipe(state.recipe, setup);
    takeFacts(state, setup);
    takeCorrections(state, setup);
    std::unordered_map<std::string_view, std::string_view> scopeOf;
    for (const NodeRecord& node : state.graph.nodes)
        scopeOf.emplace(node.name, node.scope);
    for (const RecordedPoint& point : state.setup.points) {
        ComparableQuantizer& quantizer = setup.quantizers.emplace_back();
        quantizer.place = placeOf(point);
        quantizer.node = point.target;
        const auto scope = scopeOf.find(point.target);
        const bool isBelowRoot = scope != scopeOf.end() && scope->second != "/";
        quantizer.scope = isBelowRoot ? std::string(scope->second) : std::string();
        const QuantizationParameters& parameters = state.parameters.at(point.id);
        quantizer.type = elementTypeName(parameters.type);
        quantizer.spread = point.config.block > 0 ? blockText(point.config.block) : spreadText(point.config.perChannel);
        quantizer.scale = parameters.scale;
        quantizer.zeroPoint.assign(parameters.zeroPoint.begin(), parameters.zeroPoint.end());
        quantizer.readers = point.operators;
        std::ranges::sort(quantizer.readers);
    }
    return setup;
}

ComparableSetup comparableSetup(const Model& model, const Scopes& scopes)
{
    ComparableSetup setup;
    setup.source = SetupSource::Model;
    const auto opset = model.opsets.find("");
    setup.facts = {{"producer", model.producerName + " " + model.producerVersion},
        {"opset", opset == model.opsets.end() ? std::string() : std::to_string(opset->second)},
        {"nodes", std::to_string(model.nodes.size())}, {"bytes", std::to_string(model.fileBytes)}};
    std::set<std::string> taken;
    std::map<std::uint32_t, std::size_t> packed; // by weight, which several nodes may read
    FoundQuantizers all = withTurnedScales(findQuantizers(model));
    for (FoundQuantizer& found : all.quantizers) {
        const auto [first, isNew] = packed.emplace(found.value.index, setup.quantizers.size());
        if (found.form == QuantizerForm::Packed && !isNew && saysTheSame(setup.quantizers[first->second], found)) {
            auto& readers = setup.quantizers[first->second].readers;
            std::ranges::copy(readersOf(model, found), std::back_inserter(readers));
            std::ranges::sort(readers);
            continue;
        }
        ComparableQuantizer& quantizer = setup.quantizers.emplace_back();
        quantizer.place = found.tensor;
        for (int n = 2; !taken.insert(quantizer.place).second; ++n) // one tensor may have two, of two readers
            quantizer.place = found.tensor + " (" + std::to_string(n) + ")";
        quantizer.node = model.node(found.node).name;
        quantizer.scope = scopes.nodes[found.node.index].execution;
        quantizer.type = codesText(found);
        quantizer.spread = spreadOf(found);
        quantizer.scale = std::move(found.scale);
        quantizer.zeroPoint = std::move(found.zeroPoint);
        quantizer.readers = readersOf(model, found);
    }
    UnknownNodes unknown(model);
    for (const auto& [id, why] : all.notRecovered)
        setup.notRecovered.emplace(model.node(id).name, unknown.digestOf(model.node(id)));
    return setup;
}

} // namespace duo
