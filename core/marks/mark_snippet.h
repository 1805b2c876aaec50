// SPDX-License-Identifier: Apache-2.0
// Marks as Python that PyTorch runs, and read back from it (resources/docs/marks.md, "Snippets").
#pragma once

#include "core/marks/annotate.h"
#include "core/support/text_problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace duo {

enum class MarkForm {
    IgnoredModules, // ignored_modules = [...]
    Annotate, // a call of _annotate_modules_for_dynamo per mark
    Fsdp, // FullyShardedDataParallel with a policy that wraps what is marked
    FullyShard, // fully_shard of each
};

std::string_view markFormText(MarkForm form); // "ignored-modules"
std::optional<MarkForm> markFormFromText(std::string_view text);

struct MarkSnippet {
    std::string text; // ends with a line break
    std::vector<std::string> losses; // what the form cannot say, sentences without a period
};

/// Of enabled marks that can be evaluated; a module is named by its first path, below a variable `model`.
/// @param marked of these marks on this tree
MarkSnippet markSnippet(const ModuleTree& tree, const std::vector<Mark>& marks, const Marked& marked, MarkForm form);

/// Reads `ignored_modules`, and `root` beside it, from assignments, keyword arguments and calls; statements of other
/// kinds are passed over, nothing is evaluated. Flags, numbers and texts among the arguments of a call become settings.
/// O(length).
std::variant<std::vector<Mark>, TextProblem> marksFromPython(std::string_view text);

} // namespace duo
