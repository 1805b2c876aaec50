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

/// What a run may find around it.
struct Surroundings {
    std::vector<std::string> environment = {}; // "NAME=VALUE", before those of this process
    std::filesystem::path folder = {}; // where it is started; empty: here
    std::string before = {}; // what the shell does before: "ulimit -f 1"
    std::string streams = {}; // what it does with streams at last: "2>&-"
};

CliRun runCli(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});

struct RecipeText {
    std::string rules = {}; // the inside of its list
    std::string settings = {}; // the inside of its quantization object
};

/// @return the path of `file`
std::string writeRecipe(const std::filesystem::path& file, const RecipeText& recipe);

std::string sample(const std::string& file); // resources/samples
std::string data(const std::string& file); // tests/data

} // namespace duo::test
