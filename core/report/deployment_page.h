// SPDX-License-Identifier: Apache-2.0
// The page of a deployment folder: what the model is, what was decided, and what came of it, in one HTML file that
// needs no other.
#pragma once

#include "core/quantize/placement.h"
#include "core/report/export_report.h"
#include "core/scope/facts/scopes.h"

#include <string>
#include <string_view>
#include <vector>

namespace duo {

struct DeploymentPage {
    const Model& model; // the float model
    const Scopes& scopes;
    const Placement& placement; // of what was exported
    const ExportReport& report;
    std::string name; // of the model file
    std::string_view recipe; // its text
    std::string_view engine; // version: "1.32.0"
    std::string_view picture; // SVG of the compressed graph, as a document; "": none
    std::vector<std::string> files; // of the folder, by name
};

/// Texts of the model are text, whatever they hold; no script, nothing loaded. At most 200 scopes. O(nodes + picture).
std::string deploymentPage(const DeploymentPage& page);

} // namespace duo
