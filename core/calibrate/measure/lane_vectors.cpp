// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/lane_vectors.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace duo::lanes {
namespace {

CpuVersion ofMachine()
{
#if defined(__x86_64__)
    const bool isWide = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0
        && __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
    if (isWide)
        return CpuVersion::Avx512;
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
        return CpuVersion::Avx2;
#endif
    return CpuVersion::Any;
}

CpuVersion allowed()
{
    const char* text = std::getenv("DUOSCOPE_CPU");
    const std::string_view word = text == nullptr ? "" : text;
    return word == "any" ? CpuVersion::Any : word == "avx2" ? CpuVersion::Avx2 : CpuVersion::Avx512;
}

std::atomic<CpuVersion>& version()
{
    static std::atomic<CpuVersion> version = std::min(ofMachine(), allowed());
    return version;
}

} // namespace

CpuVersion cpuVersion()
{
    return version().load(std::memory_order_relaxed);
}

AtMost::AtMost(CpuVersion most)
    : m_before(version().exchange(std::min(most, cpuVersion())))
{
}

AtMost::~AtMost()
{
    version().store(m_before);
}

} // namespace duo::lanes
