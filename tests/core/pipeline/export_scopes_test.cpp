// SPDX-License-Identifier: Apache-2.0
// An exported model opened on its own shows the scopes that the original showed with its checkpoint.
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "core/pipeline/resume.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/rules/match.h"
#include "core/transform/fused_names.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <set>

#include <gtest/gtest.h>

namespace duo {
namespace {

std::string sampleFile(const std::string& name)
{
    return std::string(DUO_SAMPLES) + "/" + name;
}

/// Quantizes a sample with data and opens the result again, without its checkpoint.
class Exported
{
public:
    Exported(const std::string& model, const std::string& checkpoint)
    {
        OpenOptions options;
        if (!checkpoint.empty())
            options.checkpoint = sampleFile(checkpoint);
        original = *openSnapshot(sampleFile(model), options);
        const auto data = *openDataset(sampleFile("digits_calibration.npz"), *original.model);
        file = m_folder / "m.int8.onnx";
        const auto compression = *calibrate(original, *data, 1, {});
        const auto report = exportModel(original, compression, nullptr, file, 1, {});
        EXPECT_TRUE(report) << report.error().line();
        again = *openScopes(file);
    }

    Snapshot original;
    Snapshot again;
    std::filesystem::path file;

private:
    test::TemporaryFolder m_folder;
};

struct SampleCase {
    const char* model;
    const char* checkpoint;
};

const SampleCase kSamples[] = {
    {"digits_conv.onnx", "digits_conv.safetensors"},
    {"digits_conv.onnx", ""},
    {"digits_conv.dynamo.onnx", "digits_conv.safetensors"},
    {"digits_transformer.onnx", "digits_transformer.safetensors"},
    {"digits_transformer.dynamo.onnx", ""},
};

TEST(ExportedScopes, AreThoseOfTheOriginalWithItsCheckpoint)
{
    for (const SampleCase& sample : kSamples) {
        const Exported exported(sample.model, sample.checkpoint);
        const Model& model = *exported.original.model;
        for (std::size_t n = 0; n < model.nodes.size(); ++n) {
            const NodeId id = exported.again.model->findNode(model.nodes[n].name);
            if (!id.valid()) // folded away
                continue;
            const NodeScope& before = exported.original.scopes->nodes[n];
            const NodeScope& after = exported.again.scopes->nodes[id.index];
            EXPECT_EQ(after.execution, before.execution) << sample.model << " " << model.nodes[n].name;
            EXPECT_EQ(after.longForm, before.longForm) << sample.model << " " << model.nodes[n].name;
            if (!fusedNames(exported.again.model->node(id)).empty()) // a norm went into it
                continue;
            EXPECT_EQ(after.storage, before.storage) << sample.model << " " << model.nodes[n].name;
            EXPECT_EQ(after.keys, before.keys) << sample.model << " " << model.nodes[n].name;
            EXPECT_EQ(after.reasons, before.reasons) << sample.model << " " << model.nodes[n].name;
            EXPECT_EQ(after.differs, before.differs) << sample.model << " " << model.nodes[n].name;
            const bool wasFact = before.executionFrom <= Provenance::Content;
            EXPECT_EQ(after.executionFrom, wasFact ? Provenance::Recorded : before.executionFrom);
        }
        EXPECT_EQ(exported.again.scopes->neverExecuted, exported.original.scopes->neverExecuted) << sample.model;
        EXPECT_EQ(exported.again.scopes->keys, exported.original.scopes->keys) << sample.model;
    }
}

/// Scopes of norms that went into convolutions while the file was written, in either tree.
std::set<std::string> foldedScopes(const Exported& exported)
{
    std::set<std::string> folded;
    for (const Node& node : exported.again.model->nodes) {
        for (const std::string_view name : fusedNames(node)) {
            const NodeScope& scope = exported.original.scopes->nodes[exported.original.model->findNode(name).index];
            folded.insert(scope.execution);
            folded.insert(scope.storage.begin(), scope.storage.end());
        }
    }
    return folded;
}

/// But that nothing runs any more in what was folded.
TEST(ExportedScopes, TreesAreTheSame)
{
    for (const SampleCase& sample : kSamples) {
        const Exported exported(sample.model, sample.checkpoint);
        const std::set<std::string> folded = foldedScopes(exported);
        const auto linesOf = [&](const ScopeTree& tree) {
            std::vector<std::string> lines;
            for (const Scope& scope : tree.scopes) {
                if (!folded.contains(scope.path))
                    lines.push_back(scope.path + " " + scope.className + " x" + std::to_string(scope.calls));
            }
            return lines;
        };
        for (auto tree : {&Scopes::execution, &Scopes::storage}) {
            const auto before = linesOf((*exported.original.scopes).*tree);
            const auto after = linesOf((*exported.again.scopes).*tree);
            EXPECT_EQ(after, before) << sample.model;
        }
    }
}

/// Without transforms a BatchNormalization becomes a part of its convolution while the file is written.
test::QuantizedCase convolutionWithNorm()
{
    test::ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 4, 6, 6});
    model.weight("a.conv.weight", {4, 3, 3, 3}, test::normal(std::size_t{4} * 27, 1));
    model.weight("a.norm.weight", {4}, {1, 2, 3, 4}).weight("a.norm.bias", {4}, {4, 3, 2, 1});
    model.weight("a.norm.running_mean", {4}, {.1F, .2F, .3F, .4F}).weight("a.norm.running_var", {4}, {5, 6, 7, 8});
    model.node("Conv", "/a/conv/Conv", {"x", "a.conv.weight"}, {"h"});
    model.node("BatchNormalization", "/a/norm/BatchNormalization",
        {"h", "a.norm.weight", "a.norm.bias", "a.norm.running_mean", "a.norm.running_var"}, {"y"});
    return {model, {1, 3, 8, 8}, test::normalSamples(4, std::size_t{3} * 64, 5)};
}

TEST(ExportedScopes, OfAConvolutionTellOfTheNormThatWentIntoItWhileItWasWritten)
{
    test::QuantizedCase made = convolutionWithNorm();
    made.quantize("", "[]", R"("transforms": false)");
    const auto again = openScopes(made.exported());
    ASSERT_TRUE(again) << again.error().line();
    ASSERT_FALSE(again->model->findNode("/a/norm/BatchNormalization").valid());
    const NodeScope& conv = again->scopes->nodes[again->model->findNode("/a/conv/Conv").index];
    EXPECT_EQ(conv.execution, "a/conv");
    EXPECT_EQ(conv.storage, (std::vector<std::string>{"a.conv", "a.norm"}));
    EXPECT_EQ(conv.reasons, std::vector<Reason>{Reason::FoldedProducers});
    EXPECT_FALSE(again->scopes->execution.find("a/norm").valid()) << "nothing runs there";
    EXPECT_TRUE(again->scopes->storage.find("a.norm").valid());
    RuleSet rules;
    for (const auto& [kind, value] : {std::pair(RuleKind::Name, "/a/norm/BatchNormalization"),
             std::pair(RuleKind::ExecutionScope, "a/norm"), std::pair(RuleKind::StorageScope, "a.norm")}) {
        Rule& rule = rules.rules.emplace_back();
        rule.kind = kind;
        rule.value = value;
    }
    for (const RuleHit& hit : matchRules(*again->model, *again->scopes, rules).hits)
        EXPECT_EQ(hit.nodes, std::vector<NodeId>{again->model->findNode("/a/conv/Conv")}) << hit.rule.value;
}

TEST(ExportedScopes, StayAsTheyWereInAFileThatIsToBeNncfs)
{
    test::QuantizedCase made = convolutionWithNorm();
    made.quantize(R"("nncf_compatible": true)");
    const auto written = made.written();
    const NodeId conv = written->findNode("/a/conv/Conv");
    ASSERT_TRUE(conv.valid());
    EXPECT_TRUE(fusedNames(written->node(conv)).empty());
}

TEST(ExportedScopes, QuantizedWeightsKeepTheirOwners)
{
    const Exported exported("digits_conv.onnx", "digits_conv.safetensors");
    const Model& model = *exported.again.model;
    int found = 0;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const Node& node = model.nodes[n];
        if (node.opType != "DequantizeLinear" || !model.value(node.inputs[0]).initializer.valid())
            continue;
        const NodeScope& scope = exported.again.scopes->nodes[n];
        EXPECT_FALSE(scope.storage.empty()) << node.name << " of " << model.value(node.inputs[0]).name;
        found += static_cast<int>(scope.storage.size());
    }
    EXPECT_GT(found, 10);
}

TEST(ExportedScopes, TakeLittleRoom)
{
    for (const SampleCase& sample : kSamples) {
        const Exported exported(sample.model, sample.checkpoint);
        std::size_t grown = 0;
        for (const auto& [key, value] : exported.again.model->metadata)
            grown += key == "duoscope.scopes" ? key.size() + value.size() : 0;
        for (std::size_t n = 0; n < exported.again.model->nodes.size(); ++n) {
            const Node& node = exported.again.model->nodes[n];
            const NodeId before = exported.original.model->findNode(node.name);
            if (!before.valid() || !exported.original.model->node(before).metadata.empty())
                continue;
            for (const auto& [key, value] : node.metadata)
                grown += key.size() + value.size() + 6;
        }
        const auto size = static_cast<std::size_t>(std::filesystem::file_size(exported.file));
        EXPECT_LE(grown * 100, 15 * (size - grown)) << sample.model << ": " << grown << " of " << size;
    }
}

TEST(ExportedScopes, ResumingWithoutTheCheckpointGivesTheSameBytes)
{
    const Exported exported("digits_conv.onnx", "digits_conv.safetensors");
    const auto opened = *openSnapshot(sampleFile("digits_conv.onnx"));
    const auto resumed = resumeFrom(opened, statePathFor(exported.file), true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    const auto again = exported.file.parent_path() / "again.onnx";
    ASSERT_TRUE(exportModel(resumed->snapshot, resumed->compression, nullptr, again, 1, {}));
    EXPECT_TRUE(test::bytesOf(again) == test::bytesOf(exported.file));
}

} // namespace
} // namespace duo
