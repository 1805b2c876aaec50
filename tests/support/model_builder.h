// SPDX-License-Identifier: Apache-2.0
// ModelBuilder: small models written down in tests, a line per node.
#pragma once

#include "core/model/model.h"

namespace duo::test {

/// Values are declared by first mention; `node` adds to the main graph. build() fails the test run on a bad model.
class ModelBuilder
{
public:
    explicit ModelBuilder(std::int64_t opset = 17);

    ModelBuilder& input(const std::string& name, std::vector<std::int64_t> dims = {},
        ElementType type = ElementType::Float32); // dim -1: symbolic "N"
    ModelBuilder& output(const std::string& name);
    /// A float32 initializer; `values` is repeated as needed (one 0.5 by default).
    ModelBuilder& weight(const std::string& name, std::vector<std::int64_t> dims, std::vector<float> values = {0.5F});
    ModelBuilder& ints(const std::string& name, std::vector<std::int64_t> values); // an int64 initializer
    ModelBuilder& node(const std::string& opType, const std::string& name, const std::vector<std::string>& inputs,
        const std::vector<std::string>& outputs, std::vector<Attribute> attributes = {});
    ModelBuilder& metadata(const std::string& key, const std::string& value); // of the last node
    ModelBuilder& producer(const std::string& name);

    /// @return the sealed model or its error
    [[nodiscard]] Result<std::shared_ptr<const Model>> tryBuild() const;
    [[nodiscard]] std::shared_ptr<const Model> build() const;

private:
    ValueId valueId(const std::string& name);
    Model m_draft;
    std::unordered_map<std::string, ValueId> m_values;
};

} // namespace duo::test
