// SPDX-License-Identifier: Apache-2.0
#include "views/style/window_words.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

std::string said(const char* message)
{
    return windowWords(QString::fromUtf8(message)).toStdString();
}

TEST(WindowWords, OptionsBecomeWhatTheySayAndWhereThatIsChosen)
{
    EXPECT_EQ(said("give --min-sqnr 30 (in the window Quantize > Bounds), or keep the float model"),
        "give at least 30 dB in Quantize > Bounds, or keep the float model");
    EXPECT_EQ(said("SmoothQuant chosen (--model-type none, or \"model_type\": \"none\" in the recipe, leaves it out)"),
        "SmoothQuant chosen (model type none in Config, or \"model_type\": \"none\" in the recipe, leaves it out)");
    EXPECT_EQ(said("; --dim NAME=SIZE sets another"), "; NAME=SIZE in Quantize > Calibration data sets another");
}

TEST(WindowWords, WhereThePlaceSaysAllOnlyThePlaceIsNamed)
{
    EXPECT_EQ(said("give a metric (--metric 'COMMAND {model}') (in the window Quantize > Bounds)"),
        "give a metric (Quantize > Bounds)");
    EXPECT_EQ(said("give it more memory: --engine-memory (in the window Quantize > Limits)"),
        "give it more memory: Quantize > Limits of the engine");
    EXPECT_EQ(said("put the data beside the model, or name their folder with --allow-external"),
        "put the data beside the model, or name their folder with the button here");
    EXPECT_EQ(said("say so with labels, or give --labels"), "say so with labels, or give labels beside the data");
}

TEST(WindowWords, AHintAtAnOptionWithoutAPlaceIsLeftOut)
{
    EXPECT_EQ(said("measured before: no sample was run (--no-cache measures again); --dim A=2 was given"),
        "measured before: no sample was run; A=2 in Quantize > Calibration data was given");
    EXPECT_EQ(said("nothing (--strict refuses) and (--metric X) here"), "nothing and (Quantize > Bounds) here");
}

TEST(WindowWords, WhatHasNoPlaceHereStaysAsItIs)
{
    EXPECT_EQ(said("name the library that has it with --custom-ops"), "name the library that has it with --custom-ops");
    EXPECT_EQ(said("measure this model: statistics MODEL --data D -o F"),
        "measure this model: statistics MODEL --data D -o F");
    EXPECT_EQ(said("layer--data.weight and a--b"), "layer--data.weight and a--b");
}

} // namespace
} // namespace duo::ui
