// SPDX-License-Identifier: Apache-2.0
// Own limits: what keeps a runaway layout inside this process.
#pragma once

#include <cstddef>
#include <functional>

namespace duo {

/// The C locale, no core files, and at most `bytes` of address space (not under a sanitizer, which maps terabytes).
void limitOwnProcess(std::size_t bytes);

/// Runs `work` on a thread with a 256 MB stack, since dot recurses as deep as the graph, and returns its result;
/// on the caller's thread if there is no memory for such a stack.
int runOnBigStack(const std::function<int()>& work);

} // namespace duo
