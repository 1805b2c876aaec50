// SPDX-License-Identifier: Apache-2.0
// Neighbours of recorded nodes: what gives their inputs, and who reads what they give.
#pragma once

#include "core/state/node_records.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

using NodeRecords = std::vector<NodeRecord>;

struct Reader {
    std::uint32_t node = 0;
    std::uint32_t port = 0;
    std::uint32_t output = 0; // which one of the giver it reads
};

/// Who reads what each node gives, and each input of the model. O(inputs).
struct Readers {
    explicit Readers(const NodeRecords& records);

    std::vector<std::vector<Reader>> ofNode;
    std::map<std::int32_t, std::vector<Reader>> ofInput;
};

/// Which output of its giver a node reads at a port.
std::uint32_t outputOf(const NodeRecord& node, std::size_t port);

/// Its inputs may change places.
bool commutes(std::string_view opType);

/// The operator, or the one that stands for those that exporters write for one another.
std::string_view classOf(std::string_view opType);

/// Operators and scopes of what gives a node its inputs, in their order unless they commute; without constants, for
/// exporters have one where others have an attribute.
std::vector<std::string> giversOf(const NodeRecords& records, const NodeRecord& node);

/// The same of its readers, in no order of theirs.
std::vector<std::string> readersOf(const NodeRecords& records, const std::vector<Reader>& readers);

} // namespace duo
