// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/payloads.h"

#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

std::string joined(const Skeleton& skeleton)
{
    onnx::ModelProto parsed;
    EXPECT_TRUE(parsed.ParseFromString(skeleton.proto));
    const std::string proto = parsed.SerializeAsString();
    const auto model = JoinedModel::of(proto, skeleton.payloads);
    EXPECT_TRUE(model);
    std::string out;
    EXPECT_TRUE(model->write([&](std::span<const std::byte> bytes) {
        out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return true;
    }));
    EXPECT_EQ(out.size(), model->size());
    return out;
}

TEST(Payloads, AreViewsIntoTheFile)
{
    test::ProtoBuilder file;
    file.weight("w", {1000});
    const SharedBytes bytes = file.bytes();
    const auto split = splitPayloads(bytes);
    const auto& skeleton = std::get<Skeleton>(split);
    ASSERT_EQ(skeleton.payloads.size(), 1U);
    EXPECT_EQ(skeleton.payloads[0].bytes.size(), 4000U);
    EXPECT_GE(skeleton.payloads[0].bytes.data(), bytes.bytes.data());
    EXPECT_LT(skeleton.payloads[0].bytes.data(), bytes.bytes.data() + bytes.bytes.size());
    EXPECT_LT(skeleton.proto.size(), 100U);
}

TEST(Payloads, ComeBackWhereverATensorMayStand)
{
    test::ProtoBuilder file;
    file.weight("initializer", {3});
    file.tensor("floats", {2}).mutable_float_data()->Add(1.5F);
    file.tensor("doubles", {1}, onnx::TensorProto::DOUBLE).add_double_data(2.5);
    file.tensor("ints", {1}, onnx::TensorProto::INT32).add_int32_data(7);
    file.tensor("empty", {0}).set_raw_data("");
    auto& node = file.node("If", "if", {}, {});
    test::addBody(node, "then_branch").weight("in a body", {5});
    auto& sparse = *node.add_attribute()->mutable_sparse_tensor();
    sparse.mutable_values()->set_raw_data("values");
    sparse.mutable_indices()->set_raw_data("indices");
    node.add_attribute()->add_tensors()->set_raw_data("in a list");
    file.proto().add_sparse_initializer()->mutable_values()->set_raw_data("sparse");
    auto& function = file.function("F", {}, {});
    test::addNode(function, "Constant", "", {}, {"c"}).add_attribute()->mutable_t()->set_raw_data("in a function");
    function.add_attribute_proto()->mutable_t()->set_raw_data("a default");
    file.model().add_training_info()->mutable_algorithm()->add_initializer()->set_raw_data("training");
    const auto split = splitPayloads(file.bytes());
    EXPECT_EQ(std::get<Skeleton>(split).payloads.size(), 12U);
    EXPECT_EQ(joined(std::get<Skeleton>(split)), file.text());
}

TEST(Payloads, WrittenInPiecesAreGathered)
{
    // float_data twice packed and once unpacked; raw_data twice, of which the last counts.
    const std::string tensor = std::string("\x22\x04\x01\x02\x03\x04\x25\x05\x06\x07\x08\x22\x04\x09\x0A\x0B\x0C", 17)
        + "\x4A\x01x\x4A\x02yz";
    const std::string graph = std::string("\x2A") + static_cast<char>(tensor.size()) + tensor;
    const std::string file = std::string("\x3A") + static_cast<char>(graph.size()) + graph;
    const auto split = splitPayloads({nullptr, std::as_bytes(std::span(file.data(), file.size()))});
    const auto& payloads = std::get<Skeleton>(split).payloads;
    ASSERT_EQ(payloads.size(), 2U);
    EXPECT_EQ(payloads[0].bytes.size(), 2U);
    EXPECT_EQ(payloads[1].bytes.size(), 12U);
    EXPECT_EQ(payloads[1].bytes[11], std::byte{0x0C});
}

TEST(Payloads, SeeAFileThatEndsEarly)
{
    test::ProtoBuilder file;
    file.weight("w", {1000});
    const std::string text = file.text().substr(0, 2000);
    const auto split = splitPayloads({nullptr, std::as_bytes(std::span(text.data(), text.size()))});
    EXPECT_EQ(std::get<SplitFault>(split), SplitFault::CutOff);
}

TEST(Payloads, RefuseATokenThatNamesNothing)
{
    onnx::ModelProto model;
    model.mutable_graph()->add_initializer()->set_raw_data(payloadToken(3));
    const std::string proto = model.SerializeAsString();
    EXPECT_FALSE(JoinedModel::of(proto, {}));
}

} // namespace
} // namespace duo
