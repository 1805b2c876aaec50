// SPDX-License-Identifier: Apache-2.0
// TapsShown: how the program sees what taps see in a run, in few messages.
#pragma once

#include "app/engine/engine_memory.h"
#include "app/engine/engine_session.h"
#include "core/calibrate/measure/meters.h"
#include "core/calibrate/measure/tap_measures.h"

#include <optional>
#include <vector>

namespace duo {

/// Bytes where the program sees them: as they lie, or for as long as this lives a copy.
class SeenBytes
{
public:
    SeenBytes(EngineMemory& memory, std::span<const std::byte> bytes);
    /// To be written by the program.
    SeenBytes(EngineMemory& memory, const std::byte* bytes, std::size_t size);
    ~SeenBytes();
    SeenBytes(const SeenBytes&) = delete;
    SeenBytes& operator=(const SeenBytes&) = delete;

    [[nodiscard]] std::size_t offset() const { return m_offset; }
    [[nodiscard]] std::byte* copy() const { return m_copy; } // null: none was needed

private:
    EngineMemory& m_memory;
    std::byte* m_copy = nullptr;
    std::size_t m_offset = 0;
};

/// What measures tapped values in this process, of a session.
struct TapMeters {
    explicit TapMeters(TapMeasures wanted)
        : measures(std::move(wanted))
        , meters(measures.kinds)
    {
    }
    TapMeasures measures;
    Meters meters;
};

/// Shows what the taps of a run see. Small values are copied and shown many at once: to ask the other process costs
/// more than that. Others are shown where they lie, or measured here, and what was measured is shown as small ones are;
/// but those of so many channels that a measure would be larger.
class TapsShown
{
public:
    /// @param meters null: nothing is measured here
    TapsShown(EngineMemory& memory, const Shown& show, TapMeters* meters);

    void add(std::size_t tap, const TensorView& view);
    /// Shows what still waits.
    void finish();

private:
    std::byte* place(std::size_t tap, ElementType type, std::vector<std::int64_t> dims, std::size_t size);
    [[nodiscard]] bool isMeasured(std::size_t tap, const TensorView& view) const;
    void addMeasure(std::size_t tap, const TensorView& view);

    EngineMemory& m_memory;
    const Shown& m_show;
    TapMeters* m_meters;
    std::optional<Meters::Lent> m_meter;
    std::optional<SeenBytes> m_room;
    std::optional<SeenBytes> m_largeRoom; // of what m_room does not hold
    std::size_t m_used = 0;
    std::vector<ShownTensor> m_waiting;
};

} // namespace duo
