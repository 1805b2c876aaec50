// SPDX-License-Identifier: Apache-2.0
#include "app/layout/service.h"

#include "app/layout/dot_engine.h"
#include "core/graph/layout/layout_protocol.h"

#include <cerrno>

#include <unistd.h>

namespace duo {
namespace {

constexpr unsigned int kLongestSeconds = 60;

/// @return bytes read; less than the size at the end of input
std::size_t readWhole(int file, char* bytes, std::size_t size)
{
    std::size_t done = 0;
    while (done < size) {
        const ssize_t count = read(file, bytes + done, size - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

bool writeWhole(int file, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

Result<LayoutResult> answer(DotEngine& engine, std::string_view payload)
{
    DUO_TRY(input, decodeRequest(payload));
    alarm(kLongestSeconds);
    auto result = engine.layout(input);
    alarm(0);
    return result;
}

} // namespace

int serveLayouts(int input, int output)
{
    DotEngine engine;
    std::string header(kFrameHeader, '\0');
    std::string payload;
    for (;;) {
        const std::size_t got = readWhole(input, header.data(), header.size());
        if (got == 0)
            return 0;
        const std::size_t length = frameLength(header);
        if (got != header.size() || length > kMostFrameBytes)
            return 1;
        payload.resize(length);
        if (readWhole(input, payload.data(), length) != length)
            return 1;
        if (!writeWhole(output, framed(encodeReply(answer(engine, payload)))))
            return 1;
    }
}

} // namespace duo
