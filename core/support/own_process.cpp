// SPDX-License-Identifier: Apache-2.0
#include "core/support/own_process.h"

#include <initializer_list>

#include <fcntl.h>
#include <unistd.h>

namespace duo {
namespace {

constexpr std::initializer_list<int> kIgnored{SIGPIPE, SIGXFSZ};

} // namespace

void prepareOwnProcess()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) { // ascending: the lowest free number is next
        if (::fcntl(stream, F_GETFD) < 0)
            (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
    for (const int one : kIgnored)
        (void)std::signal(one, SIG_IGN);
}

sigset_t ignoredByOwnProcess()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int one : kIgnored)
        sigaddset(&signals, one);
    return signals;
}

} // namespace duo
