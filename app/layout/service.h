// SPDX-License-Identifier: Apache-2.0
// Service: answers framed layout requests on stdin until it is closed.
#pragma once

namespace duo {

/// One request at a time; a request that takes longer than a minute ends the process, so nobody can leave it running.
/// @return exit code: 0 at the end of input, 1 for input that is not a sequence of frames
int serveLayouts(int input, int output);

} // namespace duo
