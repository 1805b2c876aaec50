// SPDX-License-Identifier: Apache-2.0
#include "tests/core/content/content_case.h"

#include "core/support/enum_text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace duo::test {
namespace {

constexpr auto kKinds
    = enumTexts<MatchKind::Scaled>({"name", "exact", "reshaped", "transposed", "permuted", "converted",
        "reordered gates", "concatenated", "slice", "gathered", "weight norm", "folded", "quantized", "scaled"});
constexpr auto kCertainties = enumTexts<Certainty::Undecided>({"proof", "witnessed", "guess", "undecided"});

template <typename T> std::vector<std::byte> bytesOf(const std::vector<T>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!values.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

[[noreturn]] void fail(const std::string& what)
{
    std::fprintf(stderr, "content case: %s\n", what.c_str());
    std::abort();
}

} // namespace

std::vector<float> randomValues(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<float> values(count);
    for (float& value : values) {
        float sum = -6; // twelve uniform numbers: near enough to normal, and the same with every library
        for (int i = 0; i < 12; ++i)
            sum += static_cast<float>(random() >> 8U) * 0x1p-24F;
        value = sum;
    }
    return values;
}

std::vector<float> transposedValues(const std::vector<float>& values, std::size_t rows, std::size_t columns)
{
    std::vector<float> result;
    for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t r = 0; r < rows; ++r)
            result.push_back(values[r * columns + c]);
    }
    return result;
}

CheckpointBuilder& CheckpointBuilder::bytes(
    const std::string& name, ElementType type, std::vector<std::int64_t> dims, std::vector<std::byte> bytes)
{
    m_checkpoint.keys.push_back({name, static_cast<std::uint32_t>(m_checkpoint.tensors.size())});
    Tensor tensor;
    tensor.name = name;
    tensor.type = type;
    tensor.dims = std::move(dims);
    tensor.data = SharedBytes::own(std::move(bytes));
    m_checkpoint.tensors.push_back(std::move(tensor));
    return *this;
}

CheckpointBuilder& CheckpointBuilder::key(
    const std::string& name, std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    return bytes(name, ElementType::Float32, std::move(dims), bytesOf(values));
}

CheckpointBuilder& CheckpointBuilder::ints(
    const std::string& name, std::vector<std::int64_t> dims, const std::vector<std::int64_t>& values)
{
    return bytes(name, ElementType::Int64, std::move(dims), bytesOf(values));
}

CheckpointBuilder& CheckpointBuilder::tie(const std::string& name, const std::string& other)
{
    for (const CheckpointKey& key : m_checkpoint.keys) {
        if (key.name == other) {
            m_checkpoint.keys.push_back({name, key.tensor});
            return *this;
        }
    }
    fail("no key " + other);
}

CheckpointBuilder& CheckpointBuilder::recordsTies()
{
    m_checkpoint.recordsTies = true;
    return *this;
}

std::ostream& operator<<(std::ostream& out, const Owners& owners)
{
    out << '{';
    for (const std::string& key : owners.keys)
        out << key << ' ';
    return out << "| " << owners.kind << " | " << owners.certainty << '}';
}

ContentCase::ContentCase(
    std::shared_ptr<const Model> subject, const Checkpoint& beside, const ContentPriors& priors, int threads)
    : model(std::move(subject))
    , checkpoint(beside)
{
    auto matches = matchContent(*model, checkpoint, {}, threads, priors);
    if (!matches)
        fail(matches.error().line());
    found = *std::move(matches);
}

TensorId ContentCase::tensorId(const std::string& name) const
{
    for (std::size_t t = 0; t < model->tensors.size(); ++t) {
        if (model->tensors[t].name == name)
            return TensorId(t);
    }
    fail("no tensor " + name);
}

std::vector<std::string> ContentCase::names(const std::vector<std::uint32_t>& keys) const
{
    std::vector<std::string> result;
    for (const std::uint32_t key : keys)
        result.push_back(checkpoint.keys[key].name);
    return result;
}

Owners ContentCase::ownersOf(const ContentMatch* match) const
{
    if (match == nullptr)
        return {{}, "none", ""};
    return {names(match->keys), std::string(enumText(kKinds, match->kind)),
        std::string(enumText(kCertainties, match->certainty))};
}

const ContentMatch& ContentCase::match(const std::string& tensor, const std::string& reader) const
{
    const TensorId id = tensorId(tensor);
    if (!reader.empty()) {
        if (const ContentMatch* match = found.find(id, model->findNode(reader)))
            return *match;
        fail("no match for " + tensor + " at " + reader);
    }
    const auto all = found.of(id);
    if (all.size() != 1)
        fail(std::to_string(all.size()) + " matches for " + tensor);
    return all.front();
}

Owners ContentCase::at(const std::string& tensor) const
{
    return found.of(tensorId(tensor)).empty() ? ownersOf(nullptr) : ownersOf(&match(tensor));
}

Owners ContentCase::at(const std::string& tensor, const std::string& reader) const
{
    return ownersOf(found.find(tensorId(tensor), model->findNode(reader)));
}

} // namespace duo::test
