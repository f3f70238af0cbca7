#include "storage/hint_states.hpp"

#include "core/json.hpp"

namespace weir {
namespace {

constexpr char const* canary = "weir_no_such_hint";

char const* state_of(std::string const& asked, std::string const* found, bool repeats_anything) {
    if (found == nullptr) {
        return "ignored";
    }
    if (*found != asked) {
        return "changed";
    }
    return repeats_anything ? "unproven" : "in force";
}

}  // namespace

Hints with_canary(Hints asked) {
    if (!asked.empty()) {
        asked.emplace(canary, "1");
    }
    return asked;
}

bool take_canary(Hints& in_force) { return in_force.erase(canary) > 0; }

Json describe_hints_asked(Hints const& asked, Hints const& in_force, bool repeats_anything) {
    Json json;
    for (auto const& [hint, value] : asked) {
        auto const found = in_force.find(hint);
        auto const* there = found == in_force.end() ? nullptr : &found->second;
        json.push_back({{"hint", hint},
                        {"value", value},
                        {"in_force", there == nullptr ? Json() : Json(*there)},
                        {"state", state_of(value, there, repeats_anything)}});
    }
    return json;
}

}  // namespace weir
