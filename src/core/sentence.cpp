#include "core/sentence.hpp"

#include <algorithm>

namespace weir {

std::string sentence(std::string_view problem, std::string_view reason, std::string_view suggestion) {
    std::string text(problem);
    if (!reason.empty()) {
        text.append(" (").append(reason).append(")");
    }
    if (!suggestion.empty()) {
        bool const ends = !text.empty() && std::string_view(".?!:").find(text.back()) != std::string_view::npos;
        text.append(ends || text.empty() ? "" : ".").append(text.empty() ? "" : " ").append(suggestion);
        // A word, that is; no path, program or option.
        auto const word = suggestion.substr(0, suggestion.find(' '));
        if (!word.empty() && std::ranges::all_of(word, [](char letter) { return letter >= 'a' && letter <= 'z'; })) {
            auto& first = text[text.size() - suggestion.size()];
            first = static_cast<char>(first - 'a' + 'A');
        }
    }
    return text;
}

}  // namespace weir
