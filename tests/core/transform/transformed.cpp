// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include "core/engine/compute_constants.h"
#include "core/engine/find_value_types.h"
#include "core/engine/open_model.h"
#include "core/onnx/reader.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

std::vector<HostTensor> outputsOf(const Model& model)
{
    HostTensor feed{"x", ElementType::Float32, {2, 3}, {}};
    std::mt19937 engine(1); // the same values in every run
    std::vector<float> values(6);
    std::ranges::generate(values, [&] { return static_cast<float>(engine() % 2001) / 500.0F - 2.0F; });
    feed.bytes.resize(values.size() * sizeof(float));
    std::memcpy(feed.bytes.data(), values.data(), feed.bytes.size());
    const auto session = openModel(model);
    if (!session) {
        ADD_FAILURE() << session.error().line();
        return {};
    }
    auto outputs = session->run(std::span(&feed, 1), {});
    EXPECT_TRUE(outputs) << outputs.error().line();
    return outputs ? *std::move(outputs) : std::vector<HostTensor>();
}

bool keepsBits(PassFunction pass)
{
    const auto isIt = [&](const Pass& each) { return each.run == pass; };
    const auto found = std::ranges::find_if(passes(), isIt);
    return found == passes().end() || (found->keeps & keeps::kBits) != 0;
}

void expectSameOutputs(const Model& before, const Model& after, bool isExact)
{
    const auto wanted = outputsOf(before);
    const auto got = outputsOf(after);
    ASSERT_EQ(wanted.size(), got.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(wanted[i].name, got[i].name);
        EXPECT_EQ(wanted[i].dims, got[i].dims) << wanted[i].name;
        if (isExact) {
            EXPECT_EQ(wanted[i].bytes, got[i].bytes) << wanted[i].name;
            continue;
        }
        ASSERT_EQ(wanted[i].floats().size(), got[i].floats().size());
        for (std::size_t k = 0; k < wanted[i].floats().size(); ++k)
            EXPECT_NEAR(wanted[i].floats()[k], got[i].floats()[k], 1e-5 * (1 + std::abs(wanted[i].floats()[k])));
    }
}

/// The pass with all that passes may ask for.
PassResult resultOf(
    PassFunction pass, const Model& model, const std::vector<bool>& kept, bool areSizesFixed, std::int64_t opset)
{
    static const std::set<NodeId> kNone;
    PassScene scene{model, kNone, kept};
    scene.opset = opset;
    scene.leastOpset = opset;
    const auto sizes = findValueTypes(model);
    EXPECT_TRUE(sizes) << sizes.error().line();
    if (areSizesFixed && sizes)
        scene.sizes = &*sizes;
    const auto constants = computeConstants(model, constantPart(scene));
    EXPECT_TRUE(constants) << constants.error().line();
    if (constants)
        scene.constants = &*constants;
    return pass(scene);
}

} // namespace

PassFile& PassFile::op(const std::string& opType, const std::string& name, const std::vector<std::string>& inputs,
    const std::vector<std::string>& outputs, const std::vector<Attribute>& attributes)
{
    addAttributes(node(opType, name, inputs, outputs), attributes);
    return *this;
}

PassFile& PassFile::ints(const std::string& name, const Ints& values)
{
    onnx::TensorProto& proto = tensor(name, {static_cast<std::int64_t>(values.size())}, onnx::TensorProto::INT64);
    proto.mutable_int64_data()->Add(values.begin(), values.end());
    return *this;
}

PassFile& PassFile::result(const std::string& name)
{
    proto().add_output()->set_name(name);
    return *this;
}

std::shared_ptr<const Model> PassFile::read() const
{
    auto model = readModelBytes(bytes(), "pass.onnx");
    EXPECT_TRUE(model) << model.error().line();
    return model ? *model : nullptr;
}

Outcome runOnce(PassFunction pass, const std::shared_ptr<const Model>& model, std::vector<bool> kept,
    bool areSizesFixed, std::int64_t opset)
{
    Outcome outcome{nodeLines(*model), {}, model};
    PassResult result = resultOf(pass, *model, kept, areSizesFixed, opset);
    for (const PassSkip& skip : result.skipped)
        outcome.skipped.push_back(model->node(skip.node).name + ": " + skip.why);
    if (!result.edits)
        return outcome;
    EXPECT_FALSE(result.applied.empty());
    addFusedInPlace(*result.edits, *model, result.fused);
    const auto changed = convertedModel(model, *result.edits, {});
    if (!changed) {
        ADD_FAILURE() << changed.error().line();
        return outcome;
    }
    expectSameOutputs(*model, **changed, keepsBits(pass));
    if (kept.empty()) {
        EXPECT_FALSE(resultOf(pass, **changed, {}, areSizesFixed, opset).edits) << "a second run changes something";
    }
    outcome.lines = nodeLines(**changed);
    outcome.model = *changed;
    return outcome;
}

} // namespace duo::test
