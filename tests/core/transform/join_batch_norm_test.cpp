// SPDX-License-Identifier: Apache-2.0
#include "core/transform/fused_names.h"
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace duo::test {
namespace {

/// Norm of two channels, behind "p".
void addNorm(PassFile& file)
{
    file.weight("gamma", {2}, {0.7F, 1.3F}).weight("beta", {2}, {0.1F, -0.2F});
    file.weight("mean", {2}, {0.4F, -0.6F}).weight("variance", {2}, {0.9F, 1.7F});
    file.op("BatchNormalization", "norm", {"p", "gamma", "beta", "mean", "variance"}, {"y"}).result();
}

const Tensor& initializer(const Outcome& outcome, const std::string& name)
{
    return *outcome.model->constant(outcome.model->findValue(name));
}

TEST(JoinBatchNorms, ScaleAConvolutionWithoutABias)
{
    PassFile file;
    file.ints("picture", {1, 1, 2, 3}).weight("conv.weight", {2, 1, 1, 2}, {1, 2, 3, 4});
    file.op("Reshape", "reshape", {"x", "picture"}, {"q"}).op("Conv", "conv", {"q", "conv.weight"}, {"p"});
    addNorm(file);
    const Outcome outcome = runOnce(joinBatchNorms, file.read());
    ASSERT_THAT(outcome.model->nodes, SizeIs(2));
    EXPECT_EQ(outcome.model->nodes[1].name, "conv");
    EXPECT_THAT(fusedNames(outcome.model->nodes[1]), ElementsAre("norm"));
    EXPECT_THAT(initializer(outcome, "conv.weight").dims, ElementsAre(2, 1, 1, 2));
    EXPECT_THAT(initializer(outcome, "conv.bias").dims, ElementsAre(2));
}

/// As Paddle writes the bias of a transposed convolution.
TEST(JoinBatchNorms, TakeInWhatIsAddedToTheChannelsBetween)
{
    for (const bool isOfChannels : {true, false}) {
        PassFile file;
        file.ints("picture", {1, 1, 2, 3}).weight("w", {1, 2, 1, 2}, {1, 2, 3, 4}).weight("b", {2}, {0.5F, -0.25F});
        const std::int64_t columns = isOfChannels ? 1 : 4;
        file.weight("added", {1, 2, 1, columns}, std::vector<float>(2 * columns, 0.75F));
        file.op("Reshape", "reshape", {"x", "picture"}, {"q"}).op("ConvTranspose", "conv", {"q", "w", "b"}, {"c"});
        file.op("Add", "add", {"c", "added"}, {"p"});
        addNorm(file);
        const Outcome outcome = runOnce(joinBatchNorms, file.read());
        ASSERT_THAT(outcome.model->nodes, SizeIs(isOfChannels ? 2 : 4));
        if (isOfChannels)
            EXPECT_THAT(fusedNames(outcome.model->nodes[1]), testing::UnorderedElementsAre("norm", "add"));
    }
}

TEST(JoinBatchNorms, LeaveANormThatACallerMayGiveOtherParameters)
{
    for (const char* parameter : {"gamma", "mean"}) {
        PassFile file;
        file.ints("picture", {1, 1, 2, 3}).weight("conv.weight", {2, 1, 1, 2}, {1, 2, 3, 4});
        file.op("Reshape", "reshape", {"x", "picture"}, {"q"}).op("Conv", "conv", {"q", "conv.weight"}, {"p"});
        addNorm(file);
        file.input(parameter, {2});
        EXPECT_THAT(runOnce(joinBatchNorms, file.read()).lines, SizeIs(3)) << parameter;
    }
}

TEST(JoinBatchNorms, ScaleTheChannelsOfEachGroupOfATransposedConvolution)
{
    PassFile file;
    file.ints("picture", {1, 2, 1, 3}).weight("w", {2, 1, 1, 2}, {1, 2, 3, 4}).weight("b", {2}, {0.5F, -0.25F});
    file.op("Reshape", "reshape", {"x", "picture"}, {"q"});
    file.op("ConvTranspose", "conv", {"q", "w", "b"}, {"p"}, {{"group", std::int64_t{2}}});
    addNorm(file);
    EXPECT_THAT(runOnce(joinBatchNorms, file.read()).lines, SizeIs(2));
}

TEST(JoinBatchNorms, ScaleAGemmAndMakeOneOfAMatMul)
{
    PassFile gemm;
    gemm.weight("w", {2, 3}, {1, 2, 3, 4, 5, 6}).weight("b", {2}, {0.5F, -0.25F});
    gemm.op("Gemm", "product", {"x", "w", "b"}, {"p"}, {{"transB", std::int64_t{1}}, {"alpha", 0.5F}});
    addNorm(gemm);
    EXPECT_THAT(runOnce(joinBatchNorms, gemm.read()).lines, SizeIs(1));
    PassFile product;
    product.weight("w", {3, 2}, {1, 2, 3, 4, 5, 6});
    product.op("MatMul", "product", {"x", "w"}, {"p"});
    addNorm(product);
    EXPECT_THAT(runOnce(joinBatchNorms, product.read()).lines, ElementsAre(testing::StartsWith("Gemm product(x, ")));
}

TEST(JoinBatchNorms, LeaveAWeightToOthersThatReadIt)
{
    PassFile file;
    file.weight("w", {3, 2}, {1, 2, 3, 4, 5, 6});
    file.op("MatMul", "product", {"x", "w"}, {"p"});
    file.op("MatMul", "other", {"x", "w"}, {"z"}).result("z");
    addNorm(file);
    const Outcome outcome = runOnce(joinBatchNorms, file.read());
    EXPECT_THAT(outcome.lines, SizeIs(3));
    EXPECT_THAT(
        outcome.skipped, ElementsAre("norm: another node reads the weight as well, which would be there twice"));
}

/// Exporters store biases that are equal once.
TEST(JoinBatchNorms, NameABiasThatOthersReadAfterTheWeight)
{
    PassFile file;
    file.weight("other.weight", {3, 2}, {1, 2, 3, 4, 5, 6}).weight("my.weight", {3, 2}, {1, 2, 3, 4, 5, 6});
    file.weight("other.bias", {2}, {0.5F, -0.25F});
    file.op("Gemm", "other", {"x", "other.weight", "other.bias"}, {"z"}).result("z");
    file.op("Gemm", "mine", {"x", "my.weight", "other.bias"}, {"p"});
    addNorm(file);
    const Outcome outcome = runOnce(joinBatchNorms, file.read());
    EXPECT_THAT(toFloats(initializer(outcome, "other.bias")), ElementsAre(0.5F, -0.25F));
    EXPECT_TRUE(outcome.model->findValue("my.bias").valid());
}

TEST(JoinBatchNorms, SayWhyNot)
{
    PassFile file;
    file.ints("axes", {0}).weight("w", {3, 2}, {1, 2, 3, 4, 5, 6});
    file.op("Unsqueeze", "deep", {"x", "axes"}, {"d"});
    file.op("MatMul", "product", {"d", "w"}, {"p"});
    addNorm(file); // channels are on axis 1, of size 2, and the product's on axis 2
    EXPECT_THAT(runOnce(joinBatchNorms, file.read()).skipped,
        ElementsAre("norm: its channels are not known to be those of the product before it"));
}

/// The same norm of "p", which gives "n".
void addNormBefore(PassFile& file)
{
    file.weight("gamma", {2}, {0.7F, 1.3F}).weight("beta", {2}, {0.1F, -0.2F});
    file.weight("mean", {2}, {0.4F, -0.6F}).weight("variance", {2}, {0.9F, 1.7F});
    file.op("BatchNormalization", "norm", {"p", "gamma", "beta", "mean", "variance"}, {"n"});
}

TEST(JoinBatchNorms, ScaleTheProductBehindThem)
{
    PassFile grouped;
    grouped.ints("picture", {1, 2, 1, 3}).weight("w", {2, 1, 1, 2}, {1, 2, 3, 4}).weight("b", {2}, {0.5F, -0.25F});
    grouped.op("Reshape", "reshape", {"x", "picture"}, {"p"});
    addNormBefore(grouped);
    grouped.op("Conv", "conv", {"n", "w", "b"}, {"y"}, {{"group", std::int64_t{2}}}).result();
    const Outcome outcome = runOnce(joinBatchNorms, grouped.read());
    ASSERT_THAT(outcome.model->nodes, SizeIs(2));
    EXPECT_THAT(fusedNames(outcome.model->nodes[1]), ElementsAre("norm"));
    PassFile product;
    product.ints("turned", {3, 2}).weight("w", {2, 3}, {1, 2, 3, 4, 5, 6});
    product.op("Reshape", "reshape", {"x", "turned"}, {"p"});
    addNormBefore(product);
    product.op("MatMul", "product", {"n", "w"}, {"y"}).result();
    const Outcome gemm = runOnce(joinBatchNorms, product.read());
    ASSERT_THAT(gemm.model->nodes, SizeIs(2));
    EXPECT_EQ(gemm.model->nodes[1].opType, "Gemm");
}

/// Of a kernel of one element; of a larger one each result gets what is added through another element.
TEST(JoinBatchNorms, ScaleATransposedConvolutionBehindThem)
{
    for (const std::int64_t kernel : {1, 2}) {
        PassFile file;
        file.ints("picture", {1, 2, 1, 3});
        file.weight("up.weight", {2, 2, 1, kernel}, {1, 2, 3, 4, 5, 6, 7, 8}).weight("up.bias", {4}, {1, 2, 3, 4});
        file.weight("gamma", {2}, {0.7F, 1.3F}).weight("beta", {2}, {0.1F, -0.2F});
        file.weight("mean", {2}, {0.4F, -0.6F}).weight("variance", {2}, {0.9F, 1.7F});
        file.op("Reshape", "reshape", {"x", "picture"}, {"q"});
        file.op("BatchNormalization", "norm", {"q", "gamma", "beta", "mean", "variance"}, {"p"});
        file.op("ConvTranspose", "up", {"p", "up.weight", "up.bias"}, {"y"}, {{"group", std::int64_t{2}}}).result();
        const Outcome outcome = runOnce(joinBatchNorms, file.read());
        EXPECT_THAT(outcome.lines, SizeIs(kernel == 1 ? 2 : 3));
        if (kernel == 1)
            EXPECT_THAT(fusedNames(outcome.model->nodes[1]), ElementsAre("norm"));
        else
            EXPECT_THAT(outcome.skipped,
                ElementsAre("norm: what it adds reaches results through other parts of the kernel each"));
    }
}

TEST(JoinBatchNorms, LeaveAConvolutionBehindThemThatPutsZerosAround)
{
    PassFile file;
    file.ints("picture", {1, 2, 1, 3}).weight("w", {1, 2, 1, 2}, {1, 2, 3, 4});
    file.op("Reshape", "reshape", {"x", "picture"}, {"p"});
    addNormBefore(file);
    file.op("Conv", "conv", {"n", "w"}, {"y"}, {{"pads", Ints{0, 1, 0, 1}}}).result();
    const Outcome outcome = runOnce(joinBatchNorms, file.read());
    EXPECT_THAT(outcome.lines, SizeIs(3));
    EXPECT_THAT(outcome.skipped, ElementsAre("norm: the convolution behind it puts zeros around what it gives"));
}

/// A convolution of `x` as a picture of one channel into two, and what is added to it.
struct AddedTo : PassFile {
    AddedTo(const Ints& dims, const std::vector<float>& added, const std::string& opType = "Conv")
    {
        ints("picture", {1, 1, 2, 3})
            .weight("conv.weight", opType == "Conv" ? Ints{2, 1, 1, 2} : Ints{1, 2, 1, 2}, {1, 2, 3, 4});
        weight("b", {2}, {0.5F, -0.25F}).weight("added", dims, added);
        op("Reshape", "reshape", {"x", "picture"}, {"q"});
        op(opType, "conv", {"q", "conv.weight"}, {"p"});
        op("Add", "add", {"added", "p"}, {"y"}).result();
    }
};

TEST(JoinChannelBiases, BecomeTheBiasOfAConvolution)
{
    for (const char* conv : {"Conv", "ConvTranspose"}) {
        const Outcome outcome = runOnce(joinChannelBiases, AddedTo({1, 2, 1, 1}, {3, -4}, conv).read());
        ASSERT_THAT(outcome.model->nodes, SizeIs(2)) << conv;
        EXPECT_EQ(outcome.model->nodes[1].name, "conv");
        EXPECT_THAT(fusedNames(outcome.model->nodes[1]), ElementsAre("add"));
        EXPECT_THAT(toFloats(initializer(outcome, "conv.bias")), ElementsAre(3, -4));
    }
    EXPECT_THAT(runOnce(joinChannelBiases, AddedTo({2, 1, 1}, {3, -4}).read()).lines, SizeIs(2));
    EXPECT_THAT(runOnce(joinChannelBiases, AddedTo({}, {3}).read()).lines, SizeIs(2)) << "to every channel";
}

TEST(JoinChannelBiases, AreAddedToTheBiasThereIs)
{
    PassFile file;
    file.ints("picture", {1, 1, 2, 3}).weight("w", {2, 1, 1, 2}, {1, 2, 3, 4}).weight("b", {2}, {0.5F, -0.25F});
    file.weight("added", {2, 1, 1}, {3, -4});
    file.op("Reshape", "reshape", {"x", "picture"}, {"q"}).op("Conv", "conv", {"q", "w", "b"}, {"p"});
    file.op("Add", "add", {"p", "added"}, {"y"}).result();
    const Outcome outcome = runOnce(joinChannelBiases, file.read());
    EXPECT_THAT(toFloats(initializer(outcome, "b")), ElementsAre(3.5F, -4.25F));
}

TEST(JoinChannelBiases, AreNoMapsAndAddNoAxes)
{
    EXPECT_THAT(runOnce(joinChannelBiases, AddedTo({1, 1, 2, 1}, {3, -4}).read()).skipped,
        ElementsAre("add: what it adds is not one number for each channel"));
    EXPECT_THAT(runOnce(joinChannelBiases, AddedTo({1, 1, 1, 1, 1}, {3}).read()).skipped, SizeIs(1));
    EXPECT_THAT(runOnce(joinChannelBiases, AddedTo({2}, {3, -4}).read()).skipped, SizeIs(1)) << "along the rows";
}

} // namespace
} // namespace duo::test
