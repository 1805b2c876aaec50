// SPDX-License-Identifier: Apache-2.0
// Layout protocol: how a layout request and its reply travel between a program and duoscope-layout.
#pragma once

#include "core/graph/layout/layout.h"
#include "core/support/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace duo {

/// A frame is its payload's length (4 bytes, little-endian) followed by the payload; numbers are little-endian, doubles
/// IEEE 754. A reader refuses longer frames before it allocates.
inline constexpr std::size_t kFrameHeader = 4;
inline constexpr std::size_t kMostFrameBytes = std::size_t{64} << 20U;

std::string framed(std::string_view payload); // header and payload; payload at most kMostFrameBytes
std::uint32_t frameLength(std::string_view header); // of exactly kFrameHeader bytes

/// Payloads. Encoding is canonical: equal inputs give equal bytes, so a request also serves as a cache key.
std::string encodeRequest(const LayoutInput& input);
std::string encodeReply(const Result<LayoutResult>& reply);

/// @return BadData for bytes that are not exactly one request whose content checkLayoutInput accepts
Result<LayoutInput> decodeRequest(std::string_view payload);

/// @param input the request it answers; the reply must fit it
/// @return the result or the error it carries (EngineFailed); BadData for anything else
Result<LayoutResult> decodeReply(std::string_view payload, const LayoutInput& input);

} // namespace duo
