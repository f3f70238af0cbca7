#include "boost/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

namespace weir::boost {
namespace {

constexpr std::uint64_t least_window = 4096;

void take(std::string const& word, Settings& all) {
    constexpr auto window = std::string_view("window=");
    if (word == "always" || word == "direct") {
        all.always = true;
        all.direct = word == "direct";
    } else if (word == "never") {
        all.never = true;
    } else if (word == "messages") {
        all.messages = true;
    } else if (word.starts_with(window)) {
        auto const bytes = std::strtoull(word.c_str() + window.size(), nullptr, 10);
        all.window = std::clamp<std::uint64_t>(bytes / least_window * least_window, least_window, all.window);
    } else if (word != "auto" && word != "automatic") {
        all.unknown = word;
    }
}

}  // namespace

Settings const& settings() {
    static auto const all = [] {
        Settings read;
        auto const* const told = std::getenv("WEIR_BOOST");
        std::istringstream words(told == nullptr ? "" : told);
        for (std::string word; std::getline(words, word, ',');) {
            take(word, read);
        }
        return read;
    }();
    return all;
}

}  // namespace weir::boost
