// SPDX-License-Identifier: Apache-2.0
// All that commands and window compute of a model file, in this process: what a strange file could break.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace duo::test {

/// Told before each stage: "open", "plan qnn", ...
using StageNews = std::function<void(const std::string&)>;

/// Reads the file and makes of it what `inspect`, `scopes`, `plan` under every profile, `graph`, `find` and `explain`
/// say of it. Nothing is run in the engine. @return what must not be: internal errors and errors of several lines
std::vector<std::string> lookAtModel(const std::filesystem::path& path, const StageNews& news = {});

/// The same, then `explain` with the engine's shapes and `quantize` with two random samples, in `folder`.
std::vector<std::string> quantizeModel(
    const std::filesystem::path& path, const std::filesystem::path& folder, const StageNews& news);

} // namespace duo::test
