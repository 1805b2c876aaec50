// SPDX-License-Identifier: Apache-2.0
#include "core/state/statistics_cache.h"

#include "core/state/digest.h"
#include "core/support/disk.h"
#include "core/support/leftovers.h"

#include <algorithm>
#include <cstdlib>

#include <sys/stat.h>

namespace duo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".statistics";

struct CacheFile {
    fs::path path;
    fs::file_time_type time;
    std::uintmax_t bytes = 0;
};

std::vector<CacheFile> filesIn(const fs::path& folder)
{
    std::vector<CacheFile> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (entry->path().extension() == kExtension && entry->is_regular_file(ignored))
            files.push_back({entry->path(), entry->last_write_time(ignored), entry->file_size(ignored)});
    }
    return files;
}

void addFile(Digest& digest, const fs::path& path, const std::string& name, bool withTimes)
{
    struct stat facts {
    };
    const bool isThere = ::stat(path.c_str(), &facts) == 0;
    digest.add(name);
    digest.add(isThere ? static_cast<std::int64_t>(facts.st_size) : -1);
    if (!withTimes || !isThere)
        return;
    digest.add(static_cast<std::int64_t>(facts.st_ctim.tv_sec));
    digest.add(static_cast<std::int64_t>(facts.st_ctim.tv_nsec));
    digest.add(static_cast<std::int64_t>(facts.st_mtim.tv_sec));
    digest.add(static_cast<std::int64_t>(facts.st_mtim.tv_nsec));
}

void addFiles(Digest& digest, const fs::path& path, bool withTimes)
{
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        addFile(digest, path, path.filename().string(), withTimes);
        return;
    }
    std::vector<fs::path> files;
    constexpr auto kOptions = fs::directory_options::skip_permission_denied; // what lies behind is no data
    for (fs::recursive_directory_iterator entry(path, kOptions, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored))
            files.push_back(entry->path());
    }
    std::ranges::sort(files);
    for (const fs::path& file : files)
        addFile(digest, file, fs::relative(file, path, error).string(), withTimes);
}

template <typename T> void addNumbers(Digest& digest, const std::vector<T>& numbers)
{
    digest.add(std::as_bytes(std::span(numbers)));
}

} // namespace

std::optional<StatisticsCache> StatisticsCache::ofUser()
{
    // Safe with threads: nobody changes the environment.
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && fs::path(cache).is_absolute())
        return StatisticsCache(fs::path(cache) / "duoscope" / "statistics");
    if (const char* home = std::getenv("HOME"); home != nullptr && fs::path(home).is_absolute())
        return StatisticsCache(fs::path(home) / ".cache" / "duoscope" / "statistics");
    return std::nullopt;
}

fs::path StatisticsCache::pathOf(const std::string& key) const
{
    std::string name = key;
    std::ranges::replace(name, ':', '-');
    return m_folder / (name + kExtension);
}

std::optional<StatisticsFile> StatisticsCache::find(const std::string& key) const
{
    const fs::path path = pathOf(key);
    auto file = readStatistics(path);
    if (!file)
        return std::nullopt;
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored); // used just now
    return *std::move(file);
}

void StatisticsCache::store(const std::string& key, const StatisticsFile& file) const
{
    if (makeFolders(m_folder))
        return;
    dropLeftovers(m_folder, {});
    if (writeStatistics(file, pathOf(key)))
        dropOldest();
}

void StatisticsCache::dropOldest() const
{
    std::vector<CacheFile> files = filesIn(m_folder);
    std::ranges::sort(files, std::greater<>(), &CacheFile::time);
    std::uintmax_t bytes = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        bytes += files[i].bytes;
        if (i >= kMostFiles || bytes > kMostBytes)
            removeFile(files[i].path);
    }
}

std::string dataDigest(const std::string& spec, const DatasetOptions& options, bool withTimes)
{
    Digest digest;
    if (spec.starts_with("random:")) {
        digest.add(spec + " sizes 2"); // how samples are made
    } else {
        if (withTimes) {
            std::error_code error;
            digest.add(fs::absolute(spec, error).string());
        }
        addFiles(digest, spec, withTimes);
    }
    for (const auto& [name, size] : options.dims) {
        digest.add(name);
        digest.add(size);
    }
    for (const auto& [output, input] : options.feedBack) {
        digest.add(output);
        digest.add(input);
    }
    addNumbers(digest, options.mean);
    addNumbers(digest, options.std);
    digest.add(options.size ? options.size->first : 0);
    digest.add(options.size ? options.size->second : 0);
    digest.add(options.layout);
    digest.add(options.channels);
    return digest.text();
}

} // namespace duo
