// SPDX-License-Identifier: Apache-2.0
// An exported model opened on its own shows the scopes that the original showed with its checkpoint.
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "core/pipeline/resume.h"
#include "core/pipeline/snapshot/compression.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

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

TEST(ExportedScopes, TreesAreTheSame)
{
    for (const SampleCase& sample : kSamples) {
        const Exported exported(sample.model, sample.checkpoint);
        for (auto tree : {&Scopes::execution, &Scopes::storage}) {
            std::vector<std::string> before;
            std::vector<std::string> after;
            for (const Scope& scope : ((*exported.original.scopes).*tree).scopes)
                before.push_back(scope.path + " " + scope.className + " x" + std::to_string(scope.calls));
            for (const Scope& scope : ((*exported.again.scopes).*tree).scopes)
                after.push_back(scope.path + " " + scope.className + " x" + std::to_string(scope.calls));
            EXPECT_EQ(after, before) << sample.model;
        }
    }
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
