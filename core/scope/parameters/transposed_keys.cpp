// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/transposed_keys.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace duo {
namespace {

constexpr std::int64_t kFewElements = 16;
constexpr std::size_t kFewValues = 4;
constexpr std::size_t kSamples = 16;

/// Elements of a matrix as bit patterns.
class Matrix
{
public:
    explicit Matrix(const Tensor& tensor)
        : m_bytes(tensor.bytes())
    {
        if (tensor.dims.size() != 2 || !isFloating(tensor.type) || tensor.elements() < kFewElements)
            return;
        m_rows = tensor.dims[0];
        m_columns = tensor.dims[1];
        m_width = m_bytes.size() / static_cast<std::size_t>(tensor.elements());
        m_isUsable = m_width > 0 && m_width <= sizeof(std::uint64_t)
            && m_bytes.size() == m_width * static_cast<std::size_t>(tensor.elements());
    }

    [[nodiscard]] bool isUsable() const { return m_isUsable; }
    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t columns() const { return m_columns; }
    [[nodiscard]] std::size_t width() const { return m_width; }

    [[nodiscard]] std::uint64_t at(std::int64_t row, std::int64_t column) const
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, m_bytes.data() + static_cast<std::size_t>(row * m_columns + column) * m_width, m_width);
        return bits;
    }

private:
    std::span<const std::byte> m_bytes;
    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    std::size_t m_width = 0;
    bool m_isUsable = false;
};

/// Some elements of a matrix, or of its transpose, at places that depend on the shape only.
std::array<std::uint64_t, kSamples> samples(const Matrix& matrix, bool transposed)
{
    const std::int64_t rows = transposed ? matrix.columns() : matrix.rows();
    const std::int64_t columns = transposed ? matrix.rows() : matrix.columns();
    std::array<std::uint64_t, kSamples> found{};
    for (std::size_t i = 0; i < kSamples; ++i) {
        const std::int64_t element = static_cast<std::int64_t>(i) * (rows * columns - 1) / (kSamples - 1);
        const std::int64_t row = element / columns;
        const std::int64_t column = element % columns;
        found[i] = transposed ? matrix.at(column, row) : matrix.at(row, column);
    }
    return found;
}

std::uint64_t hashOf(const Matrix& matrix, bool transposed)
{
    std::uint64_t hash = static_cast<std::uint64_t>(transposed ? matrix.columns() : matrix.rows());
    for (const std::uint64_t bits : samples(matrix, transposed))
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15ULL;
    return hash;
}

bool isTelling(const Matrix& matrix)
{
    const auto found = samples(matrix, false);
    return std::set<std::uint64_t>(found.begin(), found.end()).size() >= kFewValues;
}

bool isTranspose(const Matrix& a, const Matrix& b)
{
    if (a.rows() != b.columns() || a.columns() != b.rows() || a.width() != b.width())
        return false;
    for (std::int64_t row = 0; row < a.rows(); ++row) {
        for (std::int64_t column = 0; column < a.columns(); ++column) {
            if (a.at(row, column) != b.at(column, row))
                return false;
        }
    }
    return true;
}

} // namespace

TransposedKeys::TransposedKeys(const Model& model, const Parameters& parameters)
    : m_model(model)
    , m_parameters(parameters)
{
    for (std::size_t k = 0; k < parameters.keys.size(); ++k) {
        if (!parameters.keys[k].tensor.valid())
            continue;
        const Matrix matrix(model.tensor(parameters.keys[k].tensor));
        if (matrix.isUsable() && isTelling(matrix))
            m_bySample[hashOf(matrix, true)].push_back(static_cast<std::int32_t>(k));
    }
}

std::int32_t TransposedKeys::find(const Tensor& tensor) const
{
    const Matrix matrix(tensor);
    if (!matrix.isUsable())
        return kNoKey;
    const auto found = m_bySample.find(hashOf(matrix, false));
    if (found == m_bySample.end())
        return kNoKey;
    for (const std::int32_t key : found->second) {
        if (isTranspose(matrix, Matrix(m_model.tensor(m_parameters.key(key).tensor))))
            return key;
    }
    return kNoKey;
}

} // namespace duo
