// SPDX-License-Identifier: Apache-2.0
// writtenBytes: what a model's file holds once it is written.
#pragma once

#include "core/model/model.h"
#include "core/support/result.h"
#include "core/transform/edit_list.h"

#include <string>

namespace duo::test {

/// Without external data. @return errors of writeModel
Result<std::string> writtenBytes(const Model& model, const EditList& edits = {});

} // namespace duo::test
