// SPDX-License-Identifier: Apache-2.0
// What PyTorch's archives have in common: a pickle, and the byte order of their storages.
#pragma once

#include "core/formats/torch/pickle.h"
#include "core/support/job.h"
#include "core/support/stored_zip.h"

#include <string_view>

namespace duo {

/// A pickled member. @return MalformedModel if it is absent; errors of StoredZip::bytes and Pickle::parse; Unsupported
/// for an archive whose `byteorder` is not "little"
Result<Pickle> readArchivePickle(const StoredZip& zip, std::string_view member, const JobContext& job);

/// @return Unsupported if the archive's `byteorder` is there and not "little"
Status checkByteOrder(const StoredZip& zip);

} // namespace duo
