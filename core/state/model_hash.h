// SPDX-License-Identifier: Apache-2.0
// Identity of a model: what must be equal for a state to fit (resources/docs/state.md, "Identity of a model").
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace duo {

struct ModelHashes {
    std::string graph; // op types, attributes, wiring, interface and initializer names, shapes, types
    std::string weights; // initializer bytes in name order
    bool operator==(const ModelHashes&) const = default;
};

/// XXH3 128 bits, as "xxh3-128:" and 32 hex digits. Node names, doc strings, metadata, names of inner values and the
/// place weights are stored in do not count. Reads all weights. @return Cancelled
Result<ModelHashes> hashModel(const Model& model, const JobContext& job = {});

/// The same kind of digest of a text.
std::string textHash(std::string_view text);

/// The same of a model's nodes in their order: of each its name and one word.
std::string nodesHash(const Model& model, const std::function<std::string_view(std::uint32_t)>& wordOf);

/// Whether a text has the form of such a digest.
bool isHash(std::string_view text);

} // namespace duo
