// SPDX-License-Identifier: Apache-2.0
#include "tests/core/marks/marked_network.h"

#include "tests/support/model_builder.h"

namespace duo::test {
namespace {

std::shared_ptr<const Model> networkModel()
{
    ModelBuilder builder;
    builder.producer("pytorch").input("x", {1, 4}).weight("a.blk.lin.weight", {4, 4}).weight("head.weight", {4, 4});
    builder.weight("a.blk.lin.bias", {4}).weight("head.bias", {4});
    builder.node("Gemm", "/a/blk/lin/Gemm", {"x", "a.blk.lin.weight", "a.blk.lin.bias"}, {"u"});
    builder.node("Relu", "/a/blk/act/Relu", {"u"}, {"v"});
    builder.node("Gemm", "/b/blk/lin/Gemm", {"v", "a.blk.lin.weight", "a.blk.lin.bias"}, {"w"});
    builder.node("Relu", "/b/act/Relu", {"w"}, {"z"});
    builder.node("Gemm", "/head/Gemm", {"z", "head.weight", "head.bias"}, {"h"});
    builder.node("Add", "/Add", {"h", "x"}, {"y"}).output("y");
    return builder.build();
}

Checkpoint wholeModule()
{
    Checkpoint checkpoint;
    checkpoint.format = "torch-save";
    checkpoint.modules = {{"", "app.Net", ""}, {"a", "app.Outer", ""}, {"a.blk", "app.Block", ""},
        {"a.blk.lin", "torch.nn.Linear", ""}, {"a.blk.act", "torch.nn.ReLU", ""}, {"b", "app.Outer", ""},
        {"b.blk", "app.Block", "a.blk"}, {"b.blk.lin", "torch.nn.Linear", "a.blk.lin"},
        {"b.blk.act", "torch.nn.ReLU", "a.blk.act"}, {"b.act", "torch.nn.ReLU", ""}, {"head", "torch.nn.Linear", ""}};
    const auto add = [&](const std::string& name, std::vector<std::int64_t> dims) {
        Tensor tensor;
        tensor.name = name;
        tensor.type = ElementType::Float32;
        tensor.dims = std::move(dims);
        tensor.data = SharedBytes::own(std::vector<std::byte>(static_cast<std::size_t>(tensor.elements()) * 4));
        checkpoint.keys.push_back({name, static_cast<std::uint32_t>(checkpoint.tensors.size())});
        checkpoint.tensors.push_back(std::move(tensor));
    };
    add("a.blk.lin.weight", {4, 4});
    add("a.blk.lin.bias", {4});
    checkpoint.keys.push_back({"b.blk.lin.weight", 0});
    checkpoint.keys.push_back({"b.blk.lin.bias", 1});
    add("head.weight", {4, 4});
    add("head.bias", {4});
    return checkpoint;
}

} // namespace

MarkedNetwork::MarkedNetwork(bool objects)
    : model(networkModel())
    , checkpoint(objects ? wholeModule() : Checkpoint{})
{
    const ScopeSources sources{objects ? &checkpoint : nullptr, nullptr};
    scopes = findScopes(*model, sources);
    tree = moduleTree(*model, scopes, sources);
}

std::vector<std::string> MarkedNetwork::marked(const std::vector<Mark>& marks) const
{
    std::vector<std::string> paths;
    const Marked all = annotate(tree, marks);
    for (const std::uint32_t module : all.marks.back().marked)
        paths.push_back(tree.modules[module].path);
    return paths;
}

std::vector<std::string> MarkedNetwork::nodes(const std::vector<Mark>& marks) const
{
    std::vector<std::string> names;
    for (const NodeId node : annotate(tree, marks).nodes)
        names.push_back(model->node(node).name);
    return names;
}

Mark markOf(const std::string& root, const std::vector<std::string>& ignored, bool expandIgnored)
{
    Mark mark;
    mark.root = root;
    mark.ignored = ignored;
    mark.expandIgnored = expandIgnored;
    return mark;
}

} // namespace duo::test
