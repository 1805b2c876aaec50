// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz_target.h"

#include "core/support/stored_zip.h"
#include "tests/support/file_bytes.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>

#include <unistd.h>

namespace duo::test {
namespace {

constexpr std::array<std::uint32_t, 256> checksumTable()
{
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
        table[i] = value;
    }
    return table;
}

void append(std::string& to, std::uint64_t value, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i)
        to += static_cast<char>(value >> (8 * i) & 0xFFU);
}

/// What the local header and the directory say alike of a member.
void appendMember(std::string& to, const std::string& name, const std::string& content)
{
    append(to, 0, 2); // flags
    append(to, 0, 2); // stored
    append(to, 0x00210000, 4); // date
    append(to, checksumOf(content), 4);
    append(to, content.size(), 4);
    append(to, content.size(), 4);
    append(to, name.size(), 2);
    append(to, 0, 2); // extra field
}

} // namespace

void found(const std::string& what)
{
    throw std::logic_error(what);
}

void checkError(const Error& error)
{
    const std::string line = error.line();
    require(!line.empty(), "an error without a text");
    require(line.find('\n') == std::string::npos, "an error of several lines");
    if (error.code == ErrorCode::Internal)
        found("an internal error: " + line);
}

SharedBytes sharedBytes(std::string_view text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return SharedBytes::own({bytes.begin(), bytes.end()});
}

FuzzedFile::FuzzedFile(const std::string& name)
{
    static int count = 0;
    std::error_code error;
    const bool hasMemory = std::filesystem::is_directory("/dev/shm", error);
    m_folder = (hasMemory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path())
        / ("duo_fuzz_" + std::to_string(::getpid()) + "_" + std::to_string(++count));
    std::filesystem::create_directories(m_folder);
    m_path = m_folder / name;
}

FuzzedFile::~FuzzedFile()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

const std::filesystem::path& FuzzedFile::write(std::string_view bytes)
{
    std::ofstream(m_path, std::ios::binary | std::ios::trunc).write(bytes.data(), std::streamsize(bytes.size()));
    return m_path;
}

std::vector<std::string> seedFiles(const std::string& folder, std::string_view ending, std::size_t mostBytes)
{
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(DUO_TEST_DATA) / folder))
        if (entry.path().native().ends_with(ending) && entry.is_regular_file() && entry.file_size() <= mostBytes)
            paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> seeds;
    for (const auto& path : paths)
        seeds.push_back(bytesOf(path));
    return seeds;
}

Members membersIn(std::string_view text)
{
    Members members;
    const std::string all = "\n" + std::string(text);
    std::size_t at = all.find(kMemberLine);
    while (at != std::string::npos) {
        const std::size_t name = at + kMemberLine.size();
        const std::size_t next = all.find(kMemberLine, name);
        const std::size_t line = std::min({all.find('\n', name), next, all.size()});
        const std::size_t end = std::min(next, all.size());
        const std::size_t content = std::min(line + 1, end);
        members.emplace_back(all.substr(name, line - name), all.substr(content, end - content));
        at = next;
    }
    return members;
}

std::string textOf(const Members& members)
{
    std::string text;
    for (const auto& [name, content] : members)
        text += std::string(kMemberLine.substr(text.empty() ? 1 : 0)) + name + "\n" + content;
    return text;
}

std::string zipOf(const Members& members)
{
    std::string zip;
    std::string directory;
    for (const auto& [longName, content] : members) {
        const std::string name = longName.substr(0, 0xFFFF);
        append(directory, 0x02014B50, 4);
        append(directory, 20 | 20 << 16, 4); // versions
        appendMember(directory, name, content);
        directory.append(10, '\0'); // comment, disk, attributes
        append(directory, zip.size(), 4);
        directory += name;
        append(zip, 0x04034B50, 4);
        append(zip, 20, 2);
        appendMember(zip, name, content);
        zip += name + content;
    }
    const std::size_t start = zip.size();
    zip += directory;
    append(zip, 0x06054B50, 4);
    append(zip, 0, 4); // disks
    append(zip, members.size() | members.size() << 16, 4);
    append(zip, directory.size(), 4);
    append(zip, start, 4);
    append(zip, 0, 2);
    return zip;
}

std::string membersOf(const std::filesystem::path& archive)
{
    const auto zip = StoredZip::open(archive);
    if (!zip)
        return {};
    Members members;
    for (const ZipMember& member : (*zip)->members()) {
        if (const auto bytes = (*zip)->bytes(member))
            members.emplace_back(
                member.name, std::string(reinterpret_cast<const char*>(bytes->bytes.data()), bytes->bytes.size()));
    }
    return textOf(members);
}

std::uint32_t checksumOf(std::string_view bytes)
{
    static constexpr auto kTable = checksumTable();
    std::uint32_t value = 0xFFFFFFFFU;
    for (const char byte : bytes)
        value = (value >> 8U) ^ kTable[(value ^ static_cast<unsigned char>(byte)) & 0xFFU];
    return ~value;
}

} // namespace duo::test
