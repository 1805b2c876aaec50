// SPDX-License-Identifier: Apache-2.0
// What is kept of a model while one is at work, and what the next window on it goes on from.
#include "app/session/session_memory.h"

#include "core/support/file.h"
#include "tests/app/session/session_fixture.h"
#include "tests/support/failing_disk.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::app {
namespace {

using testing::HasSubstr;

KeptSession ignoring(const std::string& type)
{
    KeptSession session;
    session.recipe.rules.rules.emplace_back();
    session.recipe.rules.rules.front().kind = RuleKind::Type;
    session.recipe.rules.rules.front().value = type;
    return session;
}

std::vector<std::string> filesIn(const std::filesystem::path& folder)
{
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        names.push_back(entry.path().filename().string());
    return names;
}

class SessionMemoryTest : public testing::Test
{
protected:
    [[nodiscard]] std::filesystem::path folder() const { return m_folder / "sessions"; }
    [[nodiscard]] SessionMemory::Begun begun() const { return SessionMemory(folder(), {}).begin(m_model); }
    [[nodiscard]] Recipe kept() const
    {
        const auto found = begun();
        return found.kept ? found.kept->recipe : Recipe();
    }
    void keep(const KeptSession& session) const
    {
        SessionMemory memory(folder(), {});
        (void)memory.begin(m_model);
        memory.keep(session); // its destructor writes it
    }
    [[nodiscard]] std::filesystem::path onlyFile() const
    {
        return std::filesystem::directory_iterator(folder())->path();
    }

    test::TemporaryFolder m_folder;
    std::filesystem::path m_model = m_folder.write("m.onnx", "a model");
};

TEST_F(SessionMemoryTest, KeepsTheLastOfItWithTheModelsPathAndTheDate)
{
    EXPECT_FALSE(begun().kept);
    {
        SessionMemory memory(folder(), {});
        EXPECT_FALSE(memory.begin(m_model).kept);
        memory.keep(ignoring("Add"));
        memory.keep(ignoring("Conv"));
    }
    const auto found = begun();
    ASSERT_TRUE(found.kept);
    EXPECT_EQ(found.kept->recipe, ignoring("Conv").recipe);
    EXPECT_EQ(found.kept->model, std::filesystem::canonical(m_model));
    EXPECT_EQ(found.kept->written.size(), dateNow().size());
    EXPECT_EQ(found.window, 1);
    EXPECT_FALSE(found.isShared);
}

TEST_F(SessionMemoryTest, NoMoreIsReadAheadThanOneSessionMayHave)
{
    keep(ignoring("Add"));
    const std::string first = onlyFile().string();
    const std::string name = first.substr(0, first.rfind(".session.json"));
    for (const char* window : {".2", ".3"}) {
        const std::string other = name + window + ".session.json";
        std::ofstream(other) << "{";
        std::filesystem::resize_file(other, kLongestSession / 3 * 2); // of zeros
    }
    const auto ahead = SessionMemory::readAhead(folder(), m_model);
    ASSERT_EQ(ahead.size(), 2U);
    EXPECT_TRUE(ahead.contains(first));
    EXPECT_FALSE(ahead.contains(name + ".3.session.json"));
}

TEST_F(SessionMemoryTest, WhatIsReadAheadIsGoneOnFromUnlessItHasChangedSince)
{
    EXPECT_TRUE(SessionMemory::readAhead(folder(), m_model).empty());
    keep(ignoring("Conv"));
    const auto ahead = SessionMemory::readAhead(folder(), m_model);
    ASSERT_EQ(ahead.size(), 1U);
    EXPECT_EQ(ahead.begin()->first, onlyFile());
    auto told = ahead; // of the same file other rules than it has
    told.begin()->second.kept = ignoring("Add");
    const auto rulesWith = [this](const SessionMemory::ReadSessions& sessions) {
        const auto begun = SessionMemory(folder(), {}).begin(m_model, sessions);
        return begun.kept ? begun.kept->recipe.rules.rules.front().value : std::string();
    };
    EXPECT_EQ(rulesWith(ahead), "Conv");
    EXPECT_EQ(rulesWith(told), "Add") << "it is not read again";
    keep(ignoring("Gemm"));
    EXPECT_EQ(rulesWith(told), "Gemm");
}

TEST_F(SessionMemoryTest, WritesWithoutBeingClosedAndLeavesNothingElse)
{
    SessionMemory memory(folder(), {});
    (void)memory.begin(m_model);
    memory.keep(ignoring("Conv"));
    memory.keep(ignoring("Add"));
    const auto isWritten = [this] {
        const auto names = filesIn(folder());
        return std::ranges::any_of(names, [](const std::string& name) { return name.ends_with(".session.json"); });
    };
    ASSERT_TRUE(waitUntil(isWritten));
    memory.finish();
    EXPECT_THAT(filesIn(folder()),
        testing::UnorderedElementsAre(testing::EndsWith(".session.json"), testing::EndsWith(".session.json.lock")));
}

TEST_F(SessionMemoryTest, AModelIsToldByItsPathAlone)
{
    keep(ignoring("Conv"));
    (void)m_folder.write("m.onnx", "another export of the model");
    EXPECT_EQ(SessionMemory(folder(), {}).begin(m_folder.path() / "x" / ".." / "m.onnx").kept->recipe,
        ignoring("Conv").recipe);
    EXPECT_FALSE(SessionMemory(folder(), {}).begin(m_folder.write("other.onnx", "a model")).kept);
}

TEST_F(SessionMemoryTest, ASecondWindowStartsFromTheFirstAndKeepsItsOwn)
{
    SessionMemory first(folder(), {});
    (void)first.begin(m_model);
    first.keep(ignoring("Conv"));
    first.finish();
    {
        SessionMemory second(folder(), {});
        const auto shared = second.begin(m_model);
        EXPECT_TRUE(shared.isShared);
        EXPECT_EQ(shared.window, 2);
        ASSERT_TRUE(shared.kept);
        EXPECT_EQ(shared.kept->recipe, ignoring("Conv").recipe);
        second.keep(ignoring("Relu"));
    }
    first.keep(ignoring("Add"));
    first.finish();
    SessionMemory again(folder(), {});
    const auto own = again.begin(m_model); // of the window that is gone
    EXPECT_TRUE(own.isShared);
    EXPECT_EQ(own.kept->recipe, ignoring("Relu").recipe);
}

TEST_F(SessionMemoryTest, WhatRunsInAnotherWindowIsNotUnfinishedHere)
{
    SessionMemory first(m_folder / "sessions", {});
    first.begin(m_folder / "m.onnx");
    KeptSession session;
    session.unfinished = UnfinishedRun{UnfinishedKind::Quantization, dateNow(), {}};
    first.keep(session);
    first.finish();
    SessionMemory second(m_folder / "sessions", {});
    const auto begun = second.begin(m_folder / "m.onnx");
    ASSERT_TRUE(begun.kept);
    EXPECT_EQ(begun.kept->unfinished, std::nullopt);
}

TEST_F(SessionMemoryTest, OfSeveralThatNobodyHasTheLastOneGoesOnAndTheOtherIsNotLost)
{
    {
        SessionMemory first(folder(), {});
        (void)first.begin(m_model);
        first.keep(ignoring("Conv"));
        SessionMemory second(folder(), {});
        (void)second.begin(m_model);
        second.keep(ignoring("Relu"));
        first.finish();
        const std::string date = dateNow();
        ASSERT_TRUE(waitUntil([&] { return dateNow() != date; })); // both could be of one millisecond
        second.keep(ignoring("Add"));
    }
    SessionMemory memory(folder(), {});
    const auto last = memory.begin(m_model);
    EXPECT_EQ(last.window, 2);
    EXPECT_EQ(last.kept->recipe, ignoring("Add").recipe);
    EXPECT_FALSE(last.other.empty());
    const auto other = memory.beginOther();
    EXPECT_EQ(other.window, 1);
    EXPECT_EQ(other.kept->recipe, ignoring("Conv").recipe);
    EXPECT_FALSE(other.other.empty());
    EXPECT_EQ(memory.beginOther().kept->recipe, ignoring("Add").recipe); // and back
}

TEST_F(SessionMemoryTest, AWindowThatWasKilledHoldsNothingAndItsHalfWrittenFileGoes)
{
    keep(ignoring("Conv"));
    const auto file = onlyFile();
    const std::string name = file.filename().string();
    (void)m_folder.write("sessions/" + name + ".lock", "");
    (void)m_folder.write("sessions/." + name + ".duoscope-4711", "{");
    const auto found = begun();
    EXPECT_FALSE(found.isShared);
    EXPECT_EQ(found.kept->recipe, ignoring("Conv").recipe);
    EXPECT_THAT(filesIn(folder()), testing::ElementsAre(name));
}

TEST_F(SessionMemoryTest, TheOldOrTheNewOneIsThereWhateverFailsWhileItIsWritten)
{
    for (const test::DiskTrouble trouble : test::kDiskTroubles) {
        bool wasMet = true;
        for (int step = 1; wasMet && !HasFailure(); ++step) {
            std::filesystem::remove_all(folder());
            keep(ignoring("Old"));
            {
                const test::FailingDisk disk(trouble, step);
                keep(ignoring("New"));
                wasMet = disk.wasMet();
            }
            EXPECT_THAT(kept().rules.rules.at(0).value, testing::AnyOf("Old", "New"));
            EXPECT_THAT(filesIn(folder()), testing::SizeIs(1)); // what was left is gone since it is looked for
        }
    }
}

TEST_F(SessionMemoryTest, WhatIsNoSessionIsSaidInALineAndSetAside)
{
    const std::vector<std::pair<std::string, std::string>> cases{{"", "not valid JSON"},
        {"{\"format\": \"duosc", "not valid"}, {"[]", "not a kept session"}, {"null", "not a kept session"},
        {std::string(100000, '['), "nested"},
        {R"({"format": "duoscope-session", "version": 2, "x": 1})", "kept by a newer Duoscope"},
        {R"({"format": "duoscope-session", "version": 1, "results": 7})", "a list is expected"}};
    for (const auto& [text, said] : cases) {
        keep(ignoring("Conv"));
        const auto file = onlyFile();
        std::ofstream(file) << text;
        const auto found = begun();
        EXPECT_FALSE(found.kept) << said;
        ASSERT_TRUE(found.refused) << said;
        EXPECT_THAT(found.refused->line(), HasSubstr(said));
        EXPECT_THAT(found.refused->line(), HasSubstr("it was set aside as " + file.filename().string() + ".unread1"));
        EXPECT_EQ(found.refused->line().find('\n'), std::string::npos);
        EXPECT_EQ(*readTextFile(file.string() + ".unread1", 1 << 20), text);
        std::filesystem::remove_all(folder());
    }
}

TEST_F(SessionMemoryTest, WhatIsTooLargeOrNoFileIsRefusedAsWell)
{
    keep(ignoring("Conv"));
    const auto file = onlyFile();
    std::filesystem::resize_file(file, kLongestSession + 1);
    EXPECT_THAT(begun().refused->line(), HasSubstr("file is too large"));
    std::filesystem::create_directory(file);
    EXPECT_THAT(begun().refused->line(), HasSubstr("not a regular file"));
    EXPECT_FALSE(begun().refused); // both lie elsewhere now
}

TEST_F(SessionMemoryTest, AFolderThatCannotBeWrittenIsSaidOnce)
{
    std::vector<Error> errors;
    SessionMemory memory(
        m_folder.write("file", "no folder") / "sessions", [&](const Error& error) { errors.push_back(error); });
    (void)memory.begin(m_model);
    memory.keep(ignoring("Conv"));
    memory.finish();
    ASSERT_TRUE(waitUntil([&] { return !errors.empty(); }));
    memory.keep(ignoring("Relu"));
    memory.finish();
    QCoreApplication::processEvents();
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors.front().code, ErrorCode::NotWritable);
}

TEST_F(SessionMemoryTest, TheOldestGoFirst)
{
    constexpr int kMore = 3;
    std::filesystem::create_directories(folder());
    const auto now = std::filesystem::file_time_type::clock::now();
    for (std::size_t i = 0; i < SessionMemory::kMost + kMore; ++i) {
        const auto file = m_folder.write("sessions/" + std::to_string(i) + ".session.json", "{}");
        std::filesystem::last_write_time(file, now - std::chrono::hours(i + 1));
    }
    const auto lock = m_folder.write("sessions/0.session.json.lock", ""); // of a window that was killed
    std::filesystem::last_write_time(lock, now - std::chrono::hours(2));
    keep(ignoring("Conv"));
    EXPECT_EQ(filesIn(folder()).size(), SessionMemory::kMost);
    EXPECT_TRUE(std::filesystem::exists(folder() / "0.session.json"));
    EXPECT_EQ(kept(), ignoring("Conv").recipe);
}

} // namespace
} // namespace duo::app
