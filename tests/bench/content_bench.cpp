// SPDX-License-Identifier: Apache-2.0
// Matching a model of a gigabyte with its checkpoint by content, as a ratio to one single-threaded XXH3 pass over the
// bytes of both; files in the page cache, each pass over fresh mappings, rounds interleaved, ratio of medians.
// Usage: duo_bench_content [SCALE] [THREADS]
#include "core/content/match_content.h"
#include "tests/bench/content_pair.h"
#include "tests/bench/rounds.h"

#include <malloc.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>
#include <thread>

namespace {

using duo::bench::median;
using duo::bench::milliseconds;

constexpr int kRounds = 5;

std::atomic<std::int64_t> allocated{0};
std::atomic<std::int64_t> mostAllocated{0};

void count(std::int64_t bytes)
{
    const std::int64_t now = allocated += bytes;
    std::int64_t most = mostAllocated;
    while (now > most && !mostAllocated.compare_exchange_weak(most, now)) { }
}

/// Milliseconds from the wish to stop, in the middle of the work, to the return.
double stopping(const duo::bench::ContentPair& pair, int threads, double workMilliseconds)
{
    const auto model = pair.model();
    const auto checkpoint = pair.checkpoint();
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;
    const std::jthread asker([&] {
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(workMilliseconds / 2));
        asked = std::chrono::steady_clock::now();
        stop.request_stop();
    });
    const auto found = duo::matchContent(*model, checkpoint, {stop.get_token(), {}}, threads);
    const auto end = std::chrono::steady_clock::now();
    return found ? 0 : std::chrono::duration<double, std::milli>(end - asked).count();
}

/// Memory of this process that no file backs, as the kernel counts it; 0 if it does not say.
std::int64_t residentAnonymous()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (std::int64_t kilobytes = 0; word == "RssAnon:" && status >> kilobytes)
            return kilobytes * 1024;
    }
    return 0;
}

void hashBoth(const duo::bench::ContentPair& pair)
{
    for (const auto& path : {pair.storedPath(), pair.modelPath()}) {
        const auto file = *duo::MappedFile::open(path);
        volatile auto low = XXH3_128bits(file->bytes().data(), file->bytes().size()).low64;
        (void)low;
    }
}

} // namespace

void* operator new(std::size_t size)
{
    void* block = std::malloc(size == 0 ? 1 : size);
    if (block == nullptr)
        throw std::bad_alloc();
    count(static_cast<std::int64_t>(malloc_usable_size(block)));
    return block;
}

void operator delete(void* block) noexcept
{
    count(-static_cast<std::int64_t>(block == nullptr ? 0 : malloc_usable_size(block)));
    std::free(block);
}

void operator delete(void* block, std::size_t) noexcept
{
    operator delete(block);
}

int main(int argc, char** argv)
{
    const double scale = argc > 1 ? std::atof(argv[1]) : 1;
    const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
    const auto folder = std::filesystem::temp_directory_path() / "duoscope-bench-content";
    std::filesystem::create_directories(folder);
    const duo::bench::ContentPair pair(folder, scale);

    std::vector<double> hashing;
    std::vector<double> matching;
    duo::ContentCoverage coverage;
    std::int64_t peak = 0;
    std::int64_t resident = 0;
    hashBoth(pair); // into the page cache
    for (int round = 0; round < kRounds; ++round) {
        hashing.push_back(milliseconds([&] { hashBoth(pair); }));
        const auto model = pair.model();
        const auto checkpoint = pair.checkpoint();
        const std::int64_t before = allocated;
        mostAllocated = before;
        const std::int64_t residentBefore = residentAnonymous();
        const duo::JobContext job{
            {}, [&](const duo::Progress&) { resident = std::max(resident, residentAnonymous() - residentBefore); }};
        matching.push_back(milliseconds([&] {
            const auto found = duo::matchContent(*model, checkpoint, job, threads);
            if (found)
                coverage = found->coverage;
        }));
        peak = std::max(peak, mostAllocated - before);
    }
    std::printf("%zu tensors, %.2f GB in both files, %d threads, median of %d interleaved rounds\n", pair.tensors(),
        static_cast<double>(pair.bytes()) / 1e9, threads, kRounds);
    std::printf("found: %lld of %lld keys, %lld of %lld tensors\n", static_cast<long long>(coverage.found),
        static_cast<long long>(coverage.keys), static_cast<long long>(coverage.matched),
        static_cast<long long>(coverage.tensors));
    std::printf("%-32s %8.1f ms  %6.2f x\n", "XXH3 of both, one thread", median(hashing), 1.0);
    std::printf("%-32s %8.1f ms  %6.2f x  (at most 6)\n", "match by content", median(matching),
        median(matching) / median(hashing));
    std::printf("%-32s %8.1f MB  %6.2f x the largest tensor\n", "memory allocated at most",
        static_cast<double>(peak) / 1e6, static_cast<double>(peak) / static_cast<double>(pair.largestTensor()));
    std::printf("%-32s %8.1f MB\n", "resident beside the files", static_cast<double>(resident) / 1e6);
    std::printf("%-32s %8.1f ms\n", "stopped after", stopping(pair, threads, median(matching)));
    std::filesystem::remove_all(folder);
    return median(matching) <= 6 * median(hashing) ? 0 : 1;
}
