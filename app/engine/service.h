// SPDX-License-Identifier: Apache-2.0
// serveSessions: what duoscope-engine does until the program that started it ends.
#pragma once

#include <cstdint>
#include <optional>

namespace duo {

/// Answers over `socket`, see core/engine/engine_protocol.h. Never returns: ends the process when nobody is at the
/// other end any more, whatever is being done then.
/// @param mostBytes that models and values may take; nothing: what the system has
[[noreturn]] void serveSessions(int socket, std::optional<std::uint64_t> mostBytes);

} // namespace duo
