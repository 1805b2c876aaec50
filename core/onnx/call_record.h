// SPDX-License-Identifier: Apache-2.0
// CallRecord: what the nodes of an outlined call were before, as the calling node carries it in its metadata.
#pragma once

#include "core/onnx/call_expansion.h"

#include <onnx.pb.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

inline constexpr std::string_view kCallRecordKey = "duoscope.nodes"; // of the calling node
inline constexpr std::string_view kPassedKey = "duoscope.passed"; // of a node that gives an input of the call back
inline constexpr std::string_view kPositionKey = "duoscope.position"; // of a node that had to move aside

/// About the nodes that a call is expanded into, in their order; what its expansion gives anyway is not said.
struct CallRecord {
    using Entries = std::vector<std::pair<std::string, std::string>>;
    std::vector<std::uint32_t> positions; // in the list they were taken from, one per node
    std::map<std::size_t, std::string> names;
    std::map<std::pair<std::size_t, int>, std::string> values; // by node and output port
    std::map<std::size_t, Entries> metadata;
    std::map<std::size_t, std::string> docs;
    std::map<std::size_t, std::string>
        empty; // fields that are there without text: "n" name, "d" domain, "t" doc string

    [[nodiscard]] std::string text() const; // JSON
    /// Nothing for a text that is no record of `nodes` nodes.
    static std::optional<CallRecord> of(std::string_view text, std::size_t nodes);
};

/// What has to be said so that `expanded` become `originals`, which stood at `positions`; all of one length.
CallRecord recordOf(const ExpandedCall& expanded, std::span<const onnx::NodeProto* const> originals,
    std::vector<std::uint32_t> positions);

/// Gives expanded nodes what they were before, but for the names of inner values.
void restore(std::vector<onnx::NodeProto>& expanded, const CallRecord& record);
/// What an inner value was called before.
std::string nameBefore(const CallRecord& record, std::size_t node, int port, const std::string& wish);

/// Takes out the nodes that give inputs of the call back, as nodes that outlining added; those that somebody reads by
/// now stay, behind the others. @return how many nodes are none of these
std::size_t dropPassed(ExpandedCall& expanded);

/// The text of a metadata entry; null where there is none.
const std::string* metadataText(const onnx::NodeProto& node, std::string_view key);

} // namespace duo
