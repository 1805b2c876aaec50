// SPDX-License-Identifier: Apache-2.0
// MadeAhead: what is made of a model by the thread that reads it, before anybody is told of it.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/support/result.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace duo::app {

class MadeAhead
{
public:
    using Made = std::function<void(const std::shared_ptr<const Snapshot>&)>; // called in any thread

    MadeAhead() = default;
    explicit MadeAhead(std::vector<Made> made)
        : m_made(std::move(made))
    {
    }

    /// As it will be told of. Errors: that of `read`.
    [[nodiscard]] Result<std::shared_ptr<const Snapshot>> operator()(Result<Snapshot>&& read) const
    {
        DUO_TRY(snapshot, std::move(read));
        const auto shared = std::make_shared<const Snapshot>(std::move(snapshot));
        for (const Made& make : m_made)
            make(shared);
        return shared;
    }

private:
    std::vector<Made> m_made;
};

} // namespace duo::app
