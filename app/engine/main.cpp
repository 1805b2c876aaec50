// SPDX-License-Identifier: Apache-2.0
// duoscope-engine: ONNX Runtime in a process of its own. Started by the other programs, not by people.
#include "app/engine/memory_room.h"
#include "app/engine/service.h"
#include "core/engine/engine_protocol.h"
#include "core/support/own_process.h"

#include <charconv>
#include <iostream>
#include <string_view>

#include <sys/resource.h>
#include <sys/stat.h>

namespace {

std::optional<std::uint64_t> bytesOf(std::string_view text)
{
    std::uint64_t bytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(bytes) : std::nullopt;
}

} // namespace

int main(int argc, char** argv)
{
    duo::prepareOwnProcess();
    struct stat status {
    };
    const bool hasLimit = argc == 3 && std::string_view(argv[1]) == duo::kMemoryOption;
    const auto limit = hasLimit ? bytesOf(argv[2]) : std::nullopt;
    const bool isKnown = argc == 1 || limit;
    if (!isKnown || ::fstat(duo::kControlSocket, &status) != 0 || !S_ISSOCK(status.st_mode)) {
        std::cerr << "duoscope-engine is started by duoscope and duoscope-cli\n";
        return 2;
    }
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    duo::offerToBeKilled();
    duo::serveSessions(duo::kControlSocket, limit);
}
