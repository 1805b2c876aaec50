// SPDX-License-Identifier: Apache-2.0
// ScopeSources: what is known of a model's modules besides the model file itself.
#pragma once

#include "core/content/content_matches.h"
#include "core/model/checkpoint.h"

#include <string_view>

namespace duo {

/// Either may be null; what they point to must outlive the call they are handed to.
struct ScopeSources {
    const Checkpoint* checkpoint = nullptr;
    const ContentMatches* matches = nullptr; // of this model with this checkpoint; without one it is not looked at
    std::string_view record = {}; // scopes told in a compression state (scope_record.h); else the model's own
};

} // namespace duo
