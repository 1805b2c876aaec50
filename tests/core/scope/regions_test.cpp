// SPDX-License-Identifier: Apache-2.0
// Calls in the branches of an If, and the branches themselves (resources/docs/scopes.md, "Bodies").
#include "core/rules/scope_rule.h"
#include "tests/core/scope/found_scopes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// An If with one node per branch, each recorded to run in the module path `inside`; the If itself runs in `outside`.
class BranchModel
{
public:
    BranchModel(const std::string& outside, const std::string& inside)
    {
        m_draft.regions.resize(3);
        const ValueId input = value("x", 0);
        m_draft.values[input.index].isInput = true;
        m_draft.regions[0].inputs = {input};
        const ValueId output = value("y", 0);
        m_draft.values[output.index].isOutput = true;
        m_draft.regions[0].outputs = {output};
        addNode("If", "choose", outside, 0, {input}, {output});
        for (const std::size_t region : {1U, 2U}) {
            const ValueId inner = value("b" + std::to_string(region), region);
            addNode("Relu", region == 1 ? "then" : "else", inside, region, {input}, {inner});
            m_draft.regions[region].owner = NodeId(0);
            m_draft.regions[region].attribute = region == 1 ? "then_branch" : "else_branch";
            m_draft.regions[region].outputs = {inner};
        }
    }

    /// What the If reads is made in one module, and what it gives is read in another.
    BranchModel& between(const std::string& maker, const std::string& reader)
    {
        const ValueId made = value("made", 0);
        addNode("Gemm", "maker", maker, 0, {ValueId(0)}, {made});
        m_draft.nodes[0].inputs = {made};
        addNode("Gemm", "reader", reader, 0, {ValueId(1)}, {value("read", 0)});
        return *this;
    }

    /// The first branch reads a parameter.
    BranchModel& reading(const std::string& key)
    {
        Tensor tensor;
        tensor.name = key;
        tensor.type = ElementType::Float32;
        tensor.dims = {2, 2};
        tensor.data = SharedBytes::own(std::vector<std::byte>(16));
        const ValueId weight = value(key, 0);
        m_draft.values[weight.index].initializer = TensorId(m_draft.tensors.size());
        m_draft.initializers.emplace_back(m_draft.tensors.size());
        m_draft.tensors.push_back(std::move(tensor));
        m_draft.nodes[1].opType = "MatMul";
        m_draft.nodes[1].inputs.push_back(weight);
        return *this;
    }

    BranchModel& unnamed()
    {
        m_draft.nodes[0].localName.clear();
        return *this;
    }

    FoundScopes found()
    {
        auto sealed = sealModel(m_draft);
        EXPECT_TRUE(sealed);
        return FoundScopes(*sealed);
    }

private:
    ValueId value(const std::string& name, std::size_t region)
    {
        Value made;
        made.name = name;
        made.region = RegionId(region);
        m_draft.values.push_back(made);
        return ValueId(m_draft.values.size() - 1);
    }

    void addNode(const std::string& type, const std::string& name, const std::string& scope, std::size_t region,
        std::vector<ValueId> inputs, std::vector<ValueId> outputs)
    {
        Node node;
        node.opType = type;
        node.localName = name;
        node.region = RegionId(region);
        node.inputs = std::move(inputs);
        node.outputs = std::move(outputs);
        if (!scope.empty())
            node.metadata = {{"pkg.torch.onnx.name_scopes", "['', " + scope + ", 'op']"}};
        m_draft.regions[region].nodes.emplace_back(m_draft.nodes.size());
        m_draft.nodes.push_back(std::move(node));
    }

    Model m_draft;
};

TEST(Regions, AModuleInBothBranchesIsCalledInEach)
{
    const auto found = BranchModel("'net'", "'net', 'net.act'").found();
    EXPECT_EQ(found.node("choose::then_branch::then").execution, "net/choose [then]/act");
    EXPECT_EQ(found.node("choose::else_branch::else").execution, "net/choose [else]/act#1");
}

TEST(Regions, BranchesOfAnIfAreRowsOfTheModuleThatHoldsIt)
{
    const auto found = BranchModel("'net'", "'net'").found();
    EXPECT_EQ(found.node("choose").execution, "net");
    EXPECT_EQ(found.node("choose::then_branch::then").execution, "net/choose [then]");
    EXPECT_EQ(found.node("choose::else_branch::else").execution, "net/choose [else]");
    EXPECT_THAT(
        found.paths(found.scopes.execution), testing::ElementsAre("net", "net/choose [then]", "net/choose [else]"));
    const Scope& then = found.scopes.execution.scope(found.scopes.execution.find("net/choose [then]"));
    EXPECT_TRUE(then.isBody);
    EXPECT_FALSE(then.neverRuns);
    EXPECT_EQ(then.module, "net");
}

TEST(Regions, ABodyIsNoPartOfThePlainPath)
{
    const auto found = BranchModel("'net'", "'net'").reading("net.weight").found();
    EXPECT_EQ(found.at("choose::then_branch::then"), (Expected{"net/choose [then]", {"net"}, {}, false}));
}

TEST(Regions, AnOwnerWithoutANameIsCalledByItsTypeAndNumber)
{
    const auto found = BranchModel("'net'", "'net'").unnamed().found();
    EXPECT_EQ(found.node("If:y::then_branch::then").execution, "net/If_0 [then]");
}

TEST(Regions, ARuleMayNameABodyOrLeaveItOut)
{
    const auto found = BranchModel("'net'", "'net', 'net.act'").found();
    const auto caught = [&](const char* rule) {
        std::vector<std::string> paths;
        const auto scopes = scopesCaught(found.scopes.execution, rule);
        for (std::size_t i = 0; i < scopes.size(); ++i) {
            if (scopes[i])
                paths.push_back(found.scopes.execution.scopes[i].path);
        }
        return paths;
    };
    EXPECT_THAT(caught("net/act"), testing::ElementsAre("net/choose [then]/act", "net/choose [else]/act#1"));
    EXPECT_THAT(caught("net/act#1"), testing::ElementsAre("net/choose [else]/act#1"));
    EXPECT_THAT(caught("net/choose [then]"), testing::ElementsAre("net/choose [then]", "net/choose [then]/act"));
    EXPECT_THAT(caught("net/choose [else]/act"), testing::ElementsAre("net/choose [else]/act#1"));
}

TEST(Regions, NodesWithoutScopeRunWhereTheirOwnerRuns)
{
    const auto found = BranchModel("'net'", "").found();
    EXPECT_EQ(found.at("choose::then_branch::then"), (Expected{"net/choose [then]", {}, {"exporter-made"}, false}));
    EXPECT_EQ(found.provenance("choose::else_branch::else"), "guess/recorded");
}

TEST(Regions, ABranchWithoutScopeRunsInWhatIsAroundItRatherThanInWhatReadsIt)
{
    const auto found = BranchModel("", "").between("'net', 'net.a'", "'net', 'net.b'").found();
    EXPECT_EQ(found.node("choose").execution, "net");
    EXPECT_EQ(found.node("choose::then_branch::then").execution, "net/choose [then]");
    EXPECT_EQ(found.provenance("choose"), "guess/recorded");
}

} // namespace
} // namespace duo::test
