// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/tail_values.h"

#include "core/calibrate/measure/lane_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace duo {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

constexpr std::size_t kBlock = 64;

/// Whole blocks at the front in which no value is <= low or >= high. @return how many values they are
DUO_INLINE std::size_t countInside(const float* values, std::size_t count, float low, float high)
{
    std::size_t at = 0;
    for (; at + kBlock <= count; at += kBlock) {
        std::uint32_t any = 0;
        for (std::size_t i = 0; i < kBlock; ++i)
            any |= static_cast<std::uint32_t>(values[at + i] <= low)
                | static_cast<std::uint32_t>(values[at + i] >= high);
        if (any != 0)
            break;
    }
    return at;
}

using InsideKernel = std::size_t (*)(const float*, std::size_t, float, float);

std::size_t countInsideAnywhere(const float* values, std::size_t count, float low, float high)
{
    return countInside(values, count, low, high);
}

DUO_AVX2 std::size_t countInsideAvx2(const float* values, std::size_t count, float low, float high)
{
    return countInside(values, count, low, high);
}

constexpr std::array<InsideKernel, 2> kInsideKernels{countInsideAnywhere, countInsideAvx2};

} // namespace

void TailValues::restart(std::size_t enough, float low, float high)
{
    m_low = low;
    m_high = high;
    m_enough = std::max<std::size_t>(1, enough);
    m_most = std::max<std::size_t>(4 * m_enough, 64);
    m_smallest.clear();
    m_largest.clear();
}

template <typename Before> float TailValues::cut(std::vector<float>& values, Before before) const
{
    const auto last = values.begin() + static_cast<std::ptrdiff_t>(m_enough - 1);
    std::nth_element(values.begin(), last, values.end(), before);
    values.resize(m_enough);
    return values.back();
}

void TailValues::add(std::span<const float> values)
{
    const InsideKernel inside = lanes::chosen(kInsideKernels);
    while (!values.empty()) {
        values = values.subspan(inside(values.data(), values.size(), m_low, m_high));
        const std::span block = values.first(std::min(kBlock, values.size()));
        values = values.subspan(block.size());
        for (const float value : block) {
            if (value <= m_low)
                m_smallest.push_back(value);
            if (value >= m_high)
                m_largest.push_back(value);
        }
        // Of what equals the last one kept, no more is needed.
        if (m_smallest.size() >= m_most)
            m_low = std::min(m_low, std::nextafter(cut(m_smallest, std::less<>()), -kInfinity));
        if (m_largest.size() >= m_most)
            m_high = std::max(m_high, std::nextafter(cut(m_largest, std::greater<>()), kInfinity));
    }
}

} // namespace duo
