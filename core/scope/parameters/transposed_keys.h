// SPDX-License-Identifier: Apache-2.0
// Matrices that a file holds twice: under their key, and transposed under an exporter's name.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/parameters.h"

#include <unordered_map>
#include <vector>

namespace duo {

/// The tie of an embedding with the head that multiplies by its transpose shows so. Equality of all elements is the
/// proof; small matrices, and those of few different values, prove nothing and are left out.
class TransposedKeys
{
public:
    /// O(keys): looks at a few elements of each matrix that has a key.
    TransposedKeys(const Model& model, const Parameters& parameters);

    /// The key whose matrix is the transpose of `tensor`; kNoKey if there is none. Reads all elements of two matrices
    /// only where a few are equal.
    [[nodiscard]] std::int32_t find(const Tensor& tensor) const;

private:
    const Model& m_model;
    const Parameters& m_parameters;
    std::unordered_map<std::uint64_t, std::vector<std::int32_t>> m_bySample; // hash of some elements -> keys
};

} // namespace duo
