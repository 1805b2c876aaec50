// SPDX-License-Identifier: Apache-2.0
// A process that edits is killed at any moment: what it did is there again, but for the last second, and nothing else.
// DUO_KILLS=200 in the environment takes that many kills a test instead of a few.
#include "app/session/run_memory.h"
#include "app/session/session_memory.h"
#include "core/support/handed_over.h"

#include "tests/app/session/session_fixture.h"
#include "tests/support/file_bytes.h"

#include <QProcess>

#include <cstdlib>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

namespace duo::app {
namespace {

int killsWanted(int few)
{
    const char* wanted = std::getenv("DUO_KILLS");
    return wanted == nullptr ? few : std::atoi(wanted);
}

/// What was said before the kill.
struct Said {
    int last = 0;
    int lastOfOld = 0; // of those that were a second old
};

Said saidBy(const QByteArray& output)
{
    constexpr qint64 kSecond = 1000;
    std::vector<std::pair<int, qint64>> edits;
    std::istringstream lines(output.toStdString());
    std::string line;
    while (std::getline(lines, line) && !lines.eof()) { // the last one may be half
        std::istringstream words(line);
        int number = 0;
        qint64 when = 0;
        words >> number >> when;
        edits.emplace_back(number, when);
    }
    Said said;
    for (const auto& [number, when] : edits) {
        said.last = number;
        if (when + kSecond <= edits.back().second)
            said.lastOfOld = number;
    }
    return said;
}

class KilledTest : public testing::Test
{
protected:
    void SetUp() override
    {
        if (kSeesThreads)
            GTEST_SKIP() << "Clang's thread sanitizer fails a check of its own where QProcess forks";
    }

    /// @param most milliseconds that it lives
    Said editAndKill(const QString& pace, int most)
    {
        QProcess process;
        process.setProgram(QStringLiteral(DUO_EDITS_UNTIL_KILLED));
        process.setArguments({text(m_folder / "sessions"), text(m_model), pace});
        process.start();
        if (!process.waitForReadyRead(60000)) // it has begun
            ADD_FAILURE() << process.errorString().toStdString();
        std::uniform_int_distribution<int> life(0, most);
        QTest::qSleep(life(m_random));
        process.kill();
        process.waitForFinished();
        return saidBy(process.readAllStandardOutput());
    }

    /// Whole, of an edit that was said (or was about to be), and nothing beside it.
    void expectWhole(const Said& said)
    {
        SessionMemory memory(m_folder / "sessions", {});
        const auto begun = memory.begin(m_model);
        EXPECT_FALSE(begun.refused) << begun.refused->line();
        EXPECT_FALSE(begun.isShared);
        EXPECT_EQ(begun.window, 1);
        const int number = begun.kept ? begun.kept->recipe.quantization.subsetSize.value_or(0) : 0;
        EXPECT_GE(number, said.lastOfOld);
        EXPECT_LE(number, said.last + 1);
        EXPECT_GE(number, m_number);
        m_number = number;
        if (!begun.kept)
            return;
        EXPECT_EQ(begun.kept->data.spec, "random:" + std::to_string(number));
        EXPECT_EQ(begun.kept->view["number"], number);
        const std::filesystem::directory_iterator files(m_folder / "sessions");
        EXPECT_EQ(std::distance(begin(files), end(files)), 2); // with the lock of `memory`
    }

    /// Every run that is listed is whole and has its own state; those that were said to be kept are listed.
    void expectWholeRuns(const Said& said)
    {
        RunMemory memory(m_folder / "sessions", {});
        const auto runs = memory.runs();
        std::int64_t next = 0; // after the newest
        for (const KeptRun& run : runs) {
            const std::string number = std::to_string(run.quantizers);
            const std::string state = test::bytesOf(memory.stateOf(run));
            EXPECT_GT(state.size(), 2 * number.size());
            EXPECT_TRUE(state.starts_with(number + "x") && state.ends_with("x" + number)) << number;
            EXPECT_TRUE(next == 0 || run.quantizers == next - 1) << number;
            next = run.quantizers;
        }
        const std::int64_t newest = runs.empty() ? 0 : runs.front().quantizers;
        EXPECT_GE(newest, said.last);
        EXPECT_GE(newest, m_number);
        EXPECT_LE(runs.size(), RunMemory::kMost + 1); // an old one that was to go when the kill came
        m_number = static_cast<int>(newest);
    }

    static QString text(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

    test::TemporaryFolder m_folder;
    std::filesystem::path m_model = m_folder.write("m.onnx", "a model");
    std::mt19937 m_random{20261122};
    int m_number = 0; // kept after the kill before
};

TEST_F(KilledTest, AtMostTheLastSecondIsLost)
{
    for (int i = 0; i < killsWanted(25) && !HasFailure(); ++i)
        expectWhole(editAndKill(QStringLiteral("as-it-comes"), 1600));
    EXPECT_GT(m_number, 0);
}

TEST_F(KilledTest, InTheMiddleOfAWriteTheOldOrTheNewSessionIsThereWhole)
{
    for (int i = 0; i < killsWanted(75) && !HasFailure(); ++i)
        expectWhole(editAndKill(QStringLiteral("without-end"), 60));
    EXPECT_GT(m_number, 0);
}

TEST_F(KilledTest, EveryRunThatIsListedIsWholeAndHasItsState)
{
    for (int i = 0; i < killsWanted(25) && !HasFailure(); ++i)
        expectWholeRuns(editAndKill(QStringLiteral("runs"), 60));
    EXPECT_GT(m_number, 0);
}

} // namespace
} // namespace duo::app
