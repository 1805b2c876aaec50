// SPDX-License-Identifier: Apache-2.0
// What a program becomes as a Model; real files of PyTorch 2.15 and 2.5.1.
#include "core/formats/pt2/read_pt2.h"

#include "core/formats/read_checkpoint.h"
#include "core/scope/parameters/learned_tensors.h"
#include "tests/support/torch_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;

std::filesystem::path file(const std::string& name)
{
    return std::filesystem::path(DUO_TEST_DATA) / "pt2" / (name + ".pt2");
}

std::shared_ptr<const Model> read(const std::string& name)
{
    auto model = test::readProgram(file(name));
    EXPECT_TRUE(model) << model.error().line();
    return model ? *model : std::make_shared<const Model>();
}

std::vector<std::string> nodeNames(const Model& model)
{
    std::vector<std::string> names;
    for (const Node& node : model.nodes)
        names.push_back(node.name);
    return names;
}

std::vector<std::string> keyNames(const Model& model)
{
    std::vector<std::string> names;
    for (const RecordedKey& key : model.keys)
        names.push_back(key.name);
    return names;
}

std::vector<std::string> inputNames(const Model& model, const std::string& node)
{
    std::vector<std::string> names;
    for (const ValueId id : model.node(model.findNode(node)).inputs)
        names.push_back(id.valid() ? model.value(id).name : "");
    return names;
}

std::vector<float> floats(const Model& model, const std::string& key)
{
    return toFloats(model.tensor(model.value(model.findValue(key)).initializer));
}

class ReadProgram : public testing::TestWithParam<const char*>
{
protected:
    static std::shared_ptr<const Model> of(const std::string& name)
    {
        return read(std::string(GetParam()) + "/" + name);
    }
};

INSTANTIATE_TEST_SUITE_P(Layouts, ReadProgram, testing::Values("archive", "flat"),
    [](const auto& layout) { return std::string(layout.param); });

TEST_P(ReadProgram, HeaderSaysWhoMadeIt)
{
    const auto model = of("a_sibling");
    EXPECT_EQ(model->format->name, "torch-export");
    EXPECT_EQ(model->producerName, "pytorch");
    EXPECT_TRUE(model->producerVersion.starts_with(std::string(GetParam()) == "flat" ? "2.5.1" : "2.15.0"));
    EXPECT_EQ(model->opsets, (std::map<std::string, std::int64_t>{{"aten", 10}}));
    EXPECT_EQ(model->fileBytes,
        static_cast<std::int64_t>(std::filesystem::file_size(file(std::string(GetParam()) + "/a_sibling"))));
    EXPECT_TRUE(model->notes.empty());
}

TEST_P(ReadProgram, NodesAreOperatorsWithTheirMetadata)
{
    const auto model = of("a_sibling");
    EXPECT_THAT(nodeNames(*model), ElementsAre("linear", "layer_norm", "linear_1", "relu", "linear_2"));
    const Node& norm = model->node(model->findNode("layer_norm"));
    EXPECT_EQ(norm.opType, "aten.layer_norm.default");
    EXPECT_EQ(norm.domain, "torch.ops");
    EXPECT_THAT(inputNames(*model, "layer_norm"), ElementsAre("linear", "enc.norm.weight", "enc.norm.bias"));
    const Attribute* shape = norm.attribute("normalized_shape");
    ASSERT_NE(shape, nullptr);
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(shape->value), std::vector<std::int64_t>{4});
    ASSERT_FALSE(norm.metadata.empty());
    EXPECT_EQ(norm.metadata.front().first, "nn_module_stack");
}

TEST_P(ReadProgram, InputsOutputsAndTypes)
{
    const auto model = of("a_sibling");
    ASSERT_EQ(model->mainGraph().inputs.size(), 1U);
    const Value& input = model->value(model->mainGraph().inputs.front());
    EXPECT_EQ(input.name, "x");
    EXPECT_TRUE(input.isInput);
    EXPECT_EQ(input.type.element, ElementType::Float32);
    EXPECT_EQ(*input.type.shape, (std::vector<Dim>{{2, ""}, {4, ""}}));
    ASSERT_EQ(model->mainGraph().outputs.size(), 1U);
    EXPECT_EQ(model->value(model->mainGraph().outputs.front()).name, "linear_2");
}

TEST_P(ReadProgram, KeysComeInDefinitionOrderAndModulesAreComplete)
{
    const auto model = of("e_aux_eval");
    EXPECT_THAT(keyNames(*model),
        ElementsAre("body.weight", "body.bias", "bn.weight", "bn.bias", "bn.running_mean", "bn.running_var",
            "bn.num_batches_tracked", "head.weight", "head.bias", "aux.0.weight", "aux.0.bias", "aux.2.weight",
            "aux.2.bias"));
    std::vector<std::string> paths;
    for (const RecordedModule& module : model->modules)
        paths.push_back(module.path);
    EXPECT_THAT(paths, ElementsAre("", "body", "bn", "head", "aux", "aux.0", "aux.1", "aux.2"));
    EXPECT_EQ(parameterTotals(*model).parameters, 162);
    EXPECT_EQ(model->initializers.size(), 13U);
}

TEST_P(ReadProgram, TiesAreOneTensorWithTwoKeys)
{
    const auto model = of("c_tied");
    ASSERT_THAT(keyNames(*model), ElementsAre("emb.weight", "mid.weight", "mid.bias", "head.weight"));
    EXPECT_EQ(model->keys[0].tensor, model->keys[3].tensor);
    EXPECT_EQ(model->tensor(model->keys[3].tensor).name, "emb.weight");
    EXPECT_EQ(model->initializers.size(), 3U);
    const auto equal = of("c2_equal_not_tied");
    EXPECT_NE(equal->keys[0].tensor, equal->keys[2].tensor);
    EXPECT_EQ(toFloats(equal->tensor(equal->keys[0].tensor)), toFloats(equal->tensor(equal->keys[2].tensor)));
}

TEST_P(ReadProgram, StridedViewsHalvesAndScalarsHaveTheirValues)
{
    const auto model = of("strided");
    EXPECT_THAT(floats(*model, "part"), ElementsAre(5, 6, 9, 10));
    EXPECT_THAT(floats(*model, "sixteen"), ElementsAre(0.5, -2));
    EXPECT_THAT(floats(*model, "brain"), ElementsAre(0.5, -2));
    EXPECT_THAT(toInts(model->tensor(model->value(model->findValue("count")).initializer)), ElementsAre(7));
    const Tensor& kernel = model->tensor(model->value(model->findValue("conv.weight")).initializer);
    EXPECT_EQ(kernel.dims, (std::vector<std::int64_t>{2, 3, 2, 2}));
    EXPECT_EQ(kernel.bytes().size(), 24 * sizeof(float));
}

TEST_P(ReadProgram, AParameterCalledLikeAnInputIsKnownByItsPlaceholder)
{
    const auto model = of("strided");
    EXPECT_TRUE(model->value(model->findValue("x")).isInput);
    const Value& parameter = model->value(model->findValue("p_x"));
    EXPECT_EQ(model->tensor(parameter.initializer).name, "x");
    EXPECT_THAT(toFloats(model->tensor(parameter.initializer)), ElementsAre(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11));
}

TEST_P(ReadProgram, BuffersOutsideTheStateDictAreNoKeys)
{
    const auto model = of("k_buffers");
    EXPECT_THAT(keyNames(*model), ElementsAre("b.pos", "b.fc.weight", "b.fc.bias"));
    EXPECT_EQ(floats(*model, "b.tmp").size(), 4U);
    EXPECT_EQ(floats(*model, "b.c").size(), 4U);
    const Metadata& metadata = model->value(model->findValue("b.tmp")).metadata;
    EXPECT_THAT(metadata,
        testing::Contains(
            std::pair<std::string, std::string>("pkg.torch.export.graph_signature.InputSpec.persistent", "False")));
}

TEST_P(ReadProgram, BodiesAreRegionsThatReadOuterValues)
{
    const auto model = of("strict_control");
    ASSERT_EQ(model->regions.size(), 5U);
    EXPECT_EQ(model->regions[1].attribute, "true_graph_0");
    EXPECT_EQ(model->regions[4].attribute, "while_loop_body_graph_0");
    const auto owner = [&](std::size_t region) { return model->node(model->regions[region].owner).name; };
    EXPECT_THAT(inputNames(*model, owner(1)), ElementsAre("gt"));
    EXPECT_THAT(inputNames(*model, owner(1) + "::true_graph_0::linear"), ElementsAre("x", "a.weight", "a.bias"));
    EXPECT_TRUE(model->regions[1].inputs.empty());
    EXPECT_EQ(model->regions[4].inputs.size(), 2U); // what changes from run to run
    EXPECT_THAT(inputNames(*model, owner(4) + "::while_loop_body_graph_0::linear"),
        ElementsAre("arg1_1", "a.weight", "a.bias"));
}

TEST_P(ReadProgram, InfiniteNumbersAreRead)
{
    const auto model = of("strict_control");
    const Attribute* fill = model->node(model->findNode("full")).attribute("fill_value");
    ASSERT_NE(fill, nullptr);
    EXPECT_EQ(std::get<float>(fill->value), std::numeric_limits<float>::infinity());
}

TEST_P(ReadProgram, IsACheckpointBesideAnotherModel)
{
    const auto checkpoint = readCheckpoint(file(std::string(GetParam()) + "/c_tied"));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_EQ((*checkpoint)->format, "pt2");
    EXPECT_TRUE((*checkpoint)->recordsTies);
    ASSERT_EQ((*checkpoint)->keys.size(), 4U);
    EXPECT_EQ((*checkpoint)->keys[3].name, "head.weight");
    EXPECT_EQ((*checkpoint)->keys[3].tensor, (*checkpoint)->keys[0].tensor);
    EXPECT_EQ((*checkpoint)->modules.size(), 4U);
    EXPECT_EQ((*checkpoint)->modules[1], (RecordedModule{"emb", "torch.nn.modules.sparse.Embedding", ""}));
}

TEST(ReadArchive, SizesMayBeSymbols)
{
    const auto model = read("archive/branch");
    const Value& input = model->value(model->findValue("x"));
    EXPECT_EQ((*input.type.shape)[0].symbol, "s77");
    EXPECT_EQ((*input.type.shape)[1].size, 4);
    const Value& size = model->value(model->findValue("sym_size_int_1"));
    EXPECT_EQ(size.type.element, ElementType::Int64);
    EXPECT_THAT(inputNames(*model, "mul"), ElementsAre("getitem", "sym_size_int_1"));
    EXPECT_THAT(model->metadata,
        testing::Contains(std::pair<std::string, std::string>(
            "torch.export.range_constraints", R"({"s77":{"min_val":2,"max_val":64}})")));
}

TEST(ReadArchive, WeightsStayInTheFile)
{
    const auto model = read("archive/b_shared_twice");
    const auto mapped = MappedFile::open(file("archive/b_shared_twice"));
    ASSERT_TRUE(mapped);
    const Tensor& weight = model->tensor(model->keys.front().tensor);
    EXPECT_EQ(weight.bytes().size(), 64U);
    const auto zip = StoredZip::open(SharedBytes{*mapped, (*mapped)->bytes()}, "again");
    const auto again = readTorchExport(*zip, {}, {});
    const auto* start = (*again)->tensor((*again)->keys.front().tensor).bytes().data();
    EXPECT_GE(start, (*mapped)->bytes().data());
    EXPECT_LT(start, (*mapped)->bytes().data() + (*mapped)->bytes().size());
}

} // namespace
} // namespace duo
