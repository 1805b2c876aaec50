// SPDX-License-Identifier: Apache-2.0
// A foresight of a small network: two products, statistics of two samples; made by the same steps as in the program.
#pragma once

#include "core/pipeline/sensitivity/foresight.h"

#include <memory>

namespace duo::test {

/// x -> MatMul a -> Relu r -> MatMul b -> y; x holds -1 to 1 in even steps and once 4. Under these settings. The error
/// of y is that of the noisiest quantizer.
/// @param known whose statistics are used; null: new ones
std::shared_ptr<const Foresight> makeForesight(
    const QuantizationSettings& settings = {}, const Foresight* known = nullptr);

} // namespace duo::test
