// SPDX-License-Identifier: Apache-2.0
// The tensors of one safetensors file.
#pragma once

#include "core/model/checkpoint_draft.h"
#include "core/support/file.h"
#include "core/support/job.h"

#include <memory>

namespace duo {

inline constexpr std::int64_t kMaxSafetensorsHeader = 100'000'000; // bytes; the limit of the reference reader

/// Whether the file begins as a safetensors file does: a length and a brace.
bool isSafetensors(std::span<const std::byte> bytes);

/// Keys come in header order; then those that `__metadata__` says were dropped for another, as safetensors'
/// `save_model` writes them. @return MalformedModel for a damaged header, for ranges that overlap, leave holes, do not
/// fit their shapes or end beyond the file; Unsupported for a header above the limit; Cancelled
Status readSafetensors(const std::shared_ptr<const MappedFile>& file, CheckpointDraft& draft, const JobContext& job);

} // namespace duo
