// SPDX-License-Identifier: Apache-2.0
#include "core/transform/older_form.h"

#include "core/content/float_values.h"
#include "core/model/constant_conditions.h"
#include "core/transform/fused_names.h"
#include "core/transform/write_attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>

namespace duo {
namespace {

using Ints = std::vector<std::int64_t>;
constexpr std::int64_t kReduceAxesAreInputs = 18;

void takeOffAttribute(OlderForm& form, std::string_view name, std::int64_t usual)
{
    if (!form.isSet(name))
        return;
    if (form.node().intAttribute(name, usual) != usual)
        return form.refuse("attribute '" + std::string(name) + "' says what it could not say");
    form.drop(name);
}

template <const auto& name, std::int64_t usual = 0> void takeOff(OlderForm& form)
{
    takeOffAttribute(form, name, usual);
}

constexpr std::string_view kBlockSize = "block_size";
constexpr std::string_view kLayout = "layout";
constexpr std::string_view kOutputType = "output_dtype";
constexpr std::string_view kPrecision = "precision";
constexpr std::string_view kSaturate = "saturate";
constexpr std::string_view kTraining = "training_mode";

/// A zero in a shape copies a size, or is one; where there is none it makes no difference.
void copyNoZeros(OlderForm& form)
{
    const Tensor* shape = form.input(1).empty() ? nullptr : form.model().constant(form.node().inputs[1]);
    const bool hasNone = shape != nullptr && std::ranges::count(toInts(*shape), 0) == 0;
    if (hasNone && form.isSet("allowzero"))
        return form.drop("allowzero");
    takeOffAttribute(form, "allowzero", 0);
}

/// Of a conversion from float8 only, which an older one cannot say at all.
void dropRounding(OlderForm& form)
{
    if (form.isSet("round_mode"))
        form.drop("round_mode");
}

void takeOffDilations(OlderForm& form)
{
    const Attribute* attribute = form.node().attribute("dilations");
    if (attribute == nullptr)
        return;
    const auto* numbers = std::get_if<Ints>(&attribute->value);
    if (numbers == nullptr || !std::ranges::all_of(*numbers, [](std::int64_t each) { return each == 1; }))
        return form.refuse("its windows have gaps");
    form.drop("dilations");
}

void takeOffText(OlderForm& form, std::string_view name, std::string_view usual)
{
    const Attribute* attribute = form.node().attribute(name);
    if (attribute == nullptr)
        return;
    const auto* text = std::get_if<std::string>(&attribute->value);
    if (text == nullptr || *text != usual)
        return form.refuse("attribute '" + std::string(name) + "' says what it could not say");
    form.drop(name);
}

void takeOffReduction(OlderForm& form)
{
    takeOffText(form, "reduction", "none");
}

/// "" where it is not set, or no text.
std::string_view textOf(const OlderForm& form, std::string_view name)
{
    const Attribute* attribute = form.node().attribute(name);
    const auto* text = attribute != nullptr ? std::get_if<std::string>(&attribute->value) : nullptr;
    return text != nullptr ? std::string_view(*text) : std::string_view();
}

void haveNoSelection(OlderForm& form)
{
    const std::string_view reduction = textOf(form, "reduction");
    if (reduction == "max" || reduction == "min")
        form.refuse("it keeps the " + std::string(reduction) + " of what it is given");
}

template <std::size_t port> void haveNoInput(OlderForm& form)
{
    if (!form.input(port).empty())
        form.refuse("it has an input " + std::to_string(port));
}

/// What is put around some axes, with nothing around the others.
void padAllAxes(OlderForm& form)
{
    if (form.input(3).empty())
        return;
    const auto numbersAt = [&](std::size_t port) {
        const Tensor* tensor = fixedInput(form.model(), form.node(), port);
        return tensor != nullptr ? toInts(*tensor) : Ints();
    };
    const Ints axes = numbersAt(3);
    const Ints pads = numbersAt(1);
    const std::int64_t rank = form.rank().value_or(0);
    Ints all(2 * static_cast<std::size_t>(rank));
    bool isKnown = !axes.empty() && pads.size() == 2 * axes.size();
    for (std::size_t i = 0; isKnown && i < axes.size(); ++i) {
        const std::int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        isKnown = axis >= 0 && axis < rank;
        if (isKnown) {
            all[static_cast<std::size_t>(axis)] = pads[i];
            all[static_cast<std::size_t>(axis + rank)] = pads[i + axes.size()];
        }
    }
    if (!isKnown)
        return form.refuse("around which axes it pads is not known");
    std::vector<std::string> inputs{form.input(0), form.ints("pads", all)};
    if (!form.input(2).empty())
        inputs.push_back(form.input(2));
    form.end("Pad", std::move(inputs), form.node().attributes);
}

void haveNoWrap(OlderForm& form)
{
    if (textOf(form, "mode") == "wrap")
        form.refuse("it goes around");
}

void haveNoWindow(OlderForm& form)
{
    if (form.isSet("left_window_size") || form.isSet("right_window_size"))
        form.refuse("it has a window");
}

/// Of floats the remainder had the sign of the dividend, as `fmod` says.
void haveWholeNumbers(OlderForm& form)
{
    if (form.node().intAttribute("fmod", 0) != 0)
        return;
    const ElementType type
        = form.input(0).empty() ? ElementType::Undefined : form.model().value(form.node().inputs[0]).type.element;
    if (type == ElementType::Undefined || isFloating(type))
        form.refuse("it is not known to be of whole numbers");
}

void haveNoSymmetry(OlderForm& form)
{
    if (textOf(form, "coordinate_transformation_mode") == "half_pixel_symmetric")
        form.refuse("it counts pixels from the middle");
}

void resizeAllAxes(OlderForm& form)
{
    takeOffAttribute(form, "antialias", 0);
    takeOffText(form, "keep_aspect_ratio_policy", "stretch");
    if (form.isSet("axes"))
        form.refuse("it says which axes it resizes");
}

void poolWholeWindows(OlderForm& form)
{
    takeOffAttribute(form, "ceil_mode", 0);
    takeOffDilations(form);
}

void takeOutputPixels(OlderForm& form)
{
    if (!form.isSet("coordinate_transformation_mode"))
        return form.refuse("it takes half pixels, which it could not");
    takeOffText(form, "coordinate_transformation_mode", "output_half_pixel");
}

/// Sizes of some axes: of all of them, and these taken out.
void takeShape(OlderForm& form)
{
    const std::int64_t start = form.node().intAttribute("start", 0);
    if (!form.isSet("end") && start == 0)
        return form.isSet("start") ? form.drop("start") : void();
    const auto rank = form.rank();
    const std::int64_t end = form.node().intAttribute("end", rank.value_or(0));
    if (!rank && (!form.isSet("end") || start < 0 || end < 0))
        return form.refuse("how many axes its input has is not known");
    const auto within = [&](std::int64_t axis) {
        return rank ? std::clamp<std::int64_t>(axis < 0 ? axis + *rank : axis, 0, *rank) : axis;
    };
    const std::string all = form.add("Shape", {form.input(0)});
    form.end("Slice", {all, form.ints("start", {within(start)}), form.ints("end", {within(end)})});
}

/// Equal parts are what it gives without being told their number.
void splitEvenly(OlderForm& form)
{
    if (!form.isSet("num_outputs"))
        return;
    const auto& shape = form.model().value(form.node().inputs[0]).type.shape;
    const std::int64_t axis = form.node().intAttribute("axis", 0);
    const auto rank = static_cast<std::int64_t>(shape ? shape->size() : 0);
    const std::int64_t at = axis < 0 ? axis + rank : axis;
    const std::int64_t size = at >= 0 && at < rank ? (*shape)[static_cast<std::size_t>(at)].size.value_or(0) : 0;
    if (size <= 0 || size % static_cast<std::int64_t>(form.node().outputs.size()) != 0)
        return form.refuse("it is not known to give equal parts");
    form.drop("num_outputs");
}

void reduceByAttribute(OlderForm& form)
{
    std::vector<Attribute> attributes;
    for (const Attribute& attribute : form.node().attributes) {
        if (attribute.name != "noop_with_empty_axes")
            attributes.push_back(attribute);
    }
    const bool isTold = !form.input(1).empty();
    const Tensor* axes = isTold ? form.model().constant(form.node().inputs[1]) : nullptr;
    if (isTold && axes == nullptr)
        return form.refuse("its axes are computed");
    const Ints numbers = axes != nullptr ? toInts(*axes) : Ints();
    if (numbers.empty() && form.node().intAttribute("noop_with_empty_axes", 0) != 0)
        return form.refuse("it does nothing without axes");
    if (!numbers.empty())
        attributes.push_back({"axes", numbers});
    if (isTold || form.isSet("noop_with_empty_axes"))
        form.end(form.node().opType, {form.input(0)}, std::move(attributes));
}

void gateHard(OlderForm& form)
{
    const std::string gate = form.add("HardSigmoid", {form.input(0)}, {{"alpha", 1.0F / 6}, {"beta", 0.5F}});
    form.end("Mul", {form.input(0), gate});
}

void writeMish(OlderForm& form)
{
    form.end("Mul", {form.input(0), form.add("Tanh", {form.add("Softplus", {form.input(0)})})});
}

void writeSwish(OlderForm& form)
{
    const float alpha = form.node().floatAttribute("alpha", 1);
    const std::string bent = alpha == 1 ? form.input(0) : form.add("Mul", {form.input(0), form.scalar("alpha", alpha)});
    form.end("Mul", {form.input(0), form.add("Sigmoid", {bent})});
}

/// 0.5 x (1 + erf(x / root of 2)), or its approximation by tanh.
void writeGelu(OlderForm& form)
{
    const Attribute* approximate = form.node().attribute("approximate");
    const auto* text = approximate != nullptr ? std::get_if<std::string>(&approximate->value) : nullptr;
    const std::string x = form.input(0);
    std::string bent;
    if (text != nullptr && *text == "tanh") {
        const std::string cube = form.add("Mul", {form.add("Mul", {x, x}), x});
        const std::string line = form.add("Add", {x, form.add("Mul", {cube, form.scalar("bend", 0.044715)})});
        bent = form.add("Tanh", {form.add("Mul", {line, form.scalar("scale", std::sqrt(2 / std::numbers::pi))})});
    } else {
        bent = form.add("Erf", {form.add("Div", {x, form.scalar("root", std::numbers::sqrt2)})});
    }
    const std::string gate = form.add("Add", {bent, form.scalar("one", 1)});
    form.end("Mul", {form.add("Mul", {x, gate}), form.scalar("half", 0.5)});
}

std::string meanOf(OlderForm& form, const std::string& value, const Ints& axes)
{
    if (form.opset() < kReduceAxesAreInputs)
        return form.add("ReduceMean", {value}, {{"axes", axes}, {"keepdims", std::int64_t{1}}});
    return form.add("ReduceMean", {value, form.ints("axes", axes)}, {{"keepdims", std::int64_t{1}}});
}

/// From `axis` on to the last one; refused where it is not known which these are.
Ints axesFrom(OlderForm& form)
{
    std::int64_t axis = form.node().intAttribute("axis", -1);
    const auto rank = form.rank();
    if (axis >= 0 && !rank)
        form.refuse("how many axes its input has is not known");
    axis = axis >= 0 ? axis - rank.value_or(axis + 1) : axis;
    Ints axes;
    for (; axis < 0; ++axis)
        axes.push_back(axis);
    return axes;
}

/// `centred` over the root of the mean of its squares; refused of 16 bits where the norm takes them in 32 (stash_type),
/// for these would overflow.
std::string normalized(OlderForm& form, const std::string& centred, const Ints& axes)
{
    const ElementType type = form.model().value(form.node().inputs[0]).type.element;
    if ((type == ElementType::Float16 || type == ElementType::BFloat16)
        && form.node().intAttribute("stash_type", 1) == 1)
        form.refuse("it works in 32 bits inside, on values of 16");
    const std::string mean = meanOf(form, form.add("Mul", {centred, centred}), axes);
    const std::string raised
        = form.add("Add", {mean, form.scalar("epsilon", form.node().floatAttribute("epsilon", 1e-5F))});
    return form.add("Div", {centred, form.add("Sqrt", {raised})});
}

void writeLayerNorm(OlderForm& form)
{
    if (form.hasOutput(1) || form.hasOutput(2))
        return form.refuse("its mean or its deviation is read");
    const Ints axes = axesFrom(form);
    const std::string x = form.input(0);
    const std::string norm = normalized(form, form.add("Sub", {x, meanOf(form, x, axes)}), axes);
    if (form.input(2).empty())
        return form.end("Mul", {norm, form.input(1)});
    form.end("Add", {form.add("Mul", {norm, form.input(1)}), form.input(2)});
}

void writeRmsNorm(OlderForm& form)
{
    const Ints axes = axesFrom(form);
    form.end("Mul", {normalized(form, form.input(0), axes), form.input(1)});
}

/// Each group of channels for itself; scale and bias are of channels.
void writeGroupNorm(OlderForm& form)
{
    const auto rank = form.rank();
    const std::int64_t groups = form.node().intAttribute("num_groups", 0);
    if (!rank || *rank < 2 || groups < 1)
        return form.refuse("how many axes its input has is not known");
    const std::string x = form.input(0);
    const std::string grouped = form.add("Reshape", {x, form.ints("groups", {0, groups, -1})});
    const std::string centred = form.add("Sub", {grouped, meanOf(form, grouped, {-1})});
    const std::string norm = form.add("Reshape", {normalized(form, centred, {-1}), form.add("Shape", {x})});
    const auto ofChannels = [&](std::size_t port) {
        if (*rank == 2)
            return form.input(port);
        Ints axes(static_cast<std::size_t>(*rank - 2));
        std::iota(axes.begin(), axes.end(), 1);
        return form.add("Unsqueeze", {form.input(port), form.ints("axes", axes)});
    };
    const std::string scaled = form.add("Mul", {norm, ofChannels(1)});
    form.end("Add", {scaled, ofChannels(2)});
}

/// What an opset changed beyond types: what came with it, or what it made mean more.
struct NewerRow {
    std::string_view opType;
    std::int64_t opset;
    void (*write)(OlderForm&) = nullptr; // in an older one; null: there is none
};

/// By name, newer ones first.
constexpr auto kRows = std::to_array<NewerRow>({
    {"AffineGrid", 20},
    {"Attention", 25, haveNoWindow},
    {"Attention", 24, haveNoInput<6>},
    {"Attention", 23, writeAttention},
    {"AveragePool", 19, takeOffDilations},
    {"BatchNormalization", 14, takeOff<kTraining>},
    {"Bernoulli", 15},
    {"BitCast", 26},
    {"BitwiseAnd", 18},
    {"BitwiseNot", 18},
    {"BitwiseOr", 18},
    {"BitwiseXor", 18},
    {"BlackmanWindow", 17},
    {"Cast", 24, dropRounding},
    {"Cast", 19, takeOff<kSaturate, 1>},
    {"CastLike", 24, dropRounding},
    {"CastLike", 19, takeOff<kSaturate, 1>},
    {"CastLike", 15},
    {"CausalConvWithState", 27},
    {"CenterCropPad", 18},
    {"Col2Im", 18},
    {"CumProd", 26},
    {"DFT", 20},
    {"DeformConv", 19},
    {"DequantizeLinear", 23, takeOff<kOutputType>},
    {"DequantizeLinear", 21, takeOff<kBlockSize>},
    {"GRU", 14, takeOff<kLayout>},
    {"Gelu", 20, writeGelu},
    {"GridSample", 20},
    {"GroupNormalization", 21, writeGroupNorm},
    {"HammingWindow", 17},
    {"HannWindow", 17},
    {"HardSwish", 14, gateHard},
    {"ImageDecoder", 20},
    {"LSTM", 14, takeOff<kLayout>},
    {"LayerNormalization", 17, writeLayerNorm},
    {"LinearAttention", 27},
    {"LpPool", 18, poolWholeWindows},
    {"MelWeightMatrix", 17},
    {"Mish", 18, writeMish},
    {"Mod", 28, haveWholeNumbers},
    {"Optional", 15},
    {"OptionalGetElement", 15},
    {"OptionalHasElement", 15},
    {"Pad", 19, haveNoWrap},
    {"Pad", 18, padAllAxes},
    {"QuantizeLinear", 23, takeOff<kPrecision>},
    {"QuantizeLinear", 21, takeOff<kOutputType>},
    {"QuantizeLinear", 21, takeOff<kBlockSize>},
    {"QuantizeLinear", 19, takeOff<kSaturate, 1>},
    {"RMSNormalization", 23, writeRmsNorm},
    {"RNN", 14, takeOff<kLayout>},
    {"Range", 27},
    {"ReduceL1", 18, reduceByAttribute},
    {"ReduceL2", 18, reduceByAttribute},
    {"ReduceLogSum", 18, reduceByAttribute},
    {"ReduceLogSumExp", 18, reduceByAttribute},
    {"ReduceMax", 18, reduceByAttribute},
    {"ReduceMean", 18, reduceByAttribute},
    {"ReduceMin", 18, reduceByAttribute},
    {"ReduceProd", 18, reduceByAttribute},
    {"ReduceSumSquare", 18, reduceByAttribute},
    {"RegexFullMatch", 20},
    {"Reshape", 14, copyNoZeros},
    {"Resize", 19, haveNoSymmetry},
    {"Resize", 18, resizeAllAxes},
    {"RoiAlign", 16, takeOutputPixels},
    {"RotaryEmbedding", 23},
    {"STFT", 17},
    {"ScatterElements", 18, haveNoSelection},
    {"ScatterElements", 16, takeOffReduction},
    {"ScatterND", 18, haveNoSelection},
    {"ScatterND", 16, takeOffReduction},
    {"SequenceMap", 17},
    {"Shape", 15, takeShape},
    {"SpaceToDepth", 28},
    {"Split", 18, splitEvenly},
    {"StringConcat", 20},
    {"StringSplit", 20},
    {"SwiGLU", 28},
    {"Swish", 24, writeSwish},
    {"TensorScatter", 24},
    {"Trilu", 14},
});
static_assert(std::ranges::is_sorted(kRows, {}, &NewerRow::opType));

} // namespace

std::string OlderForm::input(std::size_t port) const
{
    const bool isThere = port < node().inputs.size() && node().inputs[port].valid();
    return isThere ? model().value(node().inputs[port]).name : std::string();
}

bool OlderForm::hasOutput(std::size_t port) const
{
    return port < node().outputs.size() && node().outputs[port].valid();
}

std::optional<std::int64_t> OlderForm::rank() const
{
    return input(0).empty() ? std::nullopt : m_forms.ranks.of(node().inputs[0]);
}

std::optional<Extent> OlderForm::size(std::size_t port, std::size_t axis, std::size_t rank) const
{
    if (!m_forms.shapes)
        m_forms.shapes.emplace(model(), m_forms.sizes);
    const Extents* shape = input(port).empty() ? nullptr : m_forms.shapes->of(node().inputs[port]);
    return shape != nullptr && shape->size() == rank ? std::optional((*shape)[axis]) : std::nullopt;
}

void OlderForm::drop(std::string_view attribute)
{
    m_forms.edits.attributes.push_back({m_id, {std::string(attribute), {}}});
    m_isChanged = true;
}

std::string OlderForm::add(std::string_view opType, std::vector<std::string> inputs, std::vector<Attribute> attributes)
{
    const std::string made = nameFor(opType);
    m_forms.edits.newNodes.push_back(
        {m_forms.names.node(node().localName + "_" + std::string(opType)), std::string(opType), {}, std::move(inputs),
            {made}, std::move(attributes), metadataOfPart(node()), m_id, false, node().region});
    return made;
}

void OlderForm::give(
    std::size_t port, std::string_view opType, std::vector<std::string> inputs, std::vector<Attribute> attributes)
{
    m_forms.edits.newNodes.push_back({m_forms.names.node(node().localName + "_" + std::string(opType)),
        std::string(opType), {}, std::move(inputs), {model().value(node().outputs[port]).name}, std::move(attributes),
        metadataOfPart(node()), m_id, false, node().region});
}

void OlderForm::end(std::string_view opType, std::vector<std::string> inputs, std::vector<Attribute> attributes)
{
    m_forms.edits.newNodes.push_back({node().localName, std::string(opType), {}, std::move(inputs),
        {model().value(node().outputs[0]).name}, std::move(attributes), node().metadata, m_id, false, node().region});
    m_forms.edits.removedNodes.push_back(m_id);
    m_isChanged = true;
}

std::string OlderForm::scalar(std::string_view what, double value)
{
    const ElementType type = input(0).empty() ? ElementType::Undefined : model().value(node().inputs[0]).type.element;
    if (!isConvertible(type)) {
        refuse("the element type of its input is not known, or is no float");
        return {};
    }
    const auto number = static_cast<float>(value);
    std::vector<std::byte> bytes(sizeof(float));
    std::memcpy(bytes.data(), &number, sizeof(float));
    const Tensor wide{{}, ElementType::Float32, {}, SharedBytes::own(std::move(bytes))};
    NewTensor made{nameFor(what), type, {}, {}};
    made.bytes.resize(static_cast<std::size_t>(packedBytes(type, 1).value_or(0)));
    convertElements(wide, 0, type, made.bytes);
    m_forms.edits.newTensors.push_back(std::move(made));
    return m_forms.edits.newTensors.back().name;
}

std::string OlderForm::ints(std::string_view what, const std::vector<std::int64_t>& values)
{
    NewTensor made{nameFor(what), ElementType::Int64, {static_cast<std::int64_t>(values.size())}, {}};
    made.bytes.resize(values.size() * sizeof(std::int64_t));
    std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
    m_forms.edits.newTensors.push_back(std::move(made));
    return m_forms.edits.newTensors.back().name;
}

void OlderForm::refuse(std::string why)
{
    if (!m_refusal)
        m_refusal = std::move(why);
}

std::string OlderForm::nameFor(std::string_view what)
{
    return m_forms.names.value(model().value(node().outputs[0]).name + "_" + std::string(what));
}

bool isNewerOperator(std::string_view opType)
{
    return std::ranges::binary_search(kRows, opType, {}, &NewerRow::opType);
}

std::optional<std::string> writeAsSeveral(OlderForms& forms, NodeId id)
{
    OlderForm form(forms, id, forms.model.opset());
    const EditList& edits = forms.edits;
    const auto nodes = edits.newNodes.size();
    const auto tensors = edits.newTensors.size();
    const auto removed = edits.removedNodes.size();
    if (form.node().outputs.empty() || !form.node().outputs[0].valid())
        return "nothing reads its first output";
    if (form.node().opType == "Gemm")
        writeGemm(form);
    for (const NewerRow& row : std::ranges::equal_range(kRows, form.node().opType, {}, &NewerRow::opType)) {
        if (row.opset <= forms.model.opset() && !form.refusal())
            row.write(form);
    }
    if (form.refusal()) {
        forms.edits.newNodes.resize(nodes);
        forms.edits.newTensors.resize(tensors);
        forms.edits.removedNodes.resize(removed);
    }
    return form.refusal();
}

std::optional<std::string> writeOlder(OlderForms& forms, NodeId id, std::int64_t opset, bool& isChanged)
{
    const Node& node = forms.model.node(id);
    if (node.isCall)
        return "it calls a local function";
    if (!node.domain.empty())
        return std::nullopt;
    if (node.outputs.empty() || !node.outputs[0].valid())
        return "nothing reads its first output";
    OlderForm form(forms, id, opset);
    for (const NewerRow& row : std::ranges::equal_range(kRows, node.opType, {}, &NewerRow::opType)) {
        if (row.opset <= opset || row.opset > forms.model.opset())
            continue;
        if (row.write == nullptr)
            return "its form of opset " + std::to_string(row.opset) + " has none in opset " + std::to_string(opset);
        row.write(form);
        if (form.refusal())
            return form.refusal();
    }
    isChanged = form.isChanged();
    return std::nullopt;
}

} // namespace duo
