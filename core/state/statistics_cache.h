// SPDX-License-Identifier: Apache-2.0
// StatisticsCache: statistics already measured, in the user's cache folder. Deleting any of it is safe at any time.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/state/statistics_file.h"

#include <optional>

namespace duo {

class StatisticsCache
{
public:
    static constexpr std::uintmax_t kMostBytes = std::uintmax_t{512} << 20;
    static constexpr std::size_t kMostFiles = 200;

    explicit StatisticsCache(std::filesystem::path folder)
        : m_folder(std::move(folder))
    {
    }
    /// $XDG_CACHE_HOME/duoscope/statistics, else ~/.cache/duoscope/statistics; nothing where neither is known.
    static std::optional<StatisticsCache> ofUser();

    /// Nothing if there is none, or what there is cannot be read.
    [[nodiscard]] std::optional<StatisticsFile> find(const std::string& key) const;
    /// Writes the entry and deletes the oldest ones beyond the limits; what cannot be written is left out.
    void store(const std::string& key, const StatisticsFile& file) const;

private:
    [[nodiscard]] std::filesystem::path pathOf(const std::string& key) const;
    void dropOldest() const;

    std::filesystem::path m_folder;
};

/// What a dataset is read from: names and sizes of its files and how they are turned into samples. The same on every
/// machine that has the data. @param withTimes also when the files were last changed, and where they lie: tells changed
/// files of the same size
std::string dataDigest(const std::string& spec, const DatasetOptions& options, bool withTimes);

} // namespace duo
