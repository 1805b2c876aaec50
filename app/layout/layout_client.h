// SPDX-License-Identifier: Apache-2.0
// LayoutClient: asks duoscope-layout for layouts and drawings; survives its crashes and its endless layouts.
#pragma once

#include "app/layout/helper_process.h"
#include "core/graph/layout/layout.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace duo {

/// duoscope-layout beside the running program (bin/), or installed in ../libexec/duoscope; empty if it is in neither.
std::filesystem::path findLayoutHelper();

/// Keeps one warm process, started with the first request. For one thread at a time; several clients are independent.
class LayoutClient
{
public:
    explicit LayoutClient(std::filesystem::path helper = findLayoutHelper(),
        std::chrono::milliseconds deadline = std::chrono::milliseconds(2000));

    /// A helper that dies is started again and asked once more; one that takes too long is killed.
    /// @return EngineFailed, after which the next request starts a new helper; Cancelled
    Result<LayoutResult> layout(const LayoutInput& input, const std::stop_token& stop = {});

    /// Draws .dot text in a process of its own, within a minute; @param format "svg", "png", "pdf"
    /// @return the bytes of the picture; EngineFailed, Cancelled
    Result<std::string> draw(const std::string& dot, const std::string& format, const std::stop_token& stop = {});

private:
    Result<LayoutResult> ask(const LayoutInput& input, Deadline deadline, const std::stop_token& stop);

    std::filesystem::path m_helper;
    std::chrono::milliseconds m_deadline;
    std::optional<HelperProcess> m_process;
};

} // namespace duo
