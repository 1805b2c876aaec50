// SPDX-License-Identifier: Apache-2.0
#include "core/transform/edit_list.h"

#include <algorithm>
#include <iterator>

namespace duo {
namespace {

template <typename T> void append(std::vector<T>& list, std::vector<T> more)
{
    list.insert(list.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

} // namespace

void addInPlace(EditList& edits, EditList more)
{
    append(edits.newTensors, std::move(more.newTensors));
    append(edits.removedTensors, std::move(more.removedTensors));
    append(edits.removedInBodies, std::move(more.removedInBodies));
    append(edits.removedNodes, std::move(more.removedNodes));
    append(edits.newNodes, std::move(more.newNodes));
    append(edits.inputs, std::move(more.inputs));
    append(edits.outputs, std::move(more.outputs));
    append(edits.attributes, std::move(more.attributes));
    append(edits.opTypes, std::move(more.opTypes));
    append(edits.nodeNames, std::move(more.nodeNames));
    append(edits.nodeMetadata, std::move(more.nodeMetadata));
    append(edits.resized, std::move(more.resized));
    append(edits.retyped, std::move(more.retyped));
    append(edits.extraOutputs, std::move(more.extraOutputs));
    append(edits.metadata, std::move(more.metadata));
    append(edits.opsets, std::move(more.opsets));
    edits.irVersion = std::max(edits.irVersion, more.irVersion);
}

} // namespace duo
