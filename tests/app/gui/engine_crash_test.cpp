// SPDX-License-Identifier: Apache-2.0
// The engine dies while the window works with it: the banner says so, and nothing else happens.
#include "tests/app/gui/window_driver.h"
#include "tests/support/child_processes.h"

#include "views/shell/banner.h"

#include <csignal>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// Kills the engine processes of this program, if there are any.
bool killEngines()
{
    bool isKilled = false;
    for (const pid_t engine : childProcesses("duoscope-engine"))
        isKilled = ::kill(engine, SIGABRT) == 0 || isKilled;
    return isKilled;
}

TEST(EngineCrash, IsToldInTheBannerAndTheModelStaysOpen)
{
    WindowDriver driver;
    const auto model = driver.copySample("digits_conv.onnx");
    (void)driver.copySample("digits_calibration.npz");
    ASSERT_TRUE(driver.open(model));
    app::Session& session = driver.window().session();
    const auto* banner = driver.find<ui::Banner>("banner");

    std::int64_t samples = 0; // that have run
    QObject::connect(
        &session, &app::Session::progressed, &session, [&](const Progress& progress) { samples = progress.done; });
    Recipe recipe = session.recipe();
    recipe.quantization.subsetSize = 100000; // or it may be through before it is killed
    session.editRecipe(recipe, QStringLiteral("Test"));
    session.setData({"random:100000", {}});
    driver.key(&driver.window(), Qt::Key_M, Qt::ControlModifier);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return samples > 0; }));
    ASSERT_TRUE(killEngines());
    ASSERT_TRUE(WindowDriver::waitFor([&] { return banner->text().contains(QStringLiteral("the engine crashed")); }))
        << banner->text().toStdString();
    QObject::disconnect(&session, &app::Session::progressed, &session, nullptr);
    EXPECT_TRUE(banner->text().contains(QStringLiteral("signal SIGABRT; nothing of yours is lost")))
        << banner->text().toStdString();
    ASSERT_NE(session.snapshot(), nullptr);
    EXPECT_EQ(session.snapshot()->model->path, model);

    session.setData({(driver.folder() / "digits_calibration.npz").string(), {}});
    driver.key(&driver.window(), Qt::Key_M, Qt::ControlModifier);
    EXPECT_TRUE(WindowDriver::waitFor([&] { return session.foresight() != nullptr; })) << banner->text().toStdString();
}

} // namespace
} // namespace duo::test
