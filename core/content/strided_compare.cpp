// SPDX-License-Identifier: Apache-2.0
#include "core/content/strided_compare.h"

#include "core/support/bytes_of.h"

#include <algorithm>
#include <cstring>

namespace duo {
namespace {

constexpr std::int64_t kTile = 32; // elements a side: 8 kB of float32 for both sides
constexpr std::size_t kChunkBytes = std::size_t{4} << 20;

struct Axis {
    std::int64_t size = 1;
    std::int64_t a = 0; // stride
    std::int64_t b = 0;
};

/// Axes without those of length 1; neighbours that lie as one in both blocks become one.
std::vector<Axis> mergedAxes(const StridedBlock& a, const StridedBlock& b, std::span<const std::int64_t> dims)
{
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 1)
            continue;
        const Axis axis{dims[i], a.strides[i], b.strides[i]};
        if (!axes.empty() && axes.back().a == axis.a * axis.size && axes.back().b == axis.b * axis.size) {
            axes.back() = {axes.back().size * axis.size, axis.a, axis.b};
            continue;
        }
        axes.push_back(axis);
    }
    return axes;
}

/// Two axes compared tile by tile.
template <typename T>
bool equalPlane(const std::byte* a, const std::byte* b, const Axis& outer, const Axis& inner, const JobContext& job)
{
    for (std::int64_t i0 = 0; i0 < outer.size; i0 += kTile) {
        const std::int64_t iEnd = std::min(i0 + kTile, outer.size);
        for (std::int64_t j0 = 0; j0 < inner.size; j0 += kTile) {
            const std::int64_t jEnd = std::min(j0 + kTile, inner.size);
            T differs = 0;
            for (std::int64_t i = i0; i < iEnd; ++i) {
                for (std::int64_t j = j0; j < jEnd; ++j)
                    differs = static_cast<T>(
                        differs | (loadAt<T>(a, i * outer.a + j * inner.a) ^ loadAt<T>(b, i * outer.b + j * inner.b)));
            }
            if (differs != 0)
                return false;
        }
        if (job.stopped())
            return false;
    }
    return true;
}

class Comparison
{
public:
    Comparison(std::vector<Axis> axes, int width, const JobContext& job)
        : m_axes(std::move(axes))
        , m_width(width)
        , m_job(job)
    {
        while (m_axes.size() < 2)
            m_axes.insert(m_axes.begin(), Axis{});
        // The axes that lie densest go last: a tile of the two touches few cache lines on either side.
        moveToEnd(m_axes.end(), [](const Axis& x, const Axis& y) { return x.b < y.b; });
        moveToEnd(m_axes.end() - 1, [](const Axis& x, const Axis& y) { return x.a < y.a; });
    }

    bool run(const std::byte* a, const std::byte* b)
    {
        std::vector<std::int64_t> index(m_axes.size() - 2, 0);
        while (!m_job.stopped() && equalPlaneAt(a, b)) {
            if (!advance(index, a, b))
                return true;
        }
        return false;
    }

private:
    template <typename Less> void moveToEnd(std::vector<Axis>::iterator end, const Less& less)
    {
        const auto hasStride = [](const Axis& axis) { return axis.size > 1; };
        const auto first = std::find_if(m_axes.begin(), end, hasStride); // those of length 1 stand in front
        if (first != end) {
            const auto least = std::min_element(first, end, less);
            std::rotate(least, least + 1, end);
        }
    }

    const Axis& outer() const { return m_axes[m_axes.size() - 2]; }
    const Axis& inner() const { return m_axes[m_axes.size() - 1]; }

    bool equalPlaneAt(const std::byte* a, const std::byte* b) const
    {
        if (inner().a == 1 && inner().b == 1)
            return equalRows(a, b);
        switch (m_width) {
        case 8:
            return equalPlane<std::uint64_t>(a, b, outer(), inner(), m_job);
        case 4:
            return equalPlane<std::uint32_t>(a, b, outer(), inner(), m_job);
        case 2:
            return equalPlane<std::uint16_t>(a, b, outer(), inner(), m_job);
        default:
            return equalPlane<std::uint8_t>(a, b, outer(), inner(), m_job);
        }
    }

    bool equalRows(const std::byte* a, const std::byte* b) const
    {
        const auto row = static_cast<std::size_t>(inner().size * m_width);
        for (std::int64_t i = 0; i < outer().size; ++i) {
            const std::byte* rowOfA = a + i * outer().a * m_width;
            if (!equalBytes({rowOfA, row}, {b + i * outer().b * m_width, row}, m_job))
                return false;
        }
        return true;
    }

    /// The next index of the axes before the last two; false at the end.
    bool advance(std::vector<std::int64_t>& index, const std::byte*& a, const std::byte*& b) const
    {
        for (std::size_t i = index.size(); i-- > 0;) {
            a += m_axes[i].a * m_width;
            b += m_axes[i].b * m_width;
            if (++index[i] < m_axes[i].size)
                return true;
            a -= m_axes[i].a * m_width * index[i];
            b -= m_axes[i].b * m_width * index[i];
            index[i] = 0;
        }
        return false;
    }

    std::vector<Axis> m_axes;
    int m_width;
    const JobContext& m_job;
};

} // namespace

std::vector<std::int64_t> denseStrides(std::span<const std::int64_t> dims)
{
    std::vector<std::int64_t> strides(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;)
        strides[i - 1] = strides[i] * std::max<std::int64_t>(dims[i], 1);
    return strides;
}

bool equalStrided(
    const StridedBlock& a, const StridedBlock& b, std::span<const std::int64_t> dims, int width, const JobContext& job)
{
    if (std::ranges::find(dims, 0) != dims.end())
        return true;
    return Comparison(mergedAxes(a, b, dims), width, job).run(a.data, b.data);
}

bool equalBytes(std::span<const std::byte> a, std::span<const std::byte> b, const JobContext& job)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t at = 0; at < a.size(); at += kChunkBytes) {
        const std::size_t count = std::min(kChunkBytes, a.size() - at);
        if (job.stopped() || std::memcmp(a.data() + at, b.data() + at, count) != 0)
            return false;
    }
    return true;
}

} // namespace duo
