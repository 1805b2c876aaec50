// SPDX-License-Identifier: Apache-2.0
#include "core/state/digest.h"

#include <xxhash.h>

#include <algorithm>
#include <array>

namespace duo {

struct Digest::State {
    XXH3_state_t* xxh = XXH3_createState();
    State() { XXH3_128bits_reset(xxh); }
    ~State() { XXH3_freeState(xxh); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
};

Digest::Digest()
    : m_state(std::make_unique<State>())
{
}

Digest::~Digest() = default;

void Digest::add(std::string_view text)
{
    add(std::as_bytes(std::span(text)));
}

void Digest::add(std::int64_t number)
{
    std::array<std::uint8_t, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> (8 * i));
    XXH3_128bits_update(m_state->xxh, bytes.data(), bytes.size());
}

void Digest::add(std::span<const std::byte> bytes)
{
    add(static_cast<std::int64_t>(bytes.size()));
    if (!bytes.empty())
        XXH3_128bits_update(m_state->xxh, bytes.data(), bytes.size());
}

Status Digest::add(std::span<const std::byte> bytes, const JobContext& job)
{
    constexpr std::size_t kPiece = std::size_t{8} << 20U; // between two looks
    add(static_cast<std::int64_t>(bytes.size()));
    while (!bytes.empty()) {
        if (job.stopped())
            return cancelledError();
        const auto piece = bytes.first(std::min(bytes.size(), kPiece));
        XXH3_128bits_update(m_state->xxh, piece.data(), piece.size());
        bytes = bytes.subspan(piece.size());
    }
    return success();
}

std::string Digest::text() const
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(m_state->xxh));
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text = "xxh3-128:";
    for (const unsigned char byte : canonical.digest) {
        text += kHex[byte >> 4U];
        text += kHex[byte & 0xFU];
    }
    return text;
}

} // namespace duo
