// SPDX-License-Identifier: Apache-2.0
#include "core/support/parallel.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace duo {

Status parallelFor(
    std::size_t count, int threads, const JobContext& job, const std::function<Status(std::size_t)>& body)
{
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex mutex;
    std::optional<std::pair<std::size_t, Error>> firstError;

    const auto work = [&] {
        while (!failed && !job.stopped()) {
            const std::size_t i = next.fetch_add(1);
            if (i >= count)
                return;
            Status status = body(i);
            if (status)
                continue;
            const std::lock_guard lock(mutex);
            failed = true;
            if (!firstError || i < firstError->first)
                firstError = {i, status.error()};
        }
    };

    {
        std::vector<std::jthread> helpers;
        const std::size_t wanted = std::min<std::size_t>(count, static_cast<std::size_t>(std::max(1, threads)));
        for (std::size_t t = 1; t < wanted; ++t)
            helpers.emplace_back(work);
        work();
    }
    if (firstError)
        return firstError->second;
    if (job.stopped())
        return cancelledError();
    return success();
}

int defaultThreads()
{
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

} // namespace duo
