// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/graph_mutations.h"

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace duo::test {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Names = google::protobuf::RepeatedPtrField<std::string>;

/// Where nodes stand: graphs of any depth, and functions.
struct NodeList {
    Nodes* nodes = nullptr;
    onnx::GraphProto* graph = nullptr; // null for a function
};

void addLists(onnx::GraphProto& graph, std::vector<NodeList>& lists);

void addBodies(Nodes& nodes, std::vector<NodeList>& lists)
{
    for (onnx::NodeProto& node : nodes) {
        for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g())
                addLists(*attribute.mutable_g(), lists);
            for (onnx::GraphProto& graph : *attribute.mutable_graphs())
                addLists(graph, lists);
        }
    }
}

void addLists(onnx::GraphProto& graph, std::vector<NodeList>& lists)
{
    lists.push_back({graph.mutable_node(), &graph});
    addBodies(*graph.mutable_node(), lists);
}

class Mutator
{
public:
    Mutator(onnx::ModelProto& model, std::mt19937_64& random)
        : m_model(model)
        , m_random(random)
    {
        collect();
    }

    void edit()
    {
        using Edit = void (Mutator::*)();
        constexpr std::array<Edit, 26> kEdits{&Mutator::renameNode, &Mutator::renameValue, &Mutator::renameEverywhere,
            &Mutator::dropInput, &Mutator::dropOutput, &Mutator::addInput, &Mutator::addOutput, &Mutator::turnEdge,
            &Mutator::turnEdge, &Mutator::changeAttribute, &Mutator::changeAttribute, &Mutator::dropAttribute,
            &Mutator::changeNumbers, &Mutator::changeDims, &Mutator::changeType, &Mutator::swapOperator,
            &Mutator::swapOperator, &Mutator::changeDomain, &Mutator::nestNode, &Mutator::dropNode, &Mutator::copyNode,
            &Mutator::moveNode, &Mutator::changeGraphPort, &Mutator::wrapInFunction, &Mutator::changeMetadata,
            &Mutator::changeOpset};
        (this->*kEdits[below(kEdits.size())])();
    }

private:
    /// Pointers into lists that were changed do not hold any more: they are gathered again.
    void collect()
    {
        m_lists.clear();
        m_nodes.clear();
        m_mainNodes.clear();
        addLists(*m_model.mutable_graph(), m_lists);
        for (onnx::FunctionProto& function : *m_model.mutable_functions()) {
            m_lists.push_back({function.mutable_node(), nullptr});
            addBodies(*function.mutable_node(), m_lists);
        }
        for (const NodeList& list : m_lists) {
            for (onnx::NodeProto& node : *list.nodes) {
                m_nodes.push_back(&node);
                if (list.graph == m_model.mutable_graph())
                    m_mainNodes.push_back(&node);
            }
        }
    }

    std::size_t below(std::size_t count) { return count == 0 ? 0 : m_random() % count; }
    bool oneIn(std::size_t count) { return below(count) == 0; }

    onnx::NodeProto* someNode()
    {
        if (m_nodes.empty())
            return nullptr;
        return oneIn(2) && !m_mainNodes.empty() ? m_mainNodes[below(m_mainNodes.size())]
                                                : m_nodes[below(m_nodes.size())];
    }

    std::string oddName()
    {
        static const std::array<std::string, 16> kNames{"", "", "", "x", "a/b/c", "/", "//", "\xFF\xFE", "caf\xE9",
            "\x1b[31mred\x1b[0m", "two\nlines", "<b>&\"'</b>", "\"; }", std::string("nul\0in", 6), "::", "-o"};
        return kNames[below(kNames.size())];
    }

    std::string someValue()
    {
        if (oneIn(8))
            return oddName();
        const onnx::GraphProto& graph = m_model.graph();
        for (int tries = 0; tries < 8; ++tries) {
            if (oneIn(4) && graph.input_size() > 0)
                return graph.input(static_cast<int>(below(static_cast<std::size_t>(graph.input_size())))).name();
            if (oneIn(3) && graph.initializer_size() > 0)
                return graph.initializer(static_cast<int>(below(static_cast<std::size_t>(graph.initializer_size()))))
                    .name();
            const onnx::NodeProto* node = someNode();
            if (node != nullptr && node->output_size() > 0)
                return node->output(static_cast<int>(below(static_cast<std::size_t>(node->output_size()))));
        }
        return {};
    }

    std::int64_t oddNumber()
    {
        constexpr std::array<std::int64_t, 14> kNumbers{0, 1, -1, 2, 3, 7, -2, 64, 1000, 65536, 1LL << 31U, 1LL << 40U,
            std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
        return kNumbers[below(kNumbers.size())];
    }

    static std::string* entryOf(Names& names, std::size_t at)
    {
        return names.empty() ? nullptr : names.Mutable(static_cast<int>(at % static_cast<std::size_t>(names.size())));
    }

    void renameNode()
    {
        if (onnx::NodeProto* node = someNode()) {
            const onnx::NodeProto* other = someNode();
            node->set_name(oneIn(3) ? other->name() : oddName());
        }
    }

    void renameValue()
    {
        onnx::NodeProto* node = someNode();
        if (node == nullptr)
            return;
        if (std::string* name = entryOf(oneIn(2) ? *node->mutable_input() : *node->mutable_output(), m_random()))
            *name = oddName();
    }

    /// The graph stays whole, with a strange name in it.
    void renameEverywhere()
    {
        const std::string from = someValue();
        const std::string to = oddName();
        const auto rename = [&](std::string& name) {
            if (name == from)
                name = to;
        };
        for (const NodeList& list : m_lists) {
            for (onnx::NodeProto& node : *list.nodes) {
                for (std::string& name : *node.mutable_input())
                    rename(name);
                for (std::string& name : *node.mutable_output())
                    rename(name);
            }
            if (list.graph == nullptr)
                continue;
            for (auto* infos :
                {list.graph->mutable_input(), list.graph->mutable_output(), list.graph->mutable_value_info()}) {
                for (onnx::ValueInfoProto& info : *infos)
                    rename(*info.mutable_name());
            }
            for (onnx::TensorProto& tensor : *list.graph->mutable_initializer())
                rename(*tensor.mutable_name());
        }
    }

    static void drop(Names& names, std::size_t at)
    {
        if (!names.empty())
            names.DeleteSubrange(static_cast<int>(at % static_cast<std::size_t>(names.size())), 1);
    }

    void dropInput()
    {
        if (onnx::NodeProto* node = someNode())
            oneIn(6) ? node->clear_input() : drop(*node->mutable_input(), m_random());
    }

    void dropOutput()
    {
        onnx::NodeProto* node = someNode();
        if (node == nullptr)
            return;
        if (oneIn(4)) {
            node->clear_output();
        } else if (oneIn(2)) {
            drop(*node->mutable_output(), m_random());
        } else if (std::string* name = entryOf(*node->mutable_output(), m_random())) {
            const std::string gone = *name;
            name->clear();
            bypass(gone);
        }
    }

    /// Whoever read `gone` reads something else, so that the rest stays whole.
    void bypass(const std::string& gone)
    {
        const std::string instead = someValue();
        for (const NodeList& list : m_lists) {
            for (onnx::NodeProto& node : *list.nodes) {
                for (std::string& name : *node.mutable_input()) {
                    if (name == gone)
                        name = instead;
                }
            }
        }
        for (onnx::ValueInfoProto& output : *m_model.mutable_graph()->mutable_output()) {
            if (output.name() == gone)
                output.set_name(instead);
        }
    }

    void addInput()
    {
        if (onnx::NodeProto* node = someNode())
            node->add_input(someValue());
    }

    void addOutput()
    {
        if (onnx::NodeProto* node = someNode())
            node->add_output(oneIn(4) ? someValue() : oneIn(3) ? "" : "added" + std::to_string(below(100)));
    }

    void turnEdge()
    {
        onnx::NodeProto* node = someNode();
        if (std::string* name = node != nullptr ? entryOf(*node->mutable_input(), m_random()) : nullptr)
            *name = someValue();
    }

    onnx::AttributeProto* someAttribute()
    {
        for (int tries = 0; tries < 10; ++tries) {
            onnx::NodeProto* node = someNode();
            if (node != nullptr && node->attribute_size() > 0)
                return node->mutable_attribute(
                    static_cast<int>(below(static_cast<std::size_t>(node->attribute_size()))));
        }
        return nullptr;
    }

    void changeAttribute()
    {
        onnx::AttributeProto* attribute = oneIn(6) ? nullptr : someAttribute();
        if (attribute == nullptr) {
            onnx::NodeProto* node = someNode();
            if (node == nullptr)
                return;
            constexpr std::array<const char*, 12> kNames{"axis", "perm", "axes", "body", "then_branch", "value",
                "group", "to", "transB", "kernel_shape", "", "tap"};
            attribute = node->add_attribute();
            attribute->set_name(kNames[below(kNames.size())]);
        } else if (oneIn(6)) {
            attribute->set_name(oddName());
            return;
        }
        const std::string name = attribute->name();
        attribute->Clear();
        attribute->set_name(name);
        setContent(*attribute);
    }

    void setContent(onnx::AttributeProto& attribute)
    {
        switch (below(9)) {
        case 0:
            attribute.set_i(oddNumber());
            attribute.set_type(onnx::AttributeProto::INT);
            break;
        case 1:
            attribute.set_f(oneIn(2) ? std::numeric_limits<float>::quiet_NaN() : -1.5F);
            attribute.set_type(onnx::AttributeProto::FLOAT);
            break;
        case 2:
            attribute.set_s(oddName());
            attribute.set_type(onnx::AttributeProto::STRING);
            break;
        case 3:
            for (std::size_t i = below(6); i > 0; --i)
                attribute.add_ints(oddNumber());
            attribute.set_type(onnx::AttributeProto::INTS);
            break;
        case 4:
            for (std::size_t i = below(6); i > 0; --i)
                attribute.add_floats(0.5F);
            attribute.set_type(onnx::AttributeProto::FLOATS);
            break;
        case 5:
            attribute.add_strings(oddName());
            attribute.set_type(onnx::AttributeProto::STRINGS);
            break;
        case 6:
            setTensor(*attribute.mutable_t());
            attribute.set_type(onnx::AttributeProto::TENSOR);
            break;
        case 7:
            setBody(*attribute.mutable_g());
            attribute.set_type(onnx::AttributeProto::GRAPH);
            break;
        default:
            attribute.set_ref_attr_name(oddName());
            break;
        }
    }

    void setTensor(onnx::TensorProto& tensor)
    {
        tensor.set_data_type(oneIn(2) ? onnx::TensorProto::FLOAT : onnx::TensorProto::INT64);
        const std::size_t count = below(4);
        if (!oneIn(4))
            tensor.add_dims(static_cast<std::int64_t>(count));
        for (std::size_t i = 0; i < count; ++i) {
            if (tensor.data_type() == onnx::TensorProto::FLOAT)
                tensor.add_float_data(static_cast<float>(i));
            else
                tensor.add_int64_data(oddNumber());
        }
    }

    void setBody(onnx::GraphProto& graph)
    {
        onnx::NodeProto& node = *graph.add_node();
        node.set_op_type(oneIn(2) ? "Relu" : "Identity");
        node.add_input(someValue());
        node.add_output("inner" + std::to_string(below(10)));
        graph.add_output()->set_name(oneIn(4) ? someValue() : node.output(0));
        if (oneIn(3))
            graph.add_input()->set_name("taken" + std::to_string(below(10)));
    }

    void dropAttribute()
    {
        onnx::NodeProto* node = someNode();
        if (node != nullptr && node->attribute_size() > 0)
            node->mutable_attribute()->DeleteSubrange(
                static_cast<int>(below(static_cast<std::size_t>(node->attribute_size()))), 1);
    }

    void changeNumbers()
    {
        onnx::AttributeProto* attribute = someAttribute();
        if (attribute == nullptr)
            return;
        if (attribute->ints_size() > 0 && !oneIn(4))
            attribute->set_ints(static_cast<int>(below(static_cast<std::size_t>(attribute->ints_size()))), oddNumber());
        else if (attribute->ints_size() > 0)
            attribute->mutable_ints()->RemoveLast();
        else if (attribute->has_i())
            attribute->set_i(oddNumber());
        else if (attribute->has_f())
            attribute->set_f(static_cast<float>(oddNumber()));
    }

    void changeDims()
    {
        onnx::GraphProto& graph = *m_model.mutable_graph();
        if (graph.initializer_size() == 0)
            return;
        onnx::TensorProto& tensor
            = *graph.mutable_initializer(static_cast<int>(below(static_cast<std::size_t>(graph.initializer_size()))));
        switch (below(5)) {
        case 0:
            tensor.add_dims(oneIn(2) ? 1 : oddNumber());
            break;
        case 1:
            tensor.clear_dims();
            break;
        case 2: { // the same number of elements
            std::int64_t count = 1;
            for (const std::int64_t dim : tensor.dims())
                count *= dim > 0 && dim < 65536 ? dim : 1;
            tensor.clear_dims();
            tensor.add_dims(count);
            break;
        }
        case 3: // none at all
            tensor.add_dims(0);
            tensor.clear_raw_data();
            tensor.clear_float_data();
            break;
        default:
            tensor.set_data_type(static_cast<int>(below(26)));
        }
    }

    void changeType()
    {
        onnx::GraphProto& graph = *m_model.mutable_graph();
        auto& infos = oneIn(3) ? *graph.mutable_value_info()
            : oneIn(2)         ? *graph.mutable_input()
                               : *graph.mutable_output();
        if (infos.empty())
            return;
        onnx::ValueInfoProto& info = *infos.Mutable(static_cast<int>(below(static_cast<std::size_t>(infos.size()))));
        switch (below(5)) {
        case 0:
            info.clear_type();
            break;
        case 1:
            info.mutable_type()->mutable_sequence_type();
            break;
        case 2:
            info.mutable_type()->mutable_tensor_type()->set_elem_type(static_cast<int>(below(30)));
            break;
        case 3:
            info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(oddNumber());
            break;
        default:
            info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param(oddName());
        }
    }

    void swapOperator()
    {
        constexpr std::array<const char*, 40> kOperators{"Conv", "MatMul", "Gemm", "Add", "Mul", "Relu", "Split",
            "Concat", "LSTM", "GRU", "Loop", "If", "Scan", "Constant", "ConstantOfShape", "Gather", "Reshape",
            "Transpose", "QuantizeLinear", "DequantizeLinear", "BatchNormalization", "LayerNormalization",
            "InstanceNormalization", "Softmax", "Clip", "Resize", "ConvTranspose", "Einsum", "Attention", "TopK",
            "NonMaxSuppression", "Identity", "Slice", "Unsqueeze", "ReduceMean", "Pad", "MaxPool", "Dropout",
            "EmbedLayerNormalization", ""};
        onnx::NodeProto* node = someNode();
        if (node == nullptr)
            return;
        const onnx::NodeProto* other = someNode();
        node->set_op_type(oneIn(4) ? other->op_type() : kOperators[below(kOperators.size())]);
        if (oneIn(2))
            node->clear_attribute();
    }

    void changeDomain()
    {
        constexpr std::array<const char*, 7> kDomains{
            "duoscope.taps", "duoscope.swaps", "com.microsoft", "local", "ai.onnx", "ai.onnx.ml", "\xFF"};
        onnx::NodeProto* node = someNode();
        if (node == nullptr)
            return;
        node->set_domain(kDomains[below(kDomains.size())]);
        if (oneIn(2))
            node->set_op_type(oneIn(2) ? "Tap" : "Swap");
        auto* import = m_model.add_opset_import();
        import->set_domain(node->domain());
        import->set_version(1);
    }

    /// The node becomes an If, Loop or Scan around itself.
    void nestNode()
    {
        onnx::NodeProto* node = someNode();
        if (node == nullptr)
            return;
        const onnx::NodeProto inner = *node;
        onnx::NodeProto outer;
        outer.set_name(inner.name());
        constexpr std::array<const char*, 3> kKinds{"If", "Loop", "Scan"};
        outer.set_op_type(kKinds[below(kKinds.size())]);
        if (!oneIn(4))
            outer.add_input(someValue());
        for (const std::string& output : inner.output())
            outer.add_output(output);
        for (const char* name : {"then_branch", "else_branch", "body"}) {
            if (oneIn(4))
                continue;
            onnx::AttributeProto& attribute = *outer.add_attribute();
            attribute.set_name(name);
            attribute.set_type(onnx::AttributeProto::GRAPH);
            *attribute.mutable_g()->add_node() = inner;
            for (const std::string& output : inner.output())
                attribute.mutable_g()->add_output()->set_name(output);
        }
        *node = outer;
        collect();
    }

    NodeList someList() { return m_lists[below(m_lists.size())]; }

    void dropNode()
    {
        const NodeList list = someList();
        if (list.nodes->empty())
            return;
        const auto at = static_cast<int>(below(static_cast<std::size_t>(list.nodes->size())));
        const onnx::NodeProto gone = list.nodes->Get(at);
        list.nodes->DeleteSubrange(at, 1);
        collect();
        for (const std::string& output : gone.output())
            bypass(output);
    }

    void copyNode()
    {
        const NodeList list = someList();
        if (list.nodes->empty())
            return;
        const onnx::NodeProto copied
            = list.nodes->Get(static_cast<int>(below(static_cast<std::size_t>(list.nodes->size()))));
        onnx::NodeProto* node = list.nodes->Add();
        *node = copied;
        for (std::string& output : *node->mutable_output()) {
            if (!oneIn(6))
                output += "_again";
        }
        collect();
    }

    void moveNode()
    {
        const NodeList list = someList();
        if (list.nodes->size() < 2)
            return;
        list.nodes->SwapElements(static_cast<int>(below(static_cast<std::size_t>(list.nodes->size()))),
            static_cast<int>(below(static_cast<std::size_t>(list.nodes->size()))));
        collect();
    }

    void changeGraphPort()
    {
        const NodeList list = someList();
        onnx::GraphProto& graph = list.graph != nullptr ? *list.graph : *m_model.mutable_graph();
        auto& ports = oneIn(2) ? *graph.mutable_input() : *graph.mutable_output();
        switch (below(4)) {
        case 0:
            ports.Add()->set_name(someValue());
            break;
        case 1:
            if (!ports.empty())
                ports.DeleteSubrange(static_cast<int>(below(static_cast<std::size_t>(ports.size()))), 1);
            break;
        case 2:
            ports.Clear();
            break;
        default:
            if (!ports.empty())
                ports.Mutable(static_cast<int>(below(static_cast<std::size_t>(ports.size()))))->set_name(someValue());
        }
    }

    /// A node becomes a call of a function that holds it, possibly with parts missing or calling others.
    void wrapInFunction()
    {
        onnx::NodeProto* node = someNode();
        if (node == nullptr)
            return;
        const onnx::NodeProto inner = *node;
        onnx::FunctionProto& function = *m_model.add_functions();
        function.set_domain("local");
        function.set_name("F" + std::to_string(m_model.functions_size()));
        auto* import = function.add_opset_import();
        import->set_version(17);
        for (const std::string& input : inner.input()) {
            if (!oneIn(8))
                function.add_input(input);
        }
        for (const std::string& output : inner.output()) {
            if (!oneIn(8))
                function.add_output(oneIn(10) && function.input_size() > 0 ? function.input(0) : output);
        }
        *function.add_node() = inner;
        if (oneIn(6)) {
            *function.add_node() = inner;
            function.mutable_node(1)->set_domain("local");
            function.mutable_node(1)->set_op_type("F" + std::to_string(below(4)));
            for (std::string& output : *function.mutable_node(1)->mutable_output())
                output += "_inner";
        }
        node->clear_attribute();
        node->set_domain("local");
        node->set_op_type(function.name());
        if (m_model.opset_import_size() < 3) {
            auto* local = m_model.add_opset_import();
            local->set_domain("local");
            local->set_version(1);
        }
        collect();
    }

    void changeMetadata()
    {
        switch (below(4)) {
        case 0:
            m_model.set_producer_name(oddName());
            m_model.set_producer_version(oddName());
            break;
        case 1:
            m_model.mutable_graph()->set_name(oddName());
            break;
        case 2: {
            auto* entry = m_model.add_metadata_props();
            entry->set_key(oneIn(2) ? "duoscope.scopes" : oddName());
            entry->set_value(oneIn(2) ? "{\"a\": [" : oddName());
            break;
        }
        default:
            if (onnx::NodeProto* node = someNode()) {
                constexpr std::array<const char*, 4> kKeys{"namespace", "pkg.torch.onnx.name_scopes",
                    "pkg.torch.onnx.class_hierarchy", "pkg.torch.onnx.stack_trace"};
                auto* entry = node->add_metadata_props();
                entry->set_key(kKeys[below(kKeys.size())]);
                entry->set_value(oneIn(2) ? "['', 'a', 'a.b', 'conv']" : oddName());
            }
        }
    }

    void changeOpset()
    {
        if (m_model.opset_import_size() == 0 || oneIn(8)) {
            m_model.clear_opset_import();
            return;
        }
        constexpr std::array<std::int64_t, 10> kVersions{1, 6, 7, 9, 10, 12, 13, 19, 23, -1};
        m_model.mutable_opset_import(0)->set_version(kVersions[below(kVersions.size())]);
    }

    onnx::ModelProto& m_model;
    std::mt19937_64& m_random;
    std::vector<NodeList> m_lists;
    std::vector<onnx::NodeProto*> m_nodes;
    std::vector<onnx::NodeProto*> m_mainNodes;
};

} // namespace

void mutateInPlace(onnx::ModelProto& model, std::mt19937_64& random)
{
    constexpr std::size_t kMostEdits = 5;
    for (std::size_t edits = 1 + random() % kMostEdits; edits > 0; --edits)
        Mutator(model, random).edit();
}

} // namespace duo::test
