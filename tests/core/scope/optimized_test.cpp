// SPDX-License-Identifier: Apache-2.0
// Networks after simplifiers and optimizers: a node that still carries a name of the exported file is told as it was
// told there, where every fact was compared with PyTorch (tests/peers/scopes/five_forms.md), or as a guess.
#include "core/onnx/reader.h"
#include "tests/core/scope/found_scopes.h"
#include "tests/support/seeded_fill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

namespace duo::test {
namespace {

FoundScopes optimized(const std::string& name)
{
    onnx::ModelProto proto;
    std::ifstream in(std::string(DUO_TEST_DATA) + "/optimized/" + name + ".structure.onnx", std::ios::binary);
    if (!proto.ParseFromIstream(&in) || !fillModel(proto))
        std::abort();
    const auto owner = std::make_shared<const std::string>(proto.SerializeAsString());
    auto model = readModelBytes({owner, std::as_bytes(std::span(owner->data(), owner->size()))}, name);
    if (!model)
        std::abort();
    return FoundScopes(*model);
}

/// The exported node that a name was made of: `/a/act/Mul/QuickGeluFusion/`, `/a/MatMul_output_0_pre_reshape`.
const std::string* sourceOf(const std::string& name, const std::map<std::string, NodeScope>& exported)
{
    auto found = exported.upper_bound(name);
    while (found != exported.begin()) {
        const std::string& candidate = (--found)->first;
        if (name == candidate || name.starts_with(candidate + "/") || name.starts_with(candidate + "_output_0"))
            return &candidate;
        if (candidate.compare(0, 2, name, 0, 2) != 0)
            return nullptr;
    }
    return nullptr;
}

std::map<std::string, NodeScope> byName(const FoundScopes& found)
{
    std::map<std::string, NodeScope> nodes;
    for (std::size_t i = 0; i < found.model->nodes.size(); ++i) {
        if (found.model->nodes[i].opType != "Constant")
            nodes.emplace(found.model->nodes[i].name, found.scopes.nodes[i]);
    }
    return nodes;
}

class KeptNames : public testing::TestWithParam<std::string>
{
};

TEST_P(KeptNames, NodesThatKeptTheirNamesAreToldAsExported)
{
    const std::string network = GetParam().substr(0, GetParam().rfind('.'));
    const auto exported = byName(optimized(network));
    int compared = 0;
    for (const auto& [name, scope] : byName(optimized(GetParam()))) {
        const std::string* source = sourceOf(name, exported);
        if (source == nullptr || scope.executionFrom == Provenance::Guess)
            continue;
        ++compared;
        EXPECT_EQ(scope.execution, exported.at(*source).execution) << name;
        if (name == *source && scope.storageFrom != Provenance::Guess) {
            EXPECT_THAT(exported.at(name).storage, testing::IsSupersetOf(scope.storage)) << name;
            EXPECT_EQ(scope.differs, exported.at(name).differs) << name;
        }
    }
    EXPECT_GT(compared, 10);
}

INSTANTIATE_TEST_SUITE_P(Detector, KeptNames,
    testing::Values("detector.script.onnxsim", "detector.script.onnxslim", "detector.script.ort_basic",
        "detector.script.ort_extended", "detector.script.ort_all"));
INSTANTIATE_TEST_SUITE_P(Siamese, KeptNames, testing::Values("siamese.script.ort_basic", "siamese.script.ort_all"));

TEST(Optimized, HeadOverThreeLevelsRunsOnceHoweverItsNodesAreSorted)
{
    const auto found = optimized("detector.script.onnxslim");
    for (const Scope& scope : found.scopes.storage.scopes) // 0: a list of modules, which is not called itself
        EXPECT_LE(scope.calls, 1) << scope.path;
    for (const NodeScope& node : found.scopes.nodes)
        EXPECT_THAT(node.reasons, testing::Not(testing::Contains(Reason::SharedModule))) << node.execution;
}

TEST(Optimized, PoolingThreeTimesInARowKeepsItsNumbers)
{
    for (const char* form : {"detector.script", "detector.script.onnxslim", "detector.script.ort_basic"}) {
        const auto found = optimized(form);
        EXPECT_EQ(found.at("/layers.5/pool/MaxPool").execution, "layers.5/pool") << form;
        EXPECT_EQ(found.at("/layers.5/pool_1/MaxPool").execution, "layers.5/pool#1") << form;
        EXPECT_EQ(found.at("/layers.5/pool_2/MaxPool").execution, "layers.5/pool#2") << form;
    }
}

TEST(Optimized, StepsOfACellAreNumberedAlongTheDataflow)
{
    const auto found = optimized("cell_loop.script.ort_basic");
    EXPECT_EQ(found.at("/first/Gemm_1").execution, "first");
    EXPECT_EQ(found.at("/first_1/Gemm_1").execution, "first#1");
    EXPECT_EQ(found.at("/first_3/Gemm_1").execution, "first#3");
    EXPECT_EQ(found.at("/head_3/Gemm").execution, "head#3");
    EXPECT_EQ(found.scopes.storage.scope(found.scopes.storage.find("first")).calls, 4);
}

TEST(Optimized, WhatNothingTellsIsAGuess)
{
    const auto found = optimized("detector.dynamo.onnxslim");
    for (const char* activation : {"node_silu", "node_Sigmoid_14", "node_max_pool2d_1"})
        EXPECT_EQ(found.node(activation).executionFrom, Provenance::Guess) << activation;
}

TEST(Optimized, ATowerWhoseWeightsLostTheirNamesIsSharedAllTheSame)
{
    const auto found = optimized("siamese.script.ort_all");
    EXPECT_TRUE(found.at("/tower/Add").differs);
    EXPECT_TRUE(found.at("/tower/Add_1").differs);
}

TEST(Optimized, NamesOfFusedParametersKeepWhatTheyWereMadeOf)
{
    const auto found = optimized("siamese.dynamo.ort_basic");
    EXPECT_THAT(found.node("node_conv2d").storage, testing::ElementsAre("tower.stem.0", "tower.stem.1"));
}

TEST(Optimized, BareNamesAreNoFactWhereNothingNamesScopes)
{
    const auto found = optimized("detector.dynamo.onnxslim");
    for (std::size_t i = 0; i < found.model->nodes.size(); ++i) {
        const NodeScope& scope = found.scopes.nodes[i];
        if (testing::Value(scope.storage, testing::Contains(""))) {
            EXPECT_EQ(scope.storageFrom, Provenance::Guess) << found.model->nodes[i].name;
        }
    }
}

TEST(Optimized, ShapesThatASimplifierMergedAreNobodysParameters)
{
    for (const char* form : {"detector.script.onnxsim", "vit.script.onnxsim", "vit.script.ort_extended"}) {
        const auto found = optimized(form);
        for (std::size_t i = 0; i < found.model->nodes.size(); ++i) {
            if (found.model->nodes[i].opType == "Reshape" || found.model->nodes[i].opType == "Split") {
                EXPECT_THAT(found.scopes.nodes[i].storage, testing::IsEmpty()) << found.model->nodes[i].name;
            }
        }
    }
}

} // namespace
} // namespace duo::test
