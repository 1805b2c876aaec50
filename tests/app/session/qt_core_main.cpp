// SPDX-License-Identifier: Apache-2.0
// main of test programs that need an event loop but no window.
#include "core/support/handed_over.h"

#include <gtest/gtest.h>

#include <QCoreApplication>

#ifdef DUO_SEES_THREADS
/// The distribution's Qt is not sanitized: what it does by itself with memory of ours is not looked at.
extern "C" const char* __tsan_default_options()
{
    return "ignore_noninstrumented_modules=1";
}
#endif

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    QCoreApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
