// SPDX-License-Identifier: Apache-2.0
// ContentCase: a checkpoint written down in a test, and what matching finds for a model beside it.
#pragma once

#include "core/content/match_content.h"
#include "tests/support/model_builder.h"

#include <ostream>
#include <string>
#include <vector>

namespace duo::test {

/// Normally distributed numbers that depend on the seed only.
std::vector<float> randomValues(std::size_t count, unsigned seed);

/// Rows become columns.
std::vector<float> transposedValues(const std::vector<float>& values, std::size_t rows, std::size_t columns);

/// Written down in a test, a line per key; file order.
class CheckpointBuilder
{
public:
    CheckpointBuilder& key(const std::string& name, std::vector<std::int64_t> dims, const std::vector<float>& values);
    CheckpointBuilder& ints(
        const std::string& name, std::vector<std::int64_t> dims, const std::vector<std::int64_t>& values);
    /// Any type, bytes as they are: they need not fit the shape.
    CheckpointBuilder& bytes(
        const std::string& name, ElementType type, std::vector<std::int64_t> dims, std::vector<std::byte> bytes);
    CheckpointBuilder& tie(const std::string& name, const std::string& other); // another key for one tensor
    CheckpointBuilder& recordsTies();
    [[nodiscard]] const Checkpoint& build() const { return m_checkpoint; }

private:
    Checkpoint m_checkpoint;
};

/// What a test expects of one tensor.
struct Owners {
    std::vector<std::string> keys;
    std::string kind;
    std::string certainty;
    bool operator==(const Owners&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Owners& owners);

class ContentCase
{
public:
    ContentCase(std::shared_ptr<const Model> model, const Checkpoint& checkpoint, const ContentPriors& priors = {},
        int threads = 1);

    /// Of the only match of a tensor of the model; no keys and "none" if there is no match.
    [[nodiscard]] Owners at(const std::string& tensor) const;
    /// As one reader uses the tensor.
    [[nodiscard]] Owners at(const std::string& tensor, const std::string& reader) const;
    [[nodiscard]] const ContentMatch& match(const std::string& tensor, const std::string& reader = {}) const;
    [[nodiscard]] std::vector<std::string> names(const std::vector<std::uint32_t>& keys) const;

    std::shared_ptr<const Model> model;
    Checkpoint checkpoint;
    ContentMatches found;

private:
    [[nodiscard]] Owners ownersOf(const ContentMatch* match) const;
    [[nodiscard]] TensorId tensorId(const std::string& name) const;
};

} // namespace duo::test
