// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_reason.h"

#include <utility>
#include <vector>

namespace duo {
namespace {

std::vector<std::string_view> wordsOf(std::string_view text)
{
    constexpr std::string_view kSpace = " \t\r\n";
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t start = text.find_first_not_of(kSpace);
        if (start == std::string_view::npos)
            return words;
        text.remove_prefix(start);
        const std::size_t length = std::min(text.find_first_of(kSpace), text.size());
        words.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
}

/// "/onnxruntime_src/onnxruntime/core/graph/graph.cc:1234" says where the engine was built, not what is wrong.
bool isSourcePosition(std::string_view word)
{
    return word.starts_with('/') && (word.find(".cc:") != word.npos || word.find(".h:") != word.npos);
}

std::string oneLine(std::string_view message)
{
    std::string reason;
    for (const std::string_view word : wordsOf(message)) {
        if (isSourcePosition(word))
            continue;
        if (!reason.empty())
            reason += ' ';
        reason += word;
    }
    while (reason.ends_with('.'))
        reason.pop_back();
    return reason;
}

} // namespace

Error engineError(std::string what, std::string where, std::string_view message)
{
    Error error{ErrorCode::EngineFailed, std::move(what), std::move(where), oneLine(message)};
    if (error.whatToDo.find("is not a registered function/op") != std::string::npos) {
        error.whatToDo += "; name the library that has it with --custom-ops";
        error.remedy = Remedy::NameLibrary;
    }
    if (error.whatToDo.find("bad_alloc") != std::string::npos
        || error.whatToDo.find("Failed to allocate memory") != std::string::npos)
        error.whatToDo += "; there is not enough memory: close other programs, or allow more with "
                          "--engine-memory (in the window Quantize > Limits)";
    return error;
}

} // namespace duo
