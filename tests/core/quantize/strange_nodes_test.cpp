// SPDX-License-Identifier: Apache-2.0
// Nodes that no exporter writes, and that no profile may fall over.
#include "core/onnx/reader.h"
#include "tests/core/quantize/placed.h"
#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace duo {
namespace {

/// A line per quantizer that a profile places, with the profile.
std::vector<std::pair<std::string, std::string>> linesOfAllProfiles(const test::ProtoBuilder& file)
{
    std::vector<std::pair<std::string, std::string>> lines;
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    for (const Profile profile : {Profile::OrtCpu, Profile::TensorRt, Profile::OpenVino, Profile::Qnn}) {
        QuantizationSettings settings;
        settings.profile = profile;
        for (const std::string& line : test::pointLines(**model, test::placed(**model, settings).setup))
            lines.emplace_back(profileText(profile), line);
    }
    return lines;
}

TEST(StrangeNodes, AProductWithABodyOfItsOwnIsNotQuantized)
{
    test::ProtoBuilder file;
    file.input("x", {1, 4}).weight("w", {4, 4}).output("y", {1, 4});
    file.node("Relu", "relu", {"x"}, {"r"});
    auto& product = file.node("MatMul", "product", {"r", "w"}, {"y"});
    auto body = test::addBody(product, "body");
    body.output("b");
    body.node("Neg", "neg", {"r"}, {"b"});
    for (const auto& [profile, line] : linesOfAllProfiles(file))
        EXPECT_EQ(line.find("product"), std::string::npos) << profile << ": " << line;
}

TEST(StrangeNodes, ABiasWithABodyOfItsOwnIsReadAtItsPortsOnly)
{
    test::ProtoBuilder file;
    file.input("x", {1, 4}).weight("w", {4, 4}).weight("b", {4}).output("y", {1, 4});
    file.node("Relu", "relu", {"x"}, {"r"});
    file.node("MatMul", "product", {"r", "w"}, {"p"});
    auto& bias = file.node("Add", "bias", {"b", "p"}, {"s"});
    auto body = test::addBody(bias, "kernel_shape");
    body.output("t");
    body.node("Identity", "inner", {"r"}, {"t"});
    file.node("MatMul", "head", {"s", "w"}, {"y"});
    for (const auto& [profile, line] : linesOfAllProfiles(file))
        EXPECT_EQ(line.find("input 1073741824"), std::string::npos) << profile << ": " << line;
}

} // namespace
} // namespace duo
