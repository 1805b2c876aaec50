// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/size_ladder.h"

#include "core/calibrate/samples/name_words.h"
#include "core/calibrate/samples/size_needs.h"
#include "core/calibrate/samples/value_readers.h"
#include "core/model/op_facts.h"

#include <algorithm>
#include <span>

namespace duo {
namespace {

constexpr std::size_t kMostSteps = 40;

/// What a dimension counts. Samples: of a waveform. Past: what a cache holds already.
enum class Role { Batch, Side, Tokens, Frames, Samples, Past, Channels };

std::span<const std::int64_t> ladderOf(Role role)
{
    static constexpr std::array<std::int64_t, 1> kBatch{1};
    static constexpr std::array<std::int64_t, 13> kSide{64, 128, 224, 32, 256, 320, 416, 512, 640, 48, 299, 384, 800};
    static constexpr std::array<std::int64_t, 10> kTokens{8, 16, 32, 4, 1, 64, 2, 128, 256, 512};
    static constexpr std::array<std::int64_t, 12> kFrames{8, 16, 32, 64, 100, 1, 128, 200, 256, 512, 1000, 3000};
    static constexpr std::array<std::int64_t, 11> kSamples{
        512, 576, 1024, 1536, 4096, 16000, 256, 8000, 32000, 48000, 160000};
    static constexpr std::array<std::int64_t, 3> kPast{0, 8, 16};
    static constexpr std::array<std::int64_t, 10> kChannels{3, 1, 4, 8, 16, 32, 64, 80, 128, 256};
    switch (role) {
    case Role::Batch:
        return kBatch;
    case Role::Side:
        return kSide;
    case Role::Tokens:
        return kTokens;
    case Role::Frames:
        return kFrames;
    case Role::Samples:
        return kSamples;
    case Role::Past:
        return kPast;
    case Role::Channels:
        return kChannels;
    }
    return kFrames;
}

/// A dimension to choose, at its first place.
struct Variable {
    std::string name;
    Role role = Role::Frames;
    ValueId input;
    std::vector<std::int64_t> sizes = {};
};

bool isSequenceWord(const NameWords& words)
{
    return words.has({"seq", "sequence", "time", "timesteps", "frames", "frame", "length", "len", "tokens", "token",
        "steps", "samples", "audio", "wave", "waveform"});
}

/// A waveform is convolved, or transformed, before anything else is done with it.
bool isWaveform(const Model& model, const ModelInput& input)
{
    const NameWords words(input.name);
    if (words.has({"audio", "wave", "waveform", "wav", "pcm", "samples", "speech", "sound", "signal"}))
        return true;
    return std::ranges::any_of(readersBehindMoves(model, input.value), [&](const Use& use) {
        const std::string& type = model.node(use.node).opType;
        return isProduct(model.node(use.node), Product::Convolution) || type == "STFT" || type == "DFT";
    });
}

class RoleFinder
{
public:
    RoleFinder(const Model& model, const ModelInput& input, const MadeInput& made)
        : m_model(model)
        , m_input(input)
        , m_made(made)
        , m_rank(input.shape->size())
    {
    }

    [[nodiscard]] Role at(std::size_t axis) const
    {
        const NameWords words((*m_input.shape)[axis].symbol);
        if (words.has({"batch", "batchsize", "bs"}))
            return Role::Batch;
        if (m_made.isState)
            return axis > 0 && (words.has("past") || NameWords(m_input.name).has({"past", "kv", "cache"}))
                ? Role::Past
                : Role::Batch;
        if (words.has({"past"}))
            return Role::Past;
        if (m_input.batchAxis == axis)
            return Role::Batch;
        if (m_input.batchAxis && axis == 0)
            return isFloating(m_input.type) ? Role::Frames : Role::Tokens;
        if (axis == 0 && m_rank > 1)
            return !isSequenceWord(words) ? Role::Batch : isFloating(m_input.type) ? Role::Frames : Role::Tokens;
        if (words.has({"channel", "channels"}))
            return Role::Channels;
        if (axis == 0)
            return isFloating(m_input.type) && (isSequenceWord(words) || isWaveform(m_model, m_input)) ? Role::Samples
                                                                                                       : Role::Batch;
        if (m_rank >= 4 && !isSequenceWord(words))
            return isPicture(axis) ? Role::Side : Role::Channels;
        return sequence();
    }

private:
    /// Axes after the channels, or before them where they stand last.
    [[nodiscard]] bool isPicture(std::size_t axis) const
    {
        const auto& last = (*m_input.shape)[m_rank - 1];
        const bool channelsLast = last.size && *last.size <= 4;
        return channelsLast ? axis + 1 < m_rank : axis > 1;
    }

    [[nodiscard]] Role sequence() const
    {
        if (!isFloating(m_input.type))
            return Role::Tokens;
        const bool isSignal
            = m_rank <= 2 || (m_rank == 3 && (*m_input.shape)[1].size.value_or(2) == 1); // [batch, 1, samples]
        return isSignal && isWaveform(m_model, m_input) ? Role::Samples : Role::Frames;
    }

    const Model& m_model;
    const ModelInput& m_input;
    const MadeInput& m_made;
    std::size_t m_rank;
};

/// A dimension of several inputs counts what says most: a batch where one of them is fed by rows, tokens before frames.
Role stronger(Role a, Role b)
{
    const auto rank = [](Role role) {
        switch (role) {
        case Role::Batch:
            return 5;
        case Role::Past:
            return 4;
        case Role::Side:
        case Role::Tokens:
            return 3;
        case Role::Samples:
            return 2;
        case Role::Frames:
        case Role::Channels:
            return 1;
        }
        return 0;
    };
    return rank(b) > rank(a) ? b : a;
}

std::vector<Variable> variablesOf(
    const Model& model, const std::vector<ModelInput>& inputs, const std::vector<MadeInput>& made)
{
    std::vector<Variable> variables;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].shape)
            continue;
        const RoleFinder roles(model, inputs[i], made[i]);
        for (std::size_t axis = 0; axis < made[i].dims.size(); ++axis) {
            const std::string name = (*inputs[i].shape)[axis].size ? std::string() : dimName(inputs[i], axis);
            const auto& names = made[i].dims[axis].names;
            if (name.empty() || names != std::vector<std::string>{name})
                continue; // fixed, or the sum of others
            const auto known = std::ranges::find(variables, name, &Variable::name);
            if (known == variables.end())
                variables.push_back({name, roles.at(axis), inputs[i].value});
            else
                known->role = stronger(known->role, roles.at(axis));
        }
    }
    return variables;
}

/// Rounded up to what the strides need; after the first what constants need, and small sizes as they are, which cost
/// little, for models that only seem to need multiples.
std::vector<std::int64_t> sizesFor(const Model& model, const Variable& variable)
{
    const auto ladder = ladderOf(variable.role);
    std::vector<std::int64_t> wanted(ladder.begin(), ladder.end());
    if (variable.role != Role::Batch && variable.role != Role::Past && variable.role != Role::Channels) {
        const SizeNeeds needs = sizeNeeds(model, variable.input);
        const bool isRounded = variable.role == Role::Side || variable.role == Role::Frames;
        for (std::int64_t& size : wanted) {
            if (isRounded && size > 1)
                size = (size + needs.multiple - 1) / needs.multiple * needs.multiple;
        }
        if (isRounded && needs.multiple > 1)
            wanted.insert(wanted.begin() + 1, {48, 32, 64, 8, 16});
        const auto& exact = variable.role == Role::Side ? needs.sides : needs.lengths;
        constexpr std::size_t kMostExact = 4;
        for (std::size_t i = 0; i < std::min(exact.size(), kMostExact); ++i)
            wanted.insert(wanted.begin() + 1, exact[i]);
    }
    std::vector<std::int64_t> sizes;
    for (const std::int64_t size : wanted) {
        if (std::ranges::find(sizes, size) == sizes.end())
            sizes.push_back(size);
    }
    return sizes;
}

void addStep(SizeLadder& ladder, const Sizes& step)
{
    if (ladder.steps.size() < kMostSteps && std::ranges::find(ladder.steps, step) == ladder.steps.end())
        ladder.steps.push_back(step);
}

} // namespace

SizeLadder sizeLadder(
    const Model& model, const std::vector<ModelInput>& inputs, const std::vector<MadeInput>& made, const Sizes& given)
{
    SizeLadder ladder;
    std::vector<Variable> variables = variablesOf(model, inputs, made);
    std::size_t most = 1;
    for (Variable& variable : variables) {
        const auto named = given.find(variable.name);
        variable.sizes = named == given.end() ? sizesFor(model, variable) : std::vector<std::int64_t>{named->second};
        most = std::max(most, variable.sizes.size());
        if (named == given.end() && variable.role != Role::Batch)
            ladder.names.push_back(variable.name);
    }
    const auto at = [](const Variable& variable, std::size_t step) {
        return variable.sizes[std::min(step, variable.sizes.size() - 1)];
    };
    for (std::size_t step = 0; step < most; ++step) { // all together
        Sizes sizes;
        for (const Variable& variable : variables)
            sizes[variable.name] = at(variable, step);
        addStep(ladder, sizes);
    }
    for (const Variable& other : variables) { // one by one
        for (std::size_t step = 1; step < other.sizes.size(); ++step) {
            Sizes sizes = ladder.steps.front();
            sizes[other.name] = other.sizes[step];
            addStep(ladder, sizes);
        }
    }
    return ladder;
}

} // namespace duo
