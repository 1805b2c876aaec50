// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/candidates.h"

#include <initializer_list>

namespace duo {
namespace {

using Mode = QuantizationMode;

QuantizationMode activationMode(const QuantizationSettings& settings)
{
    const bool ownPreset = !settings.preset.has_value();
    if (!ownPreset)
        return *settings.preset == Preset::Mixed ? Mode::Asymmetric : Mode::Symmetric;
    const bool isTransformer = settings.modelType == ModelType::Transformer;
    if (settings.nncfCompatible)
        return isTransformer ? Mode::Asymmetric : Mode::Symmetric;
    switch (settings.profile) {
    case Profile::OrtCpu: // unsigned 8-bit inputs have kernels on x64, signed ones do not (reference/engine.md 2.2)
    case Profile::Qnn:
        return Mode::Asymmetric;
    case Profile::TensorRt: // zero points must be 0
        return Mode::Symmetric;
    case Profile::OpenVino:
        break;
    }
    return isTransformer ? Mode::Asymmetric : Mode::Symmetric;
}

bool usesNncfTables(const QuantizationSettings& settings)
{
    return settings.nncfCompatible || settings.profile == Profile::OpenVino;
}

} // namespace

CandidateLimits candidateLimits(const QuantizationSettings& settings, std::int64_t opset)
{
    CandidateLimits limits;
    limits.activationMode = activationMode(settings);
    limits.perChannelWeights = opset >= 13;
    limits.perChannelActivations = opset >= 13 && usesNncfTables(settings);
    return limits;
}

Candidates activationCandidates(ActivationSpace space, const CandidateLimits& limits)
{
    QuantizerConfig config;
    config.mode = space == ActivationSpace::SymmetricOnly ? Mode::Symmetric : limits.activationMode;
    if (space == ActivationSpace::None)
        return {};
    if (space == ActivationSpace::Preset || space == ActivationSpace::EightBit)
        return {config};
    const bool perChannelFirst = space == ActivationSpace::WidePerChannel && limits.perChannelActivations;
    Candidates candidates;
    for (const int bits : {8, 16}) {
        config.numBits = bits;
        config.perChannel = perChannelFirst;
        candidates.push_back(config);
        config.perChannel = false;
        if (perChannelFirst)
            candidates.push_back(config);
    }
    return candidates;
}

Candidates weightCandidates(bool isEmbedding, const CandidateLimits& limits)
{
    const bool isSymmetric = limits.weightMode == Mode::Symmetric;
    Candidates candidates;
    for (const int bits : {8, 16}) {
        for (const bool perChannel : {true, false}) {
            for (const bool narrow : {true, false}) {
                const bool narrowIsFree = isEmbedding && isSymmetric;
                if ((perChannel && !limits.perChannelWeights) || (!narrowIsFree && narrow != isSymmetric))
                    continue;
                QuantizerConfig config{bits, limits.weightMode, {}, perChannel, narrow};
                if (isSymmetric)
                    config.signednessToForce = true;
                candidates.push_back(config);
            }
        }
    }
    return candidates;
}

} // namespace duo
