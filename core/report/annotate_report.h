// SPDX-License-Identifier: Apache-2.0
// What marks come to, as JSON and as text.
#pragma once

#include "core/marks/annotate.h"
#include "core/marks/mark_snippet.h"
#include "core/rules/rule.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace duo {

struct AnnotateReport {
    const Model& model;
    const ModuleTree& tree;
    const std::vector<Mark>& marks;
    const Marked& marked;
    std::vector<Rule> rules = {}; // made of what is marked
    std::optional<MarkSnippet> snippet = {};
    std::vector<std::filesystem::path> files = {}; // written
};

/// The document of `annotate` (resources/schemas/annotate.schema.json).
nlohmann::ordered_json annotateJson(const AnnotateReport& report);

/// A line per mark, what all of them come to, the modules, and how it is known which paths are one; or the snippet
/// alone where there is one.
std::string annotateText(const AnnotateReport& report);

/// Of a mark that cannot be evaluated: so, and what was probably meant; "" for others.
std::string markProblemText(const Mark& mark, const MarkOutcome& outcome);

/// One or two sentences: how it is known which paths are one module, and what of it is not.
std::string evidenceText(const ModuleTree& tree);

} // namespace duo
