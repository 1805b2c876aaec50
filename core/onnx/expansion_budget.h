// SPDX-License-Identifier: Apache-2.0
// How large a small file may grow when calls of functions are expanded and names of nested nodes are written out.
#pragma once

#include "core/support/result.h"

#include <cstdint>

namespace duo {

class ExpansionBudget
{
public:
    static constexpr std::int64_t kMaxNodes = 2'000'000;
    static constexpr std::int64_t kMaxBytes = std::int64_t{1} << 29U;
    static constexpr int kMaxNesting = 64; // bodies and calls inside each other

    static Error tooManyNodes()
    {
        return {ErrorCode::Unsupported, "the model has more than 2000000 nodes with all function calls expanded", {},
            "split it, or call its functions less often"};
    }

    /// One more node; `bytes` of it are not in the file a second time (copied by a call, or written before its name).
    /// @return Unsupported when the model has become too large
    Status takeNode(std::int64_t bytes)
    {
        if (++m_nodes > kMaxNodes)
            return tooManyNodes();
        return takeBytes(bytes);
    }

    Status takeBytes(std::int64_t bytes)
    {
        m_bytes += bytes;
        if (m_bytes > kMaxBytes)
            return Error{ErrorCode::Unsupported, "the model grows by more than 512 MB when function calls are expanded",
                {}, "split it, or call its functions less often"};
        return success();
    }

private:
    std::int64_t m_nodes = 0;
    std::int64_t m_bytes = 0;
};

} // namespace duo
