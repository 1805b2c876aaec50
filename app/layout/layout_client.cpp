// SPDX-License-Identifier: Apache-2.0
#include "app/layout/layout_client.h"

#include "core/graph/layout/layout_protocol.h"

namespace duo {
namespace {

constexpr std::chrono::minutes kDrawingTime{1};
constexpr std::size_t kMostPictureBytes = std::size_t{1} << 30U;

Error noHelper()
{
    return Error{ErrorCode::EngineFailed, "duoscope-layout was not found", {}, "install it beside this program"};
}

} // namespace

std::filesystem::path findLayoutHelper()
{
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const auto& candidate :
        {folder / "duoscope-layout", folder.parent_path() / "libexec" / "duoscope" / "duoscope-layout"}) {
        if (std::filesystem::is_regular_file(candidate, error))
            return candidate;
    }
    return {};
}

LayoutClient::LayoutClient(std::filesystem::path helper, std::chrono::milliseconds deadline)
    : m_helper(std::move(helper))
    , m_deadline(deadline)
{
}

Result<LayoutResult> LayoutClient::ask(const LayoutInput& input, Deadline deadline, const std::stop_token& stop)
{
    if (!m_process) {
        DUO_TRY(process, HelperProcess::start(m_helper, {}));
        m_process.emplace(std::move(process));
    }
    DUO_CHECK(m_process->write(framed(encodeRequest(input)), deadline, stop));
    DUO_TRY(header, m_process->read(kFrameHeader, deadline, stop));
    const std::size_t length = frameLength(header);
    if (length > kMostFrameBytes)
        return Error{ErrorCode::BadData, "the layout reply cannot be read", {}, {}};
    DUO_TRY(payload, m_process->read(length, deadline, stop));
    return decodeReply(payload, input);
}

Result<LayoutResult> LayoutClient::layout(const LayoutInput& input, const std::stop_token& stop)
{
    if (m_helper.empty())
        return noHelper();
    const Deadline deadline = std::chrono::steady_clock::now() + m_deadline;
    constexpr int kAttempts = 2; // the first may meet a helper that died since the last request
    Result<LayoutResult> result = Error{};
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        result = ask(input, deadline, stop);
        if (result)
            return result;
        m_process.reset();
        if (stop.stop_requested() || std::chrono::steady_clock::now() >= deadline)
            break;
    }
    return result;
}

Result<std::string> LayoutClient::draw(const std::string& dot, const std::string& format, const std::stop_token& stop)
{
    if (m_helper.empty())
        return noHelper();
    const Deadline deadline = std::chrono::steady_clock::now() + kDrawingTime;
    DUO_TRY(process, HelperProcess::start(m_helper, {"draw", "--format", format}));
    DUO_CHECK(process.write(dot, deadline, stop));
    process.closeInput();
    DUO_TRY(picture, process.readToEnd(kMostPictureBytes, deadline, stop));
    if (const int code = process.wait(); code != 0 || picture.empty())
        return Error{ErrorCode::EngineFailed, "the picture cannot be drawn as " + format,
            "duoscope-layout ended with " + std::to_string(code), "open fewer scopes, or write .dot"};
    return picture;
}

} // namespace duo
