// SPDX-License-Identifier: Apache-2.0
// Stack traces that PyTorch's torch.export based exporter keeps of nodes: where in the program each module was called.
#pragma once

#include <string_view>
#include <vector>

namespace duo {

/// A line of a Python program on a stack.
struct TraceLine {
    std::string_view place; // `File "net.py", line 12, in forward`
    std::string_view code; // `x = self.blk(x)`; "" where the file was not at hand
    bool operator==(const TraceLine&) const = default;
};

/// The lines in functions called `forward`, outermost first: one per module on the stack, the root included, where
/// every module is called the usual way. At most 64. Views into `trace`. O(length).
std::vector<TraceLine> forwardLines(std::string_view trace);

/// How often the code speaks of something of this name: 2 for `inner` in `return self.inner(self.inner(x))`.
std::size_t timesInCode(std::string_view code, std::string_view name);

} // namespace duo
