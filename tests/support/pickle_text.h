// SPDX-License-Identifier: Apache-2.0
// Pickles written down in tests, opcode by opcode: every function gives the bytes that push one value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace duo::test::pickle {

std::string whole(const std::string& value); // protocol 2 and STOP around it
std::string text(const std::string& value);
std::string integer(std::int64_t value); // 64 bits
std::string global(const std::string& module, const std::string& name);
std::string tuple(const std::vector<std::string>& items);
std::string dict(const std::vector<std::pair<std::string, std::string>>& entries); // keys are texts
std::string call(const std::string& module, const std::string& name, const std::vector<std::string>& arguments);
std::string object(const std::string& module, const std::string& name, const std::string& state); // NEWOBJ, BUILD
std::string remember(std::uint8_t index); // not a value: BINPUT of the value before
std::string recall(std::uint8_t index);

/// A float32 tensor as torch.save writes it.
struct TensorText {
    std::string storage = "0";
    std::int64_t storageElements = 4;
    std::int64_t offset = 0;
    std::vector<std::int64_t> dims = {4};
    std::vector<std::int64_t> strides = {1};
};
std::string tensor(const TensorText& tensor);

} // namespace duo::test::pickle
