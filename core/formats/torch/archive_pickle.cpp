// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/archive_pickle.h"

namespace duo {
namespace {

Result<const ZipMember*> memberOf(const StoredZip& zip, std::string_view path, std::int64_t limit)
{
    const ZipMember* member = zip.find(path);
    if (member == nullptr)
        return Error{ErrorCode::MalformedModel, "archive lacks a part", zip.where() + ": '" + std::string(path) + "'",
            "save it again"};
    if (member->bytes > limit)
        return Error{ErrorCode::Unsupported, "part of an archive is too long",
            zip.where() + ": '" + std::string(path) + "'", "at most " + std::to_string(limit >> 20U) + " MB are read"};
    return member;
}

} // namespace

Result<Pickle> readArchivePickle(const StoredZip& zip, std::string_view member, const JobContext& job)
{
    DUO_CHECK(checkByteOrder(zip));
    DUO_TRY(found, memberOf(zip, member, static_cast<std::int64_t>(Pickle::kMaxBytes)));
    DUO_TRY(bytes, zip.bytes(*found, job));
    return Pickle::parse(std::move(bytes), zip.where() + ": '" + found->name + "'", job);
}

Status checkByteOrder(const StoredZip& zip)
{
    const ZipMember* member = zip.find("byteorder");
    if (member == nullptr)
        return success();
    DUO_TRY(start, zip.start(*member, 16));
    const std::string order(reinterpret_cast<const char*>(start.data()), start.size());
    if (order == "little")
        return success();
    return Error{ErrorCode::Unsupported, "checkpoint is not little-endian", zip.where(),
        "save it again on a little-endian machine"};
}

} // namespace duo
