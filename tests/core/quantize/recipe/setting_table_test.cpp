// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/setting_table.h"

#include "core/quantize/recipe/settings_json.h"
#include "tests/support/file_bytes.h"
#include "tests/support/settings.h"

#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

QuantizationSettings settingsOf(const std::string& json)
{
    return *settingsFromJson(nlohmann::ordered_json::parse(json), "quantization");
}

std::optional<std::string> textOf(const std::string& json, std::string_view key)
{
    return settingText(settingsOf(json), test::setting(key));
}

TEST(SettingTable, TellsWhatIsWrittenAndWhatIsLeftOut)
{
    EXPECT_EQ(textOf("{}", "profile"), "ort-cpu");
    EXPECT_EQ(textOf("{}", "preset"), std::nullopt);
    EXPECT_EQ(textOf(R"({"preset": "mixed"})", "preset"), "mixed");
    EXPECT_EQ(textOf(R"({"subset_size": 32})", "subset_size"), "32");
    EXPECT_EQ(
        textOf(R"({"weights_quantization_params": {"num_bits": 16}})", "weights_quantization_params.num_bits"), "16");
    EXPECT_EQ(textOf(R"({"smooth_quant_alphas": {"matmul": 0.5}})", "smooth_quant_alphas.matmul"), "0.5");
    EXPECT_EQ(textOf(R"({"smooth_quant_alphas": {"matmul": 0.5}})", "smooth_quant_alphas.convolution"), std::nullopt);
}

TEST(SettingTable, EstimatorsGoByTheNamesOfTheirSets)
{
    const Setting& estimator = test::setting("activations_range_estimator_params");
    EXPECT_EQ(textOf(R"({"activations_range_estimator_params": "MSE"})", estimator.key), "MSE");
    EXPECT_EQ(
        textOf(R"({"activations_range_estimator_params": {"min": {"aggregator_type": "median"}}})", estimator.key),
        "custom");
    EXPECT_EQ(settingText(*withSetting({}, estimator, "ENTROPY"), estimator), "ENTROPY");
}

TEST(SettingTable, EveryChoiceIsReadBackAndTakenAwayAgain)
{
    for (const Setting& setting : settingTable()) {
        SCOPED_TRACE(setting.key);
        EXPECT_FALSE(setting.meaning.empty());
        EXPECT_EQ(setting.choices.empty(), setting.kind == SettingKind::Count || setting.kind == SettingKind::Number);
        for (const std::string_view choice : setting.choices) {
            const auto with = withSetting({}, setting, std::string(choice));
            ASSERT_TRUE(with) << with.error().line();
            EXPECT_EQ(settingText(*with, setting), choice);
            EXPECT_EQ(*withSetting(*with, setting, std::nullopt), QuantizationSettings());
        }
        EXPECT_EQ(settingText({}, setting).has_value(), setting.unset.empty());
    }
}

TEST(SettingTable, OtherSettingsStayAsTheyAre)
{
    const QuantizationSettings before = settingsOf(
        R"({"preset": "mixed", "weights_quantization_params": {"per_channel": false}, "inplace_statistics": true})");
    const auto after = withSetting(before, test::setting("weights_quantization_params.num_bits"), "16");
    ASSERT_TRUE(after) << after.error().line();
    QuantizationSettings expected = before;
    expected.weights.numBits = 16;
    EXPECT_EQ(*after, expected);
}

TEST(SettingTable, WhatIsNoValueSaysWhatToWrite)
{
    const auto errorOf = [](std::string_view key, const char* text) {
        return withSetting({}, test::setting(key), text).error().line();
    };
    EXPECT_EQ(errorOf("subset_size", "many"), "not a count: quantization.subset_size: write a whole number from 1");
    EXPECT_EQ(errorOf("bias_correction_params.threshold", "0"),
        "not above zero: quantization.bias_correction_params.threshold: write a number above 0");
    EXPECT_EQ(
        errorOf("preset", "best"), "unknown value \"best\": quantization.preset: write one of performance, mixed");
}

TEST(SettingTable, HoldsEverySettingOfThePageInItsOrder)
{
    std::string page = test::bytesOf(DUO_SCHEMAS "/../docs/recipe.md");
    page = page.substr(page.find("## Settings"));
    page = page.substr(0, page.find("Kept without effect"));
    std::vector<std::string> onPage;
    const std::regex row("\\n\\| ([^|]+) \\|");
    for (std::sregex_iterator line(page.begin(), page.end(), row), end; line != end; ++line) {
        const std::string cell = (*line)[1];
        const std::regex key("`([a-z_.]+)`");
        for (std::sregex_iterator name(cell.begin(), cell.end(), key); name != end; ++name)
            onPage.push_back((*name)[1]);
    }
    std::vector<std::string> inTable;
    for (const Setting& setting : settingTable()) {
        std::string key(setting.key);
        if (key != "bias_correction_params.threshold") // the page has one row for the others of an object
            key = key.substr(0, key.find('.'));
        if (inTable.empty() || inTable.back() != key)
            inTable.push_back(key);
    }
    std::erase(onPage, "range_estimator_rules");
    EXPECT_EQ(inTable, onPage);
}

} // namespace
} // namespace duo
