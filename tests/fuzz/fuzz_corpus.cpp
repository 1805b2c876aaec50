// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz_corpus.h"

#include "core/support/stored_zip.h"
#include "tests/support/file_bytes.h"
#include "tests/support/zip_file.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>

namespace duo::test {
namespace {

constexpr std::size_t kMostKept = 24'000; // bytes of an archive

std::filesystem::path corpusOf(const FuzzTarget& target)
{
    return std::filesystem::path(DUO_FUZZ_CORPUS) / (std::string(target.name) + ".zip");
}

/// As libFuzzer's dictionaries have it.
std::string quoted(const std::string& word)
{
    std::string text = "\"";
    for (const char letter : word) {
        const bool isPlain = letter != '"' && letter != '\\' && std::isprint(static_cast<unsigned char>(letter)) != 0;
        char escape[5];
        std::snprintf(escape, sizeof escape, "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(letter)));
        text += isPlain ? std::string(1, letter) : std::string(escape);
    }
    return text + "\"\n";
}

} // namespace

std::vector<std::string> inputsOf(const FuzzTarget& target)
{
    std::vector<std::string> inputs = target.seeds();
    if (!std::filesystem::exists(corpusOf(target)))
        return inputs;
    const auto zip = StoredZip::open(corpusOf(target));
    require(zip.hasValue(), "a corpus that is no archive");
    for (const ZipMember& member : (*zip)->members()) {
        const auto bytes = (*zip)->bytes(member);
        require(bytes.hasValue(), "a damaged corpus");
        inputs.emplace_back(reinterpret_cast<const char*>(bytes->bytes.data()), bytes->bytes.size());
    }
    return inputs;
}

void writeSeeds(const FuzzTarget& target, const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    std::size_t number = 0;
    for (const std::string& input : inputsOf(target))
        std::ofstream(folder / ("seed" + std::to_string(number++)), std::ios::binary) << input;
    std::ofstream words(folder.native() + ".dict");
    for (const std::string& word : target.words)
        words << quoted(word);
}

void keepCorpus(const FuzzTarget& target, const std::filesystem::path& folder)
{
    const std::vector<std::string> seeds = target.seeds();
    std::vector<std::string> inputs;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::string input = bytesOf(entry.path());
        if (std::find(seeds.begin(), seeds.end(), input) == seeds.end())
            inputs.push_back(std::move(input));
    }
    std::sort(inputs.begin(), inputs.end(), [](const std::string& a, const std::string& b) {
        return std::pair(a.size(), std::string_view(a)) < std::pair(b.size(), std::string_view(b));
    });
    for (; !inputs.empty(); inputs.resize(inputs.size() * 9 / 10)) {
        std::vector<std::pair<std::string, std::string>> members;
        for (const std::string& input : inputs)
            members.emplace_back(std::to_string(members.size()), input);
        writeZip(corpusOf(target), members, Packing::Deflated);
        if (std::filesystem::file_size(corpusOf(target)) <= kMostKept)
            return;
    }
}

} // namespace duo::test
