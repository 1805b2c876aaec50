// SPDX-License-Identifier: Apache-2.0
#include "core/rules/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace duo {
namespace {

constexpr std::uint32_t kMatchLimit = 100'000; // steps of one match; node names need a few hundred
constexpr std::uint32_t kDepthLimit = 10'000; // nested backtracking points, where there is no JIT
constexpr std::uint32_t kHeapLimitKiB = 16 * 1024;
constexpr std::size_t kJitStackStart = 32 * 1024;
constexpr std::size_t kJitStackMax = 1024 * 1024;

struct Release {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
    void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
    void operator()(pcre2_jit_stack* stack) const { pcre2_jit_stack_free(stack); }
};

template <typename T> using Owned = std::unique_ptr<T, Release>;

PCRE2_SPTR bytes(std::string_view text)
{
    return reinterpret_cast<PCRE2_SPTR>(text.data()); // C API
}

std::string messageOf(int error)
{
    std::array<PCRE2_UCHAR, 256> buffer{};
    const int length = pcre2_get_error_message(error, buffer.data(), buffer.size());
    return length < 0 ? "not understood" : std::string(buffer.begin(), buffer.begin() + length);
}

struct CompileError {
    int number = 0;
    PCRE2_SIZE offset = 0;
};

Owned<pcre2_code> compiled(std::string_view text, CompileError& error)
{
    const Owned<pcre2_compile_context> setup(pcre2_compile_context_create(nullptr));
    pcre2_set_newline(setup.get(), PCRE2_NEWLINE_LF); // Python's "." and "$" know "\n" only
    constexpr std::uint32_t kOptions = PCRE2_ANCHORED | PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF
        | PCRE2_ALT_CIRCUMFLEX; // "^" behind a last line break, with the flag m
    return Owned<pcre2_code>(
        pcre2_compile(bytes(text), text.size(), kOptions, &error.number, &error.offset, setup.get()));
}

/// Python wants all alternatives of a look-behind equally long, PCRE2 each of one length. Those that refer to groups
/// outside cannot be measured alone and pass.
bool haveOneLengthEach(const std::vector<std::vector<std::string>>& lookBehinds)
{
    for (const auto& alternatives : lookBehinds) {
        std::optional<std::uint32_t> common;
        for (const std::string& alternative : alternatives) {
            CompileError error;
            const auto code = compiled(alternative, error);
            std::uint32_t length = 0;
            if (!code || pcre2_pattern_info(code.get(), PCRE2_INFO_MINLENGTH, &length) != 0)
                continue;
            if (common && *common != length)
                return false;
            common = length;
        }
    }
    return true;
}

} // namespace

struct Pattern::Code {
    Owned<pcre2_code> code;
    std::vector<PatternRemark> remarks;
    Owned<pcre2_match_data> data;
    Owned<pcre2_match_context> context;
    Owned<pcre2_jit_stack> stack;
};

Pattern::Pattern(std::unique_ptr<Code> code)
    : m_code(std::move(code))
{
}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

std::variant<Pattern, PatternProblem> Pattern::compile(std::string_view pattern)
{
    auto translated = translatePythonPattern(pattern);
    if (auto* problem = std::get_if<PatternProblem>(&translated))
        return std::move(*problem);
    auto& [text, remarks, lookBehinds] = std::get<TranslatedPattern>(translated);

    CompileError error;
    auto code = std::make_unique<Code>();
    code->code = compiled(text, error);
    if (!code->code)
        return PatternProblem{std::min<std::size_t>(error.offset, pattern.size()), messageOf(error.number)};
    if (!haveOneLengthEach(lookBehinds))
        return PatternProblem{0, "look-behind requires fixed-width pattern"};
    code->remarks = std::move(remarks);

    code->data.reset(pcre2_match_data_create(1, nullptr));
    code->context.reset(pcre2_match_context_create(nullptr));
    pcre2_set_match_limit(code->context.get(), kMatchLimit);
    pcre2_set_depth_limit(code->context.get(), kDepthLimit);
    pcre2_set_heap_limit(code->context.get(), kHeapLimitKiB);
    if (pcre2_jit_compile(code->code.get(), PCRE2_JIT_COMPLETE) == 0) { // without JIT pcre2_match interprets
        code->stack.reset(pcre2_jit_stack_create(kJitStackStart, kJitStackMax, nullptr));
        pcre2_jit_stack_assign(code->context.get(), nullptr, code->stack.get());
    }
    return Pattern(std::move(code));
}

const std::vector<PatternRemark>& Pattern::remarks() const
{
    return m_code->remarks;
}

Pattern::Outcome Pattern::match(std::string_view text) const
{
    const int found
        = pcre2_match(m_code->code.get(), bytes(text), text.size(), 0, 0, m_code->data.get(), m_code->context.get());
    if (found >= 0)
        return Outcome::Match;
    switch (found) {
    case PCRE2_ERROR_NOMATCH:
        return Outcome::NoMatch;
    case PCRE2_ERROR_MATCHLIMIT:
    case PCRE2_ERROR_DEPTHLIMIT:
    case PCRE2_ERROR_HEAPLIMIT:
    case PCRE2_ERROR_JIT_STACKLIMIT:
    case PCRE2_ERROR_NOMEMORY:
        return Outcome::TooCostly;
    default:
        return Outcome::BadText;
    }
}

} // namespace duo
