// SPDX-License-Identifier: Apache-2.0
// EditList: what an export changes in the main graph and in control-flow bodies of the original file; everything not
// named stays as it was.
#pragma once

#include "core/model/model.h"

#include <string>
#include <utility>
#include <vector>

namespace duo {

/// From this IR version on an initializer need not be an input as well, so that one can be added and what a model takes
/// stays the same.
inline constexpr std::int64_t kInitializersNeedNoInput = 4;

/// An initializer to add to the main graph, where bodies read it too; the name must not be taken.
struct NewTensor {
    std::string name;
    ElementType type = ElementType::Undefined;
    std::vector<std::int64_t> dims;
    std::vector<std::byte> bytes; // packed, little-endian
    RegionId region = RegionId(0); // the main graph, which bodies read too, or a body
};

/// A node to add beside an existing one. Several at one anchor keep their order in the list.
struct NewNode {
    std::string name;
    std::string opType;
    std::string domain;
    std::vector<std::string> inputs; // "" omits one
    std::vector<std::string> outputs;
    std::vector<Attribute> attributes; // int, float, string and lists of them; in addition, of one that moves
    Metadata metadata;
    NodeId anchor; // a node of the main graph or of a body, where the new one then stands; invalid: at the start
    bool after = false; // else directly before the anchor
    RegionId region = RegionId(0); // without an anchor: at whose start
    /// A node of the file that moves here, with its own attributes and bodies; it, or what holds it, is removed. Bodies
    /// read some values around them by other names than before: old and new.
    NodeId moved = {};
    std::vector<std::pair<std::string, std::string>> captured = {};
};

struct PortEdit {
    NodeId node; // not inside a call
    std::uint32_t port = 0;
    std::string value; // the new value name; "" omits the port
};

struct AttributeEdit {
    NodeId node; // not inside a call
    Attribute attribute; // instead of the one of this name, or in addition; without a value: to be removed
};

struct EditList {
    std::vector<NewTensor> newTensors;
    std::vector<std::string> removedTensors; // initializers of the main graph that nobody reads any more
    std::vector<std::pair<RegionId, std::string>> removedInBodies; // the same of bodies
    std::vector<NodeId> removedNodes; // not inside a call; nobody may read their outputs any more
    std::vector<NewNode> newNodes;
    std::vector<PortEdit> inputs; // node input ports to rewire; the port behind the last one is added
    std::vector<PortEdit> outputs; // node output ports to rename
    std::vector<AttributeEdit> attributes;
    std::vector<std::pair<NodeId, std::string>> opTypes; // operators to turn nodes into; not inside a call
    std::vector<std::pair<NodeId, std::string>> nodeNames; // names to give (unnamed or repeated nodes, bodies included)
    /// Entries to add, not inside a call. An existing key stays as it is; one of our own ("duoscope.") is replaced, and
    /// taken out where the value is empty.
    std::vector<std::pair<NodeId, Metadata>> nodeMetadata;
    std::vector<ValueId> resized; // inner values that have other sizes now: what the file says of these goes
    std::vector<std::pair<ValueId, ElementType>> retyped; // inputs and outputs of the main graph of another type now
    std::vector<std::string> extraOutputs; // values to add as graph outputs, typed by name only
    Metadata metadata; // ModelProto.metadata_props to set; an existing key is replaced
    std::vector<std::pair<std::string, std::int64_t>> opsets; // imports to add or raise
    std::int64_t loweredOpset = 0; // to lower the import of ai.onnx to, where no node needs more; 0: as it is
    std::int64_t loweredIr = 0; // likewise the file's IR version, where it has no functions
    std::int64_t irVersion = 0; // to raise the file's to; from 4 on initializers are no inputs any more
};

/// Joins the edits of two that change different nodes and add different names.
void addInPlace(EditList& edits, EditList more);

} // namespace duo
