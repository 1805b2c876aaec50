// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include "core/engine/open_model.h"
#include "core/onnx/reader.h"

#include <algorithm>
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

void expectSameOutputs(const Model& before, const Model& after)
{
    const auto wanted = outputsOf(before);
    const auto got = outputsOf(after);
    ASSERT_EQ(wanted.size(), got.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(wanted[i].name, got[i].name);
        EXPECT_EQ(wanted[i].dims, got[i].dims) << wanted[i].name;
        EXPECT_EQ(wanted[i].bytes, got[i].bytes) << wanted[i].name;
    }
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

Outcome runOnce(PassFunction pass, const std::shared_ptr<const Model>& model, std::vector<bool> kept)
{
    Outcome outcome{nodeLines(*model), {}, model};
    const std::set<NodeId> none;
    const PassResult result = pass({*model, none, kept});
    for (const PassSkip& skip : result.skipped)
        outcome.skipped.push_back(model->node(skip.node).name + ": " + skip.why);
    if (!result.edits)
        return outcome;
    EXPECT_FALSE(result.applied.empty());
    const auto changed = convertedModel(model, *result.edits, {});
    if (!changed) {
        ADD_FAILURE() << changed.error().line();
        return outcome;
    }
    expectSameOutputs(*model, **changed);
    if (kept.empty()) {
        EXPECT_FALSE(pass({**changed, none}).edits) << "a second run changes something";
    }
    outcome.lines = nodeLines(**changed);
    outcome.model = *changed;
    return outcome;
}

} // namespace duo::test
