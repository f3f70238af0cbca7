#include "apps/common/module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <system_error>

namespace weir {

std::optional<std::string> load_module(std::string const& file, char const* library,
                                       std::function<bool()> const& has_come) {
    std::error_code unknown;
    auto const program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    std::filesystem::path path;
    for (auto const* folder : std::array{WEIR_INSTALLED_LIBRARIES, "../lib"}) {
        auto const place = (program.parent_path() / folder / file).lexically_normal();
        if (path.empty() && std::filesystem::exists(place, unknown)) {
            path = place;
        }
    }
    if (path.empty()) {
        return fmt::format("there is no {} beside {}: it was built without {}", file, program.string(), library);
    }
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
        auto const* words = dlerror();
        return words == nullptr ? path.string() + " cannot be loaded" : words;
    }
    if (!has_come()) {
        return path.string() + " is of another version of Weir";
    }
    return {};
}

}  // namespace weir
