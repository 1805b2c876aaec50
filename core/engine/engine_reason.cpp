// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_reason.h"

#include <algorithm>
#include <array>
#include <cctype>
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

bool isLetterOfName(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':' || c == '~';
}

/// "ConstantNodeProtoToTensorProto", "onnxruntime::Graph::Graph": no word of a sentence.
bool isNameInCode(std::string_view word)
{
    if (!std::ranges::all_of(word, isLetterOfName) || word.ends_with(':'))
        return false;
    const auto isHump = [](char a, char b) {
        return std::islower(static_cast<unsigned char>(a)) != 0 && std::isupper(static_cast<unsigned char>(b)) != 0;
    };
    return word.find("::") != word.npos || std::ranges::adjacent_find(word, isHump) != word.end();
}

/// The end of the parenthesis that begins at `open`; the end of the text where there is none.
std::size_t behindParenthesis(std::string_view text, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0)
            return i + 1;
    }
    return text.size();
}

/// Takes away the function that follows a source position: "Name", or "void space::Class::name(int) const".
std::string_view withoutFunction(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view word = text.substr(0, text.find(' '));
    const std::size_t open = text.find('(');
    const bool hasSignature = open != text.npos && text.substr(0, open).find("onnxruntime::") != text.npos
        && text.substr(0, open).find(". ") == text.npos;
    if (hasSignature)
        text.remove_prefix(behindParenthesis(text, open));
    else if (isNameInCode(word))
        text.remove_prefix(word.size());
    if (hasSignature && text.starts_with(" const"))
        text.remove_prefix(std::string_view(" const").size());
    if (hasSignature && text.starts_with(" [with "))
        text.remove_prefix(std::min(text.find(']'), text.size() - 1) + 1);
    return text;
}

/// "/onnxruntime_src/onnxruntime/core/graph/graph.cc:1234 void onnxruntime::Graph::name()" and
/// "tensorprotoutils.cc:2678 Name" say where the engine was built, not what is wrong.
/// @param ending of the file's name, with a colon
std::string withoutPositions(std::string_view text, std::string_view ending)
{
    std::string kept;
    for (std::size_t at = text.find(ending); at != text.npos; at = text.find(ending)) {
        const std::size_t number = at + ending.size();
        const std::size_t end = std::min(text.find_first_not_of("0123456789", number), text.size());
        if (end == number) {
            kept += text.substr(0, end);
            text.remove_prefix(end);
            continue;
        }
        kept += text.substr(0, text.find_last_of(" :", at) + 1); // "failed:/onnxruntime_src/..."
        kept += ' ';
        text = withoutFunction(text.substr(end));
    }
    return kept.append(text);
}

/// "[ONNXRuntimeError] : 1 : FAIL : " tells what the rest tells.
void removeCodes(std::string& text)
{
    constexpr std::string_view kMark = "[ONNXRuntimeError] : ";
    for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark)) {
        const std::size_t name = text.find(" : ", at + kMark.size());
        const std::size_t end = name == text.npos ? name : text.find(" : ", name + 1);
        text.erase(at, end == text.npos ? kMark.size() : end + 3 - at);
    }
}

std::string joined(const std::vector<std::string_view>& words)
{
    std::string line;
    for (const std::string_view word : words) {
        if (!line.empty())
            line += ' ';
        line += word;
    }
    return line;
}

std::string oneLine(std::string_view message)
{
    std::string text = joined(wordsOf(message));
    for (const std::string_view ending : {".cc:", ".h:"})
        text = withoutPositions(text, ending);
    removeCodes(text);
    std::string reason = joined(wordsOf(text));
    while (reason.ends_with('.'))
        reason.pop_back();
    return reason;
}

/// What stands between `before` and `after`; "" where it does not.
std::string_view between(std::string_view text, std::string_view before, std::string_view after)
{
    const std::size_t start = text.find(before);
    if (start == text.npos)
        return {};
    text.remove_prefix(start + before.size());
    return text.substr(0, text.find(after));
}

/// Of a model whose operators are newer than the engine; "" for other reasons.
std::string newerOpset(const std::string& reason)
{
    const std::string_view opset = between(reason, "Opset ", " is under development");
    const std::string_view domain = between(reason, "official support for domain ", " is till opset ");
    const std::string_view most = between(reason, " is till opset ", ".");
    if (opset.empty() || domain.empty() || most.empty())
        return {};
    return "it is of opset " + std::string(opset) + " of " + std::string(domain) + ", and this ONNX Runtime knows "
        + std::string(most) + " at most: export the model with an opset that it knows";
}

/// The soft limit may be one that the engine has set itself.
std::string adviceOnMemory()
{
    rlimit limit{};
    const std::string limited = ::getrlimit(RLIMIT_AS, &limit) == 0 ? adviceOnLimit(limit.rlim_max) : std::string();
    return limited.empty() ? "there is not enough memory: close other programs, or allow more with --engine-memory (in "
                             "the window Quantize > Limits)"
                           : limited;
}

/// All that it writes are temporary files: the graph as it runs it, and its profile.
bool isAboutWriting(std::string_view message)
{
    constexpr std::array<std::string_view, 2> kSaid{
        "Protobuf serialization failed", "Failed to write external initializers"};
    return std::ranges::any_of(kSaid, [&](std::string_view said) { return message.find(said) != message.npos; });
}

} // namespace

std::string adviceOnLimit(rlim_t most)
{
    if (most == RLIM_INFINITY)
        return {};
    return "virtual memory is limited to " + std::to_string(most >> 20U) + " MB (ulimit -v): raise the limit";
}

Error engineError(std::string what, std::string where, std::string_view message)
{
    if (isAboutWriting(message))
        return {
            ErrorCode::NotWritable, "the engine cannot write its temporary files", {}, "free some space or set TMPDIR"};
    Error error{ErrorCode::EngineFailed, std::move(what), std::move(where), oneLine(message)};
    if (std::string newer = newerOpset(error.whatToDo); !newer.empty())
        error.whatToDo = std::move(newer);
    if (error.whatToDo.find("is not a registered function/op") != std::string::npos) {
        error.whatToDo += "; name the library that has it with --custom-ops";
        error.remedy = Remedy::NameLibrary;
    }
    if (error.whatToDo.find("bad_alloc") != std::string::npos
        || error.whatToDo.find("Failed to allocate memory") != std::string::npos)
        error.whatToDo += "; " + adviceOnMemory();
    return error;
}

} // namespace duo
