// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/adopt_encodings.h"

#include "core/model/code_range.h"
#include "core/model/held_tensors.h"
#include "core/model/value_address.h"
#include "core/pipeline/foreign_weights.h"
#include "core/pipeline/left_by_rule.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/points/scale_runs.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/quantize/points/weights.h"
#include "core/quantize/profiles/clamps.h"
#include "core/quantize/profiles/measurable_values.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace duo {
namespace {

constexpr int kBiasBits = 32;
constexpr int kByteBits = 8;
constexpr const char* kReadByFloat = "is read only by nodes that the rules leave in float";

ElementType typeOf(int bits, bool isSigned)
{
    return codeType(bits, isSigned).value_or(ElementType::UInt8);
}

std::int32_t middleOf(int bits)
{
    return std::int32_t{1} << (bits - 1);
}

bool isSymmetric(const QuantizationParameters& parameters)
{
    const CodeRange range = *codeRange(parameters.type);
    const std::int32_t middle = range.isSigned() ? 0 : range.count() / 2;
    return std::ranges::all_of(parameters.zeroPoint, [&](std::int32_t zero) { return zero == middle; });
}

/// A point's type as its parameters have it; what they leave open stays as the recipe says.
QuantizerConfig configFor(QuantizerConfig config, const QuantizationParameters& parameters)
{
    const CodeRange range = *codeRange(parameters.type);
    config.numBits = elementBits(parameters.type);
    config.perChannel = parameters.axis.has_value();
    config.block = parameters.block;
    if (!isSymmetric(parameters)) {
        config.mode = QuantizationMode::Asymmetric;
        config.narrowRange = false; // all codes are theirs
    } else if (range.isSigned()) {
        config.mode = QuantizationMode::Symmetric;
    }
    if (config.signednessToForce && *config.signednessToForce != range.isSigned())
        config.signednessToForce = range.isSigned();
    const bool isSignedAnyway = config.mode == QuantizationMode::Symmetric; // where nothing forces it
    if (!config.signednessToForce && range.isSigned() != isSignedAnyway)
        config.signednessToForce = range.isSigned();
    config.narrowRange = config.narrowRange && range.isSigned() && config.numBits >= 8;
    return config;
}

class Adopter
{
public:
    Adopter(const Snapshot& snapshot, const ForeignEncodings& encodings)
        : m_snapshot(snapshot)
        , m_model(*snapshot.model)
        , m_placed(snapshot.placement->setup)
        , m_settings(snapshot.recipe.quantization)
        , m_target(targetOf(m_settings))
        , m_encodings(encodings)
        , m_shared(m_model)
        , m_fates(encodings.entries.size(), Fate::Open)
    {
        for (const auto& [group, members] : m_placed.unifiedScaleGroups) {
            for (const PointId member : members)
                m_groups.emplace(member, &members);
        }
        m_result.notExpressed = encodings.notExpressed;
        for (std::size_t i = 0; i < encodings.entries.size(); ++i) {
            const ForeignEncoding& entry = encodings.entries[i];
            const ValueId value = m_model.findValue(entry.tensor);
            if (!value.valid() && entry.bits == kBiasBits)
                m_result.biases.push_back(entry.tensor); // tools name the codes of a bias as they like
            else if (const auto original = entryOfOriginal(entry.tensor))
                takeCopy(i, *original);
            else if (!value.valid())
                leaveOut(i, whyGone(entry.tensor));
            else
                m_entryOf.emplace(value.index, i);
            if (value.valid() && entry.scale.size() <= 1)
                m_entryOfSame.emplace(m_shared.of(value).index, i);
        }
    }

    Result<AdoptedEncodings> adopt(int threads, const JobContext& job)
    {
        if (m_encodings.entries.empty() && !m_encodings.notExpressed.empty())
            return Error{ErrorCode::Unsupported, "nothing of the file has a counterpart",
                m_encodings.notExpressed.front(), "dequantize the model, and quantize it here"};
        if (m_entryOf.empty())
            return Error{ErrorCode::Unsupported, "no tensor of the file is in the model", {},
                "give the model that the file was made for"};
        for (const auto& [id, point] : m_placed.points) {
            if (!point.isWeight)
                adoptActivation(id, point);
        }
        for (std::size_t i = 0; i < m_encodings.entries.size(); ++i)
            addBehind(i);
        DUO_CHECK(adoptWeights());
        for (std::size_t i = 0; i < m_encodings.entries.size(); ++i)
            DUO_CHECK(addConstant(i));
        takeGroups();
        m_result.compression.setup.points = FlatMap<PointId, QuantizationPoint>(std::move(m_points));
        DUO_TRY(parameters,
            withWeightParameters(
                m_model, m_result.compression.setup, std::move(m_parameters), m_settings, threads, job));
        m_result.compression.parameters = std::move(parameters);
        m_result.compression.engine = foreignFormText(m_encodings.form);
        m_result.used = static_cast<std::size_t>(std::ranges::count(m_fates, Fate::Used));
        for (std::size_t i = 0; i < m_fates.size(); ++i) {
            if (isRange(i) && !isDone(i))
                m_result.unused.push_back(m_encodings.entries[i].tensor);
        }
        std::ranges::sort(m_result.biases); // AIMET names one for each of its readers
        const auto twins = std::ranges::unique(m_result.biases);
        m_result.biases.erase(twins.begin(), twins.end());
        return std::move(m_result);
    }

private:
    enum class Fate { Open, Used, LeftOut };

    [[nodiscard]] bool isDone(std::size_t entry) const { return m_fates[entry] != Fate::Open; }

    /// AIMET gives a constant that several nodes read to each as a tensor of its own, "w", "w_copy_1", "w_copy_2".
    /// @return the entry of the constant of the model that a tensor of that name was; nothing for other tensors
    [[nodiscard]] std::optional<std::size_t> entryOfOriginal(const std::string& tensor) const
    {
        constexpr std::string_view kCopy = "_copy_";
        const std::size_t end = tensor.rfind(kCopy);
        const bool isCopy = end != std::string::npos && end + kCopy.size() < tensor.size()
            && tensor.find_first_not_of("0123456789", end + kCopy.size()) == std::string::npos;
        if (!isCopy || m_model.findValue(tensor).valid())
            return std::nullopt;
        const auto original = std::ranges::find(m_encodings.entries, tensor.substr(0, end), &ForeignEncoding::tensor);
        const bool isThere = original != m_encodings.entries.end() && m_model.findValue(original->tensor).valid();
        return isThere ? std::optional<std::size_t>(original - m_encodings.entries.begin()) : std::nullopt;
    }

    /// There is one tensor here: a copy says the same, or what it says has no place.
    void takeCopy(std::size_t index, std::size_t original)
    {
        const ForeignEncoding& copy = m_encodings.entries[index];
        const ForeignEncoding& own = m_encodings.entries[original];
        if (copy.scale == own.scale && copy.zeroPoint == own.zeroPoint)
            m_fates[index] = Fate::Used;
        else
            leaveOut(index, "is a copy of " + inQuotes(own.tensor) + ", which has another scale");
    }

    [[nodiscard]] const char* whyGone(const std::string& tensor) const
    {
        const bool isSimplified = m_snapshot.opened && m_snapshot.opened->model->findValue(tensor).valid();
        return isSimplified ? "went as the model was simplified: without transforms it is taken"
                            : "is not in the model";
    }

    [[nodiscard]] std::string tensorText(std::size_t entry) const
    {
        return "tensor " + inQuotes(m_encodings.entries[entry].tensor) + " ";
    }

    void leaveOut(std::size_t entry, const std::string& why)
    {
        m_fates[entry] = Fate::LeftOut;
        m_result.notExpressed.push_back(tensorText(entry) + why);
    }

    [[nodiscard]] std::optional<std::size_t> find(ValueId value) const
    {
        const auto found = value.valid() ? m_entryOf.find(value.index) : m_entryOf.end();
        return found == m_entryOf.end() ? std::nullopt : std::optional(found->second);
    }

    [[nodiscard]] bool isRange(std::optional<std::size_t> entry) const
    {
        return entry && m_encodings.entries[*entry].range.has_value();
    }

    /// Of a value its own, else that of the value behind the clamp that alone reads it, which needs no codes for what
    /// is cut off (of ranges the other way round), else that of a value with the same elements.
    [[nodiscard]] std::optional<std::size_t> entryOf(ValueId value) const
    {
        const auto own = find(value);
        const auto behind = find(behindClamps(m_model, value));
        if (isRange(behind) || (!own && behind))
            return behind;
        if (own)
            return own;
        const auto same = m_entryOfSame.find(m_shared.of(value).index);
        return same == m_entryOfSame.end() ? std::nullopt : std::optional(same->second);
    }

    /// Of a point and all whose scale is the same.
    [[nodiscard]] Range rangeOf(PointId id, std::size_t entry) const
    {
        const ForeignRange& own = *m_encodings.entries[entry].range;
        Range range{own.lowest, own.highest};
        const auto group = m_groups.find(id);
        if (group == m_groups.end())
            return range;
        for (const PointId member : *group->second) {
            const auto point = m_placed.points.find(member);
            if (point == m_placed.points.end() || point->second.isWeight)
                continue;
            for (const ValueId value : pointValues(m_model, point->second)) {
                if (const auto other = entryOf(value); isRange(other)) {
                    range.min = std::min(range.min, m_encodings.entries[*other].range->lowest);
                    range.max = std::max(range.max, m_encodings.entries[*other].range->highest);
                }
            }
        }
        return range;
    }

    /// Of an activation, in the codes that the target takes where the file leaves them open.
    Result<QuantizationParameters> activationOf(PointId id, std::size_t index, const QuantizerConfig& config) const
    {
        const ForeignEncoding& entry = m_encodings.entries[index];
        if (entry.range) {
            QuantizerConfig wanted = config;
            if (entry.codes != ElementType::Undefined)
                wanted.numBits = entry.bits;
            return rangeParameters(wanted, rangeOf(id, index), m_settings);
        }
        QuantizationParameters parameters{entry.codes, entry.scale, entry.zeroPoint, std::nullopt};
        if (entry.codes != ElementType::Undefined)
            return parameters;
        const bool isMiddle = entry.zeroPoint.front() == middleOf(entry.bits);
        const bool isSigned
            = m_target.codes == ActivationCodes::Int8 || (m_target.codes == ActivationCodes::SignDecides && isMiddle);
        parameters.type = typeOf(entry.bits, isSigned);
        if (isSigned)
            parameters.zeroPoint.front() -= middleOf(entry.bits);
        return parameters;
    }

    void put(PointId id, QuantizationPoint point, QuantizationParameters parameters)
    {
        point.config = configFor(point.config, parameters);
        m_points.emplace(id, std::move(point));
        m_parameters.emplace(id, std::move(parameters));
    }

    /// Why an entry is none of an activation; "" where it is.
    [[nodiscard]] static std::string whyNoActivation(const ForeignEncoding& entry)
    {
        if (entry.bits == kBiasBits && !entry.range)
            return "has codes of 32 bits, and is no bias";
        if (entry.bits < kByteBits)
            return "has codes of " + std::to_string(entry.bits) + " bits, and is computed from data";
        if (entry.scale.size() > 1 || entry.block > 0)
            return "has a scale for each " + std::string(entry.block > 0 ? "block" : "channel")
                + ", and is computed from data";
        return {};
    }

    void adoptActivation(PointId id, const QuantizationPoint& point)
    {
        std::optional<std::size_t> first;
        for (const ValueId value : pointValues(m_model, point)) {
            const auto entry = entryOf(value);
            if (!entry || m_encodings.entries[*entry].isFloat
                || !whyNoActivation(m_encodings.entries[*entry]).empty()) {
                if (!entry)
                    m_without.insert(addressOf(m_model, value));
                return;
            }
            const ForeignEncoding& told = m_encodings.entries[*entry];
            if (first
                && (told.scale != m_encodings.entries[*first].scale
                    || told.zeroPoint != m_encodings.entries[*first].zeroPoint))
                return; // outputs with quantizers of their own: one by one, in front of their readers
            first = first.value_or(*entry);
        }
        if (!first)
            return;
        auto parameters = activationOf(id, *first, point.config);
        if (!parameters)
            return leaveOut(*first, "has a range that no codes hold");
        for (const ValueId value : pointValues(m_model, point))
            m_fates[*entryOf(value)] = Fate::Used;
        put(id, point, *std::move(parameters));
    }

    [[nodiscard]] PointId freeId()
    {
        const PointId placed = m_placed.points.empty() ? 0 : std::prev(m_placed.points.end())->first + 1;
        return placed + m_added++;
    }

    [[nodiscard]] bool isReachable(const Use& use) const { return !m_model.isInFunction(m_model.node(use.node)); }

    [[nodiscard]] bool isLeft(const Use& use) const { return isLeftByRule(m_snapshot, use.node); }

    /// Of readers that there are.
    [[nodiscard]] bool areAllLeftByRule(const Value& value) const
    {
        return !value.uses.empty() && std::ranges::all_of(value.uses, [this](const Use& use) { return isLeft(use); });
    }

    [[nodiscard]] std::vector<NodeId> readersOf(const Value& value) const
    {
        std::vector<NodeId> readers;
        for (const Use& use : value.uses) {
            if (isReachable(use) && (readers.empty() || readers.back() != use.node))
                readers.push_back(use.node);
        }
        return readers;
    }

    /// The value alone: behind a model input, or behind a node that gives nothing else; otherwise where it is read.
    void addBehind(std::size_t index)
    {
        const ForeignEncoding& entry = m_encodings.entries[index];
        const ValueId told = m_model.findValue(entry.tensor);
        if (isDone(index) || entry.isFloat || entry.range || !told.valid())
            return;
        const Value& value = m_model.value(told);
        if (m_model.constant(behindIdentities(m_model, told)) != nullptr || isReadAsWeight(m_model, told))
            return; // a weight, or what one is made of
        if (const std::string why = whyNoActivation(entry); !why.empty())
            return leaveOut(index, why);
        if (value.producer.valid() && m_model.isInFunction(m_model.node(value.producer)))
            return leaveOut(index, "is computed inside a local function");
        const ElementType type = value.type.element;
        if (type != ElementType::Float32 && type != ElementType::Undefined)
            return leaveOut(index,
                "is of " + std::string(elementTypeName(type))
                    + ": the model must compute in float32 to be quantized here");
        if (areAllLeftByRule(value))
            return leaveOut(index, kReadByFloat);
        const PointId id = freeId();
        auto parameters = activationOf(id, index, {});
        QuantizationPoint point;
        point.directlyQuantized = readersOf(value);
        if (value.isInput)
            point.input = told;
        else
            point.node = value.producer;
        const bool isForAll = std::ranges::none_of(value.uses, [this](const Use& use) { return isLeft(use); });
        if (isForAll
            && (value.isInput
                || (value.producer.valid() && pointValues(m_model, point) == std::vector<ValueId>{told}))) {
            m_fates[index] = Fate::Used;
            return put(id, point, *std::move(parameters));
        }
        for (const Use& use : value.uses) {
            if (!isReachable(use) || isLeft(use))
                continue;
            m_fates[index] = Fate::Used;
            put(freeId(), {.node = use.node, .port = use.port, .directlyQuantized = {use.node}}, *parameters);
        }
        if (!isDone(index))
            leaveOut(index, "has no reader that a quantizer can stand in front of");
    }

    /// Weights by what a node reads, else by the constant that this is made of.
    [[nodiscard]] std::optional<std::size_t> weightEntry(const QuantizationPoint& point) const
    {
        const auto own = find(pointValue(m_model, point));
        return own ? own : find(weightSource(m_model, point.node, point.port.value_or(0)));
    }

    /// Whether the data that it multiplies are quantized. O(1) a port.
    [[nodiscard]] static bool hasQuantizedData(
        const PointIndex& index, const QuantizationPoint& point, std::size_t ports)
    {
        for (std::uint32_t port = 0; port < ports; ++port) {
            if (port != point.port.value_or(0) && index.at(point.node, port))
                return true;
        }
        return false;
    }

    Status adoptWeights()
    {
        QuantizerSetup activations;
        activations.points = FlatMap<PointId, QuantizationPoint>(m_points);
        const PointIndex index(m_model, activations);
        for (const auto& [id, point] : m_placed.points) {
            if (!point.isWeight)
                continue;
            const auto entry = weightEntry(point);
            const bool isTold = entry && !m_encodings.entries[*entry].range;
            if (isTold && m_encodings.entries[*entry].isFloat)
                continue;
            if (isTold && m_encodings.entries[*entry].bits != kBiasBits) {
                DUO_TRY(weight, foreignWeight(m_model, m_encodings.entries[*entry], point));
                if (weight.parameters) {
                    m_fates[*entry] = Fate::Used;
                    put(id, forReaders(m_model, point, readersIn(m_model, m_encodings.entries[*entry].readers)),
                        *std::move(weight.parameters));
                } else if (!isDone(*entry)) {
                    leaveOut(*entry, weight.misfit);
                }
                continue;
            }
            if (!hasQuantizedData(index, point, m_model.node(point.node).inputs.size()))
                continue;
            m_points.emplace(id, point);
            const ValueId source = weightSource(m_model, point.node, point.port.value_or(0));
            if (source.valid())
                m_made.insert(addressOf(m_model, source));
        }
        return success();
    }

    [[nodiscard]] bool isBias(const Use& use) const
    {
        const auto bias = biasOf(m_model, use.node);
        return bias && bias->node == use.node && bias->port == use.port;
    }

    /// A constant that the recipe does not quantize: at every reader.
    Status addConstant(std::size_t index)
    {
        const ForeignEncoding& entry = m_encodings.entries[index];
        if (isDone(index) || entry.range || entry.isFloat) // ranges are of everything, whether it is to be quantized
            return success();
        if (entry.bits == kBiasBits) {
            m_result.biases.push_back(entry.tensor);
            return success();
        }
        const ValueId id = m_model.findValue(entry.tensor);
        const Value& value = m_model.value(id);
        if (areAllLeftByRule(value)) {
            leaveOut(index, kReadByFloat);
            return success();
        }
        if (!value.uses.empty() && std::ranges::all_of(value.uses, [this](const Use& use) { return isBias(use); })) {
            leaveOut(index, "is a bias, whose codes follow from those of data and weight here");
            return success();
        }
        std::string misfit = "is a constant that no reader takes in codes";
        const std::set<NodeId> readers = readersIn(m_model, entry.readers);
        for (const Use& use : value.uses) {
            if (!isReachable(use) || isBias(use) || isLeft(use)
                || m_model.constant(behindIdentities(m_model, id)) == nullptr)
                continue;
            const QuantizationPoint point{
                .node = use.node, .port = use.port, .isWeight = true, .directlyQuantized = {use.node}};
            if (!isFor(use.node, readers))
                continue;
            DUO_TRY(weight, foreignWeight(m_model, entry, point));
            if (!weight.parameters) {
                misfit = std::move(weight.misfit);
                continue;
            }
            m_fates[index] = Fate::Used;
            put(freeId(), point, *std::move(weight.parameters));
        }
        if (!isDone(index))
            leaveOut(index, misfit);
        return success();
    }

    /// Groups without the points that are not there; equal scales only where they are.
    void takeGroups()
    {
        const auto present = [&](const std::vector<PointId>& members) {
            std::vector<PointId> there;
            std::ranges::copy_if(members, std::back_inserter(there), [&](PointId id) { return m_points.contains(id); });
            return there;
        };
        for (const auto& [id, members] : m_placed.unifiedScaleGroups) {
            const auto there = present(members);
            const auto isLikeFirst = [&](PointId member) {
                const auto first = m_parameters.find(there.front());
                const auto own = m_parameters.find(member);
                return first != m_parameters.end() && own != m_parameters.end() && first->second == own->second;
            };
            if (there.size() > 1 && std::ranges::all_of(there, isLikeFirst))
                m_result.compression.setup.unifiedScaleGroups.emplace(id, there);
        }
        for (const auto& [id, members] : m_placed.sharedInputGroups) {
            if (auto there = present(members); !there.empty())
                m_result.compression.setup.sharedInputGroups.emplace(id, std::move(there));
        }
        for (const std::string& name : m_without)
            m_result.without.push_back(name);
        for (const std::string& name : m_made)
            m_result.made.push_back(name);
    }

    const Snapshot& m_snapshot;
    const Model& m_model;
    const QuantizerSetup& m_placed; // by the recipe
    const QuantizationSettings& m_settings;
    Target m_target;
    const ForeignEncodings& m_encodings;
    SharedMeasures m_shared;
    std::unordered_map<std::uint32_t, std::size_t> m_entryOf; // by value
    std::unordered_map<std::uint32_t, std::size_t> m_entryOfSame; // by the value that is measured for it
    std::vector<Fate> m_fates; // [entries]
    std::map<PointId, const std::vector<PointId>*> m_groups; // of equal scales
    PointId m_added = 0;
    std::map<PointId, QuantizationPoint> m_points;
    ParametersByPoint m_parameters;
    std::set<std::string> m_without;
    std::set<std::string> m_made;
    AdoptedEncodings m_result;
};

} // namespace

Result<AdoptedEncodings> adoptEncodings(
    const Snapshot& snapshot, const ForeignEncodings& encodings, int threads, const JobContext& job)
{
    DUO_CHECK(snapshot.checkPlaced());
    return Adopter(snapshot, encodings).adopt(threads, job);
}

namespace {

/// What float changes rescaled, by tensor and by node.
struct Rescaled {
    std::set<std::string> values; // that are no weights
    std::set<NodeId> weights; // of these nodes
};

Rescaled rescaledBy(const std::vector<FloatChange>& changes, const Model& model)
{
    Rescaled rescaled;
    for (const FloatChange& change : changes) {
        for (const std::string& name : change.nodes) {
            const NodeId node = model.findNode(name);
            if (!node.valid())
                continue;
            rescaled.weights.insert(node);
            const bool isFirst = change.kind == FloatChangeKind::CrossLayer && name == change.nodes.front();
            const auto& touched = isFirst ? model.node(node).outputs : model.node(node).inputs;
            if (!touched.empty() && touched.front().valid())
                rescaled.values.insert(model.value(touched.front()).name);
        }
        if (const NodeId folded = model.findNode(change.foldedInto); folded.valid()) {
            rescaled.weights.insert(folded);
            rescaled.values.insert(change.value);
        }
    }
    return rescaled;
}

std::vector<std::int64_t> blockDimsOf(
    const Model& model, const QuantizationPoint& point, const QuantizationParameters& parameters)
{
    const Tensor* weight = parameters.block > 0 ? model.constant(pointValue(model, point)) : nullptr;
    return weight == nullptr ? std::vector<std::int64_t>() : scaleDims(weight->dims, parameters.axis, parameters.block);
}

} // namespace

FoundQuantizers quantizersOf(const Model& model, const Compression& compression)
{
    FoundQuantizers found;
    const Rescaled rescaled = rescaledBy(compression.floatChanges, model);
    std::map<std::uint32_t, PointId> firsts; // by value
    for (const auto& [id, point] : compression.setup.points) {
        const QuantizationParameters& parameters = compression.parameters.at(id);
        const auto values = point.isWeight ? std::vector<ValueId>{behindIdentities(model, pointValue(model, point))}
                                           : pointValues(model, point);
        for (const ValueId value : values) {
            const auto [first, isNew] = firsts.emplace(value.index, id);
            if (!isNew && compression.parameters.at(first->second) == parameters)
                continue;
            found.quantizers.push_back({.form = point.isWeight ? QuantizerForm::Codes : QuantizerForm::Pair,
                .node = point.node,
                .value = value,
                .tensor = addressOf(model, value),
                .isWeight = point.isWeight,
                .codes = parameters.type,
                .bits = elementBits(parameters.type),
                .scale = parameters.scale,
                .zeroPoint = {parameters.zeroPoint.begin(), parameters.zeroPoint.end()},
                .axis = parameters.axis,
                .block = parameters.block,
                .blockDims = blockDimsOf(model, point, parameters),
                .isSmoothed = point.isWeight ? rescaled.weights.contains(point.node)
                                             : rescaled.values.contains(model.value(value).name)});
        }
    }
    return found;
}

} // namespace duo
