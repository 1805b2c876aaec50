// SPDX-License-Identifier: Apache-2.0
// BatchNormalization beside a convolution or a matrix product becomes a part of its weight and bias, and so does what
// is added to the channels of a convolution.
#include "core/model/constant_conditions.h"
#include "core/model/held_tensors.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/transform/common_passes.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"
#include "core/transform/fold_batch_norm.h"
#include "core/transform/known_ranks.h"

#include <algorithm>
#include <cstring>

namespace duo {
namespace {

constexpr const char* kSharedWeight = "another node reads the weight as well, which would be there twice";

NewTensor floatTensor(std::string name, std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    NewTensor tensor{std::move(name), ElementType::Float32, std::move(dims), std::vector<std::byte>(values.size() * 4)};
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return tensor;
}

/// "conv.bias" for "conv.weight".
std::string biasNameFor(std::string weight)
{
    constexpr std::string_view kWeight = "weight";
    if (weight.ends_with(kWeight))
        return weight.replace(weight.size() - kWeight.size(), kWeight.size(), "bias");
    return weight + "_bias";
}

class ProductJoining
{
public:
    explicit ProductJoining(const PassScene& scene)
        : m_scene(scene)
        , m_model(scene.model)
        , m_names(scene.model)
        , m_isPinned(pinnedValues(scene.model))
        , m_isGone(scene.model.nodes.size())
    {
    }

    PassResult addends()
    {
        for (const NodeId id : m_model.order) {
            const Node& node = m_model.node(id);
            const auto add = isProductHere(id) ? addBehind(node) : std::nullopt;
            if (!add || !m_scene.mayChange(add->node) || m_isPinned[node.outputs[0].index])
                continue;
            if (const auto why = joinAddend(id, *add); !why.empty())
                m_result.skipped.push_back({add->node, why});
        }
        return made();
    }

    PassResult norms()
    {
        for (const NodeId id : m_model.order) {
            const Node& node = m_model.node(id);
            if (!isProductHere(id) || joinBehind(id))
                continue;
            const auto norm = normBefore(m_model, id);
            const bool isThere = norm && m_scene.mayChange(norm->node) && !m_isGone[norm->node.index]
                && !m_isPinned[node.inputs[0].index];
            if (!isThere)
                continue;
            if (const auto why = joinBefore(id, *norm); !why.empty())
                m_result.skipped.push_back({norm->node, why});
        }
        return made();
    }

private:
    PassResult made()
    {
        if (!m_result.applied.empty())
            m_result.edits = std::move(m_edits);
        return std::move(m_result);
    }

    [[nodiscard]] bool isProductHere(NodeId id) const
    {
        const Node& node = m_model.node(id);
        return node.region == RegionId(0) && !node.isCall && !biasedForm(node).empty() && m_scene.mayChange(id);
    }

    /// The Add of a constant that alone reads what a convolution gives, and the port of the constant.
    [[nodiscard]] std::optional<Use> addBehind(const Node& conv) const
    {
        const bool isConvolution
            = isProduct(conv, Product::Convolution) || isProduct(conv, Product::TransposedConvolution);
        const auto use = isConvolution ? onlyUse(m_model, conv) : std::nullopt;
        if (!use)
            return std::nullopt;
        const Node& reader = m_model.node(use->node);
        const bool isAdd = reader.opType == "Add" && reader.domain.empty() && reader.inputs.size() == 2
            && reader.region == conv.region;
        const std::uint32_t other = 1 - std::min(use->port, std::uint32_t{1});
        if (!isAdd || initializerAt(reader, other) == nullptr)
            return std::nullopt;
        return Use{use->node, other};
    }

    /// One number for each channel. @return why it could not
    std::string joinAddend(NodeId id, const Use& add)
    {
        const Node& node = m_model.node(id);
        const Tensor* weight = initializerAt(node, 1);
        const Tensor& addend = *initializerAt(m_model.node(add.node), add.port);
        if (weight == nullptr || weight->type != ElementType::Float32 || addend.type != ElementType::Float32)
            return "the weight before it, or what it adds, is no constant of 32-bit floats";
        const auto layout = weightLayout(node, 1, weight->dims.size());
        if (!layout || !layout->output || layout->groups < 1)
            return "the layout of the weight before it is not known";
        const bool isTransposed = isProduct(node, Product::TransposedConvolution);
        const std::int64_t channels = weight->dims[*layout->output] * (isTransposed ? layout->groups : 1);
        if (!isOfChannels(addend.dims, weight->dims.size(), channels))
            return "what it adds is not one number for each channel";
        const bool hasBias = node.inputs.size() > 2 && node.inputs[2].valid();
        if (hasBias && initializerAt(node, 2) == nullptr)
            return "the bias before it is no constant";
        std::vector<float> bias
            = hasBias ? floatVector(m_model, node.inputs[2]) : std::vector<float>(static_cast<std::size_t>(channels));
        if (static_cast<std::int64_t>(bias.size()) != channels)
            return "the bias before it has another number of channels";
        const std::vector<float> added = toFloats(addend);
        for (std::size_t c = 0; c < bias.size(); ++c)
            bias[c] += added[added.size() == 1 ? 0 : c];
        m_edits.outputs.push_back({id, 0, m_model.value(m_model.node(add.node).outputs[0]).name});
        putBias(id, bias);
        takeIn(id, add.node);
        return {};
    }

    /// Of one number, or of one for each channel, beside data of `rank` axes.
    static bool isOfChannels(const std::vector<std::int64_t>& dims, std::size_t rank, std::int64_t channels)
    {
        if (dims.size() > rank)
            return false;
        for (std::size_t i = 0; i < dims.size(); ++i) {
            const bool isChannelAxis = i + rank - dims.size() == 1;
            if (dims[i] != 1 && !(isChannelAxis && dims[i] == channels))
                return false;
        }
        return true;
    }

    /// @return whether there is a norm behind it, joined or not
    bool joinBehind(NodeId id)
    {
        const Node& node = m_model.node(id);
        auto norm = normBehind(m_model, id);
        const auto add = norm ? std::nullopt : addBehind(node);
        if (add)
            norm = normBehind(m_model, id, add->node);
        if (!norm || !m_scene.mayChange(norm->node) || m_isPinned[node.outputs[0].index]
            || (add && !mayTakeIn(node, *add, norm->scale.size())))
            return false;
        if (const auto why = join(id, *norm, add); !why.empty())
            m_result.skipped.push_back({norm->node, why});
        return true;
    }

    /// What is added between a convolution and its norm is one number for each channel.
    [[nodiscard]] bool mayTakeIn(const Node& conv, const Use& add, std::size_t channels) const
    {
        const Node& node = m_model.node(add.node);
        const Tensor* weight = initializerAt(conv, 1);
        const Tensor& addend = *initializerAt(node, add.port);
        return weight != nullptr && addend.type == ElementType::Float32 && m_scene.mayChange(add.node)
            && !m_isPinned[node.outputs[0].index]
            && isOfChannels(addend.dims, weight->dims.size(), static_cast<std::int64_t>(channels));
    }

    /// @param add what stands between
    /// @return why it could not
    std::string join(NodeId id, const FoldedNorm& norm, const std::optional<Use>& add)
    {
        const Node& node = m_model.node(id);
        const Tensor* weight = initializerAt(node, 1);
        if (weight == nullptr || weight->type != ElementType::Float32)
            return "the weight before it is no constant of 32-bit floats";
        if (!onlyUse(m_model, node.inputs[1]))
            return kSharedWeight;
        if (isProduct(node, Product::Matrix) && !hasChannelsSecond(node))
            return "its channels are not known to be those of the product before it";
        const bool hasBias = node.inputs.size() > 2 && node.inputs[2].valid();
        if (node.floatAttribute("beta", 1) != 1 || (hasBias && initializerAt(node, 2) == nullptr))
            return "the bias before it is scaled, or no constant";
        const auto scaled = scaledWeight(node, *weight, norm.scale);
        if (scaled.empty())
            return "the weight before it has another number of channels";
        std::vector<float> bias
            = hasBias ? floatVector(m_model, node.inputs[2]) : std::vector<float>(norm.scale.size());
        if (bias.size() != norm.scale.size())
            return "the bias before it has another number of channels";
        const std::vector<float> added
            = add ? toFloats(*initializerAt(m_model.node(add->node), add->port)) : std::vector<float>{0};
        for (std::size_t c = 0; c < bias.size(); ++c)
            bias[c] = (bias[c] + added[added.size() == 1 ? 0 : c]) * norm.scale[c] + norm.shift[c];
        m_edits.outputs.push_back({id, 0, m_model.value(m_model.node(norm.node).outputs[0]).name});
        write(id, norm, *weight, scaled, bias);
        if (add)
            takeIn(id, add->node);
        return {};
    }

    /// y = product(scale * x + shift). @return why it could not
    std::string joinBefore(NodeId id, const FoldedNorm& norm)
    {
        const Node& node = m_model.node(id);
        const Tensor* weight = initializerAt(node, 1);
        if (weight == nullptr || weight->type != ElementType::Float32)
            return "the weight behind it is no constant of 32-bit floats";
        if (!onlyUse(m_model, node.inputs[1]))
            return kSharedWeight;
        const bool isMatrix = isProduct(node, Product::Matrix);
        const bool isTransposed = isProduct(node, Product::TransposedConvolution);
        if (isMatrix && (node.intAttribute("transA", 0) != 0 || !readsMatrix(node)))
            return "its channels are not known to be those that the product behind it sums over";
        const bool shifts = std::ranges::any_of(norm.shift, [](float shift) { return shift != 0; });
        if (shifts && !isMatrix && !isTransposed && padsData(node))
            return "the convolution behind it puts zeros around what it gives";
        if (shifts && isTransposed && !isPointwise(node, *weight))
            return "what it adds reaches results through other parts of the kernel each";
        const bool hasBias = node.inputs.size() > 2 && node.inputs[2].valid();
        if (node.floatAttribute("beta", 1) != 1 || (hasBias && initializerAt(node, 2) == nullptr))
            return "the bias behind it is scaled, or no constant";
        const auto layout = weightLayout(node, 1, weight->dims.size());
        if (!layout || !layout->output || !layout->input || layout->groups < 1)
            return "the layout of the weight behind it is not known";
        const std::int64_t groups = layout->groups; // a Conv has all outputs in its weight, a ConvTranspose all inputs
        const std::int64_t outputs = weight->dims[*layout->output] * (isTransposed ? groups : 1);
        const std::int64_t inputs = weight->dims[*layout->input] * (isTransposed ? 1 : groups);
        if (outputs % groups != 0 || inputs % groups != 0 || inputs != static_cast<std::int64_t>(norm.scale.size()))
            return "the weight behind it has another number of channels";
        std::vector<float> bias
            = hasBias ? floatVector(m_model, node.inputs[2]) : std::vector<float>(static_cast<std::size_t>(outputs));
        if (static_cast<std::int64_t>(bias.size()) != outputs)
            return "the bias behind it has another number of channels";
        std::vector<float> values = toFloats(*weight);
        std::vector<double> sums(bias.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::int64_t output = indexAlong(*weight, *layout->output, i);
            std::int64_t input = indexAlong(*weight, *layout->input, i);
            if (isTransposed)
                output += input / (inputs / groups) * (outputs / groups);
            else
                input += output / (outputs / groups) * (inputs / groups);
            const auto channel = static_cast<std::size_t>(input);
            sums[static_cast<std::size_t>(output)] += static_cast<double>(values[i]) * norm.shift[channel];
            values[i] *= norm.scale[channel];
        }
        const double factor = node.floatAttribute("alpha", 1);
        for (std::size_t c = 0; c < bias.size(); ++c)
            bias[c] = static_cast<float>(bias[c] + factor * sums[c]);
        m_edits.inputs.push_back({id, 0, m_model.value(m_model.node(norm.node).inputs[0]).name});
        write(id, norm, *weight, values, bias);
        return {};
    }

    /// Of an element of a tensor, counted in the order they lie.
    static std::int64_t indexAlong(const Tensor& tensor, std::size_t axis, std::size_t element)
    {
        std::int64_t inner = 1;
        for (std::size_t i = axis + 1; i < tensor.dims.size(); ++i)
            inner *= tensor.dims[i];
        return static_cast<std::int64_t>(element) / inner % tensor.dims[axis];
    }

    /// Each result is made of one element of each channel, and nothing comes between or around.
    static bool isPointwise(const Node& conv, const Tensor& weight)
    {
        const auto areAll = [&](const char* name, std::int64_t wanted) {
            const Attribute* given = conv.attribute(name);
            const auto* numbers = given != nullptr ? std::get_if<std::vector<std::int64_t>>(&given->value) : nullptr;
            return given == nullptr || (numbers != nullptr && std::ranges::all_of(*numbers, [&](std::int64_t one) {
                return one == wanted;
            }));
        };
        return weight.dims.size() > 2
            && std::all_of(weight.dims.begin() + 2, weight.dims.end(), [](std::int64_t size) { return size == 1; })
            && areAll("strides", 1) && areAll("output_padding", 0) && conv.attribute("output_shape") == nullptr
            && !padsData(conv);
    }

    static bool padsData(const Node& conv)
    {
        const Attribute* automatic = conv.attribute("auto_pad");
        const auto* mode = automatic != nullptr ? std::get_if<std::string>(&automatic->value) : nullptr;
        const Attribute* given = conv.attribute("pads");
        const auto* pads = given != nullptr ? std::get_if<std::vector<std::int64_t>>(&given->value) : nullptr;
        const bool isAutomatic = automatic != nullptr && (mode == nullptr || (*mode != "NOTSET" && *mode != "VALID"));
        const bool isPadded = given != nullptr
            && (pads == nullptr || std::ranges::any_of(*pads, [](std::int64_t count) { return count != 0; }));
        return isAutomatic || isPadded;
    }

    /// What it multiplies has two dimensions, so that axis 1 is the last one.
    [[nodiscard]] bool readsMatrix(const Node& node)
    {
        if (!m_ranks)
            m_ranks.emplace(m_model);
        return node.opType == "Gemm" || m_ranks->of(node.inputs[0]) == 2;
    }

    /// A tensor of the main graph that no caller overrides.
    [[nodiscard]] const Tensor* initializerAt(const Node& node, std::size_t port) const
    {
        const ValueId value = port < node.inputs.size() ? node.inputs[port] : ValueId{};
        const bool isHeld = value.valid() && m_model.value(value).region == RegionId(0)
            && !isOverridable(m_model, m_model.value(value));
        return isHeld ? m_model.constant(value) : nullptr;
    }

    /// The result has two dimensions, so that axis 1 is the last one.
    [[nodiscard]] bool hasChannelsSecond(const Node& node)
    {
        if (!m_ranks)
            m_ranks.emplace(m_model);
        return m_ranks->of(node.outputs[0]) == 2;
    }

    /// Empty where channels do not fit.
    static std::vector<float> scaledWeight(const Node& node, const Tensor& weight, const std::vector<float>& scale)
    {
        const auto layout = weightLayout(node, 1, weight.dims.size());
        if (!layout || !layout->output || *layout->output >= weight.dims.size())
            return {};
        const bool isTransposed = isProduct(node, Product::TransposedConvolution);
        const std::int64_t groups = isTransposed ? layout->groups : 1;
        const std::int64_t channels = weight.dims[*layout->output];
        if (groups < 1 || channels * groups != static_cast<std::int64_t>(scale.size())
            || (isTransposed && weight.dims[0] % groups != 0))
            return {};
        std::vector<float> values = toFloats(weight);
        std::int64_t inner = 1;
        for (std::size_t i = *layout->output + 1; i < weight.dims.size(); ++i)
            inner *= weight.dims[i];
        const std::int64_t perGroup
            = static_cast<std::int64_t>(values.size()) / groups; // inputs of a group lie together
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto at = static_cast<std::int64_t>(i);
            const std::int64_t channel = at / perGroup * channels + at / inner % channels;
            values[i] *= scale[static_cast<std::size_t>(channel)];
        }
        return values;
    }

    void write(NodeId id, const FoldedNorm& norm, const Tensor& weight, const std::vector<float>& scaled,
        const std::vector<float>& bias)
    {
        const Node& node = m_model.node(id);
        put(id, 1, m_model.value(node.inputs[1]).name, floatTensor({}, weight.dims, scaled));
        putBias(id, bias);
        if (biasedForm(node) != node.opType)
            m_edits.opTypes.emplace_back(id, biasedForm(node));
        m_isGone[norm.node.index] = true;
        takeIn(id, norm.node);
    }

    void putBias(NodeId id, const std::vector<float>& bias)
    {
        const Node& node = m_model.node(id);
        const bool hasOwnBias = node.inputs.size() > 2 && onlyUse(m_model, node.inputs[2]);
        put(id, 2, hasOwnBias ? m_model.value(node.inputs[2]).name : biasNameFor(m_model.value(node.inputs[1]).name),
            floatTensor({}, {static_cast<std::int64_t>(bias.size())}, bias));
    }

    void takeIn(NodeId id, NodeId other)
    {
        m_result.fused.emplace_back(id, other);
        m_edits.removedNodes.push_back(other);
        m_result.applied.push_back(other);
    }

    /// Under the name that it has where no other node reads it.
    void put(NodeId id, std::uint32_t port, const std::string& wish, NewTensor tensor)
    {
        const Node& node = m_model.node(id);
        const ValueId old = port < node.inputs.size() ? node.inputs[port] : ValueId{};
        const bool isOnlyOne
            = old.valid() && onlyUse(m_model, old) && m_model.value(old).initializer.valid() && !m_isPinned[old.index];
        tensor.name = isOnlyOne ? wish : m_names.value(wish);
        if (isOnlyOne)
            m_edits.removedTensors.push_back(wish);
        else
            m_edits.inputs.push_back({id, port, tensor.name});
        m_edits.newTensors.push_back(std::move(tensor));
    }

    const PassScene& m_scene;
    const Model& m_model;
    EditNames m_names;
    std::vector<bool> m_isPinned; // [values]
    std::vector<bool> m_isGone; // [nodes]
    std::optional<KnownRanks> m_ranks;
    EditList m_edits;
    PassResult m_result;
};

} // namespace

PassResult joinBatchNorms(const PassScene& scene)
{
    return scene.model.irVersion < kInitializersNeedNoInput ? PassResult{} : ProductJoining(scene).norms();
}

PassResult joinChannelBiases(const PassScene& scene)
{
    return scene.model.irVersion < kInitializersNeedNoInput ? PassResult{} : ProductJoining(scene).addends();
}

} // namespace duo
