// SPDX-License-Identifier: Apache-2.0
// duoscope-layout: Graphviz in a process of its own, as a service on stdin and stdout or to draw one picture.
#include "app/layout/drawing.h"
#include "app/layout/own_limits.h"
#include "app/layout/service.h"
#include "core/support/file.h"
#include "core/support/version.h"

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::size_t kServiceBytes = std::size_t{1} << 30U;
constexpr std::size_t kDrawingBytes = std::size_t{3} << 30U; // a PNG is held whole, 4 bytes a pixel

constexpr std::string_view kUsage
    = "Usage: duoscope-layout                               answer layout requests on stdin\n"
      "       duoscope-layout draw --format FORMAT [-o FILE]  draw the graph on stdin\n"
      "FORMAT is svg, png, pdf or dot. Without -o the picture goes to stdout.\n";

struct DrawCall {
    std::string format;
    std::string file; // "" is stdout
};

int fail(const duo::Error& error)
{
    std::cerr << "error: " << error.line() << "\n";
    switch (error.code) {
    case duo::ErrorCode::Usage:
        return 2;
    case duo::ErrorCode::NotWritable:
        return 5;
    case duo::ErrorCode::EngineFailed:
        return 4;
    default:
        return 3;
    }
}

duo::Result<DrawCall> parseDraw(const std::vector<std::string>& arguments)
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
        return duo::Error{duo::ErrorCode::Usage, "draw cannot be called like this", {}, "see --help"};
    return call;
}

int draw(const std::vector<std::string>& arguments)
{
    const auto call = parseDraw(arguments);
    if (!call)
        return fail(call.error());
    const std::string dot{std::istreambuf_iterator<char>(std::cin), {}};
    const auto picture = duo::drawGraph(dot, call->format);
    if (!picture)
        return fail(picture.error());
    if (call->file.empty()) {
        std::cout.write(picture->data(), static_cast<std::streamsize>(picture->size())).flush();
        return std::cout ? 0 : 5;
    }
    const auto written = duo::writeFileAtomically(call->file, [&](std::ostream& out) {
        out.write(picture->data(), static_cast<std::streamsize>(picture->size()));
        return duo::success();
    });
    return written ? 0 : fail(written.error());
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.empty()) {
        duo::limitOwnProcess(kServiceBytes);
        return duo::runOnBigStack([] { return duo::serveLayouts(0, 1); });
    }
    if (arguments.front() == "draw") {
        duo::limitOwnProcess(kDrawingBytes);
        return duo::runOnBigStack([&] { return draw(arguments); });
    }
    const bool asksForHelp = arguments.front() == "--help" || arguments.front() == "-h";
    if (arguments.front() == "--version") {
        std::cout << "duoscope-layout " << duo::kVersion << "\n";
        return 0;
    }
    (asksForHelp ? std::cout : std::cerr) << kUsage;
    return asksForHelp ? 0 : 2;
}
