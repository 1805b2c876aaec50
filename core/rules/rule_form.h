// SPDX-License-Identifier: Apache-2.0
// The forms rules are written in by the tools that read them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace duo {

/// Recipe: Duoscope's own; NncfPython: `nncf.IgnoredScope(...)`; NncfJson: its fields; LegacyJson: `ignored_scopes` and
/// `target_scopes` with `{re}`; Ort: `nodes_to_exclude`; Fsdp: `ignored_modules`; List: a node name per line.
enum class RuleForm { Recipe, NncfPython, NncfJson, LegacyJson, Ort, Fsdp, List };

inline constexpr std::size_t kRuleForms = static_cast<std::size_t>(RuleForm::List) + 1;
std::string_view ruleFormText(RuleForm form); // "nncf-python"
std::optional<RuleForm> ruleFormFromText(std::string_view text);

} // namespace duo
