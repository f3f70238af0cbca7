#include "bench/own_list.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/error.hpp"
#include "core/own_file.hpp"

namespace weir {
namespace {

constexpr std::size_t longest_list = 256 << 20;

}  // namespace

std::string read_own_list(std::filesystem::path const& path) {
    try {
        auto const bytes = open_own_file(path).identity().bytes;
        return bytes <= longest_list ? read_short_file(path, bytes).value_or("") : "";
    } catch (Error const&) {
        return {};
    }
}

void replace_own_list(std::filesystem::path const& path, std::string const& text) {
    auto const aside = path.string() + ".part";
    for (auto const& old : {std::filesystem::path(aside), path}) {
        if (is_there(old)) {
            static_cast<void>(open_own_file(old));
        }
    }
    static_cast<void>(::unlink(aside.c_str()));
    try {
        write_new_file(aside, text + "\n");
    } catch (Error const&) {
        static_cast<void>(::unlink(aside.c_str()));  // the file system may be full
        throw;
    }
    if (::rename(aside.c_str(), path.c_str()) != 0) {
        throw file_error("rename to", path, errno);
    }
}

}  // namespace weir
