// SPDX-License-Identifier: Apache-2.0
// What a file is known to say must not change with the order of its nodes, the names of its values, or the place of its
// constants.
#include "core/onnx/reader.h"
#include "core/scope/scope.h"
#include "tests/support/proto_rewrites.h"
#include "tests/support/seeded_fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace duo::test {
namespace {

constexpr int orders = 20;
constexpr std::uintmax_t largeFile = 100'000; // from here on fewer orders: hashing weights is what takes time

enum class Constants { Stay, Move };
using Facts = std::map<std::string, std::string>; // "node /a/Conv execution" -> "a"

std::string joined(std::vector<std::string> items, Constants constants)
{
    if (constants == Constants::Move)
        std::sort(items.begin(), items.end()); // their order is that of the definitions in the file
    std::string text;
    for (const std::string& item : items)
        text += item + ", ";
    return text;
}

void addTree(Facts& facts, const std::string& kind, const ScopeTree& tree, Constants constants)
{
    for (const Scope& scope : tree.scopes) {
        const std::string row = kind + " row '" + scope.path + "'";
        facts[row] = scope.name + " " + scope.className + ": calls " + std::to_string(scope.calls) + ", nodes "
            + std::to_string(scope.totalNodes) + ", parameters " + std::to_string(scope.totalParameters) + ", bytes "
            + std::to_string(scope.totalBytes) + ", keys " + joined(scope.keys, constants);
        std::vector<std::string> children;
        for (const ScopeId child : scope.children)
            children.push_back(tree.scope(child).path);
        facts[row + " children"] = joined(children, constants);
    }
}

Facts factsOf(const Model& model, Constants constants)
{
    const Scopes scopes = findScopes(model);
    Facts facts;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        if (constants == Constants::Move && model.nodes[i].opType == "Constant")
            continue;
        const NodeScope& scope = scopes.nodes[i];
        const std::string node = "node '" + model.nodes[i].name + "' ";
        facts[node + "execution"]
            = scope.execution + " = " + scope.longForm + " by " + std::string(provenanceText(scope.executionFrom));
        facts[node + "storage"]
            = joined(scope.storage, constants) + "by " + std::string(provenanceText(scope.storageFrom));
        facts[node + "keys"] = joined(scope.keys, constants);
        std::vector<std::string> reasons;
        for (const Reason reason : scope.reasons)
            reasons.emplace_back(reasonText(reason));
        facts[node + "difference"] = (scope.differs ? "differs: " : "same: ") + joined(reasons, constants);
    }
    addTree(facts, "execution", scopes.execution, constants);
    addTree(facts, "storage", scopes.storage, constants);
    facts["never executed"] = joined(scopes.neverExecuted, constants);
    facts["keys"] = std::to_string(scopes.keys);
    for (const auto& [kind, count] : scopes.matchedBy)
        facts["matched by " + kind] = std::to_string(count);
    return facts;
}

Facts factsOf(const onnx::ModelProto& proto, Constants constants)
{
    const auto owner = std::make_shared<const std::string>(proto.SerializeAsString());
    const auto model = readModelBytes({owner, std::as_bytes(std::span(owner->data(), owner->size()))}, "model");
    EXPECT_TRUE(model) << model.error().line();
    return model ? factsOf(**model, constants) : Facts{};
}

/// The first few that are not the same.
std::string differences(const Facts& was, const Facts& is)
{
    std::string text;
    int count = 0;
    Facts both = was;
    both.insert(is.begin(), is.end());
    for (const auto& [what, _] : both) {
        const auto left = was.find(what);
        const auto right = is.find(what);
        if (left != was.end() && right != is.end() && left->second == right->second)
            continue;
        if (++count <= 5)
            text += what + ": " + (left == was.end() ? "absent" : left->second) + " -> "
                + (right == is.end() ? "absent" : right->second) + "\n";
    }
    return count == 0 ? "" : std::to_string(count) + " facts changed:\n" + text;
}

std::vector<std::string> storedFiles()
{
    std::vector<std::string> files;
    const std::string data = DUO_TEST_DATA;
    for (const std::string& folder : {data + "/cases", data + "/dynamo", data + "/exports", data + "/optimized",
             data + "/producers", data + "/shipped", data + "/models", std::string(DUO_SAMPLES)}) {
        if (!std::filesystem::exists(folder))
            continue;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            // two networks of many megabytes show nothing that mobilenet_v2 does not
            const std::string name = entry.path().filename().string();
            if (name.ends_with(".onnx") && !name.starts_with("resnet18"))
                files.push_back(entry.path().string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

class Metamorphic : public testing::TestWithParam<std::string>
{
protected:
    void SetUp() override
    {
        std::ifstream in(GetParam(), std::ios::binary);
        ASSERT_TRUE(m_proto.ParseFromIstream(&in));
        ASSERT_TRUE(fillModel(m_proto));
        nameNodes(m_proto);
        m_times = m_proto.ByteSizeLong() < largeFile ? orders : 3;
    }

    onnx::ModelProto m_proto;
    std::mt19937 m_random{7};
    int m_times = orders;
};

TEST_P(Metamorphic, OrderOfNodesMeansNothing)
{
    const Facts facts = factsOf(m_proto, Constants::Stay);
    for (int i = 0; i < m_times; ++i) {
        reorderNodes(m_proto, m_random);
        ASSERT_EQ(differences(facts, factsOf(m_proto, Constants::Stay)), "") << "order " << i;
    }
}

TEST_P(Metamorphic, NamesOfValuesMeanNothing)
{
    const Facts facts = factsOf(m_proto, Constants::Stay);
    renameValues(m_proto, m_random);
    EXPECT_EQ(differences(facts, factsOf(m_proto, Constants::Stay)), "");
}

TEST_P(Metamorphic, ConstantNodesSayWhatInitializersSay)
{
    const Facts facts = factsOf(m_proto, Constants::Move);
    onnx::ModelProto other = m_proto;
    initializersToConstants(other, m_random);
    EXPECT_EQ(differences(facts, factsOf(other, Constants::Move)), "") << "initializers to Constant nodes";
    constantsToInitializers(m_proto);
    EXPECT_EQ(differences(facts, factsOf(m_proto, Constants::Move)), "") << "Constant nodes to initializers";
}

std::string testName(const testing::TestParamInfo<std::string>& info)
{
    const std::filesystem::path path = info.param;
    std::string name = path.parent_path().filename().string() + "_" + path.stem().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Stored, Metamorphic, testing::ValuesIn(storedFiles()), testName);

} // namespace
} // namespace duo::test
