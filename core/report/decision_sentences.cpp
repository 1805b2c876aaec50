// SPDX-License-Identifier: Apache-2.0
#include "core/report/decision_sentences.h"

#include "core/model/value_address.h"
#include "core/quantize/points/decision_terms.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace duo {
namespace {

template <typename... Numbers> std::string formatted(const char* format, Numbers... numbers)
{
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), format, numbers...);
    return text.data();
}

std::string numberText(ExactFloat number)
{
    return formatted("%g", static_cast<double>(number.value));
}

/// Why the engine computes a node in float between quantizers.
struct FallbackWords {
    Fallback fallback;
    std::string_view reason; // follows "it runs in float: "
    std::string_view remedy;
};

constexpr std::array kFallbacks{
    FallbackWords{Fallback::FloatOperator, "there is no int8 kernel for its operator", "leave it in float"},
    FallbackWords{Fallback::FloatInput, "one of its inputs is not quantized", "quantize what gives the input"},
    FallbackWords{Fallback::WideCodes, "there are no kernels for 16-bit codes", "take 8 bits for it"},
    FallbackWords{Fallback::SignedCodes, "signed codes that several nodes read have no int8 kernel on x64",
        "take unsigned activations"},
    FallbackWords{Fallback::ScaledBias, "a Gemm needs beta 1 for its int8 kernel", "fold beta into the bias"},
    FallbackWords{Fallback::NoQuantizerBehind,
        "its result is not read by one QuantizeLinear alone, and its int8 kernel writes int8",
        "quantize what reads its result, or outputs of the model"},
    FallbackWords{Fallback::FloatAddition, "its result goes to an addition with no quantizer between",
        "quantize both operands of the addition"},
    FallbackWords{Fallback::ClampNotImplied,
        "the quantizer behind its Relu or Clip holds values beyond the clamp, so the clamp cannot be dropped",
        "choose a range inside the clamp"},
    FallbackWords{Fallback::FusedActivation, "it is fused with the activation behind it into a float kernel first",
        "put a quantizer between it and the activation"},
    FallbackWords{Fallback::FloatBias,
        "what is added to it is not in codes, and ONNX Runtime computes both as one Gemm",
        "add a bias of one number per channel"},
    FallbackWords{Fallback::FloatClamp,
        "ONNX Runtime looks for the quantizer that makes the Relu or Clip behind it needless, and there is none",
        "quantize what the Relu or Clip gives"},
    FallbackWords{Fallback::OtherParameters, "it moves data between quantizers of different scale or zero point",
        "give both the same parameters"},
    FallbackWords{Fallback::Unknown, "ONNX Runtime does not fuse it with the quantizers around it",
        "look at the optimized graph"},
};
static_assert(std::ranges::all_of(kFallbacks,
    [i = std::size_t{0}](const FallbackWords& row) mutable { return row.fallback == static_cast<Fallback>(i++); }));
static_assert(kFallbacks.back().fallback == Fallback::Unknown);

const FallbackWords& wordsOf(Fallback fallback)
{
    return kFallbacks[static_cast<std::size_t>(fallback)];
}

/// "ai.onnx.ml.Scaler"; operators of ONNX without their domain.
std::string operatorText(const Node& node)
{
    return node.domain.empty() ? node.opType : node.domain + "." + node.opType;
}

/// Puts a sentence together: words grow, names stand alone.
class Writer
{
public:
    explicit Writer(const Model& model)
        : m_model(model)
    {
    }

    Writer& say(std::string_view words)
    {
        if (m_sentence.empty() || m_sentence.back().isName())
            m_sentence.emplace_back();
        m_sentence.back().text += words;
        return *this;
    }
    Writer& name(NodeId node) { return add({.text = m_model.node(node).name, .node = node}); }
    Writer& name(ValueId value) { return add({.text = m_model.value(value).name, .value = value}); }
    Writer& address(ValueId value) { return add({.text = addressOf(m_model, value), .value = value}); }
    Writer& rule(int rule, const std::string& text) { return add({.text = text, .rule = rule}); }

    /// "If 'branch'".
    Writer& operatorAndName(NodeId node) { return say(m_model.node(node).opType + " ").name(node); }

    Sentence take() { return std::move(m_sentence); }

private:
    Writer& add(SentencePart part)
    {
        m_sentence.push_back(std::move(part));
        return *this;
    }

    const Model& m_model;
    Sentence m_sentence;
};

void sayBody(Writer& writer, const Model& model, RegionId body)
{
    writer.say("the " + model.region(body).attribute + " of ").operatorAndName(model.region(body).owner);
}

void sayKept(Writer& writer, const Model&, const WithoutRange& kept)
{
    writer.say(kept.isWeight ? "weight " : "value ").address(kept.value);
    writer.say(" " + rangeTroubleText(kept.trouble) + ", so that it has no range");
}

void sayKept(Writer& writer, const Model& model, const BodyNotRun& kept)
{
    writer.say("no sample runs ");
    sayBody(writer, model, kept.body);
    writer.say("; one that does would let it be quantized");
}

void sayKept(Writer& writer, const Model& model, const BodyNotMeasured& kept)
{
    writer.say("nothing was measured in ");
    sayBody(writer, model, kept.body);
    writer.say(" when the compression state was made");
}

void sayKept(Writer& writer, const Model&, const HadNoRange&)
{
    writer.say("the state or file that the quantizers are from has none for it");
}

void sayKept(Writer& writer, const Model&, const RanInFloat& kept)
{
    writer.say(kept.engine + " runs it in float here"
        + (kept.fallback == Fallback::Unknown ? ", between quantizers that it does not fuse with it"
                                              : ": " + std::string(wordsOf(kept.fallback).reason)));
}

void sayKept(Writer& writer, const Model&, const RecordedKept& kept)
{
    writer.say(kept.reason);
}

/// What would change it, where that is not one sentence for all.
std::string keptWould(const KeptFloat& kept)
{
    if (const auto* recorded = std::get_if<RecordedKept>(&kept))
        return recorded->counterfactual;
    const auto* ran = std::get_if<RanInFloat>(&kept);
    return ran == nullptr || ran->fallback == Fallback::Unknown
        ? std::string()
        : "it would be quantized where this can be changed: " + std::string(wordsOf(ran->fallback).remedy);
}

constexpr std::string_view kWithRange = "it would be quantized with data that give it a range";

/// Writes the sentences about one node.
class DecisionWriter
{
public:
    DecisionWriter(const Model& model, const Placement& placement, NodeId node)
        : m_model(model)
        , m_placement(placement)
        , m_decision(placement.decisions[node.index])
        , m_subject(m_decision.subject(node))
        , m_writer(model)
    {
    }

    Sentence why()
    {
        const DecisionReason& reason = m_decision.reason;
        if (m_decision.isOfGroup) {
            sayTogether();
            m_writer.say(", and there ");
        }
        if (reason.code == ReasonCode::InsideCall)
            sayInside("nothing is quantized");
        else if (!sayFixed(fixedReason(reason.code)) && !sayNaming(reason))
            sayOfOperator(reason);
        if (tellsPrecision(reason.code))
            sayPrecision();
        if (m_decision.isUnmovedByRule) {
            m_writer.say("; ");
            sayRule(m_subject);
            m_writer.say(" has no effect on it");
        }
        return m_writer.take();
    }

    [[nodiscard]] std::optional<CommonReason> common() const
    {
        const DecisionReason& reason = m_decision.reason;
        if (m_decision.isOfGroup || m_decision.isUnmovedByRule || reason.code == ReasonCode::InsideCall
            || (tellsPrecision(reason.code) && hasPrecision()))
            return std::nullopt;
        CommonReason same{.code = reason.code};
        if (!fixedReason(reason.code).empty())
            return same;
        switch (reason.code) {
        case ReasonCode::FloatPattern:
            same.detail = static_cast<int>(reason.pattern);
            return same;
        case ReasonCode::CaughtByRule:
        case ReasonCode::ScopeCaughtByRule:
            same.detail = m_placement.terms ? m_placement.terms->ruleAt(m_subject) : RuleHits::kNoRule;
            return same;
        case ReasonCode::TransformerType:
        case ReasonCode::BodiesCompute:
        case ReasonCode::BodiesStay:
        case ReasonCode::FloatOperator:
        case ReasonCode::OtherFloatType:
        case ReasonCode::OtherType:
            same.detail = static_cast<int>(reason.type);
            same.opType = m_model.node(m_subject).opType;
            same.domain = m_model.node(m_subject).domain;
            return same;
        default:
            return std::nullopt;
        }
    }

    Sentence would()
    {
        switch (m_decision.would) {
        case WouldBe::FloatWithoutFirst:
            m_writer.say("it would stay in float if ").name(m_decision.fusedWith).say(" were ignored");
            break;
        case WouldBe::QuantizedOutsidePattern:
            m_writer.say("it would be quantized if it were not part of " + patternText(m_decision.reason.pattern));
            break;
        case WouldBe::ConsideredWithoutRule:
            m_writer.say("it would be considered without ");
            sayRule(m_subject);
            break;
        case WouldBe::KeptOtherwise:
            if (const KeptFloat* kept = keptAt(m_subject))
                sayFixed(keptWould(*kept));
            break;
        default:
            sayFixed(fixedWould(m_decision.would));
        }
        return m_writer.take();
    }

private:
    bool sayFixed(std::string_view words)
    {
        if (!words.empty())
            m_writer.say(words);
        return !words.empty();
    }

    /// Sentences that name nothing.
    static std::string_view fixedReason(ReasonCode code)
    {
        switch (code) {
        case ReasonCode::NeverRuns:
            return "it never runs: it is in a body that a constant condition never takes";
        case ReasonCode::Call:
            return "it is a call of a local function, whose nodes stay as they are";
        case ReasonCode::IsFileQuantizer:
            return "it is a quantizer of the file, left as it is";
        case ReasonCode::ShapeOnly:
            return "it computes a shape, not data";
        case ReasonCode::ConstantOnly:
            return "it does not depend on any input of the model";
        case ReasonCode::WithKept:
            return "it is computed together with a node that stays in float";
        case ReasonCode::FixedSinusoids:
            return "it is a fixed transform in front of the network (its weights are sinusoids), which needs float";
        case ReasonCode::FixedBands:
            return "it is a fixed transform in front of the network (its weights are bands of frequencies), which "
                   "needs float";
        case ReasonCode::BeforeTransform:
            return "it is a filter of one channel before the fixed transform in front of the network";
        case ReasonCode::PostProcessing:
            return "it belongs to the post-processing of the model";
        case ReasonCode::NoTarget:
            return "no target rule catches it";
        case ReasonCode::BetweenQuantizers:
            return "it reads and gives quantized values, for which ONNX Runtime has an int8 kernel";
        case ReasonCode::TensorRtFuses:
            return "TensorRT fuses it better in float than between quantizers";
        case ReasonCode::MovesInFloat:
            return "it runs in float on ONNX Runtime's CPU provider, so quantizers stay below it";
        case ReasonCode::NoInt8Kernel:
            return "it has no int8 kernel on ONNX Runtime's CPU provider, quantizing it would only cost time";
        case ReasonCode::NoData:
            return "it reads no data that changes with the inputs";
        case ReasonCode::UnknownType:
            return "the type of its inputs is not known";
        case ReasonCode::MovesCodes:
            return "it moves quantized data";
        case ReasonCode::MovesUnwanted:
            return "it moves data that no reader or neighbour wants quantized";
        case ReasonCode::ReadWide:
            return "its result is read in 16 bits, which no int8 kernel gives";
        case ReasonCode::OneInputInFloat:
            return "one of its inputs stays in float, so ONNX Runtime has no int8 kernel for it";
        case ReasonCode::NotReadInInt8:
            return "nothing reads its result in int8, quantizing it would only cost time";
        case ReasonCode::ModelOutput:
            return "its result is an output of the model, which stays in float";
        case ReasonCode::BehindCodes:
            return "codes are made of what it reads, so that ONNX Runtime runs the node before it in int8; it computes "
                   "in float behind them";
        case ReasonCode::InputInFloat:
            return "its input stays in float, only its weights are quantized";
        case ReasonCode::GemmAddsData:
            return "ONNX Runtime has no int8 kernel for a Gemm that adds data or a matrix, which is not taken apart "
                   "inside "
                   "a function";
        case ReasonCode::GemmScalesBias:
            return "ONNX Runtime has no int8 kernel for a Gemm whose beta is not 1";
        case ReasonCode::NoConvolutionBefore:
            return "none of its operands comes straight from a convolution, so TensorRT adds in float";
        case ReasonCode::InputsAndWeights:
            return "its inputs and weights are quantized";
        case ReasonCode::InputsOnly:
            return "its inputs are quantized";
        case ReasonCode::WeightsOnly:
            return "only its weights are quantized";
        case ReasonCode::ReadsFileCodes:
            return "it reads values that the file quantizes already";
        case ReasonCode::ConstantOperand:
            return "its other operand is constant, and nothing around it asks for quantized data";
        case ReasonCode::InputsInFloat:
            return "its inputs stay in float";
        case ReasonCode::NoTableOfItsOwn:
            return "its table is not a float32 weight of its own";
        case ReasonCode::TableAndRows:
            return "its table and the rows it gives are quantized alike";
        case ReasonCode::TableOnly:
            return "its table is quantized";
        default:
            return {};
        }
    }

    /// Sentences with names or numbers. @return false where it is none of these
    bool sayNaming(const DecisionReason& reason)
    {
        switch (reason.code) {
        case ReasonCode::InsideBody:
            sayInside("nothing is quantized");
            return true;
        case ReasonCode::InsideBodyLikeNncf:
            sayInside("NNCF quantizes nothing");
            return true;
        case ReasonCode::InsideBodyOfProfile:
            sayInside(
                "profile " + std::string(m_placement.terms ? m_placement.terms->profile : "") + " quantizes nothing");
            return true;
        case ReasonCode::WithInput:
            m_writer.say("it is computed together with input ").name(reason.value);
            m_writer.say(" (" + patternText(m_decision.group) + ")");
            return true;
        case ReasonCode::WithNode:
            sayTogether();
            return true;
        case ReasonCode::FloatPattern:
            m_writer.say("it belongs to " + patternText(reason.pattern) + ", which stays in float for accuracy");
            return true;
        case ReasonCode::TableHolds:
        case ReasonCode::WeightHolds:
            m_writer.say(reason.code == ReasonCode::TableHolds ? "its table " : "its weight ").name(reason.value);
            m_writer.say(" holds " + numberText(reason.number));
            return true;
        case ReasonCode::Mask:
            m_writer.say("a mask of " + numberText(reason.number) + " on its way to ").name(reason.about);
            m_writer.say(" goes through it, which codes cannot hold beside other values");
            return true;
        case ReasonCode::BehindTransform:
            m_writer.say("it belongs to the front end of the network, behind the fixed transform ").name(reason.about);
            return true;
        case ReasonCode::CaughtByRule:
        case ReasonCode::ScopeCaughtByRule:
            sayRule(m_subject);
            m_writer.say(reason.code == ReasonCode::CaughtByRule ? " names it" : " holds its scope");
            return true;
        case ReasonCode::LeavesBody:
            m_writer.say("its result leaves the body of ").operatorAndName(reason.about);
            m_writer.say(", and stays in float there");
            return true;
        case ReasonCode::UnchangedState:
            m_writer.say("it reads a state that ").operatorAndName(reason.about);
            m_writer.say(" never changes, which would be quantized anew in every trip");
            return true;
        default:
            return false;
        }
    }

    /// Of types and operators, and what was kept in float.
    void sayOfOperator(const DecisionReason& reason)
    {
        const Node& node = m_model.node(m_subject);
        const std::string type(elementTypeName(reason.type));
        switch (reason.code) {
        case ReasonCode::TransformerType:
            m_writer.say(node.opType + " stays in float in transformers");
            break;
        case ReasonCode::BodiesCompute:
            m_writer.say(operatorText(node) + " computes nothing itself: its bodies' nodes do");
            break;
        case ReasonCode::BodiesStay:
            m_writer.say(operatorText(node) + " has bodies, which stay as they are");
            break;
        case ReasonCode::FloatOperator:
            m_writer.say(operatorText(node) + " computes in float");
            break;
        case ReasonCode::OtherFloatType:
            m_writer.say(type + " values stay float");
            break;
        case ReasonCode::OtherType:
            m_writer.say(type + " values are not quantized");
            break;
        default:
            if (const KeptFloat* kept = keptAt(m_subject))
                std::visit([this](const auto& why) { sayKept(m_writer, m_model, why); }, *kept);
        }
    }

    void sayInside(const std::string& what)
    {
        const NodeId owner = m_decision.reason.about;
        const Node& node = m_model.node(owner);
        if (node.isCall)
            m_writer.say("it is inside the local function " + inQuotes(node.opType) + " called by ").name(owner);
        else
            m_writer.say("it is inside the body of ").operatorAndName(owner);
        m_writer.say(", where " + what);
    }

    void sayTogether()
    {
        m_writer.say("it is computed together with ").name(m_decision.fusedWith);
        m_writer.say(" (" + patternText(m_decision.group) + ")");
    }

    /// The rule that ignores a node.
    void sayRule(NodeId node)
    {
        const int rule = m_placement.terms ? m_placement.terms->ruleAt(node) : RuleHits::kNoRule;
        if (rule == RuleHits::kNoRule)
            m_writer.say("a rule");
        else
            m_writer.say("rule ").rule(rule, m_placement.terms->rules[static_cast<std::size_t>(rule)]);
    }

    /// Whether sayPrecision() says anything.
    [[nodiscard]] bool hasPrecision() const
    {
        return m_decision.runsOnWideCodes
            || (m_placement.terms
                && (!m_placement.terms->precisionAt(m_subject).empty()
                    || m_placement.terms->otherBits.contains(m_subject)));
    }

    /// What precision rules want of it, and what happens where other bits meet its own.
    void sayPrecision()
    {
        if (m_placement.terms) {
            const std::string_view wanted = m_placement.terms->precisionAt(m_subject);
            if (!wanted.empty())
                m_writer.say(", as a rule wants: " + std::string(wanted));
            const auto bits = m_placement.terms->otherBits.find(m_subject);
            if (bits != m_placement.terms->otherBits.end())
                sayOtherBits(bits->second);
        }
        if (m_decision.runsOnWideCodes)
            m_writer.say("; ONNX Runtime's CPU provider computes it in float, having no kernel for such codes");
    }

    void sayOtherBits(const std::vector<OtherBits>& inputs)
    {
        for (const OtherBits& at : inputs) {
            m_writer.say("; input " + std::to_string(at.port));
            if (at.given != 0)
                m_writer.say(", given in " + std::to_string(at.given) + " bits, is quantized again in "
                    + std::to_string(at.read));
            else
                m_writer.say(" is quantized in " + std::to_string(at.read) + " bits for it, for others in other bits");
        }
    }

    static std::string_view fixedWould(WouldBe would)
    {
        switch (would) {
        case WouldBe::ConsideredInMainGraph:
            return "it would be considered if the function's nodes were in the main graph";
        case WouldBe::ConsideredLikeOrtCpu:
            return "it would be considered without nncf_compatible";
        case WouldBe::ConsideredOnOrtCpu:
            return "it would be considered with profile ort-cpu";
        case WouldBe::ConsideredOnOrtCpuAlone:
            return "it would be considered with profile ort-cpu and without nncf_compatible";
        case WouldBe::QuantizedWithoutModelType:
            return "it would be quantized with model_type none";
        case WouldBe::QuantizedIfFinite:
            return "it would be quantized if the constant held finite numbers of the size of the others";
        case WouldBe::QuantizedByPrecisionRule:
            return "it would be quantized if a precision rule caught it";
        case WouldBe::QuantizedOffPostProcessing:
            return "it would be quantized if it were not on a path with TopK or NonMaxSuppression";
        case WouldBe::ConsideredIfTargeted:
            return "it would be considered if a target rule caught it";
        case WouldBe::FloatIfNeighbourIgnored:
            return "it would stay in float if a neighbour were ignored";
        case WouldBe::QuantizedOnOpenVino:
            return "it would be quantized with profile openvino";
        case WouldBe::QuantizedOnQnn:
            return "it would be quantized with profile qnn";
        case WouldBe::FloatIfIgnored:
            return "it would stay in float if it were ignored; quantizers would then stay below it";
        case WouldBe::FloatByRule:
            return "it would stay in float if a rule ignored it";
        case WouldBe::QuantizedIfReadersAre:
            return "it would be quantized if what reads its result were quantized";
        case WouldBe::QuantizedIfNeighboursWere:
            return "it would be quantized if its neighbours were";
        case WouldBe::QuantizedIfAroundWere:
            return "it would be quantized if what reads or gives its data were";
        case WouldBe::QuantizedIfInputsAre:
            return "it would be quantized if its inputs could be";
        case WouldBe::InputsQuantizedInFloat32:
            return "its inputs would be quantized too if they were float32 and not quantized by the file";
        case WouldBe::QuantizedInFloat32:
            return "it would be quantized if the model were exported in float32";
        case WouldBe::QuantizedWithOutputs:
            return "it would be quantized with quantize_outputs";
        case WouldBe::QuantizedWithRange:
            return kWithRange;
        default:
            return {};
        }
    }

    [[nodiscard]] std::string patternText(std::uint16_t pattern) const
    {
        const bool isKnown
            = m_placement.terms && m_placement.terms->patterns && pattern < m_placement.terms->patterns->size();
        return isKnown ? (*m_placement.terms->patterns)[pattern] : "a pattern";
    }

    [[nodiscard]] const KeptFloat* keptAt(NodeId node) const
    {
        if (!m_placement.kept)
            return nullptr;
        const auto found = m_placement.kept->find(node);
        return found == m_placement.kept->end() ? nullptr : &found->second;
    }

    const Model& m_model;
    const Placement& m_placement;
    const Decision& m_decision;
    NodeId m_subject; // whom reason and `would` are about
    Writer m_writer;
};

void sayRules(Writer& writer, const Placement& placement, const std::vector<std::size_t>& rules)
{
    for (std::size_t i = 0; i < rules.size(); ++i) {
        writer.say(i == 0 ? "rule " : i + 1 == rules.size() ? " and rule " : ", rule ");
        writer.say(std::to_string(rules[i] + 1) + " ");
        writer.rule(static_cast<int>(rules[i]), placement.terms ? placement.terms->rules[rules[i]] : "");
    }
}

} // namespace

std::string sentenceText(const Sentence& sentence)
{
    std::string text;
    for (const SentencePart& part : sentence)
        text += part.isName() ? inQuotes(part.text) : part.text;
    return text;
}

Sentence whySentence(const Model& model, const Placement& placement, NodeId node)
{
    return DecisionWriter(model, placement, node).why();
}

std::string whyText(const Model& model, const Placement& placement, NodeId node)
{
    return sentenceText(whySentence(model, placement, node));
}

std::optional<CommonReason> commonReason(const Model& model, const Placement& placement, NodeId node)
{
    return DecisionWriter(model, placement, node).common();
}

Sentence wouldSentence(const Model& model, const Placement& placement, NodeId node)
{
    return DecisionWriter(model, placement, node).would();
}

std::string wouldText(const Model& model, const Placement& placement, NodeId node)
{
    return sentenceText(wouldSentence(model, placement, node));
}

bool namesItsRule(const Placement& placement, NodeId node)
{
    const Decision& decision = placement.decisions[node.index];
    return decision.namesRule() && placement.terms
        && placement.terms->ruleAt(decision.subject(node)) == placement.terms->ruleAt(node);
}

Sentence counterfactualSentence(
    const Model& model, const Placement& placement, const Placement& unruled, NodeId node, const Counterfactual& would)
{
    constexpr std::string_view kTargeted = " if target rules caught it and what is around it";
    if (would.change == RuleChange::None)
        return wouldSentence(model, would.toldBy == ToldBy::Rules ? placement : unruled, node);
    Writer writer(model);
    writer.say("it would be " + std::string(nodeStateText(would.state)));
    if (would.change == RuleChange::Neighbours)
        return writer.say(" without any rules; rules about its neighbours keep it in float").take();
    if (would.change != RuleChange::Target && !would.rules.empty()) {
        writer.say(" without ");
        sayRules(writer, placement, would.rules);
    }
    if (would.change != RuleChange::Removal)
        writer.say(kTargeted);
    return writer.take();
}

RecordedKept keptTexts(const Model& model, const KeptFloat& kept)
{
    Writer writer(model);
    std::visit([&](const auto& why) { sayKept(writer, model, why); }, kept);
    const bool wantsRange = keptDecision(kept).would == WouldBe::QuantizedWithRange;
    return {sentenceText(writer.take()), wantsRange ? std::string(kWithRange) : keptWould(kept)};
}

std::string fallbackText(Fallback fallback, const Node& node)
{
    const FallbackWords& words = wordsOf(fallback);
    return node.opType + " runs in float: " + std::string(words.reason) + "; " + std::string(words.remedy);
}

std::string rangeTroubleText(const RangeTrouble& trouble)
{
    const std::string percent = formatted("%.3g %%", trouble.percent);
    switch (trouble.kind) {
    case RangeTrouble::Kind::None:
        break;
    case RangeTrouble::Kind::Empty:
        return "is empty in every sample";
    case RangeTrouble::Kind::NeverFinite:
        return "holds no finite number in any sample";
    case RangeTrouble::Kind::Infinite:
        return "holds infinities (" + percent + " of its numbers), which codes would make finite";
    case RangeTrouble::Kind::Masked:
        return "holds " + percent + " of its numbers near " + numberText(trouble.number) + " and the others within "
            + formatted("%.3g", static_cast<double>(trouble.others));
    case RangeTrouble::Kind::Holds:
        return "holds " + numberText(trouble.number);
    }
    return {};
}

} // namespace duo
