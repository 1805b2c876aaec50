// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_process.h"

#include "core/engine/engine_protocol.h"
#include "core/engine/engine_reason.h"
#include "core/engine/session.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <set>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // POSIX wants it declared

namespace duo {
namespace {

constexpr const char* kProgram = "duoscope-engine";

/// Of this program: which engine processes there are, and which of them wait for work.
struct Engines {
    std::mutex mutex;
    std::set<pid_t> living;
    std::vector<std::unique_ptr<EngineProcess>> idle;
    std::optional<std::uint64_t> mostBytes; // of each
    std::string version; // of ONNX Runtime, once one has told it
};

/// Lives as long as the program, for a session may end after everything else.
Engines& engines()
{
    static Engines& all = *new Engines;
    return all;
}

/// So that none outlives main() by the moment it takes to notice.
struct EndThemAtExit {
    ~EndThemAtExit() { endIdleEngines(); }
};
const EndThemAtExit kEndThemAtExit;

std::filesystem::path findEngine()
{
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const auto& candidate : {folder / kProgram, folder.parent_path() / "libexec" / "duoscope" / kProgram}) {
        if (std::filesystem::is_regular_file(candidate, error))
            return candidate;
    }
    return {};
}

/// Of this process, whose limits an engine has too.
std::string adviceOfLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) // memory that is shared is a file
        return "files are limited to " + std::to_string(limit.rlim_cur >> 10U) + " kB (ulimit -f): raise the limit";
    return ::getrlimit(RLIMIT_AS, &limit) == 0 ? adviceOnLimit(limit.rlim_cur) : std::string();
}

Error notStarted(const std::string& why, const std::string& program)
{
    const std::string limited = adviceOfLimit();
    return {ErrorCode::EngineEnded, "the engine cannot start: " + why, program,
        limited.empty() ? "install Duoscope again" : limited};
}

std::vector<std::string> wordsFor(const std::filesystem::path& program)
{
    std::vector<std::string> words{program.string()};
    const std::lock_guard lock(engines().mutex);
    if (const auto most = engines().mostBytes)
        words.insert(words.end(), {kMemoryOption, std::to_string(*most)});
    return words;
}

/// A group of its own: what is typed at the terminal to stop us is no crash of it. Messages of libraries go nowhere.
int spawn(pid_t& pid, std::vector<std::string> words, int socket)
{
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, kControlSocket);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    for (const int one : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT})
        sigaddset(&signals, one);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    const int result = posix_spawn(&pid, arguments.front(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

/// "signal SIGSEGV", "exit code 3".
std::string endingText(int status)
{
    if (!WIFSIGNALED(status))
        return "exit code " + std::to_string(WEXITSTATUS(status));
    const char* name = sigabbrev_np(WTERMSIG(status));
    return "signal " + (name != nullptr ? "SIG" + std::string(name) : std::to_string(WTERMSIG(status)));
}

std::string adviceFor(int status)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return "the system kills what takes the last memory: close other programs, or use fewer threads";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS)
        return "a file that it reads became shorter: write it again";
    const std::string limited = adviceOfLimit();
    return limited.empty() ? "another version of the model or of its exporter may do" : limited;
}

constexpr double kLeastMemory = std::uint64_t{64} << 20U; // the engine takes as much by itself
constexpr double kMostMemory = std::uint64_t{900} << 40U;

/// @return nothing for what is no size
std::optional<double> bytesFrom(std::string_view text)
{
    constexpr std::string_view kUnits = "kmgt";
    double bytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes, std::chars_format::fixed);
    std::string unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::size_t power = unit.empty() ? std::string_view::npos : kUnits.find(unit.front());
    if (power != std::string_view::npos) {
        bytes *= std::pow(1024.0, static_cast<double>(power + 1));
        unit.erase(0, 1);
    }
    const bool isSize = unit.empty() || unit == "b" || unit == "ib";
    return error == std::errc() && isSize && std::isfinite(bytes) ? std::optional(bytes) : std::nullopt;
}

void setEngineMemory(std::optional<std::uint64_t> most)
{
    endIdleEngines();
    const std::lock_guard lock(engines().mutex);
    engines().mostBytes = most;
}

/// Pages in memory, and how many of them are of files or seen by others, too.
struct Pages {
    unsigned long resident = 0;
    unsigned long shared = 0;
};

Pages pagesOf(const std::string& process)
{
    Pages pages;
    std::FILE* file = std::fopen(("/proc/" + process + "/statm").c_str(), "re");
    if (file == nullptr)
        return pages;
    if (std::fscanf(file, "%*u %lu %lu", &pages.resident, &pages.shared) != 2) // it ends just now
        pages = {};
    std::fclose(file);
    return pages;
}

} // namespace

EngineProcess::EngineProcess(pid_t pid, Wire control)
    : m_pid(pid)
    , m_control(std::move(control))
{
    const std::lock_guard lock(engines().mutex);
    engines().living.insert(pid);
}

EngineProcess::~EngineProcess()
{
    kill();
    reap();
}

Result<std::unique_ptr<EngineProcess>> EngineProcess::start()
{
    const std::filesystem::path program = findEngine();
    if (program.empty())
        return Error{ErrorCode::EngineEnded, "duoscope-engine was not found", {}, "install it beside this program"};
    DUO_TRY(ends, Wire::pair());
    pid_t pid = -1;
    if (const int reason = spawn(pid, wordsFor(program), ends.second.number()); reason != 0)
        return notStarted(std::strerror(reason), program.string());
    ends.second = Wire(); // or its end would not be heard
    std::unique_ptr<EngineProcess> process(new EngineProcess(pid, std::move(ends.first)));
    DUO_CHECK(process->greet());
    return process;
}

Status EngineProcess::greet()
{
    WireMessage hello;
    if (m_control.receive(hello) != Wire::Got::Message || hello.kind != kHello || hello.files.size() != 1)
        return notStarted(endingText(reap()), kProgram);
    WireReader reader(hello.body);
    {
        const std::lock_guard lock(engines().mutex);
        engines().version = reader.text();
    }
    const auto size = reader.number<std::uint64_t>();
    auto memory = SharedMapping::of(hello.files.front().number(), 0, size, SharedMapping::Access::Write);
    if (!memory)
        return notStarted(std::strerror(errno), kProgram);
    m_memory = std::move(*memory);
    m_control.limitWaiting(kStopSlice);
    return success();
}

Result<std::unique_ptr<EngineProcess>> EngineProcess::take()
{
    while (true) {
        std::unique_ptr<EngineProcess> process;
        {
            const std::lock_guard lock(engines().mutex);
            if (engines().idle.empty())
                break;
            process = std::move(engines().idle.back());
            engines().idle.pop_back();
        }
        if (process->isAlive())
            return process;
    }
    return start();
}

void EngineProcess::keep(std::unique_ptr<EngineProcess> process)
{
    constexpr std::size_t kMostIdle = 2; // a comparison uses two
    const std::lock_guard lock(engines().mutex);
    if (engines().idle.size() < kMostIdle)
        engines().idle.push_back(std::move(process));
}

bool EngineProcess::isAlive() const
{
    siginfo_t ended{};
    return ::waitid(P_PID, static_cast<id_t>(m_pid), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
}

void EngineProcess::kill()
{
    const std::lock_guard lock(m_mutex);
    if (!m_status)
        ::kill(m_pid, SIGKILL); // of one that has crashed the status stays
}

int EngineProcess::reap()
{
    const std::lock_guard lock(m_mutex);
    if (!m_status) {
        int status = 0;
        ::kill(m_pid, SIGKILL);
        while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) { }
        m_status = status;
        const std::lock_guard all(engines().mutex);
        engines().living.erase(m_pid);
    }
    return *m_status;
}

Error EngineProcess::crash(const std::string& doing, const std::string& where)
{
    m_hasCrashed = true;
    const int status = reap();
    return {ErrorCode::EngineEnded, "the engine crashed while " + doing, where,
        endingText(status) + "; nothing of yours is lost; " + adviceFor(status)};
}

std::string engineVersion()
{
    const auto known = [] {
        const std::lock_guard lock(engines().mutex);
        return engines().version;
    };
    if (known().empty()) {
        if (auto process = EngineProcess::take())
            EngineProcess::keep(*std::move(process));
    }
    return known().empty() ? "of unknown version" : known();
}

Status limitEngineMemory(const std::string& size)
{
    constexpr const char* kOption = "--engine-memory";
    const auto bytes = bytesFrom(size);
    if (!bytes || *bytes < 0)
        return Error{ErrorCode::Usage, "'" + size + "' is no size of memory", kOption,
            "give bytes, or a number with K, M, G or T, as 800M or 4G"};
    if (*bytes < kLeastMemory)
        return Error{
            ErrorCode::Usage, "the engine needs more memory than '" + size + "'", kOption, "give at least 64M"};
    if (*bytes > kMostMemory)
        return Error{ErrorCode::Usage, "no machine has as much memory as '" + size + "'", kOption,
            "give at most 900T, or leave it out"};
    setEngineMemory(static_cast<std::uint64_t>(*bytes));
    return success();
}

void allowAllEngineMemory()
{
    setEngineMemory(std::nullopt);
}

std::optional<std::uint64_t> engineMemory()
{
    const std::lock_guard lock(engines().mutex);
    return engines().mostBytes;
}

std::size_t residentBytes()
{
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const Pages own = pagesOf("self");
    std::size_t pages = own.resident - std::min(own.shared, own.resident);
    const std::lock_guard lock(engines().mutex);
    for (const pid_t pid : engines().living)
        pages += pagesOf(std::to_string(pid)).resident;
    return pages * page;
}

std::chrono::duration<double, std::milli> engineTime()
{
    std::chrono::duration<double, std::milli> all{0};
    const std::lock_guard lock(engines().mutex);
    for (const pid_t pid : engines().living) {
        clockid_t clock{};
        timespec time{};
        if (::clock_getcpuclockid(pid, &clock) == 0 && ::clock_gettime(clock, &time) == 0)
            all += std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }
    return all;
}

void killEngines()
{
    const std::lock_guard lock(engines().mutex);
    for (const pid_t pid : engines().living)
        ::kill(-pid, SIGKILL); // it leads a group
}

void endIdleEngines()
{
    std::vector<std::unique_ptr<EngineProcess>> idle;
    const std::lock_guard lock(engines().mutex);
    idle.swap(engines().idle);
}

} // namespace duo
