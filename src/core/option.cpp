#include "core/option.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/join.hpp"
#include "core/json.hpp"
#include "core/option_facts.hpp"
#include "core/units.hpp"

namespace weir {
namespace {

bool has_type(Json const& value, OptionType type) {
    switch (type) {
        case OptionType::bytes:
        case OptionType::count:
            return value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
        case OptionType::seconds:
        case OptionType::number:
            return value.is_number();
        case OptionType::boolean:
            return value.is_boolean();
        case OptionType::choice:
        case OptionType::text:
            return value.is_string();
        case OptionType::texts:
            return value.is_array() &&
                   std::all_of(value.begin(), value.end(), [](Json const& v) { return v.is_string(); });
    }
    return false;
}

char const* wanted(OptionType type) {
    static constexpr std::array<char const*, 8> words{"a size in bytes", "a time in seconds", "a whole number",
                                                      "a number",        "true or false",     "one of its words",
                                                      "a text",          "a list of texts"};
    return words[static_cast<std::size_t>(type)];
}

void check_bounds(Option const& option, Json const& value) {
    auto const low = !option.min.is_null() && value < option.min;
    auto const high = !option.max.is_null() && value > option.max;
    auto const unit = option.unit.empty() ? "" : " " + option.unit;
    validate(!low && !high, fmt::format("{} = {}{} is out of range", option.name, json_text(value), unit),
             low ? fmt::format("it must be at least {}{}", json_text(option.min), unit)
                 : fmt::format("it must be at most {}{}", json_text(option.max), unit),
             fmt::format("{}: {}", option.name, option.help));
    if (option.multiple.is_null()) {
        return;
    }
    auto const step = option.multiple.get<std::uint64_t>();
    auto const number = value.get<std::uint64_t>();
    validate(
        number % step == 0, fmt::format("{} = {}{} is not a multiple of {}{}", option.name, number, unit, step, unit),
        fmt::format("{}: {}", option.name, option.help), fmt::format("Choose {}{}.", (number / step + 1) * step, unit));
}

void check_choice(Option const& option, Json const& value) {
    auto const& words = option.choices;
    if (words.empty() || (!option.alias.empty() && value == option.alias)) {
        return;
    }
    validate(std::find(words.begin(), words.end(), value.get<std::string>()) != words.end(),
             fmt::format("{} = {} is unknown", option.name, json_text(value)), option.help,
             fmt::format("Choose one of {}.", join(words, ", ")));
}

bool parse_boolean(Option const& option, std::string const& word) {
    bool const yes = word == "true" || word == "yes" || word == "on" || word == "1";
    bool const no = word == "false" || word == "no" || word == "off" || word == "0";
    validate(yes || no, fmt::format("{} = '{}' is neither yes nor no", option.name, word), option.help,
             "Write true or false.");
    return yes;
}

double parse_number(Option const& option, std::string const& word) {
    double number = 0;
    auto const* const end = word.data() + word.size();
    auto const [stopped, status] = std::from_chars(word.data(), end, number);
    validate(status == std::errc{} && stopped == end && std::isfinite(number),
             fmt::format("{} = '{}' is not a number", option.name, word), option.help,
             fmt::format("Write for example {}.", json_text(option.default_value)));
    return number;
}

Json word_to_json(Option const& option, std::string const& word) {
    switch (option.type) {
        case OptionType::bytes:
            return parse_bytes(word).value;
        case OptionType::seconds:
            return parse_seconds(word).value;
        case OptionType::boolean:
            return parse_boolean(option, word);
        case OptionType::number:
            return parse_number(option, word);
        case OptionType::count: {
            auto const number = parse_json(word);
            validate(has_type(number, OptionType::count),
                     fmt::format("{} = '{}' is not a whole number from 0 to 2^64 - 1", option.name, word), option.help,
                     fmt::format("Write for example {}.", json_text(option.default_value)));
            return number;
        }
        default:
            return word;
    }
}

/// An option bound to a field, whose current value is the default.
template <class Field>
Option option_of(std::string name, OptionType type, std::string group, std::string help, Field& field) {
    Option option{std::move(name), type, "", std::move(group), std::move(help), field};
    option.set = [&field](Json const& value) { field = value.get<Field>(); };
    option.get = [&field] { return Json(field); };
    return option;
}

Option reaching(Option option, Outside outside) {
    option.outside = std::move(outside);
    return option;
}

template <class Number>
Option within(Option option, std::string unit, Bounds<Number> const& bounds) {
    auto const json = [](std::optional<Number> const& bound) { return bound ? Json(*bound) : Json(); };
    option.unit = std::move(unit);
    option.min = json(bounds.min);
    option.max = json(bounds.max);
    option.multiple = json(bounds.multiple);
    return option;
}

}  // namespace

Json to_json(ValueWords const& words) {
    auto json = Json::object();
    for (auto const& [value, said] : words) {
        json[value] = said;
    }
    return json;
}

OptionSet::OptionSet() = default;
OptionSet::OptionSet(OptionSet const&) = default;
OptionSet::OptionSet(OptionSet&&) noexcept = default;
OptionSet& OptionSet::operator=(OptionSet const&) = default;
OptionSet& OptionSet::operator=(OptionSet&&) noexcept = default;
OptionSet::~OptionSet() = default;

void OptionSet::insert(Option option) {
    auto const taken =
        std::any_of(options_.begin(), options_.end(), [&](auto const& o) { return o.name == option.name; });
    expect(!taken, "an option is declared once");
    options_.push_back(std::move(option));
}

void OptionSet::add(std::string name, Bytes& field, std::string help, Bounds<std::uint64_t> const& bounds) {
    insert(within(option_of(std::move(name), OptionType::bytes, group_, std::move(help), field.value), "B", bounds));
}

void OptionSet::add(std::string name, Seconds& field, std::string help, Bounds<double> const& bounds) {
    insert(within(option_of(std::move(name), OptionType::seconds, group_, std::move(help), field.value), "s", bounds));
}

void OptionSet::add(std::string name, std::uint64_t& field, std::string help, Bounds<std::uint64_t> const& bounds) {
    insert(within(option_of(std::move(name), OptionType::count, group_, std::move(help), field), "", bounds));
}

void OptionSet::add(std::string name, double& field, std::string help, Bounds<double> const& bounds) {
    insert(within(option_of(std::move(name), OptionType::number, group_, std::move(help), field), "", bounds));
}

void OptionSet::add(std::string name, bool& field, std::string help, Outside outside) {
    insert(
        reaching(option_of(std::move(name), OptionType::boolean, group_, std::move(help), field), std::move(outside)));
}

void OptionSet::add(std::string name, std::string& field, std::string help, std::vector<std::string> choices) {
    auto const type = choices.empty() ? OptionType::text : OptionType::choice;
    auto option = option_of(std::move(name), type, group_, std::move(help), field);
    option.choices = std::move(choices);
    insert(std::move(option));
}

void OptionSet::add(std::string name, std::string& field, std::string help, Outside outside) {
    insert(reaching(option_of(std::move(name), OptionType::text, group_, std::move(help), field), std::move(outside)));
}

void OptionSet::add(std::string name, std::vector<std::string>& field, std::string help, Outside outside) {
    insert(reaching(option_of(std::move(name), OptionType::texts, group_, std::move(help), field), std::move(outside)));
}

void OptionSet::add_choice(std::string name, std::string help, std::span<std::string_view const> words,
                           std::string_view alias, std::function<void(std::string const&)> set,
                           std::function<std::string_view()> get) {
    Option option{std::move(name), OptionType::choice, "", group_, std::move(help), Json(get())};
    option.choices = {words.begin(), words.end()};
    option.alias = alias;
    option.set = [set = std::move(set)](Json const& value) { set(value.get<std::string>()); };
    option.get = [get = std::move(get)] { return Json(get()); };
    insert(std::move(option));
}

void OptionSet::words(std::string_view name, ValueWords words) {
    auto const it = std::find_if(options_.begin(), options_.end(), [&](auto const& o) { return o.name == name; });
    expect(it != options_.end(), "words are of an option that is declared");
    it->words = std::move(words);
}

void OptionSet::adopt(OptionSet const& other) {
    for (auto const& option : other.options_) {
        auto const here =
            std::find_if(options_.begin(), options_.end(), [&](auto const& o) { return o.name == option.name; });
        if (here == options_.end()) {
            options_.push_back(option);
            continue;
        }
        expect(here->type == option.type, "options that share a name have the same type");
        expect(here->outside.reach == option.outside.reach, "options that share a name reach as far");
        here->group += ", " + option.group;
        here->set = [mine = here->set, others = option.set](Json const& value) {
            mine(value);
            others(value);
        };
    }
}

Option const& OptionSet::find(std::string_view name) const {
    auto const it = std::find_if(options_.begin(), options_.end(), [&](auto const& o) { return o.name == name; });
    validate(it != options_.end(), fmt::format("unknown option '{}'", name), "options are checked strictly",
             "`weir list` shows them all.");
    return *it;
}

void OptionSet::set(std::string_view name, Json const& value) {
    auto const& option = find(name);
    validate(has_type(value, option.type),
             fmt::format("{} = {} is not {}", name, json_text(value), wanted(option.type)), option.help,
             fmt::format("Its default is {}.", json_text(option.default_value)));
    check_bounds(option, value);
    if (option.type == OptionType::choice) {
        check_choice(option, value);
    }
    option.set(value);
}

void OptionSet::set_words(std::string_view name, std::vector<std::string> const& words) {
    auto const& option = find(name);
    expect(!words.empty(), "an option given on the command line has a word");
    set(name, option.type == OptionType::texts ? Json(words) : word_to_json(option, words.back()));
}

void OptionSet::set_all(Json const& object) {
    validate(object.is_object(), "the options are not a JSON object", object.type_name(),
             "Write {\"name\": value, ...}.");
    for (auto const& [name, value] : object.items()) {
        set(name, value);
    }
}

bool OptionSet::is_default(std::string_view name) const {
    auto const& option = find(name);
    return option.get() == option.default_value;
}

Json OptionSet::values() const {
    auto json = Json::object();
    for (auto const& option : options_) {
        json[option.name] = option.get();
    }
    return json;
}

Json OptionSet::schema() const {
    auto json = Json::array();
    for (auto const& o : options_) {
        json.push_back({{"name", o.name},
                        {"type", to_text(o.type)},
                        {"unit", o.unit.empty() ? Json() : Json(o.unit)},
                        {"default", o.default_value},
                        {"min", o.min},
                        {"max", o.max},
                        {"multiple", o.multiple},
                        {"choices", o.choices.empty() ? Json() : Json(o.choices)},
                        {"group", o.group},
                        {"help", o.help}});
        if (!o.alias.empty()) {
            json.back()["alias"] = o.alias;
        }
        if (o.outside.reach != Reach::nothing) {
            json.back()["reach"] = to_text(o.outside.reach);
            json.back()["inside"] = o.outside.inside;
        }
        if (!o.words.empty()) {
            json.back()["words"] = to_json(o.words);
        }
    }
    return json;
}

}  // namespace weir
