// SPDX-License-Identifier: Apache-2.0
// Mark: modules below a root that are marked with settings, as PyTorch's FSDP annotates them (resources/docs/marks.md).
#pragma once

#include "core/support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// What a mark says of each module, such as `use_orig_params` = `true`.
struct MarkSetting {
    std::string key; // not empty
    std::string value;
    bool operator==(const MarkSetting&) const = default;
};

/// Every module that `root` leads to, itself included, but those ignored. Later marks set settings of earlier ones
/// anew.
struct Mark {
    std::string root; // path of a module, "layer1.0"; "" is the model
    std::vector<std::string> ignored; // paths of modules; what lies below them is marked all the same
    bool expandIgnored = false; // what lies below them is ignored, too
    std::vector<MarkSetting> settings; // keys are unique
    bool enabled = true;
    std::string comment;
    std::string unknownKeys; // JSON object text of keys we do not know, kept on saving; "" if none
    bool operator==(const Mark&) const = default;
};

/// One line for people: `mark encoder without encoder.norm: use_orig_params=true`.
std::string markText(const Mark& mark);

/// "key=value"; the value may be empty. @return Usage if there is no key
Result<MarkSetting> markSettingFromText(std::string_view text);

/// Sets it, in place of one of the same key.
void setInPlace(std::vector<MarkSetting>& settings, MarkSetting setting);

} // namespace duo
