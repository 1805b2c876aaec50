// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or an Error; the spelling is the common subset of std::expected,
// which GCC 12 lacks in C++20 mode.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace duo {

/// What kind of failure; each has an exit code in the command line (resources/docs/promises.md, "Exit codes").
enum class ErrorCode {
    Usage, // the call itself is wrong
    Cancelled,
    FileNotReadable,
    MalformedModel,
    Unsupported, // well formed, but refused
    InvalidRule,
    BadData,
    BadState,
    EngineFailed, // it refuses what it is given
    EngineEnded, // its process ended, or did not start, instead of answering: that says nothing of the model
    EngineOverTime, // it took longer than it may, which says no more
    NotWritable,
    Internal,
};

[[nodiscard]] constexpr bool isOfEngine(ErrorCode code)
{
    return code == ErrorCode::EngineFailed || code == ErrorCode::EngineEnded || code == ErrorCode::EngineOverTime;
}

/// What would help but loads code or reads elsewhere, so that only the user can mean it.
enum class Remedy { None, NameLibrary, AllowFolder };

/// One failure, said in three short parts without a final period: what is wrong, where, what to do.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string what;
    std::string where; // path, node name, rule; may be empty
    std::string whatToDo; // may be empty
    Remedy remedy = Remedy::None; // that whatToDo is about

    /// "what: where: what to do", empty parts left out, line breaks and control characters made visible.
    [[nodiscard]] std::string line() const;
    bool operator==(const Error&) const = default;
};

template <typename T> class [[nodiscard]] Result
{
public:
    Result(T value) // implicit, so that `return value;` does
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error) // implicit, so that `return Error{...};` does
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    explicit operator bool() const { return m_state.index() == 0; }
    [[nodiscard]] bool hasValue() const { return m_state.index() == 0; }
    T& operator*() & { return std::get<0>(m_state); }
    const T& operator*() const& { return std::get<0>(m_state); }
    T&& operator*() && { return std::get<0>(std::move(m_state)); }
    T* operator->() { return &std::get<0>(m_state); }
    const T* operator->() const { return &std::get<0>(m_state); }
    [[nodiscard]] const Error& error() const& { return std::get<1>(m_state); }
    [[nodiscard]] Error&& error() && { return std::get<1>(std::move(m_state)); }

private:
    std::variant<T, Error> m_state;
};

using Status = Result<std::monostate>;
inline Status success()
{
    return std::monostate{};
}

} // namespace duo

#define DUO_CONCAT_INNER(a, b) a##b
#define DUO_CONCAT(a, b) DUO_CONCAT_INNER(a, b)

/// DUO_TRY(name, expression): declares `name` with the value of a Result, or returns its error.
#define DUO_TRY(name, expression)                                                                                      \
    auto DUO_CONCAT(name, Result) = (expression);                                                                      \
    if (!DUO_CONCAT(name, Result))                                                                                     \
        return std::move(DUO_CONCAT(name, Result)).error();                                                            \
    auto name = *std::move(DUO_CONCAT(name, Result))

/// DUO_CHECK(expression): returns the error of a Status that failed.
#define DUO_CHECK(expression)                                                                                          \
    if (auto DUO_CONCAT(duoStatus, __LINE__) = (expression); !DUO_CONCAT(duoStatus, __LINE__))                         \
    return std::move(DUO_CONCAT(duoStatus, __LINE__)).error()
