// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/candidates.h"

#include "core/quantize/points/profile_rules.h"
#include "core/transform/raise_opset.h"

#include <algorithm>
#include <initializer_list>

namespace duo {
namespace {

using Mode = QuantizationMode;

/// Sign and narrow range are no choice among candidates but set on all of them, unless strict.
void applyInPlace(QuantizerConfig& config, const PrecisionOverride& wanted, bool isStrict)
{
    if (isStrict)
        return;
    if (wanted.signednessToForce)
        config.signednessToForce = wanted.signednessToForce;
    if (wanted.narrowRange)
        config.narrowRange = *wanted.narrowRange;
}

bool fits(const QuantizerConfig& config, const PrecisionOverride& wanted)
{
    return config.mode == wanted.mode.value_or(config.mode) && config.numBits == wanted.numBits.value_or(config.numBits)
        && config.perChannel == wanted.perChannel.value_or(config.perChannel)
        && config.narrowRange == wanted.narrowRange.value_or(config.narrowRange)
        && (!wanted.signednessToForce || config.signednessToForce == wanted.signednessToForce);
}

Candidates limited(Candidates all, const PrecisionOverride& wanted, bool isStrict)
{
    for (QuantizerConfig& config : all)
        applyInPlace(config, wanted, isStrict);
    std::erase_if(all, [&](const QuantizerConfig& config) { return !fits(config, wanted); });
    return all;
}

QuantizerConfig presetConfig(const PrecisionOverride& wanted)
{
    QuantizerConfig config;
    config.mode = wanted.mode.value_or(config.mode);
    config.numBits = wanted.numBits.value_or(config.numBits);
    config.perChannel = wanted.perChannel.value_or(config.perChannel);
    config.narrowRange = wanted.narrowRange.value_or(config.narrowRange);
    config.signednessToForce = wanted.signednessToForce;
    return config;
}

Candidates listedActivations(ActivationSpace space, const CandidateLimits& limits)
{
    const bool isEightBit = space == ActivationSpace::EightBit;
    const bool canBePerChannel = space == ActivationSpace::WidePerChannel && limits.perChannelActivations;
    Candidates all;
    for (const int bits : {8, 16}) {
        for (const Mode mode : {Mode::Symmetric, Mode::Asymmetric}) {
            for (const bool perChannel : {true, false}) {
                if ((bits == 8 || !isEightBit) && (!perChannel || canBePerChannel))
                    all.push_back({bits, mode, {}, perChannel, false});
            }
        }
    }
    if (space == ActivationSpace::Narrow && limits.hasFourBits)
        all.push_back({4, Mode::Symmetric, {}, false, false});
    return all;
}

void keepPerTensorInPlace(CandidateLimits& limits)
{
    if (!limits.perTensorOnly)
        return;
    limits.activations.perChannel = false;
    limits.weights.perChannel = false;
}

} // namespace

CandidateLimits candidateLimits(const QuantizationSettings& settings, std::int64_t opset)
{
    const Target target = targetOf(settings);
    CandidateLimits limits;
    limits.activations = settings.activations;
    limits.weights = settings.weights;
    limits.isStrict = target.likeNncf;
    limits.hasFourBits = target.device == TargetDevice::Npu;
    limits.activations.mode = target.activations;
    if (!limits.weights.mode)
        limits.weights.mode = Mode::Symmetric;
    limits.perChannelActivations = target.takesNncfTables;
    limits.perChannelProducts = target.perChannelProducts;
    limits.perTensorOnly = opset < kPerChannelOpset;
    keepPerTensorInPlace(limits);
    return limits;
}

std::vector<CandidateLimits> limitsByPrecision(
    const CandidateLimits& settings, const std::vector<RulePrecision>& wishes)
{
    std::vector<CandidateLimits> all{settings};
    if (wishes.empty())
        return all;
    // Else a neighbour's sixteen bits would be common to both where they meet.
    all.front().activations.numBits = settings.activations.numBits.value_or(8);
    all.front().weights.numBits = settings.weights.numBits.value_or(8);
    for (const RulePrecision& wish : wishes) {
        CandidateLimits limits = all.front();
        limits.activations = overlaid(wish.activations, limits.activations);
        limits.weights = overlaid(wish.weights, limits.weights);
        keepPerTensorInPlace(limits);
        all.push_back(std::move(limits));
    }
    return all;
}

Candidates activationCandidates(ActivationSpace space, const CandidateLimits& limits)
{
    switch (space) {
    case ActivationSpace::None:
        return {};
    case ActivationSpace::Preset:
        return {presetConfig(limits.activations)};
    case ActivationSpace::Fixed:
        return {QuantizerConfig{}};
    case ActivationSpace::SymmetricOnly: {
        PrecisionOverride symmetric = limits.activations;
        symmetric.mode = Mode::Symmetric;
        return limited(listedActivations(ActivationSpace::Wide, limits), symmetric, limits.isStrict);
    }
    case ActivationSpace::Wide:
    case ActivationSpace::Narrow:
    case ActivationSpace::WidePerChannel:
    case ActivationSpace::EightBit:
        break;
    }
    return limited(listedActivations(space, limits), limits.activations, limits.isStrict);
}

Candidates weightCandidates(WeightSpace space, const CandidateLimits& limits)
{
    Candidates all;
    for (const int bits : {8, 16}) {
        for (const Mode mode : {Mode::Symmetric, Mode::Asymmetric}) {
            const bool isSymmetric = mode == Mode::Symmetric;
            for (const bool perChannel : {true, false}) {
                if (perChannel && space == WeightSpace::Product && !limits.perChannelProducts)
                    continue;
                for (const bool narrow : {true, false}) {
                    const bool narrowIsFree = space == WeightSpace::Embedding && isSymmetric;
                    if (narrowIsFree || narrow == isSymmetric)
                        all.push_back(
                            {bits, mode, isSymmetric ? std::optional<bool>(true) : std::nullopt, perChannel, narrow});
                }
            }
        }
    }
    for (const int bits : {4, 2}) {
        const bool isListed = limits.hasFourBits && space != WeightSpace::Embedding
            && (bits == 4 || space == WeightSpace::Depthwise || space == WeightSpace::Product);
        for (const bool perChannel : {true, false}) {
            if (isListed)
                all.push_back({bits, Mode::Symmetric, {}, perChannel, false});
        }
    }
    return limited(std::move(all), limits.weights, limits.isStrict);
}

} // namespace duo
