// SPDX-License-Identifier: Apache-2.0
// RunGraph: the graph that ONNX Runtime runs of a model, and what each of its kernels came from; or the graph that
// transforms made the model of, whose nodes then take the place of kernels.
#pragma once

#include "core/model/model.h"
#include "core/quantize/placement.h"
#include "core/scope/scope.h"
#include "core/support/job.h"
#include "core/transform/pass_report.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace duo {

enum class KernelPrecision : std::uint8_t {
    Float, // whatever does not compute on codes
    Int8, // computes on codes, or only hands them on
    Quantizer, // makes codes of numbers, or numbers of codes
};

std::string_view kernelPrecisionText(KernelPrecision precision); // "float", "int8", "quantizer"

struct RunGraph {
    std::shared_ptr<const Model> kernels; // as the engine wrote it: its nodes are the kernels
    /// The execution tree of the model, with the kernels in it: each in the deepest scope that holds all it came from.
    /// Ids and paths of scopes are the model's; there is no storage tree.
    std::shared_ptr<const Scopes> scopes;
    /// [kernels] nodes of the model, ascending, without those on constants that are computed beforehand; empty: not
    /// known, or none.
    std::vector<std::vector<NodeId>> origins;
    std::vector<std::vector<NodeId>> kernelsOf; // [nodes of the model] kernels, ascending; empty: not known, or none
    std::vector<bool> isAdded; // [kernels] the export put it in: there are no origins
    std::vector<KernelPrecision> precision; // [kernels]
    Placement placement; // of the kernels, without quantizers: what computes on codes is quantized
    std::vector<std::string> fates; // [kernels] of an opened model, what became of them: "stays"; else empty
    std::vector<ValueType> types; // [values of the kernels] beyond what the engine wrote; empty: no more is known
    std::string of; // the file that is run, "m.int8.onnx"; that of the model for the float model
    bool isOfExport = false; // it is a file that was written from the model

    [[nodiscard]] const ValueType& typeOf(ValueId value) const
    {
        return types.empty() ? kernels->value(value).type : types[value.index];
    }
    [[nodiscard]] bool isOpened() const { return !fates.empty(); } // it is the model before transforms, and is not run
    /// Kernels but constants, and how many of those compute in a precision.
    [[nodiscard]] std::int64_t count() const;
    [[nodiscard]] std::int64_t count(KernelPrecision precision) const;
    /// Kernels that came from these nodes, ascending.
    [[nodiscard]] std::vector<NodeId> kernelsFrom(const std::vector<NodeId>& nodes) const;
    /// Nodes that these kernels came from, ascending.
    [[nodiscard]] std::vector<NodeId> nodesOf(const std::vector<NodeId>& kernels) const;
};

/// Asks the engine. @param exported a file written from the model; "": the model itself is run.
/// @return EngineFailed, NotWritable, Unsupported (too large to edit), FileNotReadable, Cancelled
Result<std::shared_ptr<const RunGraph>> findRunGraph(
    const Model& model, const Scopes& scopes, const std::filesystem::path& exported, const JobContext& job = {});

/// From the graph the engine made. @param exported the written model it was made of; null: `model` itself
RunGraph runGraph(
    const Model& model, const Scopes& scopes, const Model* exported, std::shared_ptr<const Model> kernels);

/// The model as it was opened, where transforms made `model` of it: a node that stayed comes from itself, one that
/// became a part of others from these, one that went from none; all stand in the scopes of `model`, those of scopes
/// that went in what was around. O(structure)
/// @param openedScopes of `opened`; @param report of the transforms
RunGraph openedGraph(const Model& model, const Scopes& scopes, std::shared_ptr<const Model> opened,
    const Scopes& openedScopes, const TransformReport& report);

/// Where a kernel came from, for people: "one of the model's nodes", "fused from 4 nodes", "put in by the export".
std::string originText(const RunGraph& run, NodeId kernel);
/// What is run, in one line: "m.int8.onnx in ONNX Runtime 1.30.0: 34 kernels for 98 nodes, 27 in int8".
std::string runText(const RunGraph& run);

} // namespace duo
