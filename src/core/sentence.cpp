#include "core/sentence.hpp"

namespace weir {

std::string sentence(std::string_view problem, std::string_view reason, std::string_view suggestion) {
    std::string text(problem);
    if (!reason.empty()) {
        text.append(" (").append(reason).append(")");
    }
    if (!suggestion.empty()) {
        bool const ends = !text.empty() && std::string_view(".?!:").find(text.back()) != std::string_view::npos;
        text.append(ends || text.empty() ? "" : ".").append(text.empty() ? "" : " ").append(suggestion);
        auto& first = text[text.size() - suggestion.size()];
        first = first >= 'a' && first <= 'z' ? static_cast<char>(first - 'a' + 'A') : first;
    }
    return text;
}

}  // namespace weir
