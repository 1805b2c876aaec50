// SPDX-License-Identifier: Apache-2.0
// What passes did to a model.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace duo {

/// A node that was changed or could not be, by its name in the model before.
struct TransformedNode {
    std::string name;
    std::string scope; // execution scope
    std::string why; // of one that could not be; else empty
    bool operator==(const TransformedNode&) const = default;
};

struct PassReport {
    std::string id;
    int version = 1;
    std::string does;
    bool isExact = true; // outputs stay the same bit for bit, else to rounding
    std::string notRun; // why it did not: "switched off"; "" if it did
    std::vector<TransformedNode> applied = {}; // once per node and pass
    std::vector<TransformedNode> skipped = {}; // likewise
    std::optional<double> sqnrDb = {}; // what the worst output keeps, where it was measured
    std::string outputs = {}; // what else is known of these, behind "outputs": where they are not measured, or how
    double seconds = 0;
};

struct TransformReport {
    std::string target; // whose stage it was; "": stage common
    std::vector<PassReport> passes; // in their order
    std::string opsetRead; // how a file older than all passes was read first, with what was rewritten; "": it is not
    std::string beyondTarget = {}; // why it needs a newer opset than the target is known to read; "": it does not
    std::size_t nodesBefore = 0;
    std::size_t nodesAfter = 0;
    std::size_t keptNodes = 0; // by rules
    std::size_t dequantizing = 0; // others that turn constant codes into numbers, which passes of a target alone change
    std::vector<std::string> keptNothing; // of each rule that was to keep nodes and catches none, a sentence
    bool isSettled = true; // another run would change nothing
};

} // namespace duo
