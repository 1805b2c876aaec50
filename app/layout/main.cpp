// SPDX-License-Identifier: Apache-2.0
// duoscope-layout: Graphviz in a process of its own, as a service on stdin and stdout or to draw one picture.
#include "app/layout/dot_engine.h"
#include "app/layout/graphviz.h"
#include "core/graph/layout/layout_protocol.h"
#include "core/support/exit_code.h"
#include "core/support/own_process.h"
#include "core/support/result.h"
#include "core/support/sanitized.h"
#include "core/support/text_file.h"
#include "core/support/version.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace duo {
namespace {

constexpr unsigned int kLongestSeconds = 60;

/// @return bytes read; less than the size at the end of input
std::size_t readWhole(int file, char* bytes, std::size_t size)
{
    std::size_t done = 0;
    while (done < size) {
        const ssize_t count = read(file, bytes + done, size - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

bool writeWhole(int file, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

Result<LayoutResult> answer(DotEngine& engine, std::string_view payload)
{
    DUO_TRY(input, decodeRequest(payload));
    alarm(kLongestSeconds);
    auto result = engine.layout(input);
    alarm(0);
    return result;
}

/// Answers framed requests on `input` until it is closed.
/// One request at a time; a request that takes longer than a minute ends the process, so nobody can leave it running.
/// @return exit code: 0 at the end of input, 1 for input that is not a sequence of frames
int serveLayouts(int input, int output)
{
    DotEngine engine;
    std::string header(kFrameHeader, '\0');
    std::string payload;
    for (;;) {
        const std::size_t got = readWhole(input, header.data(), header.size());
        if (got == 0)
            return 0;
        const std::size_t length = frameLength(header);
        if (got != header.size() || length > kMostFrameBytes)
            return 1;
        payload.resize(length);
        if (readWhole(input, payload.data(), length) != length)
            return 1;
        if (!writeWhole(output, framed(encodeReply(answer(engine, payload)))))
            return 1;
    }
}

constexpr std::array<std::string_view, 4> kFormats{"svg", "png", "pdf", "dot"};

std::string engineOf(Agraph_t* graph)
{
    std::string name = "layout";
    const char* engine = agget(graph, name.data());
    return engine != nullptr && std::string_view(engine) == "nop2" ? "nop2" : "dot";
}

/// A PDF says when it was made; the same graph is the same bytes at any time. The text keeps its length: places in the
/// file are counted.
void forgetDateInPlace(std::string& pdf)
{
    constexpr std::string_view kBegin = "/CreationDate (D:";
    constexpr std::string_view kNone = "19700101000000";
    const std::size_t at = pdf.rfind(kBegin);
    if (at != std::string::npos && pdf.size() - at > kBegin.size() + kNone.size())
        pdf.replace(at + kBegin.size(), kNone.size(), kNone);
}

/// @param dot the graph; its `layout` attribute names the engine (dot or nop2)
/// @param format "svg", "png", "pdf" or "dot"
/// @return Usage for another format; BadData for text that is no graph; EngineFailed with Graphviz' message
Result<std::string> drawGraph(const std::string& dot, const std::string& format)
{
    if (std::find(kFormats.begin(), kFormats.end(), format) == kFormats.end())
        return Error{ErrorCode::Usage, "cannot draw as '" + format + "'", {}, "use svg, png, pdf or dot"};
    const Context context = makeContext();
    const Graph graph(agmemread(dot.c_str()));
    if (graph == nullptr)
        return Error{ErrorCode::BadData, "the graph cannot be read", graphvizMessage(), {}};
    setDefault(graph.get(), AGRAPH, "nslimit", "1");
    const LaidOut layout(context.get(), graph.get(), engineOf(graph.get()).c_str());
    if (!layout.succeeded())
        return Error{ErrorCode::EngineFailed, graphvizMessage(), {}, {}};
    char* bytes = nullptr;
    unsigned int size = 0;
    if (gvRenderData(context.get(), graph.get(), format.c_str(), &bytes, &size) != 0 || bytes == nullptr)
        return Error{ErrorCode::EngineFailed, graphvizMessage(), {}, {}};
    std::string picture(bytes, size);
    gvFreeRenderData(bytes);
    if (format == "pdf")
        forgetDateInPlace(picture);
    return picture;
}

constexpr std::size_t kStackBytes = std::size_t{256} << 20U;

struct Task {
    const std::function<int()>& work;
    int result = 1;
};

void* runTask(void* argument)
{
    auto* task = static_cast<Task*>(argument);
    task->result = task->work();
    return nullptr;
}

/// The C locale, no core files, and at most `bytes` of address space (not under a sanitizer, which maps terabytes).
void limitOwnProcess(std::size_t bytes)
{
    std::setlocale(LC_ALL, "C");
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    const rlimit memory{bytes, bytes};
    if (!kIsSanitized)
        setrlimit(RLIMIT_AS, &memory);
}

/// Runs `work` on a thread with a 256 MB stack, since dot recurses as deep as the graph, and returns its result;
/// on the caller's thread if there is no memory for such a stack.
int runOnBigStack(const std::function<int()>& work)
{
    Task task{work};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    if (pthread_create(&thread, &attributes, runTask, &task) == 0)
        pthread_join(thread, nullptr);
    else
        runTask(&task);
    pthread_attr_destroy(&attributes);
    return task.result;
}

constexpr std::size_t kServiceBytes = std::size_t{1} << 30U;
constexpr std::size_t kDrawingBytes = std::size_t{3} << 30U; // a PNG is held whole, 4 bytes a pixel

constexpr std::string_view kUsageText
    = "Usage: duoscope-layout                               answer layout requests on stdin\n"
      "       duoscope-layout draw --format FORMAT [-o FILE]  draw the graph on stdin\n"
      "FORMAT is svg, png, pdf or dot. Without -o the picture goes to stdout.\n";

struct DrawCall {
    std::string format;
    std::string file; // "" is stdout
};

int fail(const Error& error)
{
    std::cerr << "error: " << error.line() << "\n";
    return exitCodeOf(error.code);
}

Result<DrawCall> parseDraw(const std::vector<std::string>& arguments)
{
    DrawCall call;
    for (std::size_t i = 1; i + 1 < arguments.size(); i += 2) {
        if (arguments[i] == "--format")
            call.format = arguments[i + 1];
        else if (arguments[i] == "-o")
            call.file = arguments[i + 1];
    }
    const std::size_t expected = 1 + (call.format.empty() ? 0U : 2U) + (call.file.empty() ? 0U : 2U);
    if (call.format.empty() || arguments.size() != expected)
        return Error{ErrorCode::Usage, "draw cannot be called like this", {}, "see --help"};
    return call;
}

int draw(const std::vector<std::string>& arguments)
{
    const auto call = parseDraw(arguments);
    if (!call)
        return fail(call.error());
    const std::string dot{std::istreambuf_iterator<char>(std::cin), {}};
    const auto picture = drawGraph(dot, call->format);
    if (!picture)
        return fail(picture.error());
    if (call->file.empty()) {
        std::cout.write(picture->data(), static_cast<std::streamsize>(picture->size())).flush();
        return std::cout ? kDone : kNotWritten;
    }
    const auto written = writeTextFile(call->file, *picture);
    return written ? kDone : fail(written.error());
}

} // namespace
} // namespace duo

int main(int argc, char** argv)
{
    duo::prepareOwnProcess();
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.empty()) {
        duo::limitOwnProcess(duo::kServiceBytes);
        return duo::runOnBigStack([] { return duo::serveLayouts(0, 1); });
    }
    if (arguments.front() == "draw") {
        duo::limitOwnProcess(duo::kDrawingBytes);
        return duo::runOnBigStack([&] { return duo::draw(arguments); });
    }
    const bool asksForHelp = arguments.front() == "--help" || arguments.front() == "-h";
    if (arguments.front() == "--version") {
        std::cout << "duoscope-layout " << duo::kVersion << "\n";
        return duo::kDone;
    }
    (asksForHelp ? std::cout : std::cerr) << duo::kUsageText;
    return asksForHelp ? duo::kDone : duo::kUsage;
}
