// SPDX-License-Identifier: Apache-2.0
#include "core/content/follow_bias.h"

#include "core/content/explain_scale.h"
#include "core/content/wanted_values.h"
#include "core/model/op_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace duo {
namespace {

constexpr std::size_t kMostOwners = 8; // equal weights whose biases are looked at

/// The ports of a node's weight and bias, of a product that gives its channels one after the other.
std::optional<std::pair<std::uint32_t, std::uint32_t>> portsOf(const Node& node)
{
    const OpFacts& facts = opFacts(node);
    const bool isPlain = facts.form == ProductForm::Float || facts.form == ProductForm::Codes;
    if (!isPlain || facts.biasPort == kNoPort || facts.product == Product::None || facts.product == Product::Recurrent)
        return std::nullopt;
    return std::pair<std::uint32_t, std::uint32_t>(facts.weightPort, facts.biasPort);
}

/// A stored bias, or none, that with a norm gives the wanted one.
struct BiasChoice {
    std::optional<std::uint32_t> key;
    std::vector<float> values; // [C]
};

class BiasFollower
{
public:
    BiasFollower(ContentSearch& search, const BatchNorms& norms)
        : m_search(search)
        , m_norms(norms)
    {
        for (std::uint32_t r = 0; r < search.wanted.reads.size(); ++r) {
            for (const TensorUse& use : search.wanted.reads[r].uses)
                m_readAt.try_emplace({use.reader, use.port}, r);
        }
    }

    void followAll()
    {
        for (const auto& [place, read] : m_readAt) {
            const auto ports = portsOf(m_search.model.node(place.first));
            if (!ports || place.second != ports->first || m_search.job.stopped())
                continue;
            const auto bias = m_readAt.find({place.first, ports->second});
            if (bias != m_readAt.end())
                follow(m_search.wanted.setOf[read], bias->second);
        }
    }

private:
    void follow(std::uint32_t weightSet, std::uint32_t biasRead)
    {
        const std::uint32_t biasSet = m_search.wanted.setOf[biasRead];
        if (!m_done.emplace(weightSet, biasSet).second)
            return;
        const ReadTensor& read = m_search.wanted.reads[biasRead];
        const WantedSet& bias = m_search.wanted.sets[biasSet];
        const auto quantization = quantizationOf(m_search.model, read);
        if ((!isFloating(bias.tensor->type) && !quantization) || bias.tensor->elements() > kLongestBias)
            return;
        const WantedValues values(*bias.tensor, quantization);
        for (Derivation& weight : m_search.wanted.sets[weightSet].found) {
            if (!weight.norms.empty())
                followFold(weight, biasSet, values);
            else if (weight.kind == MatchKind::Quantized && !bias.isSettled())
                followPlain(weight, biasSet, values);
        }
    }

    std::vector<BiasChoice> choices(const Derivation& weight, std::size_t count) const
    {
        std::vector<BiasChoice> result;
        const auto owners = m_search.stored.owners(weight.parts.front());
        for (std::size_t i = 0; i < std::min(owners.size(), kMostOwners); ++i) {
            const auto key = m_search.names.sibling(owners[i], "bias");
            const auto set = key ? m_search.stored.setOf(*key) : std::nullopt;
            if (!set || m_search.stored.tensor(*set).elements() != static_cast<std::int64_t>(count))
                continue;
            BiasChoice choice{key, std::vector<float>(count)};
            readFloats(m_search.stored.tensor(*set), 0, choice.values);
            result.push_back(std::move(choice));
        }
        return result;
    }

    void followFold(Derivation& weight, std::uint32_t biasSet, const WantedValues& values)
    {
        auto all = choices(weight, values.all().size());
        if (all.empty())
            all.push_back({std::nullopt, std::vector<float>(values.all().size(), 0)});
        std::vector<double> epsilons{weight.transform.epsilon};
        if (weight.kind == MatchKind::Quantized) // its integers said little about it
            epsilons.insert(epsilons.end(), kEpsilons.begin(), kEpsilons.end());
        for (const double epsilon : epsilons) {
            for (const BiasChoice& choice : all) {
                if (followChoice(weight, biasSet, {choice, epsilon}, values))
                    return;
            }
        }
    }

    struct FoldChoice {
        const BiasChoice& bias;
        double epsilon = 0;
    };

    bool followChoice(Derivation& weight, std::uint32_t biasSet, const FoldChoice& choice, const WantedValues& values)
    {
        std::vector<NormKeys> fitting;
        int ulps = 0;
        for (const NormKeys& norm : weight.norms) {
            if (const auto distance = foldDistance(norm.norm, choice.epsilon, choice.bias, values)) {
                fitting.push_back(norm);
                ulps = std::max(ulps, *distance);
            }
        }
        if (fitting.empty())
            return false;
        weight.norms = fitting;
        weight.transform.epsilon = choice.epsilon;
        addFold(weight, biasSet, choice.bias, ulps, values.isQuantized());
        return true;
    }

    /// How far the wanted bias is from beta + (bias - mean) * factor; nothing if further than rounding explains.
    std::optional<int> foldDistance(
        std::uint32_t norm, double epsilon, const BiasChoice& choice, const WantedValues& values) const
    {
        const BatchNormValues own = m_norms.values(norm);
        if (own.beta.size() != choice.values.size())
            return std::nullopt;
        const auto factors = normFactors(own, epsilon);
        bool isExact = true;
        for (std::size_t c = 0; c < factors.size(); ++c) {
            const float shifted = choice.values[c] - own.mean[c];
            const double product = static_cast<double>(shifted) * static_cast<double>(factors[c]);
            const double distance = std::abs(values.all()[c] - (own.beta[c] + product));
            // Eight roundings of the two terms, whatever their sum cancels down to.
            const double rounding = 0x1p-21 * (std::abs(static_cast<double>(own.beta[c])) + std::abs(product));
            if (!(distance <= values.tolerance(c) + rounding))
                return std::nullopt;
            isExact = isExact && values.all()[c] == own.beta[c] + shifted * factors[c];
        }
        return isExact ? 0 : 1;
    }

    void addFold(const Derivation& weight, std::uint32_t biasSet, const BiasChoice& choice, int ulps, bool isQuantized)
    {
        Derivation derivation;
        derivation.kind = isQuantized ? MatchKind::Quantized : MatchKind::Folded;
        derivation.transform.epsilon = weight.transform.epsilon;
        derivation.transform.ulps = isQuantized ? 0 : ulps;
        derivation.followsWeight = true;
        derivation.tells = weight.tells;
        derivation.how = std::string("recomputed (") + (ulps == 0 ? "bit for bit" : "up to rounding") + ") from";
        if (choice.key) {
            derivation.parts = {*m_search.stored.setOf(*choice.key)};
            derivation.leaves = {"bias"};
        }
        for (const NormKeys& norm : weight.norms) {
            const BatchNormKeys& own = m_norms.keys(norm.norm);
            NormKeys all{norm.norm, {}};
            for (const auto& key : {own.weight, own.bias, std::optional(own.mean), std::optional(own.variance)}) {
                if (key)
                    all.keys.push_back(*key);
            }
            derivation.norms.push_back(std::move(all));
        }
        auto& found = m_search.wanted.sets[biasSet].found;
        found.insert(found.begin(), std::move(derivation));
    }

    void followPlain(const Derivation& weight, std::uint32_t biasSet, const WantedValues& values)
    {
        for (const BiasChoice& choice : choices(weight, values.all().size())) {
            bool fits = true;
            for (std::size_t c = 0; c < choice.values.size(); ++c)
                fits = fits && std::abs(values.all()[c] - choice.values[c]) <= values.tolerance(c);
            const std::uint32_t stored = *m_search.stored.setOf(*choice.key);
            auto& found = m_search.wanted.sets[biasSet].found;
            const bool isKnown = std::ranges::any_of(
                found, [&](const Derivation& other) { return !other.parts.empty() && other.parts.front() == stored; });
            if (!fits || isKnown)
                continue;
            Derivation derivation;
            derivation.kind = values.isQuantized() ? MatchKind::Quantized : MatchKind::Converted;
            derivation.parts = {stored};
            derivation.leaves = {"bias"};
            derivation.how = "within half a quantization step of";
            found.push_back(std::move(derivation));
        }
    }

    static constexpr std::int64_t kLongestBias = std::int64_t{1} << 20;

    ContentSearch& m_search;
    const BatchNorms& m_norms;
    std::map<std::pair<NodeId, std::uint32_t>, std::uint32_t> m_readAt; // reader and port -> read
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_done; // weight and bias set
};

} // namespace

Status followBiasesInPlace(ContentSearch& search, const BatchNorms& norms)
{
    BiasFollower(search, norms).followAll();
    if (search.job.stopped())
        return cancelledError();
    return success();
}

} // namespace duo
