// SPDX-License-Identifier: Apache-2.0
// SignalError: how far one tensor is from another, as sums that can be added over samples.
#pragma once

#include "core/engine/session.h"

#include <cstdint>
#include <optional>

namespace duo {

/// Elements that are not finite in both, in the same way, count as equal and take no part in the sums; an element that
/// is not finite in one of them makes every measure "not finite".
struct SignalError {
    double signal = 0; // sum of a * a
    double other = 0; // sum of b * b
    double product = 0; // sum of a * b
    double noise = 0; // sum of (a - b)^2
    double maxAbs = 0; // of a - b
    bool identical = true; // element by element; 0 and -0 are equal
    std::int64_t nonFinite = 0; // elements not finite in a or in b
    std::int64_t nonFiniteApart = 0; // of them, those that differ

    /// Adding in sample order makes the sums independent of threads.
    void add(const SignalError& next);
    /// 10 log10(signal / noise); nothing if not finite: identical, no signal, or elements not finite in one.
    [[nodiscard]] std::optional<double> sqnrDb() const;
    /// In [-1, 1]; nothing if one of the two is zero.
    [[nodiscard]] std::optional<double> cosine() const;
    [[nodiscard]] std::optional<double> finiteMaxAbs() const;
};

/// Sums over two tensors with as many elements each, in double. Types without numeric elements here (strings, below 8
/// bits) are compared by bytes only: all measures are nothing unless identical.
SignalError signalError(const TensorView& a, const TensorView& b);

/// Elements of any numeric type; empty for the others.
std::vector<double> toDoubles(const TensorView& tensor);

/// Of floating types. Where a model's own result holds one, no comparison means anything.
bool holdsNan(const TensorView& tensor);

TensorView viewOf(const HostTensor& tensor);

} // namespace duo
