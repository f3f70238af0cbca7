#include "core/text_file.hpp"

#include <fstream>
#include <sstream>
#include <utility>

#include "core/error.hpp"

namespace weir {

std::optional<std::string> read_text_file(std::string const& path) {
    std::ifstream file(path);
    if (!file) {
        return {};
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string read_named_file(std::string const& path, std::string const& what, std::string suggestion) {
    auto text = read_text_file(path);
    validate(text.has_value(), "cannot read " + what, "there is no such file, or it may not be read",
             std::move(suggestion));
    return *std::move(text);
}

}  // namespace weir
