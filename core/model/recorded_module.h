// SPDX-License-Identifier: Apache-2.0
// What a training framework recorded about the modules of a model and the keys of its parameters.
#pragma once

#include "core/support/id.h"

#include <string>

namespace duo {

/// A module as a format records it.
struct RecordedModule {
    std::string path; // dotted; "" is the root
    std::string className; // qualified; "" if not recorded
    std::string sameAs; // the first path of the same object; "" for the first one itself
    bool operator==(const RecordedModule&) const = default;
};

/// A state_dict key inside a model file. Keys of one tensor (ties) have the same id.
struct RecordedKey {
    std::string name;
    TensorId tensor;
    bool operator==(const RecordedKey&) const = default;
};

} // namespace duo
