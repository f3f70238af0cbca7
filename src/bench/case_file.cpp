#include "bench/case_file.hpp"

#include <fmt/format.h>

#include "core/enum_names.hpp"
#include "core/error.hpp"

namespace weir {
namespace {

LaunchExpectation read_expectation(Json const& json) {
    StrictObject const object(json, "expect", {"ranks", "nodes", "ranks_per_node", "binding"});
    LaunchExpectation expectation;
    if (object.has("ranks")) {
        expectation.ranks = object.count("ranks");
    }
    if (object.has("nodes")) {
        expectation.nodes = object.count("nodes");
    }
    if (object.has("ranks_per_node")) {
        expectation.ranks_per_node = object.count("ranks_per_node");
    }
    if (object.has("binding")) {
        expectation.binding = from_text<Binding>(object.text("binding"), "binding");
    }
    return expectation;
}

Seconds read_stall_limit(Json const& json) {
    validate(json.is_number() && json.get<double>() > 0, "'stall_limit_s' is no time",
             "it is a number of seconds above 0", "Leave it out for no limit.");
    return Seconds{json.get<double>()};
}

Case read_case(Json const& json, std::string const& where) {
    StrictObject const object(json, where, {"id", "benchmark", "options", "ranks"});
    return {object.text("id"), object.text("benchmark"), object.has("options") ? object.at("options") : Json::object(),
            object.has("ranks") ? object.count("ranks") : 1};
}

}  // namespace

CaseFile case_file_from_json(std::string const& text) {
    auto const json = parse_json(text);
    validate(!json.is_discarded(), "the case file is not JSON", "it could not be parsed", "Check it with a JSON tool.");
    StrictObject const object(
        json, "the case file",
        {"schema", "expect", "warm_memory_bytes", "stall_limit_s", "probe_state", "fresh", "cases"});
    validate(object.count("schema") == 1, fmt::format("the case file has schema {}", object.count("schema")),
             "this weir-core reads schema 1", "Use the weir and weir-core of one version.");
    CaseFile file;
    if (object.has("expect")) {
        file.expectation = read_expectation(object.at("expect"));
    }
    if (object.has("warm_memory_bytes")) {
        file.warm_memory_bytes = object.count("warm_memory_bytes");
    }
    if (object.has("stall_limit_s")) {
        file.stall_limit = read_stall_limit(object.at("stall_limit_s"));
    }
    if (object.has("probe_state")) {
        file.probe_state = object.flag("probe_state");
    }
    if (object.has("fresh")) {
        file.fresh = object.flag("fresh");
    }
    auto const& cases = object.array("cases");
    for (std::size_t i = 0; i < cases.size(); ++i) {
        file.cases.push_back(read_case(cases[i], fmt::format("cases[{}]", i)));
    }
    return file;
}

}  // namespace weir
