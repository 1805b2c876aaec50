// SPDX-License-Identifier: Apache-2.0
#include "app/layout/own_limits.h"

#include <clocale>

#include <pthread.h>
#include <sys/resource.h>

namespace duo {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} << 20U;

struct Task {
    const std::function<int()>& work;
    int result = 1;
};

void* runTask(void* argument)
{
    auto* task = static_cast<Task*>(argument);
    task->result = task->work();
    return nullptr;
}

} // namespace

void limitOwnProcess(std::size_t bytes)
{
    std::setlocale(LC_ALL, "C");
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_AS, &memory);
#else
    (void)bytes;
#endif
}

int runOnBigStack(const std::function<int()>& work)
{
    Task task{work};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    if (pthread_create(&thread, &attributes, runTask, &task) == 0)
        pthread_join(thread, nullptr);
    else
        runTask(&task);
    pthread_attr_destroy(&attributes);
    return task.result;
}

} // namespace duo
