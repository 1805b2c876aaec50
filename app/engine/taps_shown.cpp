// SPDX-License-Identifier: Apache-2.0
#include "app/engine/taps_shown.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace duo {
namespace {

constexpr std::size_t kCopied = std::size_t{1} << 15U; // bytes of a value
constexpr std::size_t kRoom = std::size_t{1} << 18U;

} // namespace

SeenBytes::SeenBytes(EngineMemory& memory, std::span<const std::byte> bytes)
    : SeenBytes(memory, bytes.data(), bytes.size())
{
    if (m_copy != nullptr && !bytes.empty())
        std::memcpy(m_copy, bytes.data(), bytes.size());
}

SeenBytes::SeenBytes(EngineMemory& memory, const std::byte* bytes, std::size_t size)
    : m_memory(memory)
{
    const auto place = memory.offsetOf(bytes, size);
    if (!place)
        m_copy = memory.take(size);
    if (!place && m_copy == nullptr)
        throw std::bad_alloc();
    m_offset = place ? *place : *memory.offsetOf(m_copy, size);
}

SeenBytes::~SeenBytes()
{
    if (m_copy != nullptr)
        m_memory.giveBack(m_copy);
}

TapsShown::TapsShown(EngineMemory& memory, const Shown& show, TapMeters* meters)
    : m_memory(memory)
    , m_show(show)
    , m_meters(meters)
{
}

void TapsShown::add(std::size_t tap, const TensorView& view)
{
    const std::size_t size = view.bytes.size();
    if (size <= kCopied) {
        std::ranges::copy(view.bytes, place(tap, view.type, view.dims, size));
    } else if (isMeasured(tap, view)) {
        addMeasure(tap, view);
    } else {
        const SeenBytes seen(m_memory, view.bytes);
        m_waiting.push_back({tap, {view.type, view.dims, seen.offset(), size}});
        finish();
    }
}

bool TapsShown::isMeasured(std::size_t tap, const TensorView& view) const
{
    if (m_meters == nullptr || tap >= m_meters->measures.channelAxes.size())
        return false;
    const auto axis = axisFromStart(m_meters->measures.channelAxes[tap], view.dims.size());
    const bool hasChannels = axis && *axis >= 0 && static_cast<std::size_t>(*axis) < view.dims.size();
    return !hasChannels
        || static_cast<std::size_t>(view.dims[static_cast<std::size_t>(*axis)]) <= view.bytes.size() / kChannelSize;
}

void TapsShown::addMeasure(std::size_t tap, const TensorView& view)
{
    if (!m_meter)
        m_meter.emplace(m_meters->meters);
    const auto axis = axisFromStart(m_meters->measures.channelAxes[tap], view.dims.size());
    const TensorMeasure& measure = (**m_meter).measure(view.floats(), view.dims, axis);
    const std::size_t size = measureSize(measure);
    std::byte* into = place(tap, ElementType::UInt8, {static_cast<std::int64_t>(size)}, size);
    writeMeasure(measure, {into, size});
}

/// Room for what is shown, to be written before the next call.
std::byte* TapsShown::place(std::size_t tap, ElementType type, std::vector<std::int64_t> dims, std::size_t size)
{
    if (m_used + size > kRoom)
        finish();
    if (size > kRoom) {
        m_largeRoom.emplace(m_memory, nullptr, size);
        m_waiting.push_back({tap, {type, std::move(dims), m_largeRoom->offset(), size}});
        m_used = kRoom + 1; // nothing comes beside it
        return m_largeRoom->copy();
    }
    if (!m_room)
        m_room.emplace(m_memory, nullptr, kRoom);
    std::byte* bytes = m_room->copy() + m_used;
    m_waiting.push_back({tap, {type, std::move(dims), m_room->offset() + m_used, size}});
    m_used += alignedPlace(size);
    return bytes;
}

void TapsShown::finish()
{
    if (!m_waiting.empty())
        m_show(kTapped, m_waiting, 0);
    m_waiting.clear();
    m_largeRoom.reset();
    m_used = 0;
}

} // namespace duo
