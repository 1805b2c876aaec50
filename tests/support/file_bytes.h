// SPDX-License-Identifier: Apache-2.0
// What a file holds, for tests that compare files or damage a copy of one.
#pragma once

#include <filesystem>
#include <string>

namespace duo::test {

std::string bytesOf(const std::filesystem::path& file); // empty where there is none

} // namespace duo::test
