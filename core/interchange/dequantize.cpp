// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/dequantize.h"

#include "core/content/float_values.h"
#include "core/interchange/code_islands.h"
#include "core/interchange/code_numbers.h"
#include "core/interchange/dynamic_products.h"
#include "core/interchange/taken_clamps.h"
#include "core/model/code_operators.h"
#include "core/model/key_names.h"
#include "core/model/node_inputs.h"
#include "core/model/op_facts.h"
#include "core/support/bytes_of.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace duo {
namespace {

/// As floats of the type that the scales have.
NewTensor asTensor(std::string name, const Numbers& numbers, ElementType type)
{
    NewTensor tensor{std::move(name), type, numbers.dims, {}};
    const auto bytes = std::as_bytes(std::span(numbers.values));
    if (type == ElementType::Float32) {
        tensor.bytes.assign(bytes.begin(), bytes.end());
        return tensor;
    }
    Tensor floats{"", ElementType::Float32, numbers.dims, {}};
    floats.data.bytes = bytes;
    tensor.bytes.resize(numbers.values.size() * static_cast<std::size_t>(elementBits(type)) / 8);
    convertElements(floats, 0, type, tensor.bytes);
    return tensor;
}

/// Codes of two bits become floats of 32, and a table may be read by two scales; who dequantizes one tensor by ever new
/// scales wants memory without end.
constexpr std::uint64_t kMostGrowth = 32;

std::uint64_t mostNewBytes(const Model& model)
{
    constexpr std::uint64_t kSmall = std::uint64_t{64} << 20U; // bytes that any model may have
    return std::max(kSmall, kMostGrowth * static_cast<std::uint64_t>(std::max<std::int64_t>(model.fileBytes, 0)));
}

class Dequantizer
{
public:
    explicit Dequantizer(const Model& model)
        : m_model(model)
        , m_scene{model, m_none}
        , m_elimination(m_scene)
        , m_islands(model)
        , m_names(model)
        , m_isPinned(pinnedValues(model))
        , m_isGone(model.nodes.size())
    {
        findDynamic();
    }

    Result<Dequantized> run()
    {
        for (const NodeId id : m_model.order) {
            if (!m_model.node(id).isCall)
                DUO_CHECK(take(id));
            if (m_newBytes > mostNewBytes(m_model))
                return tooLarge(id);
        }
        renameValues();
        for (const auto& [id, clamp] : m_clamps) {
            const Node& node = m_model.node(id);
            addClamp(id, clamp, nameNow(node.inputs[0]), nameNow(node.outputs[0]), m_model.value(node.inputs[0]).name);
        }
        for (const auto& [id, tensors] : m_operators)
            writeOperator(id, tensors);
        for (const auto& [id, product] : m_products)
            writeProduct(id, product);
        for (const auto& [id, weight] : m_packed)
            writePacked(id, weight);
        for (const auto& [id, weights] : m_lstms)
            writeLstm(id, weights);
        return finished();
    }

private:
    // What goes

    Status take(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (isQuantizer(node))
            return node.opType == "QuantizeLinear" ? takeQuantizer(id) : takeDequantizer(id);
        if (const auto product = m_products.find(id); product != m_products.end())
            return takeProduct(id, product->second);
        if (opFacts(node).form == ProductForm::Packed)
            return takePacked(id);
        if (const auto known = codeOperator(node))
            return takeOperator(id, *known);
        if (isDynamicLstm(node))
            return takeLstm(id);
        if (m_islands.carriesTable(id) && m_islands.canGo(node.outputs[0]))
            return takeTable(id);
        if (isFloatBarrier(node))
            m_elimination.bypass(id, node.inputs[0]);
        return success();
    }

    Status takeQuantizer(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (node.outputs.empty() || !m_islands.canGo(node.outputs[0]) || !inputAt(node, 0).valid())
            return success();
        if (const auto clamp = takenClamp(m_model, node, 1, 2, ElementType::UInt8)) {
            m_clamps.emplace_back(id, *clamp);
            ++m_result.quantizers;
            goesFor(id);
            return success();
        }
        if (!m_elimination.bypass(id, node.inputs[0]))
            return cannotGo(id);
        if (auto name = nameBeforePair(m_model, node))
            m_oldNames.emplace_back(node.inputs[0], *std::move(name));
        m_isGone[id.index] = true;
        ++m_result.quantizers;
        return success();
    }

    Status takeDequantizer(NodeId id)
    {
        const Node& node = m_model.node(id);
        const ValueId codes = inputAt(node, 0);
        if (!codes.valid() || node.outputs.empty() || !node.outputs[0].valid())
            return success();
        if (m_model.constant(codes) != nullptr && !m_model.isInFunction(node))
            return takeConstant(id);
        if (!m_islands.hasCodes(codes))
            keep(id,
                m_model.isInFunction(node) ? "it stands in a local function: inline it first"
                                           : "its codes come from no quantizer of the model");
        if (!m_islands.canGo(codes))
            return success();
        m_isGone[id.index] = true;
        if (!m_elimination.bypass(id, codes))
            m_passed.push_back(id);
        return success();
    }

    Status takeConstant(NodeId id)
    {
        const Node& node = m_model.node(id);
        const Value& result = m_model.value(node.outputs[0]);
        const bool keepsName = result.isOutput || m_isPinned[node.outputs[0].index];
        const std::string wanted = nameBeforeCodes(m_model.value(node.inputs[0]).name);
        const ValueId scale = inputAt(node, 1);
        if (result.isOutput && node.region != RegionId(0)) {
            keep(id, "a body gives it as its output");
            return success();
        }
        if (!scale.valid() || m_model.constant(scale) == nullptr
            || isFloating(m_model.constant(node.inputs[0])->type)) {
            keep(id, "its codes are no integers, or its scale is computed while the model runs");
            return success();
        }
        auto numbers = numbersAt(m_model, node, 0);
        if (!numbers) {
            keep(id, "its codes and their scales do not fit");
            return success();
        }
        const std::string name = keepsName || wanted == result.name ? result.name : m_names.value(wanted);
        addTensor(node, 1, name, *numbers);
        m_isGone[id.index] = true;
        m_removed.push_back(id);
        for (const Use& use : result.uses) {
            if (name != result.name)
                m_inputs.push_back({use.node, use.port, name});
        }
        m_constants[node.outputs[0].index] = name;
        return success();
    }

    /// Constant codes that a node carries on: the rows of an embedding.
    Status takeTable(NodeId id)
    {
        const Node& node = m_model.node(id);
        const ValueId table = inputAt(node, 0);
        const Node& dequantizer = m_model.node(m_islands.dequantizerOf(node.outputs[0]));
        const auto numbers = tableNumbers(m_model, dequantizer, table);
        if (!numbers)
            return doesNotFit(id);
        const std::string name = m_names.value(nameBeforeCodes(m_model.value(table).name));
        addTensor(dequantizer, 1, name, *numbers);
        m_inputs.push_back({id, 0, name});
        m_readsTable.emplace(id, 0);
        return success();
    }

    Status takeOperator(NodeId id, const CodeOperator& known)
    {
        const Node& node = m_model.node(id);
        const auto stays = [&](ValueId value) { return m_model.constant(value) == nullptr && !m_islands.canGo(value); };
        const bool isKept = m_model.isInFunction(node)
            || std::ranges::any_of(known.inputs, [&](const CodePort& port) { return stays(node.inputs[port.value]); })
            || (known.resultScale && !m_islands.canGo(node.outputs[0]));
        if (isKept)
            return success();
        Tensors tensors;
        for (const CodePort& port : known.inputs) {
            if (m_model.constant(node.inputs[port.value]) != nullptr)
                DUO_CHECK(takeConstantAt(id, port.value, tensors));
        }
        if (known.bias)
            DUO_CHECK(takeConstantAt(id, *known.bias, tensors));
        m_operators.emplace_back(id, std::move(tensors));
        goesFor(id);
        ++m_result.operators;
        return success();
    }

    using Tensors = std::map<std::uint32_t, std::string>; // by port, what the float operator reads there

    Status takeConstantAt(NodeId id, std::uint32_t port, Tensors& tensors)
    {
        const Node& node = m_model.node(id);
        const auto facts = codeFactsAt(node, port);
        if (!facts || !facts->scale)
            return doesNotFit(id);
        const std::pair key{node.inputs[port].index, node.inputs[*facts->scale].index};
        std::string& known = m_tensors[key]; // of a bias the data's scale is the same for all who share it
        if (known.empty() || facts->otherScale) {
            const auto numbers = numbersAt(m_model, node, port);
            if (!numbers)
                return doesNotFit(id);
            known = m_names.value(nameBeforeCodes(m_model.value(node.inputs[port]).name));
            addTensor(node, *facts->scale, known, *numbers);
        }
        tensors[port] = known;
        return success();
    }

    Status takePacked(NodeId id)
    {
        const Node& node = m_model.node(id);
        const auto numbers = packedNumbers(m_model, node);
        const bool isWhole = inputAt(node, 0).valid() && !node.outputs.empty() && node.outputs[0].valid();
        if (!numbers || !isWhole || m_model.isInFunction(node)) {
            keep(id, "how its weight is packed is not known");
            return success();
        }
        const std::string name = m_names.value(nameBeforeCodes(nameBeforeBlocks(m_model.value(node.inputs[1]).name)));
        addTensor(node, 2, name, *numbers);
        m_packed.emplace_back(id, name);
        goesFor(id);
        ++m_result.operators;
        return success();
    }

    Status takeLstm(NodeId id)
    {
        const Node& node = m_model.node(id);
        std::vector<std::string> names;
        std::vector<Numbers> weights;
        for (const LstmWeight& weight : kLstmWeights) {
            auto numbers = lstmNumbers(m_model, node, weight);
            if (!numbers || m_model.isInFunction(node) || !canBeCopied(node)) {
                keep(id, "how its weights are stored is not known");
                return success();
            }
            weights.push_back(*std::move(numbers));
            names.push_back(m_names.value(nameBeforeCodes(m_model.value(node.inputs[weight.codes]).name)));
        }
        for (std::size_t i = 0; i < weights.size(); ++i)
            addTensor(node, kLstmWeights[i].scale, names[i], weights[i]);
        m_lstms.emplace_back(id, std::move(names));
        goesFor(id);
        ++m_result.operators;
        return success();
    }

    void writeLstm(NodeId id, const std::vector<std::string>& weights)
    {
        const Node& node = m_model.node(id);
        NewNode made{nameBefore(node), "LSTM", "", {}, {}, node.attributes, node.metadata, id, false, node.region};
        for (std::uint32_t port = 0; port < std::min<std::size_t>(node.inputs.size(), kLstmWeights[0].scale); ++port)
            made.inputs.push_back(node.inputs[port].valid() ? nameNow(node.inputs[port]) : std::string());
        for (std::size_t i = 0; i < weights.size(); ++i)
            made.inputs[kLstmWeights[i].codes] = weights[i];
        while (made.inputs.back().empty())
            made.inputs.pop_back();
        for (const ValueId output : node.outputs)
            made.outputs.push_back(output.valid() ? nameNow(output) : std::string());
        m_newNodes.push_back(std::move(made));
    }

    Status takeProduct(NodeId id, DynamicProduct& product)
    {
        const Node& node = m_model.node(id);
        const auto facts = codeFactsAt(node, 1);
        const auto numbers = numbersAt(m_model, node, 1, facts && facts->scale ? nullptr : product.weightScale);
        if (!numbers)
            return doesNotFit(id);
        m_productWeights[id] = m_names.value(nameBeforeCodes(m_model.value(node.inputs[1]).name));
        addWeight(m_productWeights[id], *numbers, product.weightScale->type);
        goesFor(id);
        for (const NodeId behind : product.behind)
            goesFor(behind);
        ++m_result.operators;
        return success();
    }

    // Dynamic quantization

    /// Products whose quantizer nobody else reads; all others of that quantizer stay with it.
    void findDynamic()
    {
        std::set<NodeId> scaleProducts;
        for (const NodeId id : m_model.order) {
            if (m_model.isInFunction(m_model.node(id)))
                continue;
            if (auto product = dynamicProduct(m_model, id)) {
                scaleProducts.insert(product->scaleProduct);
                m_products.emplace(id, *std::move(product));
            }
        }
        const auto isOurs
            = [&](const Use& use) { return m_products.contains(use.node) || scaleProducts.contains(use.node); };
        for (const NodeId id : m_model.order) {
            const Node& node = m_model.node(id);
            if (!isAnyOf(node, {"DynamicQuantizeLinear"}) || m_model.isInFunction(node))
                continue;
            const bool isRead = std::ranges::any_of(node.outputs, [&](ValueId output) {
                return output.valid()
                    && (m_model.value(output).isOutput || m_isPinned[output.index]
                        || !std::ranges::all_of(m_model.value(output).uses, isOurs));
            });
            if (isRead)
                keep(id, "what reads its codes is not understood");
            (isRead ? m_keptQuantizers : m_goneQuantizers).insert(id);
        }
        std::erase_if(
            m_products, [this](const auto& entry) { return m_keptQuantizers.contains(entry.second.quantizer); });
    }

    void writeProduct(NodeId id, const DynamicProduct& product)
    {
        const Node& node = m_model.node(id);
        const ValueId bias = product.bias ? inputAt(node, *product.bias) : ValueId();
        addProduct(id, node.opType == "ConvInteger" ? "Conv" : "MatMul", node.attributes, nameNow(product.data),
            m_productWeights.at(id), bias, product.result);
    }

    void writePacked(NodeId id, const std::string& weight)
    {
        constexpr std::uint32_t kBias = 5;
        const Node& node = m_model.node(id);
        addProduct(id, "MatMul", {}, nameNow(node.inputs[0]), weight, inputAt(node, kBias), node.outputs[0]);
    }

    /// What reads a value in the end.
    [[nodiscard]] std::string nameNow(ValueId value) const
    {
        const auto constant = m_constants.find(value.index);
        return constant == m_constants.end() ? m_elimination.nameNow(value) : constant->second;
    }

    void addProduct(NodeId id, const char* opType, std::vector<Attribute> attributes, const std::string& data,
        const std::string& weight, ValueId bias, ValueId result)
    {
        const Node& node = m_model.node(id);
        const std::string given = nameNow(result);
        const std::string product = bias.valid() ? m_names.value(given + "_product") : given;
        m_newNodes.push_back({nameBefore(node), opType, "", {data, weight}, {product}, std::move(attributes),
            node.metadata, id, false, node.region});
        if (!bias.valid())
            return;
        m_newNodes.push_back({node.localName.empty() ? "" : m_names.node(node.localName + "_bias"), "Add", "",
            {product, nameNow(bias)}, {given}, {}, node.metadata, id, false, node.region});
    }

    // What is written anew

    /// What declares their types says integers: as floats they get other names.
    /// Nothing but this quantizer reads what it quantizes, which may be called otherwise.
    [[nodiscard]] bool isReadAlone(const Node& quantizer) const
    {
        const Value& value = m_model.value(quantizer.inputs[0]);
        return value.producer.valid() && m_model.node(value.producer).region == quantizer.region && !value.isOutput
            && !m_isPinned[quantizer.inputs[0].index] && value.uses.size() == 1;
    }

    /// What codes are for has a name that is to stay.
    [[nodiscard]] bool givesOutput(ValueId codes) const
    {
        return std::ranges::any_of(m_model.value(codes).uses, [this](const Use& use) {
            return std::ranges::any_of(m_model.node(use.node).outputs,
                [this](ValueId output) { return m_model.value(output).isOutput || m_isPinned[output.index]; });
        });
    }

    void renameValues()
    {
        std::set<ValueId> named;
        for (const auto& [id, clamp] : m_clamps) {
            const Node& node = m_model.node(id);
            if (!isReadAlone(node) || m_elimination.now(node.outputs[0]) != node.outputs[0]
                || givesOutput(node.outputs[0]))
                continue;
            const std::string& name = m_model.value(node.inputs[0]).name; // of what the clamp gave
            m_elimination.rename(node.inputs[0], m_names.value(name + "_before_clamp"));
            m_elimination.rename(node.outputs[0], name);
            named.insert(node.outputs[0]);
        }
        for (std::uint32_t i = 0; i < m_model.values.size(); ++i) {
            const ValueId id(i);
            if (!m_islands.canGo(id) || m_elimination.now(id) != id || named.contains(id))
                continue;
            const std::string& name = m_model.value(id).name;
            const std::string before = nameBeforeCodes(name);
            m_elimination.rename(id, m_names.value(before == name ? name + "_float" : before));
        }
        for (const auto& [value, name] : m_oldNames) {
            const ValueId old = m_model.findValue(name); // of the main graph
            const ValueId left = m_elimination.now(value);
            if (old.valid() && m_elimination.now(old) == left && m_model.value(left).producer.valid())
                m_elimination.rename(left, name);
        }
        for (const NodeId id : m_passed) {
            const Node& node = m_model.node(id);
            m_newNodes.push_back({node.localName, "Identity", "", {nameNow(node.inputs[0])},
                {m_model.value(node.outputs[0]).name}, {}, node.metadata, id, false, node.region});
            m_removed.push_back(id);
        }
    }

    /// "fc" of "fc_quant" or "fc_Q4", as ONNX Runtime's quantizers name what they make of a node, where no other one is
    /// called so.
    std::string nameBefore(const Node& node)
    {
        const std::string_view shorter = nodeBeforeQuantizer(node.localName);
        if (shorter.size() == node.localName.size())
            return node.localName;
        const std::string before(shorter);
        return m_model.findNode(before).valid() ? node.localName : m_names.node(before);
    }

    /// Beside a node, of what it reads or gives. @param value that is clamped, as it is called
    void addClamp(NodeId beside, const ClampRange& clamp, const std::string& input, const std::string& output,
        const std::string& value)
    {
        constexpr std::int64_t kBoundsAreInputs = 11;
        const Node& node = m_model.node(beside);
        const bool isRelu = std::isinf(clamp.high);
        const std::string scope = node.localName.substr(0, node.localName.rfind('/') + 1);
        NewNode made{m_names.node(scope + (isRelu ? "Relu" : "Clip")), isRelu ? "Relu" : "Clip", "", {input}, {output},
            {}, node.metadata, beside, false, node.region};
        if (!isRelu && m_model.opset() < kBoundsAreInputs) {
            made.attributes = {{"min", clamp.low}, {"max", clamp.high}};
        } else if (!isRelu) {
            made.inputs.push_back(bound("clip_min", clamp.low));
            made.inputs.push_back(bound("clip_max", clamp.high));
        }
        m_result.clamps.push_back({made.name, value});
        m_newNodes.push_back(std::move(made));
    }

    /// A scalar; one for all who want it.
    std::string bound(const char* wanted, float value)
    {
        std::string& name = m_bounds[value];
        if (name.empty()) {
            name = m_names.value(wanted);
            m_newTensors.push_back(asTensor(name, {{}, {value}}, ElementType::Float32));
        }
        return name;
    }

    void writeOperator(NodeId id, const Tensors& tensors)
    {
        const Node& node = m_model.node(id);
        const auto known = codeOperator(node);
        const auto clamp = known->resultScale
            ? takenClamp(m_model, node, *known->resultScale, *known->resultScale + 1, ElementType::UInt8)
            : std::nullopt;
        const std::string result = nameNow(node.outputs[0]);
        NewNode made{nameBefore(node), std::string(known->floatType), "", {},
            {clamp ? m_names.value(result + "_before_clamp") : result}, node.attributes, node.metadata, id, false,
            node.region};
        std::erase_if(made.attributes,
            [](const Attribute& attribute) { return attribute.name == "channels_last" || attribute.name == "opset"; });
        const auto read = [&](std::uint32_t port) {
            const auto tensor = tensors.find(port);
            made.inputs.push_back(tensor == tensors.end() ? nameNow(node.inputs[port]) : tensor->second);
        };
        if (known->plain)
            read(*known->plain);
        for (const CodePort& port : known->inputs)
            read(port.value);
        if (known->bias)
            read(*known->bias);
        m_newNodes.push_back(std::move(made));
        if (clamp)
            addClamp(id, *clamp, std::string(m_newNodes.back().outputs.front()), result, result);
    }

    void addTensor(const Node& node, std::uint32_t scalePort, const std::string& name, const Numbers& numbers)
    {
        addWeight(name, numbers, m_model.constant(node.inputs[scalePort])->type);
    }

    void addWeight(const std::string& name, const Numbers& numbers, ElementType type)
    {
        m_newTensors.push_back(asTensor(name, numbers, type));
        m_newBytes += m_newTensors.back().bytes.size();
        ++m_result.weights;
    }

    void goesFor(NodeId id)
    {
        m_isGone[id.index] = true;
        m_removed.push_back(id);
    }

    Result<Dequantized> finished()
    {
        for (const NodeId id : m_goneQuantizers)
            goesFor(id);
        m_result.quantizers += m_goneQuantizers.size();
        PassResult passed = std::move(m_elimination).result();
        EditList& edits = m_result.edits;
        if (passed.edits)
            edits = *std::move(passed.edits);
        const auto append = [](auto& to, auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        append(edits.removedNodes, m_removed);
        append(edits.newNodes, m_newNodes);
        append(edits.inputs, m_inputs);
        std::ranges::move(m_newTensors, std::back_inserter(edits.newTensors));
        removeUnread(edits);
        if (!edits.newTensors.empty())
            edits.irVersion = std::max(m_model.irVersion, kInitializersNeedNoInput);
        const std::vector<NotRecovered> blockers = m_islands.blockers();
        append(m_result.kept, blockers);
        return std::move(m_result);
    }

    /// Constants and products of scales that only nodes read which are gone.
    void removeUnread(EditList& edits)
    {
        std::set<std::string> read;
        for (const NewNode& node : edits.newNodes)
            read.insert(node.inputs.begin(), node.inputs.end());
        for (const PortEdit& edit : edits.inputs)
            read.insert(edit.value);
        for (const NodeId id : m_model.order) { // products of scales that went with their quantizers
            const Node& node = m_model.node(id);
            if (!isAnyOf(node, {"Mul"}) || !isUnread(node, read) || !readsGone(node))
                continue;
            goesFor(id);
            edits.removedNodes.push_back(id);
        }
        for (const NodeId id : m_model.order) {
            if (m_model.node(id).opType == "Constant" && isUnread(m_model.node(id), read))
                edits.removedNodes.push_back(id);
        }
        for (const Value& value : m_model.values) {
            if (!value.initializer.valid() || value.producer.valid() || !isUnread(value, read))
                continue;
            if (value.region == RegionId(0))
                edits.removedTensors.push_back(value.name);
            else
                edits.removedInBodies.emplace_back(value.region, value.name);
        }
    }

    /// Of the scales of a dynamic quantizer that is gone.
    [[nodiscard]] bool readsGone(const Node& node) const
    {
        return std::ranges::any_of(node.inputs,
            [&](ValueId input) { return input.valid() && m_goneQuantizers.contains(m_model.value(input).producer); });
    }

    [[nodiscard]] bool isUnread(const Value& value, const std::set<std::string>& read) const
    {
        return !value.isOutput && !value.uses.empty() && !read.contains(value.name)
            && std::ranges::all_of(value.uses, [this](const Use& use) {
                   return m_isGone[use.node.index] || m_readsTable.contains({use.node, use.port});
               });
    }
    [[nodiscard]] bool isUnread(const Node& node, const std::set<std::string>& read) const
    {
        return !m_model.isInFunction(node) && std::ranges::all_of(node.outputs, [&](ValueId output) {
            return !output.valid() || isUnread(m_model.value(output), read);
        });
    }

    void keep(NodeId id, std::string why) { m_result.kept.push_back({id, std::move(why)}); }

    [[nodiscard]] Error cannotGo(NodeId id) const
    {
        return {ErrorCode::Unsupported, "a quantizer cannot be taken out: values of several bodies share its name",
            "node '" + m_model.node(id).name + "'", "inline the model's functions first"};
    }
    [[nodiscard]] Error doesNotFit(NodeId id) const
    {
        return {ErrorCode::MalformedModel, "codes and their scales do not fit", "node '" + m_model.node(id).name + "'",
            "check the model with its tool"};
    }

    [[nodiscard]] Error tooLarge(NodeId id) const
    {
        return {ErrorCode::Unsupported,
            "in float its weights would take more than " + std::to_string(kMostGrowth) + " times the model's size",
            "node '" + m_model.node(id).name + "'", "check whether many nodes dequantize the same codes"};
    }

    const Model& m_model;
    const std::set<NodeId> m_none;
    PassScene m_scene;
    Elimination m_elimination;
    CodeIslands m_islands;
    EditNames m_names;
    std::vector<bool> m_isPinned; // [values]
    std::vector<bool> m_isGone; // [nodes]
    std::vector<NodeId> m_removed, m_passed;
    std::set<std::pair<NodeId, std::uint32_t>> m_readsTable; // ports that read floats instead
    std::vector<std::pair<ValueId, std::string>> m_oldNames; // of values that quantizers renamed
    std::map<std::uint32_t, std::string> m_constants; // by value, that a DequantizeLinear of codes gave
    std::vector<std::pair<NodeId, std::string>> m_packed; // with their weights
    std::vector<std::pair<NodeId, std::vector<std::string>>> m_lstms; // likewise
    std::vector<std::pair<NodeId, Tensors>> m_operators;
    std::vector<std::pair<NodeId, ClampRange>> m_clamps; // that quantizers had taken over
    std::map<float, std::string> m_bounds; // of clamps, by value
    std::map<NodeId, DynamicProduct> m_products;
    std::map<NodeId, std::string> m_productWeights;
    std::set<NodeId> m_goneQuantizers, m_keptQuantizers;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> m_tensors; // by codes and scale
    std::vector<NewTensor> m_newTensors;
    std::uint64_t m_newBytes = 0; // of weights among them
    std::vector<NewNode> m_newNodes;
    std::vector<PortEdit> m_inputs;
    Dequantized m_result;
};

} // namespace

Result<Dequantized> dequantizeEdits(const Model& model)
{
    return Dequantizer(model).run();
}

} // namespace duo
