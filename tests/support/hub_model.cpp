// SPDX-License-Identifier: Apache-2.0
#include "tests/support/hub_model.h"

#include "tests/support/model_builder.h"

#include <string>
#include <vector>

namespace duo::test {

std::shared_ptr<const Model> hubOf(std::size_t branches)
{
    ModelBuilder builder;
    builder.input("x");
    std::vector<std::string> ends;
    for (std::size_t i = 0; i < branches; ++i) {
        ends.push_back("r" + std::to_string(i));
        builder.node("Relu", "act_" + std::to_string(i), {"x"}, {ends.back()});
    }
    return builder.node("Sum", "all", ends, {"y"}).output("y").build();
}

} // namespace duo::test
