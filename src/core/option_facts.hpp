#pragma once

#include "core/json.hpp"
#include "core/option.hpp"

namespace weir {

/// One option: everything that the command line, the case file, the schema and the provenance need to know of it.
struct Option {
    std::string name;
    OptionType type{};
    std::string unit;
    std::string group;
    std::string help;
    Json default_value;
    Json min{};  ///< null where there is no bound
    Json max{};
    Json multiple{};  ///< the value is a multiple of this; null where it need not be
    std::vector<std::string> choices{};
    std::function<void(Json const&)> set{};
    std::function<Json()> get{};
    std::string alias{};  ///< a word that one of the choices had before
};

}  // namespace weir
