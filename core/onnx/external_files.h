// SPDX-License-Identifier: Apache-2.0
// The files beside a model that hold its tensors.
#pragma once

#include "core/model/model.h"
#include "core/support/file.h"

#include <map>
#include <memory>
#include <string>

namespace duo {

/// By location, as the model writes it. Empty for a model in one file.
std::map<std::string, std::shared_ptr<const MappedFile>> externalFiles(const Model& model);

} // namespace duo
