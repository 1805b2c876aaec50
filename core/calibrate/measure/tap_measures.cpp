// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/tap_measures.h"

#include "core/engine/wire.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

namespace duo {
namespace {

/// What a measure begins with; channels and counts of bins follow.
struct Head {
    std::int64_t elements = 0;
    std::int64_t nan = 0;
    std::int64_t infinite = 0;
    ExactMoments moments;
    std::uint64_t channels = 0;
    float min = 0;
    float max = 0;
    float low = 0;
    float high = 0;
    float magnitude = 0;
    std::int32_t lowest = 0; // of BinView
    std::int32_t highest = 0;
    std::int32_t nearest = 0; // 0: it is empty
};
static_assert(std::is_trivially_copyable_v<Head> && sizeof(Head) % alignof(std::uint64_t) == 0);

/// How many counts of one side are told: zeros, and from `nearest` to `farthest`.
std::size_t countsOf(int nearest, int farthest)
{
    return nearest == 0 ? 0 : 1 + static_cast<std::size_t>(std::max(0, farthest - nearest + 1));
}

std::size_t sizeOf(const Head& head)
{
    return sizeof(Head) + head.channels * kChannelSize
        + (countsOf(head.nearest, head.highest) + countsOf(head.nearest, -head.lowest)) * sizeof(std::uint32_t);
}

Head headOf(const TensorMeasure& measure)
{
    Head head{.elements = measure.elements,
        .nan = measure.nan,
        .infinite = measure.infinite,
        .moments = measure.moments,
        .channels = measure.channels.min.size(),
        .min = measure.min,
        .max = measure.max,
        .low = measure.low,
        .high = measure.high,
        .magnitude = measure.magnitude};
    if (!measure.bins.isEmpty) {
        head.lowest = measure.bins.lowest;
        head.highest = measure.bins.highest;
        head.nearest = measure.bins.nearest;
    }
    return head;
}

bool isBin(const Head& head, std::int32_t bin)
{
    return bin == 0 || (bin >= -logbin::kLast && bin <= logbin::kLast && std::abs(bin) >= head.nearest);
}

bool isWhole(const Head& head, std::size_t size)
{
    const bool hasBins = head.nearest > 0 && head.nearest <= logbin::kLast && head.lowest <= head.highest
        && isBin(head, head.lowest) && isBin(head, head.highest);
    const bool isEmpty = head.nearest == 0 && head.lowest == 0 && head.highest == 0;
    constexpr std::int64_t kMost = std::int64_t{1} << 48U;
    const auto isCount = [](std::int64_t count) { return count >= 0 && count <= kMost; };
    return isCount(head.elements) && isCount(head.nan) && isCount(head.infinite) && (hasBins || isEmpty)
        && head.channels <= size && sizeOf(head) == size;
}

/// Writes one array after the other.
class ArrayWriter
{
public:
    explicit ArrayWriter(std::byte* to)
        : m_to(to)
    {
    }
    template <typename T> void add(std::span<const T> numbers)
    {
        if (!numbers.empty())
            std::memcpy(m_to, numbers.data(), numbers.size_bytes());
        m_to += numbers.size_bytes();
    }

private:
    std::byte* m_to;
};

/// Finds them again.
class ArrayReader
{
public:
    explicit ArrayReader(const std::byte* from)
        : m_from(from)
    {
    }
    template <typename T> std::span<const T> next(std::size_t count)
    {
        const std::span numbers(reinterpret_cast<const T*>(m_from), count);
        m_from += numbers.size_bytes();
        return numbers;
    }

private:
    const std::byte* m_from;
};

} // namespace

std::string writeTapMeasures(const TapMeasures& measures)
{
    const MeasureKinds& kinds = measures.kinds;
    WireWriter writer;
    writer.number(kinds.quantiles).number(kinds.moments).number(kinds.channels).number(kinds.histogram);
    writer.list(measures.channelAxes, [&writer](const std::optional<std::int64_t>& axis) {
        writer.number(axis.has_value()).number(axis.value_or(0));
    });
    return writer.bytes();
}

std::optional<TapMeasures> readTapMeasures(std::string_view bytes)
{
    WireReader reader(bytes);
    TapMeasures measures;
    for (bool* kind :
        {&measures.kinds.quantiles, &measures.kinds.moments, &measures.kinds.channels, &measures.kinds.histogram})
        *kind = reader.number<bool>();
    reader.list([&] {
        const bool hasAxis = reader.number<bool>();
        const auto axis = reader.number<std::int64_t>();
        measures.channelAxes.push_back(hasAxis ? std::optional(axis) : std::nullopt);
    });
    return reader.isBroken() ? std::nullopt : std::optional(std::move(measures));
}

std::size_t measureSize(const TensorMeasure& measure)
{
    return sizeOf(headOf(measure));
}

void writeMeasure(const TensorMeasure& measure, std::span<std::byte> into)
{
    const Head head = headOf(measure);
    std::memcpy(into.data(), &head, sizeof head);
    ArrayWriter writer(into.data() + sizeof head);
    writer.add(measure.channels.sum);
    writer.add(measure.channels.squares);
    writer.add(measure.channels.counts);
    writer.add(measure.channels.min);
    writer.add(measure.channels.max);
    const BinView& bins = measure.bins;
    for (const auto& [counts, farthest] :
        {std::pair(bins.positive, bins.highest), std::pair(bins.negative, -bins.lowest)}) {
        if (bins.isEmpty)
            continue;
        writer.add(counts.first(1));
        writer.add(counts.subspan(bins.placeOf(bins.nearest), countsOf(bins.nearest, farthest) - 1));
    }
}

Result<TensorMeasure> readMeasure(std::span<const std::byte> bytes)
{
    Head head;
    const bool isAligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) == 0;
    if (bytes.size() < sizeof head || !isAligned)
        return unreadableAnswer();
    std::memcpy(&head, bytes.data(), sizeof head);
    if (!isWhole(head, bytes.size()))
        return unreadableAnswer();
    TensorMeasure measure;
    measure.elements = head.elements;
    measure.nan = head.nan;
    measure.infinite = head.infinite;
    measure.moments = head.moments;
    measure.min = head.min;
    measure.max = head.max;
    measure.low = head.low;
    measure.high = head.high;
    measure.magnitude = head.magnitude;
    ArrayReader reader(bytes.data() + sizeof head);
    measure.channels.sum = reader.next<ChannelSum>(head.channels);
    measure.channels.squares = reader.next<ChannelSum>(head.channels);
    measure.channels.counts = reader.next<std::int64_t>(head.channels);
    measure.channels.min = reader.next<float>(head.channels);
    measure.channels.max = reader.next<float>(head.channels);
    if (head.nearest == 0)
        return measure;
    BinView& bins = measure.bins;
    bins.lowest = head.lowest;
    bins.highest = head.highest;
    bins.nearest = head.nearest;
    bins.skipped = head.nearest - 1;
    bins.isEmpty = false;
    bins.positive = reader.next<std::uint32_t>(countsOf(head.nearest, head.highest));
    bins.negative = reader.next<std::uint32_t>(countsOf(head.nearest, -head.lowest));
    return measure;
}

} // namespace duo
