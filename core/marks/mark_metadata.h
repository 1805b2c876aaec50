// SPDX-License-Identifier: Apache-2.0
// Marks in a model file: its own metadata hold the marks, those of nodes what marks say of them.
#pragma once

#include "core/marks/annotate.h"
#include "core/transform/edit_list.h"

#include <string_view>
#include <vector>

namespace duo {

/// Of ModelProto.metadata_props: the marks, as in a recipe.
inline constexpr std::string_view kMarksKey = "duoscope.marks";
/// Of NodeProto.metadata_props: {"modules": [first paths], "settings": {}} of marked modules that the node belongs to.
inline constexpr std::string_view kNodeMarkKey = "duoscope.mark";

/// What to write into a model's metadata; node metadata that an earlier mark left are replaced or taken out. Nodes
/// inside calls of functions stand in one body for all calls, and are left as they are; so are those in `removed`.
/// O(modules + nodes).
EditList markEdits(const Model& model, const ModuleTree& tree, const std::vector<Mark>& marks, const Marked& marked,
    const std::vector<NodeId>& removed = {});

/// The marks that a model's metadata hold; none where there are none, or what stands there is no list of marks.
std::vector<Mark> marksOf(const Model& model);

} // namespace duo
