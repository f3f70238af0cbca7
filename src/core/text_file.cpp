#include "core/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "core/own_file.hpp"
#include "core/posix_io.hpp"

namespace weir {
namespace {

char const* kind_of(mode_t mode) {
    return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

}  // namespace

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
    auto const refuse_unless = [&](bool ok, std::string why) {
        validate(ok, "cannot read " + what, std::move(why), suggestion);
    };
    // Nonblocking: a pipe might never be written to.
    Descriptor const file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    refuse_unless(file.get() >= 0, errno == ENOENT ? "there is no such file" : std::strerror(errno));
    struct stat facts {};
    auto const known = fstat(file.get(), &facts) == 0;
    refuse_unless(known, std::strerror(errno));
    refuse_unless(S_ISREG(facts.st_mode), fmt::format("it is {}, not a file", kind_of(facts.st_mode)));
    std::string text;
    std::array<char, 65536> chunk{};
    while (true) {
        auto const got = read_at(file.get(), text.size(), std::as_writable_bytes(std::span(chunk)));
        refuse_unless(!got.failed(), std::strerror(got.error_number));
        text.append(chunk.data(), got.bytes);
        if (got.bytes < chunk.size()) {
            return text;
        }
    }
}

}  // namespace weir
