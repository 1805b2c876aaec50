// SPDX-License-Identifier: Apache-2.0
// Vectors for the inner loops of calibration, and which width a machine has. For files compiled with optimization in
// every build; no such vector crosses a call that is not inlined.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h> // declares the builtins below
#endif

#define DUO_INLINE inline __attribute__((always_inline))
#if defined(__x86_64__)
#define DUO_AVX2 __attribute__((target("avx2,fma")))
#define DUO_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma")))
#else
#define DUO_AVX2
#define DUO_AVX512
#endif

namespace duo::lanes {

/// Vectors of `Bytes` bytes. (The attribute's size may not depend on a template parameter.)
template <int Bytes> struct Vectors;
template <> struct Vectors<16> {
    using Floats = float __attribute__((vector_size(16)));
    using Ints = std::int32_t __attribute__((vector_size(16)));
    using HalfFloats = float __attribute__((vector_size(8)));
    using Doubles = double __attribute__((vector_size(16)));
};
template <> struct Vectors<32> {
    using Floats = float __attribute__((vector_size(32)));
    using Ints = std::int32_t __attribute__((vector_size(32)));
    using HalfFloats = float __attribute__((vector_size(16)));
    using Doubles = double __attribute__((vector_size(32)));
};
template <> struct Vectors<64> {
    using Floats = float __attribute__((vector_size(64)));
    using Ints = std::int32_t __attribute__((vector_size(64)));
    using HalfFloats = float __attribute__((vector_size(32)));
    using Doubles = double __attribute__((vector_size(64)));
};

template <typename To> DUO_INLINE To loaded(const void* from)
{
    To to;
    std::memcpy(&to, from, sizeof(To));
    return to;
}

/// As many floats as doubles fit into `Bytes`, widened.
template <int Bytes> DUO_INLINE typename Vectors<Bytes>::Doubles widened(const float* from)
{
    using Doubles = typename Vectors<Bytes>::Doubles;
    const auto floats = loaded<typename Vectors<Bytes>::HalfFloats>(from);
    // g++ 12 makes several instructions of __builtin_convertvector where one is there
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (Bytes == 64)
        return __builtin_ia32_cvtps2pd512_mask(floats, Doubles{}, -1, _MM_FROUND_CUR_DIRECTION);
    else if constexpr (Bytes == 32)
        return __builtin_ia32_cvtps2pd256(floats);
    else
#endif
        return __builtin_convertvector(floats, Doubles);
}

/// One version of a loop for each; all give the same results.
enum class CpuVersion { Any, Avx2, Avx512 };

/// The widest that this machine has, or that the environment variable DUOSCOPE_CPU allows ("any", "avx2").
CpuVersion cpuVersion();

/// For tests, of all threads: at most this one as long as it lives.
class AtMost
{
public:
    explicit AtMost(CpuVersion most);
    ~AtMost();
    AtMost(const AtMost&) = delete;
    AtMost& operator=(const AtMost&) = delete;

private:
    CpuVersion m_before;
};

/// The one for cpuVersion(). @param kernels by CpuVersion; where there are fewer, the last stands for the wider ones
template <typename Kernel, std::size_t Count> Kernel chosen(const std::array<Kernel, Count>& kernels)
{
    return kernels[std::min(static_cast<std::size_t>(cpuVersion()), Count - 1)];
}

} // namespace duo::lanes
