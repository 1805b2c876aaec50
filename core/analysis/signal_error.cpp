// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/signal_error.h"

#include "core/model/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace duo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<double> ifFinite(double number)
{
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

void addElement(SignalError& sums, double a, double b)
{
    sums.signal += a * a;
    sums.other += b * b;
    sums.product += a * b;
    sums.noise += (a - b) * (a - b);
    sums.maxAbs = std::max(sums.maxAbs, std::abs(a - b));
}

void addNonFinite(SignalError& sums, double a, double b)
{
    ++sums.nonFinite;
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return;
    ++sums.nonFiniteApart;
    sums.noise = kInfinity;
    sums.product = std::numeric_limits<double>::quiet_NaN();
    sums.maxAbs = kInfinity;
}

constexpr std::size_t kLanes = 8; // sums that do not wait for each other

struct Lanes {
    double signal[kLanes] = {};
    double other[kLanes] = {};
    double product[kLanes] = {};
    double noise[kLanes] = {};
    double maxAbs[kLanes] = {};
};

SignalError sumOf(const Lanes& lanes)
{
    SignalError sums;
    for (std::size_t k = 0; k < kLanes; ++k) {
        sums.signal += lanes.signal[k];
        sums.other += lanes.other[k];
        sums.product += lanes.product[k];
        sums.noise += lanes.noise[k];
        sums.maxAbs = std::max(sums.maxAbs, lanes.maxAbs[k]);
    }
    return sums;
}

/// The sums without a look at each element: right if they come out finite.
template <typename T> SignalError finiteSums(std::span<const T> a, std::span<const T> b)
{
    const T* ofA = a.data();
    const T* ofB = b.data();
    const std::size_t whole = a.size() / kLanes * kLanes;
    Lanes lanes;
    for (std::size_t i = 0; i < whole; i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            const auto x = static_cast<double>(ofA[i + k]);
            const auto y = static_cast<double>(ofB[i + k]);
            lanes.signal[k] += x * x;
            lanes.other[k] += y * y;
            lanes.product[k] += x * y;
            lanes.noise[k] += (x - y) * (x - y);
            lanes.maxAbs[k] = std::max(lanes.maxAbs[k], std::abs(x - y));
        }
    }
    SignalError sums = sumOf(lanes);
    for (std::size_t i = whole; i < a.size(); ++i)
        addElement(sums, static_cast<double>(ofA[i]), static_cast<double>(ofB[i]));
    return sums;
}

template <typename T> SignalError sumsOf(std::span<const T> a, std::span<const T> b)
{
    SignalError sums = finiteSums(a, b);
    if (!std::isfinite(sums.signal + sums.other)) {
        sums = {};
        for (std::size_t i = 0; i < a.size(); ++i) {
            const bool finite = std::isfinite(a[i]) && std::isfinite(b[i]);
            (finite ? addElement : addNonFinite)(sums, static_cast<double>(a[i]), static_cast<double>(b[i]));
        }
    }
    sums.identical = sums.maxAbs == 0;
    return sums;
}

SignalError byBytes(const TensorView& a, const TensorView& b)
{
    SignalError sums;
    sums.identical = a.type == b.type && std::ranges::equal(a.bytes, b.bytes);
    if (!sums.identical)
        sums.noise = sums.maxAbs = kInfinity;
    return sums;
}

Tensor tensorOf(const TensorView& view)
{
    Tensor tensor;
    tensor.type = view.type;
    tensor.dims = view.dims;
    tensor.data = {nullptr, view.bytes};
    return tensor;
}

} // namespace

void SignalError::add(const SignalError& next)
{
    signal += next.signal;
    other += next.other;
    product += next.product;
    noise += next.noise;
    maxAbs = std::max(maxAbs, next.maxAbs);
    identical = identical && next.identical;
    nonFinite += next.nonFinite;
    nonFiniteApart += next.nonFiniteApart;
}

std::optional<double> SignalError::sqnrDb() const
{
    return ifFinite(10 * std::log10(signal / noise));
}

std::optional<double> SignalError::cosine() const
{
    const double cosine = product / std::sqrt(signal * other);
    return std::isfinite(cosine) ? std::optional(std::clamp(cosine, -1.0, 1.0)) : std::nullopt;
}

std::optional<double> SignalError::finiteMaxAbs() const
{
    return ifFinite(maxAbs);
}

SignalError signalError(const TensorView& a, const TensorView& b)
{
    if (a.type == ElementType::Float32 && b.type == ElementType::Float32 && a.bytes.size() == b.bytes.size())
        return sumsOf(a.floats(), b.floats());
    const auto first = toDoubles(a);
    const auto second = toDoubles(b);
    const bool comparable = first.size() == second.size() && (!first.empty() || a.bytes.empty());
    return comparable ? sumsOf<double>(first, second) : byBytes(a, b);
}

std::vector<double> toDoubles(const TensorView& tensor)
{
    if (tensor.type == ElementType::Float64) {
        std::vector<double> doubles(tensor.bytes.size() / sizeof(double));
        if (!doubles.empty())
            std::memcpy(doubles.data(), tensor.bytes.data(), doubles.size() * sizeof(double));
        return doubles;
    }
    if (isFloating(tensor.type)) {
        const auto floats = toFloats(tensorOf(tensor));
        return {floats.begin(), floats.end()};
    }
    const auto ints = toInts(tensorOf(tensor));
    return {ints.begin(), ints.end()};
}

bool holdsNan(const TensorView& tensor)
{
    if (tensor.type == ElementType::Float32)
        return std::ranges::any_of(tensor.floats(), [](float value) { return std::isnan(value); });
    if (!isFloating(tensor.type))
        return false;
    return std::ranges::any_of(toDoubles(tensor), [](double value) { return std::isnan(value); });
}

TensorView viewOf(const HostTensor& tensor)
{
    return {tensor.name, tensor.type, tensor.dims, tensor.bytes};
}

} // namespace duo
