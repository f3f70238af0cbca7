#pragma once

#include "core/json.hpp"
#include "core/option.hpp"

namespace weir {

/// One option: everything that the command line, the case file, the schema and the provenance need.
struct Option {
    std::string name;
    OptionType type{};
    std::string unit;
    std::string group;
    std::string help;
    Json default_value;
    Json min{};  ///< null: no bound
    Json max{};
    Json multiple{};  ///< the value must be a multiple of this; null: any value
    std::vector<std::string> choices{};
    std::function<void(Json const&)> set{};
    std::function<Json()> get{};
    std::string alias{};  ///< an earlier word for one of the choices
    Outside outside{};
    ValueWords words{};
};

}  // namespace weir
