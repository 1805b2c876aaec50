// SPDX-License-Identifier: Apache-2.0
// Runs duoscope-cli as a user would and keeps what it printed.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace duo::test {

struct CliRun {
    int exitCode = -1;
    std::string out;
    std::string err;
    [[nodiscard]] nlohmann::ordered_json json() const { return nlohmann::ordered_json::parse(out, nullptr, false); }
};

CliRun runCli(const std::vector<std::string>& arguments);

/// A folder of this test that is empty at its start.
std::filesystem::path freshFolder(const std::string& name);
std::string sample(const std::string& file); // resources/samples
std::string data(const std::string& file); // tests/data
std::string bytesOf(const std::filesystem::path& file);

} // namespace duo::test
