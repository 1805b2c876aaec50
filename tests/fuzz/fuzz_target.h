// SPDX-License-Identifier: Apache-2.0
// Fuzz targets: each reader and state machine as a function of bytes, for libFuzzer (packaging/fuzz) and for the short
// run that is part of the tests.
#pragma once

#include "core/support/result.h"
#include "core/support/shared_bytes.h"

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace duo::test {

struct FuzzTarget {
    std::string_view name; // of its corpus too: tests/fuzz/corpus/NAME.zip
    std::vector<std::string> (*seeds)(); // inputs to begin with
    std::vector<std::string> words; // texts that mean something in an input
    void (*run)(std::string_view input); // throws where it finds what must not be
    std::size_t mostBytes = 4096; // of an input
    /// An input changed in a way of its own; null: only bytes are changed.
    std::string (*mutated)(const std::string& input, std::uint64_t seed) = nullptr;
};

// Groups of them. A program has the code of one group only: libFuzzer looks at all of its code after each input.
std::vector<FuzzTarget> textTargets(); // what people and tools write
std::vector<FuzzTarget> stateTargets(); // what belongs to a model
std::vector<FuzzTarget> archiveTargets(); // checkpoints, arrays, images
std::vector<FuzzTarget> modelTargets();
std::vector<FuzzTarget> protocolTargets(); // other processes

/// What must not be: the finding.
[[noreturn]] void found(const std::string& what);
inline void require(bool holds, const char* what)
{
    if (!holds)
        found(what);
}

/// An error is one line, and never an internal one.
void checkError(const Error& error);
template <typename T> const T* valueOf(const Result<T>& result)
{
    if (result)
        return &*result;
    checkError(result.error());
    return nullptr;
}

SharedBytes sharedBytes(std::string_view text); // a copy, so that reading beyond it is seen

/// A file whose content is another one for each input; `folder` is its own.
class FuzzedFile
{
public:
    explicit FuzzedFile(const std::string& name = "input");
    ~FuzzedFile();
    FuzzedFile(const FuzzedFile&) = delete;
    FuzzedFile& operator=(const FuzzedFile&) = delete;

    const std::filesystem::path& write(std::string_view bytes); // @return its path
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

private:
    std::filesystem::path m_folder;
    std::filesystem::path m_path;
};

/// Files of tests/data that are no larger; `folder` below it, `ending` of their names.
std::vector<std::string> seedFiles(const std::string& folder, std::string_view ending, std::size_t mostBytes = 16384);

/// Archives as texts, so that what is changed lies in a member and the archive stays whole: before each member stands a
/// line "#member:NAME".
using Members = std::vector<std::pair<std::string, std::string>>;
inline constexpr std::string_view kMemberLine = "\n#member:";
Members membersIn(std::string_view text);
std::string textOf(const Members& members);
std::string zipOf(const Members& members); // stored
std::string membersOf(const std::filesystem::path& archive); // as such a text; "" for no archive

/// CRC-32 as zip archives and PNG files have it.
std::uint32_t checksumOf(std::string_view bytes);

} // namespace duo::test
