#include "bench/compute/linear/shared_library.hpp"

#include <dlfcn.h>

#include <filesystem>

namespace weir {

void* open_shared_library(std::string const& name, std::string& why_not) {
    std::error_code ignored;
    auto const is_path = name.find('/') != std::string::npos;
    if (name.empty()) {  // which would be this program
        why_not = "its name is empty";
        return nullptr;
    }
    if (is_path && std::filesystem::exists(name, ignored) && !std::filesystem::is_regular_file(name, ignored)) {
        why_not = "it is not a file";
        return nullptr;
    }
    auto* const found = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (found == nullptr) {
        auto const* words = dlerror();
        why_not = words == nullptr ? "it cannot be loaded" : words;
    }
    return found;
}

}  // namespace weir
