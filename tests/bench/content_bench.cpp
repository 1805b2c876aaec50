// SPDX-License-Identifier: Apache-2.0
// Matching a model of a gigabyte with its checkpoint by content, as a ratio to one single-threaded XXH3 pass over the
// bytes of both; files in the page cache, each pass over fresh mappings, rounds interleaved, ratio of medians.
// Usage: duo_bench_content [SCALE] [THREADS]
#include "core/scope/content/match_content.h"
#include "tests/bench/content_pair.h"

#include <malloc.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>

namespace {

constexpr int kRounds = 5;

std::atomic<std::int64_t> allocated{0};
std::atomic<std::int64_t> mostAllocated{0};

void count(std::int64_t bytes)
{
    const std::int64_t now = allocated += bytes;
    std::int64_t most = mostAllocated;
    while (now > most && !mostAllocated.compare_exchange_weak(most, now)) { }
}

double milliseconds(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
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
    hashBoth(pair); // into the page cache
    for (int round = 0; round < kRounds; ++round) {
        hashing.push_back(milliseconds([&] { hashBoth(pair); }));
        const auto model = pair.model();
        const auto checkpoint = pair.checkpoint();
        const std::int64_t before = allocated;
        mostAllocated = before;
        matching.push_back(milliseconds([&] {
            const auto found = duo::matchContent(*model, checkpoint, {}, threads);
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
    std::printf("%-32s %8.1f MB  %6.2f x the largest tensor\n", "memory", static_cast<double>(peak) / 1e6,
        static_cast<double>(peak) / static_cast<double>(pair.largestTensor()));
    std::filesystem::remove_all(folder);
    return median(matching) <= 6 * median(hashing) ? 0 : 1;
}
