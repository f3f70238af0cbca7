#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/json_fwd.hpp"

namespace weir {

/// The value of a text; a discarded one if it is not JSON. This and json_text are not templates, so that nlohmann's
/// parser and serializer are compiled once.
Json parse_json(std::string_view text);

/// A value as text, on one line unless `indent` is given; bytes that are not UTF-8 are replaced, and characters that
/// steer a terminal escaped.
std::string json_text(Json const& value, int indent = -1);

/// Reads one JSON object strictly: a missing, unknown or wrongly typed key is refused with its place. `where` names the
/// object in messages, e.g. "phases[0].steps[2]".
class StrictObject {
  public:
    StrictObject(Json const& json, std::string where, std::initializer_list<std::string_view> known_keys);

    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] Json const& at(std::string_view key) const;
    [[nodiscard]] Json const& array(std::string_view key) const;
    [[nodiscard]] std::string text(std::string_view key) const;
    [[nodiscard]] std::uint64_t count(std::string_view key) const;
    [[nodiscard]] std::int64_t integer(std::string_view key) const;
    [[nodiscard]] double number(std::string_view key) const;
    [[nodiscard]] bool flag(std::string_view key) const;

    /// The count of an optional key.
    [[nodiscard]] std::uint64_t count_or(std::string_view key, std::uint64_t otherwise) const {
        return has(key) ? count(key) : otherwise;
    }

    /// The place of a member in messages.
    [[nodiscard]] std::string place(std::string_view key) const;

  private:
    template <class Test>
    Json const& checked(std::string_view key, char const* wanted, Test test) const;

    Json const& json_;
    std::string where_;
};

}  // namespace weir
