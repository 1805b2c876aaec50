// SPDX-License-Identifier: Apache-2.0
// Meters: as many meters as tensors are measured at once, used again and again.
#pragma once

#include "core/calibrate/measure/tensor_measure.h"

#include <memory>
#include <mutex>
#include <vector>

namespace duo {

/// Thread-safe.
class Meters
{
public:
    explicit Meters(MeasureKinds kinds)
        : m_kinds(kinds)
    {
    }
    /// A meter that nobody else uses while it is held.
    class Lent
    {
    public:
        explicit Lent(Meters& all)
            : m_all(all)
            , m_meter(all.take())
        {
        }
        ~Lent() { m_all.giveBack(std::move(m_meter)); }
        Lent(const Lent&) = delete;
        Lent& operator=(const Lent&) = delete;
        TensorMeter& operator*() const { return *m_meter; }

    private:
        Meters& m_all;
        std::unique_ptr<TensorMeter> m_meter;
    };

private:
    std::unique_ptr<TensorMeter> take()
    {
        const std::lock_guard lock(m_mutex);
        if (m_free.empty())
            return std::make_unique<TensorMeter>(m_kinds);
        auto meter = std::move(m_free.back());
        m_free.pop_back();
        return meter;
    }
    void giveBack(std::unique_ptr<TensorMeter> meter)
    {
        const std::lock_guard lock(m_mutex);
        m_free.push_back(std::move(meter));
    }

    MeasureKinds m_kinds;
    std::mutex m_mutex;
    std::vector<std::unique_ptr<TensorMeter>> m_free;
};

} // namespace duo
