// SPDX-License-Identifier: Apache-2.0
// EditNames: value and node names for what an export adds, never one that is taken.
#pragma once

#include "core/model/model.h"
#include "core/support/fresh_names.h"

#include <optional>
#include <string>

namespace duo {

class EditNames
{
public:
    /// Those that are taken are collected when a name is asked for first. @param model must outlive it
    explicit EditNames(const Model& model)
        : m_model(model)
    {
    }

    /// `wanted`, or `wanted_1`, `wanted_2`... if taken; taken from now on.
    std::string value(const std::string& wanted) { return taken().values.fresh(wanted); }
    std::string node(const std::string& wanted) { return taken().nodes.fresh(wanted); }

private:
    struct Taken {
        FreshNames values;
        FreshNames nodes;
    };
    Taken& taken();

    const Model& m_model;
    std::optional<Taken> m_taken;
};

} // namespace duo
