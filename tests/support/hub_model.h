// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/model.h"

#include <cstddef>
#include <memory>

namespace duo::test {

/// x is read by that many Relu, act_0 and so on, of which one Sum makes y.
std::shared_ptr<const Model> hubOf(std::size_t branches);

} // namespace duo::test
