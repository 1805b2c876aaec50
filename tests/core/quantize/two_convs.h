// SPDX-License-Identifier: Apache-2.0
// A model small enough to know every decision about it by heart.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "tests/support/model_builder.h"

#include <memory>
#include <utility>
#include <vector>

namespace duo::test {

/// conv1 -> relu1 -> conv2 -> relu2 -> det -> y; each Relu is computed together with its convolution.
inline Snapshot twoConvs(std::vector<Rule> rules)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8}).weight("w1", {4, 4, 3, 3}).weight("w2", {4, 4, 3, 3});
    builder.node("Conv", "conv1", {"x", "w1"}, {"c1"}).node("Relu", "relu1", {"c1"}, {"r1"});
    builder.node("Conv", "conv2", {"r1", "w2"}, {"c2"}).node("Relu", "relu2", {"c2"}, {"r2"});
    Snapshot snapshot;
    snapshot.model = builder.node("Det", "det", {"r2"}, {"y"}).output("y").build();
    snapshot.scopes = std::make_shared<Scopes>(findScopes(*snapshot.model));
    Recipe recipe;
    recipe.rules.rules = std::move(rules);
    return *withRecipe(snapshot, std::move(recipe));
}

} // namespace duo::test
