// SPDX-License-Identifier: Apache-2.0
#include "core/engine/wire.h"

#include "core/engine/engine_protocol.h"
#include "core/engine/shared_memory.h"
#include "core/support/file.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(Wire, BringsMessagesWholeAndInOrder)
{
    auto ends = Wire::pair();
    ASSERT_TRUE(ends);
    const std::string large(3'000'000, 'x'); // more than a socket holds
    const std::jthread sender([&] {
        EXPECT_TRUE(ends->first.send(1, "one"));
        EXPECT_TRUE(ends->first.send(2, large));
        EXPECT_TRUE(ends->first.send(3, ""));
    });
    WireMessage message;
    for (const auto& [kind, body] :
        {std::pair(1U, std::string("one")), std::pair(2U, large), std::pair(3U, std::string())}) {
        ASSERT_EQ(ends->second.receive(message), Wire::Got::Message);
        EXPECT_EQ(message.kind, kind);
        EXPECT_EQ(message.body, body);
    }
}

TEST(Wire, BringsOpenFilesWithTheirMessages)
{
    auto ends = Wire::pair();
    const auto memory = makeMemoryFile(4096);
    ASSERT_TRUE(ends && memory);
    SharedMapping::of(memory->number(), 0, 4096, SharedMapping::Access::Write)->bytes()[7] = std::byte{42};
    const int file = memory->number();
    ASSERT_TRUE(ends->first.send(1, "with", {&file, 1}));
    ASSERT_TRUE(ends->first.send(2, "without"));
    WireMessage message;
    ASSERT_EQ(ends->second.receive(message), Wire::Got::Message);
    ASSERT_EQ(message.files.size(), 1U);
    const auto seen = SharedMapping::of(message.files.front().number(), 5, 4000, SharedMapping::Access::Read);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->bytes()[2], std::byte{42});
    ASSERT_EQ(ends->second.receive(message), Wire::Got::Message);
    EXPECT_TRUE(message.files.empty());
}

TEST(Wire, TellsThatNobodyIsThere)
{
    auto ends = Wire::pair();
    ASSERT_TRUE(ends);
    ends->first.limitWaiting(1);
    WireMessage message;
    EXPECT_EQ(ends->first.receive(message), Wire::Got::Nothing);
    ends->second = Wire();
    EXPECT_EQ(ends->first.receive(message), Wire::Got::End);
    EXPECT_FALSE(ends->first.send(1, "hello"));
}

TEST(Wire, WhatIsCutShortReadsAsNothing)
{
    WireWriter writer;
    writeError(writer, {ErrorCode::BadData, "what", "where", "do"});
    WireReader whole(writer.bytes());
    EXPECT_EQ(readError(whole).line(), "what: where: do");
    EXPECT_FALSE(whole.isBroken());
    for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
        WireReader cut(std::string_view(writer.bytes()).substr(0, size));
        (void)readError(cut);
        EXPECT_TRUE(cut.isBroken()) << size;
    }
    WireWriter liar;
    liar.number(~std::uint64_t{0});
    WireReader lying(liar.bytes());
    EXPECT_TRUE(lying.dims().size() <= 1);
    EXPECT_TRUE(lying.isBroken());
}

TEST(Wire, AnAnswerThatIsNoneIsAnErrorThatSaysSo)
{
    const auto read = [](const std::string& bytes) {
        WireReader reader(bytes);
        return readStatus(reader);
    };
    const std::string unreadable = "the engine's answer cannot be read";
    EXPECT_EQ(read("").error().line(), unreadable);
    WireWriter nameless;
    writeStatus(nameless, Error{});
    EXPECT_EQ(read(nameless.bytes()).error().line(), unreadable);
    WireWriter unknown;
    writeStatus(unknown, Error{static_cast<ErrorCode>(99), "what", {}, {}});
    EXPECT_EQ(read(unknown.bytes()).error().line(), unreadable);
    EXPECT_TRUE(read("\x2a")); // any byte but zero says yes
}

TEST(SharedMemory, BytesOfAFileAreSharedWhereTheyLieAndOthersAsACopy)
{
    const test::TemporaryFolder folder;
    const auto path = folder.write("w.bin", std::string(400'000, 'w'));
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file);
    const std::vector<std::byte> inMemory(10'000, std::byte{7});
    const FilePieces pieces;
    const auto lying = pieces.share((*file)->bytes().subspan(5'000));
    const auto copied = pieces.share(inMemory);
    ASSERT_TRUE(lying && copied);
    EXPECT_EQ(lying->offset, 5'000U);
    EXPECT_EQ(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(lying->file.number())), path);
    const auto seen = SharedMapping::of(copied->file.number(), copied->offset, 10'000, SharedMapping::Access::Read);
    ASSERT_TRUE(seen);
    EXPECT_TRUE(std::ranges::equal(seen->bytes(), inMemory));
    seen->dropPages();
    EXPECT_TRUE(std::ranges::equal(seen->bytes(), inMemory)); // they are read again
}

TEST(SharedMemory, AFileThatWasReplacedIsShownAsItIsMapped)
{
    const test::TemporaryFolder folder;
    const auto path = folder.write("w.bin", std::string(400'000, 'w'));
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file);
    std::filesystem::remove(path);
    (void)folder.write("w.bin", std::string(400'000, 'n'));
    const auto piece = FilePieces().share((*file)->bytes());
    ASSERT_TRUE(piece);
    const auto seen = SharedMapping::of(piece->file.number(), piece->offset, 400'000, SharedMapping::Access::Read);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->bytes()[0], std::byte{'w'});
}

} // namespace
} // namespace duo
