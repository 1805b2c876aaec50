// SPDX-License-Identifier: Apache-2.0
#include "app/gui/panes.h"

#include "views/config/config_view.h"
#include "views/parameter/parameter_view.h"
#include "views/properties/properties_view.h"
#include "views/results/results_view.h"
#include "views/results/sensitivity_view.h"
#include "views/rules/rules_view.h"
#include "views/statistics/statistics_view.h"
#include "views/transforms/transforms_view.h"
#include "views/trees/scope_trees_panel.h"

namespace duo::app {

std::vector<ui::Pane> allPanes()
{
    return {
        ui::scopesPane(),
        ui::rulesPane(),
        ui::propertiesPane(),
        ui::resultsPane(),
        ui::configPane(),
        ui::statisticsPane(),
        ui::sensitivityPane(),
        ui::parameterPane(),
        ui::transformsPane(),
    };
}

} // namespace duo::app
