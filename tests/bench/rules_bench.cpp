// SPDX-License-Identifier: Apache-2.0
// Editing one of twenty rules on a generated model of 10,000 nodes, and undoing it, as ratios to opening the model; a
// subgraph rule over 2,000 diamonds as a ratio to a plain traversal. Rounds are interleaved; ratios are of medians.
#include "core/onnx/reader.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/rules/subgraph.h"
#include "tests/bench/generated_model.h"
#include "tests/bench/rounds.h"
#include "tests/support/placing.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

namespace {

using duo::bench::median;
using duo::bench::Stage;

constexpr int kNodes = 10'000;
constexpr int kDiamonds = 2'000;
constexpr int kRounds = 21;

void print(std::vector<Stage>& stages)
{
    runRounds(stages, kRounds);
    const double floor = median(stages.front().times);
    for (const Stage& stage : stages)
        std::printf("%-44s %8.3f ms  %7.4f x\n", stage.name, median(stage.times), median(stage.times) / floor);
}

duo::Rule rule(duo::RuleKind kind, const std::string& value, duo::RuleAction action = duo::RuleAction::Ignore)
{
    duo::Rule made;
    made.action = action;
    made.kind = kind;
    made.value = value;
    return made;
}

/// Twenty rules of all kinds; most catch something.
duo::Recipe twentyRules()
{
    using duo::RuleKind;
    duo::Recipe recipe;
    auto& rules = recipe.rules.rules;
    for (int i = 0; i < 5; ++i) {
        const std::string n = std::to_string(i);
        rules.push_back(rule(RuleKind::Name, "/layer" + n + "/layer" + n + ".3/conv1/Conv"));
        rules.push_back(rule(RuleKind::Pattern, ".*layer" + n + "\\.[0-4]/conv\\d"));
        rules.push_back(rule(RuleKind::ExecutionScope, "layer" + n + "/7"));
    }
    rules.push_back(rule(RuleKind::StorageScope, "layer3.50"));
    rules.push_back(rule(RuleKind::Type, "Add"));
    rules.push_back(rule(RuleKind::Type, "Conv", duo::RuleAction::Target));
    rules.push_back(rule(RuleKind::Type, "Relu", duo::RuleAction::Target));
    rules.push_back(rule(RuleKind::Subgraph, ""));
    rules.back().inputs = {"/layer9/layer9.0/conv1/Conv"};
    rules.back().outputs = {"/layer9/layer9.60/conv1/Conv"};
    return recipe;
}

void editRules()
{
    const auto path = std::filesystem::temp_directory_path() / "duoscope-bench-rules.onnx";
    std::ofstream(path, std::ios::binary) << duo::bench::residualChain(kNodes);
    duo::Recipe before = twentyRules();
    duo::Recipe after = before;
    after.rules.rules.push_back(rule(duo::RuleKind::ExecutionScope, "layer12/33"));
    const duo::Snapshot opened = *duo::withRecipe(*duo::openSnapshot(path), before);
    const duo::Snapshot edited = *duo::withRecipe(opened, after);

    std::vector<Stage> stages{
        {"open (floor)", [&] { (void)duo::openSnapshot(path); }, {}},
        {"one edit: rules, decisions, effects", [&] { (void)duo::withRecipe(opened, after); }, {}},
        {"undo it", [&] { (void)duo::withRecipe(edited, before); }, {}},
        {"  of this: match all rules", [&] { (void)duo::matchRules(*opened.model, *opened.scopes, after.rules); }, {}},
        {"  of this: place quantizers and decide",
            [&] { (void)duo::test::placeOnce(*edited.model, *edited.hits, edited.recipe.quantization); }, {}},
        {"  of this: effects",
            [&] { (void)duo::ruleEffects(*edited.model, *edited.hits, edited.placement.get(), edited.unruled.get()); },
            {}},
    };
    std::printf("%d nodes, %zu rules, median of %d interleaved rounds\n", kNodes, before.rules.rules.size(), kRounds);
    print(stages);
    std::filesystem::remove(path);
}

/// Every node once, from the inputs along uses.
std::size_t traverse(const duo::Model& model)
{
    std::vector<bool> seen(model.nodes.size(), false);
    std::vector<duo::NodeId> open{model.findNode("l0"), model.findNode("r0")};
    std::size_t count = 0;
    while (!open.empty()) {
        const duo::NodeId node = open.back();
        open.pop_back();
        if (seen[node.index])
            continue;
        seen[node.index] = true;
        ++count;
        for (const duo::ValueId output : model.node(node).outputs) {
            for (const duo::Use& use : model.value(output).uses)
                open.push_back(use.node);
        }
    }
    return count;
}

void matchLadder()
{
    const auto path = std::filesystem::temp_directory_path() / "duoscope-bench-ladder.onnx";
    std::ofstream(path, std::ios::binary) << duo::bench::diamondLadder(kDiamonds);
    const auto model = *duo::readModel(path);
    const std::vector<duo::NodeId> from{model->findNode("l0"), model->findNode("r0")};
    const std::vector<duo::NodeId> to{model->findNode("a" + std::to_string(kDiamonds - 1))};
    std::size_t nodes = 0;
    std::vector<Stage> stages{
        {"plain traversal (floor)", [&] { nodes += traverse(*model); }, {}},
        {"subgraph rule", [&] { nodes += duo::nodesBetween(*model, from, to).size(); }, {}},
    };
    std::printf("ladder of %d diamonds, %zu nodes\n", kDiamonds, model->nodes.size());
    print(stages);
    std::printf("%zu nodes visited\n", nodes);
    std::filesystem::remove(path);
}

} // namespace

int main()
{
    editRules();
    matchLadder();
    return 0;
}
