// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <string>
#include <utility>

namespace duo {

inline Error malformed(std::string what, std::string where = {})
{
    return {ErrorCode::MalformedModel, std::move(what), std::move(where), "export the model again"};
}

} // namespace duo
