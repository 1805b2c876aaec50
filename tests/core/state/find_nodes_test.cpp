// SPDX-License-Identifier: Apache-2.0
#include "core/state/find_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;
using Records = std::vector<NodeRecord>;

/// "0 name, 1 scope, -": where each recorded node was found.
std::string foundText(const Records& recorded, const Records& present)
{
    std::string text;
    for (const auto& found : findNodes({recorded, {}}, {present, {}})) {
        text += text.empty() ? "" : ", ";
        text += found ? std::to_string(found->index) + " " + std::string(foundByText(found->by)) : "-";
    }
    return text;
}

/// x -> Conv -> Relu -> Conv -> Add (of both Convs).
Records block()
{
    return {{"conv1", "Conv", "first", {"first.weight"}, {-2, -1}}, {"relu", "Relu", "", {}, {0}},
        {"conv2", "Conv", "second", {"second.weight"}, {1, -1}}, {"add", "Add", "", {}, {2, 0}}};
}

Records renamed(Records records)
{
    for (std::size_t i = 0; i < records.size(); ++i)
        records[i].name = "n" + std::to_string(i);
    return records;
}

Records withoutScopes(Records records)
{
    for (NodeRecord& record : records)
        record.scope.clear();
    return records;
}

Records withoutPorts(Records records)
{
    for (NodeRecord& record : records)
        record.ports.clear();
    return records;
}

Records withOtherKeys(Records records)
{
    for (NodeRecord& record : records) {
        for (std::string& key : record.keys)
            key = "t." + key;
    }
    return records;
}

TEST(FindNodes, GoesByNamesWhereTheyStayed)
{
    EXPECT_EQ(foundText(block(), block()), "0 name, 1 name, 2 name, 3 name");
}

TEST(FindNodes, GoesByScopeThenByStorageThenByPosition)
{
    EXPECT_EQ(foundText(block(), renamed(block())), "0 scope, 1 position, 2 scope, 3 position");
    EXPECT_EQ(foundText(block(), withoutScopes(renamed(block()))), "0 storage, 1 position, 2 storage, 3 position");
    EXPECT_EQ(foundText(block(), withOtherKeys(withoutScopes(renamed(block())))),
        "0 position, 1 position, 2 position, 3 position");
}

TEST(FindNodes, DoesNotTakeACountedNameForAnotherNode)
{
    Records counted{
        {"Relu_0", "Relu", "", {}, {-2}}, {"Sigmoid_1", "Sigmoid", "", {}, {0}}, {"Relu_2", "Relu", "", {}, {1}}};
    Records shifted{
        {"Relu_2", "Relu", "", {}, {-2}}, {"Sigmoid_3", "Sigmoid", "", {}, {0}}, {"Relu_4", "Relu", "", {}, {1}}};
    EXPECT_EQ(foundText(counted, shifted), "0 position, 1 position, 2 position");
}

TEST(FindNodes, DoesNotGuessBetweenAlikeNodes)
{
    Records twins{{"a", "Relu", "", {}, {-2}}, {"b", "Relu", "", {}, {-2}}};
    EXPECT_EQ(foundText(twins, renamed(twins)), "-, -");
    Records joined = twins;
    joined.push_back({"join", "Sub", "", {}, {0, 1}});
    Records other{{"n0", "Relu", "", {}, {-2}}, {"n1", "Relu", "", {}, {-2}}, {"join", "Sub", "", {}, {1, 0}}};
    EXPECT_EQ(foundText(joined, other), "1 position, 0 position, 2 name") << "what reads them tells them apart";
}

TEST(FindNodes, TellsNodesOfOneScopeApartByWhatGivesAndReadsThem)
{
    const Records shuffle{{"a", "Reshape", "block", {}, {-2, -1}}, {"t", "Transpose", "block", {}, {0}},
        {"b", "Reshape", "block", {}, {1, -1}}};
    EXPECT_EQ(foundText(shuffle, renamed(shuffle)), "0 scope, 1 scope, 2 scope");
    Records more = renamed(shuffle);
    more.push_back({"n3", "Reshape", "block", {}, {-3, -1}});
    EXPECT_EQ(foundText(shuffle, more), "0 scope, 1 scope, 2 scope") << "the new one reads another input";
    more.push_back({"n4", "Reshape", "block", {}, {-2, -1}});
    EXPECT_EQ(foundText(shuffle, more), "0 scope, 1 scope, 2 scope") << "what reads it tells it apart still";
}

TEST(FindNodes, CallsThePlaceInOneScopeAScope)
{
    const Records twice{{"a", "Relu", "act", {}, {-2}}, {"b", "Relu", "act", {}, {0}}, {"c", "Relu", "act", {}, {1}}};
    EXPECT_EQ(foundText(twice, renamed(twice)), "0 scope, 1 scope, 2 scope");
}

/// x -> Split -> two Relus, of its first and second output, or of its second and first.
Records halves(bool areTurned)
{
    const std::uint32_t first = areTurned ? 1 : 0;
    return {{"split", "Split", "", {}, {-2}}, {"a", "Relu", "", {}, {0}, "", "", {first}},
        {"b", "Relu", "", {}, {0}, "", "", {1 - first}}};
}

TEST(FindNodes, GoesByTheOutputThatIsRead)
{
    const auto found = [](const Records& recorded, Records present) {
        std::string text;
        present = renamed(std::move(present));
        const std::vector<std::string> x{"x"};
        for (const auto& node : findNodes({recorded, {}, x, {}}, {present, {}, x, {}}))
            text += node ? std::to_string(node->index) + " " : "- ";
        return text;
    };
    EXPECT_EQ(found(halves(false), halves(false)), "0 1 2 ");
    EXPECT_EQ(found(halves(false), halves(true)), "0 2 1 ");
    const auto unknown = findNodes({withoutPorts(halves(false)), {}}, {renamed(halves(true)), {}});
    EXPECT_FALSE(unknown[1]) << "an older state does not know";
}

TEST(FindNodes, GoesByWeightsWhatOthersDoNotHave)
{
    const auto branches = [](const std::string& first, const std::string& second) {
        return Records{{"a", "Conv", "", {}, {-2, -1}, "", first}, {"b", "Conv", "", {}, {-2, -1}, "", second},
            {"cat", "Concat", "", {}, {0, 1}}};
    };
    EXPECT_EQ(foundText(branches("1", "2"), renamed(branches("2", "1"))), "1 storage, 0 storage, -");
    EXPECT_EQ(foundText(branches("1", "2"), branches("2", "1")), "1 storage, 0 storage, -")
        << "names that belong to others now, and a Concat of another order";
    EXPECT_EQ(foundText(branches("1", "1"), renamed(branches("1", "1"))), "-, -, -") << "alike weights tell nothing";
    EXPECT_EQ(foundText(branches("1", "2"), branches("3", "4")), "0 name, 1 name, 2 name") << "trained again";
}

TEST(FindNodes, InputsAndOutputsOfTheModelGoByTheirNames)
{
    const Records two{{"a", "Relu", "", {}, {-2}}, {"b", "Relu", "", {}, {-3}}};
    const auto found = [&](const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
        std::string text;
        const GraphRecord recorded{two, {0, 1}, std::vector<std::string>{"x", "y"}, {"u", "v"}};
        for (const auto& node : findNodes(recorded, {renamed(two), {0, 1}, inputs, outputs}))
            text += node ? std::to_string(node->index) + " " : "- ";
        return text;
    };
    EXPECT_EQ(found({"x", "y"}, {"u", "v"}), "0 1 ");
    EXPECT_EQ(found({"y", "x"}, {"v", "u"}), "1 0 ");
    EXPECT_EQ(found({"p", "q"}, {"r", "s"}), "0 1 ") << "all have other names: their order counts";
    EXPECT_EQ(found({"p", "y"}, {"u", "v"}), "0 1 ");
}

/// x -> two Convs -> Add, which reads `first` and then the other.
Records added(std::int32_t first, const std::string& form = {})
{
    return {{"a", "Conv", "", {}, {-2, -1}, form}, {"b", "Conv", "", {}, {-2, -1}, form.empty() ? form : form + "'"},
        {"sum", "Add", "", {}, {first, 1 - first}}, {"relu", "Relu", "", {}, {2}}};
}

TEST(FindNodes, DoesNotGoByPortsOfWhatCommutes)
{
    Records swapped = renamed(added(1));
    EXPECT_EQ(foundText(added(0), swapped), "-, -, -, -");
    swapped = renamed(added(1, "f"));
    EXPECT_EQ(foundText(added(0, "f"), swapped), "0 position, 1 position, 2 position, 3 position")
        << "they are of other sizes";
    std::swap(swapped[0], swapped[1]);
    swapped[2].inputs = {0, 1};
    EXPECT_EQ(foundText(added(0, "f"), swapped), "1 position, 0 position, 2 position, 3 position");
}

TEST(FindNodes, BeginsAtTheOutputsOfTheModelToo)
{
    const Records slices{{"a", "Slice", "", {}, {-2}}, {"b", "Slice", "", {}, {-2}}, {"c", "Concat", "", {}, {1, 0}}};
    const auto count = [&](const std::vector<std::int32_t>& outputs) {
        const auto found = findNodes({slices, outputs}, {renamed(slices), outputs});
        return std::ranges::count_if(found, [](const auto& node) { return node.has_value(); });
    };
    EXPECT_EQ(count({}), 0);
    EXPECT_EQ(count({2}), 3);
}

TEST(FindNodes, TakesOperatorsOfOneScopeForOneAnotherWhereExportersDo)
{
    const Records script{{"pool", "GlobalAveragePool", "pool", {}, {-2}}, {"flat", "Flatten", "", {}, {0}}};
    Records dynamo = renamed(script);
    dynamo[0].opType = "ReduceMean";
    dynamo[1].opType = "Reshape";
    EXPECT_EQ(foundText(script, dynamo), "0 scope, -") << "the second has no scope";
}

TEST(FindNodes, KnowsANodeByOneOfItsParametersAndThatItGivesAnotherValueWithoutTheOthers)
{
    const Records folded{{"conv", "Conv", "", {"conv.weight", "norm.weight"}, {-2, -1, -1}}};
    Records apart{{"n0", "Conv", "", {"conv.weight"}, {-2, -1}},
        {"n1", "BatchNormalization", "", {"norm.weight"}, {0, -1, -1, -1, -1}}};
    auto found = findNodes({folded, {}}, {apart, {}});
    ASSERT_TRUE(found[0]);
    EXPECT_EQ(found[0]->by, FoundBy::Storage);
    EXPECT_FALSE(found[0]->givesTheSame);
    apart.pop_back(); // a simplifier took the record of the norm's parameters away
    apart[0].inputs.push_back(-1);
    found = findNodes({folded, {}}, {apart, {}});
    ASSERT_TRUE(found[0]);
    EXPECT_TRUE(found[0]->givesTheSame);
}

TEST(FindNodes, ABiasOnOneSideGivesAnotherValue)
{
    const Records apart{{"conv", "Conv", "", {}, {-2, -1}}, {"add", "Add", "", {}, {0, -1}}};
    const Records joined{{"conv", "Conv", "", {}, {-2, -1, -1}}};
    const auto found = findNodes({apart, {}}, {joined, {}});
    ASSERT_TRUE(found[0]);
    EXPECT_FALSE(found[0]->givesTheSame);
}

TEST(FindNodes, KnowsAProductAndItsBiasAsOneGemmByTheBias)
{
    const Records apart{{"relu", "Relu", "", {}, {-2}}, {"matmul", "MatMul", "", {}, {0, -1}},
        {"add", "Add", "", {"fc.bias"}, {-1, 1}}, {"out", "Relu", "", {}, {2}}};
    const Records joined{{"relu", "Relu", "", {}, {-2}}, {"rows", "Reshape", "", {}, {0, -1}},
        {"gemm", "Gemm", "", {"fc.bias"}, {1, -1, -1}}, {"out", "Relu", "", {}, {2}}};
    const auto found = findNodes({apart, {}}, {joined, {}});
    EXPECT_EQ(found[1], (FoundNode{2, FoundBy::Storage, false, true}));
    EXPECT_EQ(found[2], (FoundNode{2, FoundBy::Storage, true, false}));
    Records shared = joined;
    shared.push_back({"gemm2", "Gemm", "", {"fc.bias"}, {1, -1, -1}});
    EXPECT_FALSE(findNodes({apart, {}}, {shared, {}})[1]);
}

TEST(FindNodes, TakesNoSumOfAnInputAndAConstantForABias)
{
    const Records offset{{"add", "Add", "", {"off"}, {-2, -1}}, {"fc", "Gemm", "", {"fc.bias"}, {0, -1, -1}}};
    EXPECT_EQ(foundText(offset, withOtherKeys(renamed(offset))), "0 position, 1 position");
}

TEST(FindNodes, OfOneGraphGoesByTheOrderWhateverTheNames)
{
    Records exchanged = block();
    std::swap(exchanged[0].name, exchanged[2].name);
    std::string text;
    for (const auto& found : findNodes({block(), {}}, {exchanged, {}}, true))
        text += std::to_string(found->index) + " ";
    EXPECT_EQ(text, "0 1 2 3 ");
}

TEST(FindNodes, GivesUpANameWhoseNodeReadsAnotherOneOfTheSameOperator)
{
    const Records two{{"Conv_0", "Conv", "", {"a.weight"}, {-2, -1}}, {"Relu_1", "Relu", "", {}, {0}},
        {"Conv_2", "Conv", "", {"b.weight"}, {-2, -1}}, {"Relu_3", "Relu", "", {}, {2}}};
    Records turned{{"Conv_0", "Conv", "", {"b.weight"}, {-2, -1}}, {"Relu_1", "Relu", "", {}, {0}},
        {"Conv_2", "Conv", "", {"a.weight"}, {-2, -1}}, {"Relu_3", "Relu", "", {}, {2}}};
    EXPECT_EQ(foundText(two, turned), "2 storage, 3 position, 0 storage, 1 position");
}

TEST(FindNodes, GivesUpAWholeBranchThatHasTheNamesOfAnother)
{
    const auto branches = [](const std::string& first, const std::string& second) {
        return Records{{"Conv_0", "Conv", "", {first}, {-2, -1}}, {"Relu_1", "Relu", "", {}, {0}},
            {"Mul_2", "Mul", "", {}, {1, -1}}, {"Conv_3", "Conv", "", {second}, {-2, -1}},
            {"Relu_4", "Relu", "", {}, {3}}, {"Mul_5", "Mul", "", {}, {4, -1}}};
    };
    EXPECT_EQ(foundText(branches("a", "b"), branches("b", "a")),
        "3 storage, 4 position, 5 position, 0 storage, 1 position, 2 position");
}

TEST(FindNodes, TrustsNoSurroundingsWhereProductsCameOrWent)
{
    Records more = renamed(withoutScopes(block()));
    more.push_back({"n4", "Conv", "", {"third.weight"}, {3, -1}});
    EXPECT_EQ(foundText(withoutScopes(block()), more), "0 storage, -, 2 storage, -");
}

TEST(FindNodes, AConstantThatASimplifierMultipliedIntoTheWeightsMakesAnotherValue)
{
    const Records apart{
        {"conv", "Conv", "", {"w"}, {-2, -1, -1}}, {"mul", "Mul", "", {}, {0, -1}}, {"pool", "MaxPool", "", {}, {1}}};
    const Records folded{{"conv", "Conv", "", {"w"}, {-2, -1, -1}}, {"pool", "MaxPool", "", {}, {0}}};
    EXPECT_FALSE(findNodes({apart, {}}, {folded, {}})[0]->givesTheSame);
    EXPECT_FALSE(findNodes({folded, {}}, {apart, {}})[0]->givesTheSame);
    EXPECT_TRUE(findNodes({apart, {}}, {apart, {}})[0]->givesTheSame);
}

TEST(FindNodes, LeavesOutWhatTheArchitectureLostAndNamesTheNearest)
{
    Records grown = block();
    grown[2].opType = "ConvTranspose";
    const auto found = findNodes({block(), {}}, {grown, {}});
    EXPECT_FALSE(found[2]);
    EXPECT_THAT(nearestNodes(block()[2], grown, found), ElementsAre());
    Records more = withoutScopes(renamed(block()));
    more.push_back({"second/late", "Conv", "second.late", {"second.late.weight"}, {3, -1}});
    more[2].keys = {"other.weight"};
    more[2].inputs = {-1, -1};
    const auto partly = findNodes({block(), {}}, {more, {}});
    EXPECT_THAT(nearestNodes(block()[2], more, partly), testing::Contains("second/late"));
}

TEST(FindNodes, FollowsAChainOfManyNodes)
{
    Records chain;
    for (std::int32_t i = 0; i < 50'000; ++i)
        chain.push_back({"c" + std::to_string(i), "Relu", "", {}, {i == 0 ? -2 : i - 1}});
    const auto found = findNodes({chain, {}}, {renamed(chain), {}});
    EXPECT_EQ(std::ranges::count_if(found, [](const auto& node) { return node.has_value(); }), 50'000);
}

} // namespace
} // namespace duo
