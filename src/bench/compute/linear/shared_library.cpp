#include "bench/compute/linear/shared_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace weir {
namespace {

/// Where LD_LIBRARY_PATH leads to a library of this name by an entry that is no absolute path; empty if it does not.
std::string found_from_here(std::string const& name) {
    auto const* paths = std::getenv("LD_LIBRARY_PATH");  // NOLINT(concurrency-mt-unsafe)
    // The end mark keeps an empty entry at the end.
    std::istringstream entries(paths == nullptr || *paths == 0 ? "/" : std::string(paths) + ":/");
    std::error_code ignored;
    for (std::string entry; std::getline(entries, entry, ':');) {
        auto const place = std::filesystem::path(entry.empty() ? "." : entry) / name;
        if (entry.find_first_of("/$") != 0 && std::filesystem::exists(place, ignored)) {
            return place.string();
        }
    }
    return {};
}

}  // namespace

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
    if (auto const place = is_path ? "" : found_from_here(name); !place.empty()) {
        why_not = "LD_LIBRARY_PATH has an entry that is no absolute path and leads to " + place;
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
