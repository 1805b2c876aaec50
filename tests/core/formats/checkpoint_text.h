// SPDX-License-Identifier: Apache-2.0
// A checkpoint printed line by line, to be compared as text.
#pragma once

#include "core/model/checkpoint.h"

#include <string>
#include <vector>

namespace duo::test {

/// "blk.lin.weight float32[2,2] 8 9 10 11"; keys of one tensor after the first: "head.weight = emb.weight".
std::vector<std::string> keyLines(const Checkpoint& checkpoint);

/// "blk.lin torch.nn.modules.linear.Linear", "alias __main__.Block = blk"; the root is "/".
std::vector<std::string> moduleLines(const Checkpoint& checkpoint);

/// "left-out-key: sparse: the tensor is not read: it is sparse"
std::vector<std::string> noteLines(const Checkpoint& checkpoint);

} // namespace duo::test
