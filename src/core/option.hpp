#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/enum_names.hpp"
#include "core/json_fwd.hpp"
#include "core/quantity.hpp"

namespace weir {

enum class OptionType { bytes, seconds, count, number, boolean, choice, text, texts };
constexpr std::array<std::string_view, 8> enum_names(OptionType) {
    return {"bytes", "seconds", "count", "number", "bool", "choice", "text", "texts"};
}

/// Least and greatest value allowed, both included, and the number of which an integer must be a multiple.
template <class Number>
struct Bounds {
    std::optional<Number> min{};
    std::optional<Number> max{};
    std::optional<Number> multiple{};
};

/// What the value of an option names outside of the measurement. Whoever runs a study of somebody else is asked first:
/// about code that is loaded, files that are read or written anywhere, and protections that are lifted; a directory to
/// measure is shown.
enum class Reach { nothing, code, input, output, directory, protection };
constexpr std::array<std::string_view, 6> enum_names(Reach) {
    return {"nothing", "code", "input", "output", "directory", "protection"};
}

/// Of an option: its reach, and the values beside its default that name nothing outside.
struct Outside {
    Reach reach = Reach::nothing;
    std::vector<std::string> inside{};
};

/// What people call values of an option, by the values.
using ValueWords = std::vector<std::pair<std::string, std::string>>;

/// Those of an enumeration with enum_words().
template <class Enum>
ValueWords words_of() {
    auto const names = enum_names(Enum{});
    auto const words = enum_words(Enum{});
    static_assert(std::tuple_size_v<decltype(names)> == std::tuple_size_v<decltype(words)>);
    ValueWords found;
    for (std::size_t i = 0; i < names.size(); ++i) {
        found.emplace_back(names[i], words[i]);
    }
    return found;
}

/// {"shared": "shared file", ...}
Json to_json(ValueWords const&);

struct Option;  ///< see core/option_facts.hpp

/// The options of a benchmark, each declared once and bound to the field that it fills.
///
/// A field's value at its declaration is the default. The fields must outlive the set.
class OptionSet {
  public:
    OptionSet();
    OptionSet(OptionSet const&);
    OptionSet(OptionSet&&) noexcept;
    OptionSet& operator=(OptionSet const&);
    OptionSet& operator=(OptionSet&&) noexcept;
    ~OptionSet();

    /// Options declared from here on belong to this group (a heading in help and reference).
    void group(std::string name) { group_ = std::move(name); }

    void add(std::string name, Bytes& field, std::string help, Bounds<std::uint64_t> const& = {});
    void add(std::string name, Seconds& field, std::string help, Bounds<double> const& = {});
    void add(std::string name, std::uint64_t& field, std::string help, Bounds<std::uint64_t> const& = {});
    void add(std::string name, double& field, std::string help, Bounds<double> const& = {});  ///< without a unit
    void add(std::string name, bool& field, std::string help, Outside = {});
    void add(std::string name, std::string& field, std::string help, std::vector<std::string> choices = {});
    void add(std::string name, std::string& field, std::string help, Outside);
    void add(std::string name, std::vector<std::string>& field, std::string help, Outside = {});

    template <class Enum>
    requires std::is_enum_v<Enum>
    void add(std::string const& name, Enum& field, std::string const& help) {
        std::string_view alias;
        if constexpr (requires { enum_alias(Enum{}); }) {
            alias = enum_alias(Enum{}).first;
        }
        add_choice(
            name, help, enum_names(Enum{}), alias,
            [&field, name](std::string const& word) { field = from_text<Enum>(word, name); },
            [&field] { return to_text(field); });
        if constexpr (requires { enum_words(Enum{}); }) {
            words(name, words_of<Enum>());
        }
    }

    /// How results say what the option's value was, by the value as JSON writes it, or "*" for all others, in which {}
    /// is the value with its unit: {{"0", "not aligned"}, {"*", "aligned to {}"}}. "": nothing is said of that value.
    void words(std::string_view name, ValueWords);

    /// Adds the options of another set. One that exists already, with the same type, is shared: setting it sets both.
    void adopt(OptionSet const& other);

    /// Sets an option from its JSON value. Throws Error (usage) if unknown, of the wrong type or out of bounds.
    void set(std::string_view name, Json const& value);

    /// Sets an option from the command line's words ("64KiB", "true"); list options take all of them.
    void set_words(std::string_view name, std::vector<std::string> const& words);

    /// Sets all options named in a JSON object.
    void set_all(Json const& object);

    [[nodiscard]] std::vector<Option> const& options() const { return options_; }
    [[nodiscard]] bool is_default(std::string_view name) const;

    /// Name to value, all of them: the provenance of a case.
    [[nodiscard]] Json values() const;

    /// The declarations, in the form of docs/reference/protocol.md.
    [[nodiscard]] Json schema() const;

  private:
    void add_choice(std::string name, std::string help, std::span<std::string_view const> words, std::string_view alias,
                    std::function<void(std::string const&)> set, std::function<std::string_view()> get);
    void insert(Option);
    [[nodiscard]] Option const& find(std::string_view name) const;

    std::string group_;
    std::vector<Option> options_;
};

}  // namespace weir
