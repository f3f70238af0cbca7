// Launchers that scripts start with variables of their own.

#include <fcntl.h>
#include <unistd.h>

#include "trace/recorder/launch_again.hpp"

namespace weir::boost {
namespace {

ssize_t read_file(char const* path, char* text, std::size_t room) {
    int const file = ::open(path, O_RDONLY | O_CLOEXEC);
    auto const bytes = file < 0 ? -1 : ::read(file, text, room);
    if (file >= 0) {
        ::close(file);
    }
    return bytes;
}

__attribute__((constructor)) void start_again() {
    trace::launch_again(read_file, [](char** words) { ::execv("/proc/self/exe", words); });
}

}  // namespace
}  // namespace weir::boost
