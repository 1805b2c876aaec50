// SPDX-License-Identifier: Apache-2.0
// What comparing values says about the parameters a node reads.
#pragma once

#include "core/scope/facts/parameters.h"
#include "core/scope/facts/sources.h"

#include <vector>

namespace duo {

/// Gives reads their keys by content. A name that values do not contradict stays; a parameter without a name gets the
/// keys found; a tensor that several keys went into (a folded batch norm) is read as each of them; a name the
/// checkpoint lacks, with the values of another of its keys, is a further key of that one's tensor and joined to it.
class ContentReads
{
public:
    ContentReads(const ScopeSources& sources, Parameters& parameters);
    void improve(NodeId reader, std::vector<ParameterRead>& reads) const;

private:
    void addMatch(const ContentMatch& match, const ParameterRead& read, std::vector<ParameterRead>& improved) const;
    [[nodiscard]] bool names(const ContentMatch& match, std::int32_t key) const;

    const ContentMatches* m_matches;
    Parameters& m_parameters;
};

} // namespace duo
