#include "core/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/join.hpp"
#include "core/terminal_text.hpp"

namespace weir {

Json parse_json(std::string_view text) { return Json::parse(text, nullptr, false); }

std::string json_text(Json const& value, int indent) {
    return printable_json(value.dump(indent, ' ', false, Json::error_handler_t::replace));
}

StrictObject::StrictObject(Json const& json, std::string where, std::initializer_list<std::string_view> known_keys)
    : json_(json), where_(std::move(where)) {
    validate(json.is_object(), fmt::format("{} is not a JSON object", where_), json.type_name(),
             fmt::format("It takes an object with {}.", join(known_keys, ", ")));
    for (auto const& [key, value] : json.items()) {
        auto const known = std::find(known_keys.begin(), known_keys.end(), key) != known_keys.end();
        validate(known, fmt::format("unknown key '{}' in {}", key, where_), "keys are checked strictly",
                 fmt::format("It knows {}.", join(known_keys, ", ")));
    }
}

bool StrictObject::has(std::string_view key) const { return json_.contains(std::string(key)); }

Json const& StrictObject::at(std::string_view key) const {
    validate(has(key), fmt::format("'{}' is missing in {}", key, where_), "it has no default", "Add it.");
    return json_.at(std::string(key));
}

std::string StrictObject::place(std::string_view key) const { return fmt::format("{}.{}", where_, key); }

template <class Test>
Json const& StrictObject::checked(std::string_view key, char const* wanted, Test test) const {
    auto const& value = at(key);
    validate(test(value), fmt::format("{} is not {}", place(key), wanted), fmt::format("it is {}", json_text(value)),
             "Correct it.");
    return value;
}

Json const& StrictObject::array(std::string_view key) const {
    return checked(key, "an array", [](Json const& v) { return v.is_array(); });
}

std::string StrictObject::text(std::string_view key) const {
    return checked(key, "a string", [](Json const& v) { return v.is_string(); }).get<std::string>();
}

std::uint64_t StrictObject::count(std::string_view key) const {
    return checked(key, "a whole number of 0 or more",
                   [](Json const& v) {
                       return v.is_number_unsigned() || (v.is_number_integer() && v.get<std::int64_t>() >= 0);
                   })
        .get<std::uint64_t>();
}

std::int64_t StrictObject::integer(std::string_view key) const {
    return checked(key, "a whole number", [](Json const& v) { return v.is_number_integer(); }).get<std::int64_t>();
}

double StrictObject::number(std::string_view key) const {
    return checked(key, "a number", [](Json const& v) { return v.is_number(); }).get<double>();
}

bool StrictObject::flag(std::string_view key) const {
    return checked(key, "true or false", [](Json const& v) { return v.is_boolean(); }).get<bool>();
}

}  // namespace weir
