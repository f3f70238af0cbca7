#include "apps/flash/amr/lists.hpp"

#include <algorithm>
#include <cstring>

#include "apps/flash/io/elements.hpp"
#include "core/error.hpp"

namespace weir::flash {
namespace {

Array array_of(std::string name, Element const& value, std::size_t count) {
    return {std::move(name),
            compound_of({{"name", text(characters_of_name), 0}, {"value", value, characters_of_name}}),
            {count}};
}

void put(std::span<std::byte> to, std::string const& value) { put_text(to, value); }
template <class Number>
void put(std::span<std::byte> to, Number value) {
    std::memcpy(to.data(), &value, sizeof value);
}

void get(std::string& value, std::span<std::byte const> from) {
    value.assign(reinterpret_cast<char const*>(from.data()), from.size());
    value.erase(std::min(value.find('\0'), value.size()));
    value.erase(value.find_last_not_of(' ') + 1);
}
template <class Number>
void get(Number& value, std::span<std::byte const> from) {
    std::memcpy(&value, from.data(), sizeof value);
}

/// Calls visit(list) with the one that a dataset holds.
template <class OfLists, class Visit>
void with_list(OfLists& lists, std::string_view name, Visit visit) {
    if (name.starts_with("integer")) {
        visit(lists.integers);
    } else if (name.starts_with("real")) {
        visit(lists.reals);
    } else if (name.starts_with("string")) {
        visit(lists.strings);
    } else {
        visit(lists.logicals);
    }
}

}  // namespace

void put_text(std::span<std::byte> to, std::string_view text) {
    std::ranges::fill(to, std::byte{' '});
    std::memcpy(to.data(), text.data(), std::min(to.size(), text.size()));
}

std::vector<Array> arrays_of(Lists const& lists, std::string const& what) {
    return {array_of("integer " + what, integers(), lists.integers.size()),
            array_of("real " + what, doubles(), lists.reals.size()),
            array_of("string " + what, text(characters_of_name), lists.strings.size()),
            array_of("logical " + what, integers(), lists.logicals.size())};
}

void fill(Lists const& lists, Array const& array, std::span<std::byte> data) {
    with_list(lists, array.name, [&](auto const& list) {
        for (auto const& [name, value] : list) {
            auto const entry = data.first(array.element.bytes);
            put_text(entry.first(characters_of_name), name);
            put(entry.subspan(characters_of_name), value);
            data = data.subspan(entry.size());
        }
    });
}

void take(Lists& lists, Array const& array, std::span<std::byte const> data) {
    with_list(lists, array.name, [&](auto& list) {
        for (; !data.empty(); data = data.subspan(array.element.bytes)) {
            std::string name;
            get(name, data.first(characters_of_name));
            auto const found = std::ranges::find_if(list, [&](auto const& one) { return one.name == name; });
            if (found != list.end()) {
                get(found->value, data.subspan(characters_of_name, array.element.bytes - characters_of_name));
            }
        }
    });
}

template <class Value>
Value& value_of(std::vector<Named<Value>>& list, std::string_view name) {
    auto const found = std::ranges::find_if(list, [&](auto const& one) { return one.name == name; });
    expect(found != list.end(), "the lists have a value of this name");
    return found->value;
}

template std::int32_t& value_of(std::vector<Named<std::int32_t>>&, std::string_view);
template double& value_of(std::vector<Named<double>>&, std::string_view);
template std::string& value_of(std::vector<Named<std::string>>&, std::string_view);

}  // namespace weir::flash
