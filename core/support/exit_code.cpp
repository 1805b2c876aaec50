// SPDX-License-Identifier: Apache-2.0
#include "core/support/exit_code.h"

namespace duo {

ExitCode exitCodeOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Usage:
        return kUsage;
    case ErrorCode::Cancelled:
        return kInterrupted;
    case ErrorCode::FileNotReadable:
    case ErrorCode::MalformedModel:
    case ErrorCode::Unsupported:
    case ErrorCode::InvalidRule:
    case ErrorCode::BadData:
    case ErrorCode::BadState:
        return kBadInput;
    case ErrorCode::NotWritable:
        return kNotWritten;
    case ErrorCode::EngineFailed:
    case ErrorCode::EngineEnded:
    case ErrorCode::EngineOverTime:
    case ErrorCode::Internal:
        return kEngine;
    }
    return kEngine;
}

} // namespace duo
