// SPDX-License-Identifier: Apache-2.0
#include "core/graph/pages.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

/// "Conv Relu" twice over: nodes; names with a slash in front are scopes.
std::vector<PageItem> itemsOf(const std::vector<std::string>& names, std::size_t times = 1)
{
    std::vector<PageItem> items;
    for (std::size_t i = 0; i < times; ++i) {
        for (const std::string& name : names) {
            const bool isScope = name.front() == '/';
            items.push_back({isScope ? name.substr(1) : name, isScope, std::hash<std::string>()(name)});
        }
    }
    return items;
}

std::vector<PageItem> layers(std::size_t count)
{
    std::vector<PageItem> items;
    for (std::size_t i = 0; i < count; ++i)
        items.push_back({"layers." + std::to_string(i), true, 1});
    return items;
}

std::vector<Page> pagesOf(const std::vector<PageItem>& items)
{
    return findPages(items, std::vector<std::uint32_t>(items.size(), 1), 60);
}

TEST(Pages, WhatFitsIsNotCut)
{
    EXPECT_TRUE(pagesOf(layers(60)).empty());
    EXPECT_EQ(pagesOf(layers(61)).front().title, "layers.0–14 ×15");
}

TEST(Pages, TitlesSayWhatIsInside)
{
    EXPECT_EQ(pageTitle(layers(61)), "layers.0–60 ×61");
    EXPECT_EQ(pageTitle(itemsOf({"/3", "/4", "/5"})), "3–5 ×3");
    EXPECT_EQ(pageTitle(itemsOf({"Relu"}, 40)), "Relu ×40");
    EXPECT_EQ(pageTitle(itemsOf({"Conv", "Relu"}, 12)), "Conv, Relu ×12");
    EXPECT_EQ(pageTitle(itemsOf({"MatMul", "Add", "MatMul", "Add", "Mul", "Mul", "MatMul"})), "MatMul ×3, Add ×2 …");
    std::vector<PageItem> nearly = itemsOf({"Tanh"}, 13);
    nearly.insert(nearly.begin(), itemsOf({"Identity"}).front());
    EXPECT_EQ(pageTitle(nearly), "Tanh ×13, Identity") << "a number counts what is there";
    nearly = itemsOf({"Conv", "Relu"}, 12);
    nearly.pop_back();
    EXPECT_EQ(pageTitle(nearly), "Conv ×12, Relu ×11");
    EXPECT_EQ(pageTitle(itemsOf({"Cast", "/stem", "Add", "/head", "Mul"})), "stem … head");
    EXPECT_EQ(pageTitle(itemsOf({"/block", "Add"})), "block …");
    EXPECT_EQ(pageTitle(itemsOf({"/layers.1", "/layers.3"})), "layers.1 … layers.3");
}

TEST(Pages, AreEqualInSizeAndNestWhereTheyMust)
{
    for (const std::size_t count : {61U, 100U, 599U, 3600U, 5000U, 50000U}) {
        std::vector<std::vector<Page>> pending{pagesOf(layers(count))};
        std::size_t covered = 0;
        while (!pending.empty()) {
            const std::vector<Page> pages = pending.back();
            pending.pop_back();
            ASSERT_LE(pages.size(), 60U) << count;
            std::size_t least = count;
            std::size_t most = 0;
            for (const Page& page : pages) {
                least = std::min(least, page.last - page.first);
                most = std::max(most, page.last - page.first);
                if (page.pages.empty())
                    covered += page.last - page.first;
                else
                    pending.push_back(page.pages);
            }
            EXPECT_LE(most - least, 1U) << count;
        }
        EXPECT_EQ(covered, count);
    }
}

TEST(Pages, BeginWhereRepetitionsBegin)
{
    const auto items = itemsOf({"MatMul", "Softmax", "Mul", "Add", "Relu"}, 100);
    std::vector<std::uint32_t> crossing(items.size(), 2);
    for (std::size_t i = 3; i < items.size(); i += 5)
        crossing[i] = 1; // one value leads from Mul to Add
    const auto pages = findPages(items, crossing, 60);
    ASSERT_GT(pages.size(), 2U);
    for (std::size_t p = 1; p < pages.size(); ++p)
        EXPECT_EQ(items[pages[p].first].name, "Add");
}

TEST(Pages, OfOneChainAreToldApartByTheNamesAtTheirEnds)
{
    std::vector<PageItem> items = itemsOf({"Conv", "Relu"}, 100);
    EXPECT_EQ(pagesOf(items).at(1).title, "Conv, Relu ×7, part 2"); // nothing has a name
    for (std::size_t i = 0; i < items.size(); ++i)
        items[i].label = "step" + std::to_string(i);
    EXPECT_EQ(pagesOf(items).at(1).title, "Conv, Relu ×7: step16–29");
    for (std::size_t i = 0; i < items.size(); ++i)
        items[i].label = items[i].name + "_" + std::to_string(i);
    EXPECT_EQ(pagesOf(items).at(1).title, "Conv_16 – Relu_29");
    for (PageItem& item : items)
        item.label = item.name;
    EXPECT_EQ(pagesOf(items).at(1).title, "Conv – Relu, part 2");
}

TEST(Pages, WithoutRepetitionsAreCutWhereTheFewestValuesCross)
{
    std::vector<PageItem> items;
    for (std::size_t i = 0; i < 300; ++i)
        items.push_back({"op" + std::to_string(i), false, i});
    std::vector<std::uint32_t> crossing(items.size(), 5);
    crossing[18] = 1;
    EXPECT_EQ(findPages(items, crossing, 60).front().last, 18U);
}

} // namespace
} // namespace duo
