// SPDX-License-Identifier: Apache-2.0
#include "core/content/explain_scale.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace duo {
namespace {

constexpr std::size_t kMostOwners = 8; // equal tensors whose weight norms are looked at

std::string shortNumber(double number)
{
    char text[32];
    const auto end = std::to_chars(text, text + sizeof(text), number).ptr;
    return {text, end};
}

std::string howExact(int ulps)
{
    return ulps == 0 ? "bit for bit" : "within " + std::to_string(ulps) + (ulps == 1 ? " ulp" : " ulps");
}

class ScaleExplainer
{
public:
    ScaleExplainer(const ContentSearch& search, const BatchNorms& norms, const ScaledPair& pair)
        : m_search(search)
        , m_norms(norms)
        , m_pair(pair)
        , m_tolerance(pair.values.factorTolerance())
    {
        m_derivation.parts = {pair.storedSet};
        m_derivation.tells = pair.values.areTelling();
        if (pair.views.wanted != pair.views.stored)
            m_derivation.transform.axes = {1, 0};
    }

    std::optional<Derivation> explain()
    {
        if (isWeightNorm() || isPlain() || isFolded() || isUnexplained())
            return std::move(m_derivation);
        return std::nullopt;
    }

private:
    const ChannelView& view() const { return m_pair.views.wanted; }
    bool isFloat32() const { return m_pair.wanted.type == ElementType::Float32; }
    bool isQuantized() const { return m_pair.values.isQuantized(); }

    /// Channels whose stored elements are all zero have any factor.
    template <typename Expected> bool factorsAre(const Expected& expected) const
    {
        for (std::size_t c = 0; c < m_pair.fit.factors.size(); ++c) {
            const double own = m_pair.fit.factors[c];
            if (m_pair.fit.squares[c] > 0 && std::abs(own - expected(c)) > m_tolerance * std::abs(own) + 1e-30)
                return false;
        }
        return true;
    }

    std::optional<int> distance(const std::vector<float>& factors) const
    {
        return distanceFrom(m_pair.values, m_pair.stored, view(), factors, isFloat32(), m_search.job);
    }

    bool isPlain()
    {
        if (!factorsAre([](std::size_t) { return 1.0; }))
            return false;
        const auto ulps = distance(std::vector<float>(m_pair.fit.factors.size(), 1));
        if (!ulps)
            return false;
        m_derivation.kind = isQuantized() ? MatchKind::Quantized
            : isFloat32()                 ? MatchKind::Scaled
                                          : MatchKind::Converted;
        m_derivation.transform.ulps = isQuantized() ? 0 : *ulps;
        m_derivation.how = isQuantized() ? "within half a quantization step of"
            : isFloat32()                ? howExact(*ulps) + " equal to"
                                         : "rounded to " + std::string(elementTypeName(m_pair.wanted.type)) + " from";
        return true;
    }

    bool isWeightNorm()
    {
        if (m_pair.views.stored.outer > 1 || m_pair.views.stored.groups > 1)
            return false;
        const auto owners = m_search.stored.owners(m_pair.storedSet);
        for (std::size_t i = 0; i < std::min(owners.size(), kMostOwners); ++i) {
            const auto g = m_search.names.magnitudes(owners[i]);
            const auto set = g ? m_search.stored.setOf(*g) : std::nullopt;
            if (set && isWeightNormOf(*set)) {
                m_derivation.parts.push_back(*set);
                m_derivation.leaves
                    = {std::string(m_search.names.leaf(owners[i])), std::string(m_search.names.leaf(*g))};
                return true;
            }
        }
        return false;
    }

    bool isWeightNormOf(std::uint32_t magnitudes)
    {
        const Tensor& tensor = m_search.stored.tensor(magnitudes);
        const auto& squares = m_pair.fit.squares;
        const bool isWhole = tensor.elements() == 1;
        if (!isWhole && tensor.elements() != static_cast<std::int64_t>(squares.size()))
            return false;
        double all = 0;
        for (const double square : squares)
            all += square;
        const FloatValues g(tensor);
        std::vector<float> factors;
        for (std::size_t c = 0; c < squares.size(); ++c)
            factors.push_back(static_cast<float>(g[isWhole ? 0 : c] / std::sqrt(isWhole ? all : squares[c])));
        const auto ulps = factorsAre([&](std::size_t c) { return factors[c]; }) ? distance(factors) : std::nullopt;
        if (!ulps)
            return false;
        m_derivation.kind = isQuantized() ? MatchKind::Quantized : MatchKind::WeightNorm;
        m_derivation.transform.ulps = isQuantized() ? 0 : *ulps;
        m_derivation.how = "weight norm g * v / |v| (" + (isQuantized() ? "quantized" : howExact(*ulps)) + ") of";
        return true;
    }

    bool isFolded()
    {
        const std::uint32_t nearKey = m_search.stored.owners(m_pair.storedSet).front();
        const auto candidates = m_norms.nearFactor(
            view().allChannels(), m_pair.fit.first, m_pair.fit.factors[m_pair.fit.first], m_tolerance, nearKey);
        int best = kMostUlps + 1;
        for (const auto& candidate : candidates) {
            const auto factors = normFactors(m_norms.values(candidate.norm), candidate.epsilon);
            if (!factorsAre([&](std::size_t c) { return factors[c]; }))
                continue;
            const auto ulps = distance(factors);
            if (!ulps || *ulps > best)
                continue;
            if (*ulps < best)
                m_derivation.norms.clear();
            best = *ulps;
            addNorm(candidate);
        }
        if (m_derivation.norms.empty())
            return false;
        std::ranges::sort(m_derivation.norms, {}, &NormKeys::norm);
        m_derivation.kind = isQuantized() ? MatchKind::Quantized : MatchKind::Folded;
        m_derivation.transform.ulps = isQuantized() ? 0 : best;
        // Integers seldom tell the epsilons apart.
        const std::string epsilon = "epsilon " + shortNumber(m_derivation.transform.epsilon) + ", " + howExact(best);
        m_derivation.how = "recomputed (" + (isQuantized() ? "quantized" : epsilon) + ") from";
        return true;
    }

    void addNorm(const BatchNorms::Candidate& candidate)
    {
        auto& norms = m_derivation.norms;
        if (norms.empty())
            m_derivation.transform.epsilon = candidate.epsilon;
        const bool isKnown
            = std::ranges::any_of(norms, [&](const NormKeys& norm) { return norm.norm == candidate.norm; });
        if (isKnown || candidate.epsilon != m_derivation.transform.epsilon)
            return;
        const BatchNormKeys& keys = m_norms.keys(candidate.norm);
        NormKeys norm{candidate.norm, {}};
        if (keys.weight)
            norm.keys.push_back(*keys.weight);
        norm.keys.push_back(keys.variance);
        norms.push_back(std::move(norm));
    }

    /// The direction of every channel is right: no chance can do that, but nothing says where the factors come from.
    bool isUnexplained()
    {
        if (!m_derivation.tells || (isQuantized() && !m_pair.values.isFine()))
            return false;
        const auto [least, most] = std::ranges::minmax(m_pair.fit.factors);
        m_derivation.kind = isQuantized() ? MatchKind::Quantized : MatchKind::Scaled;
        m_derivation.how
            = most - least <= m_tolerance * std::abs(most) ? "one factor times" : "a factor per channel times";
        if (isQuantized())
            m_derivation.how = "within a quantization step of " + m_derivation.how;
        return true;
    }

    const ContentSearch& m_search;
    const BatchNorms& m_norms;
    const ScaledPair& m_pair;
    double m_tolerance;
    Derivation m_derivation;
};

} // namespace

std::vector<float> normFactors(const BatchNormValues& values, double epsilon)
{
    std::vector<float> factors;
    for (std::size_t c = 0; c < values.gamma.size(); ++c)
        factors.push_back(values.gamma[c] / std::sqrt(values.variance[c] + static_cast<float>(epsilon)));
    return factors;
}

std::optional<Derivation> explainScale(const ContentSearch& search, const BatchNorms& norms, const ScaledPair& pair)
{
    return ScaleExplainer(search, norms, pair).explain();
}

} // namespace duo
