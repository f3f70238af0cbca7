#include "bench/directory_claim.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "comm/agreement.hpp"
#include "core/error.hpp"

namespace weir {
namespace {

constexpr std::size_t longest = 1024;

std::string this_host() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "";
}

Error taken(std::filesystem::path const& path, std::string const& what, std::string advice) {
    return Error({fmt::format("another run, {}, writes into '{}'", what, path.parent_path().string()),
                  "two would replace each other's files", std::move(advice), ExitCode::cannot_run});
}

/// Only where the kernel says that somebody has it; some file systems have no locks.
bool is_held(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

}  // namespace

DirectoryClaim::DirectoryClaim(std::filesystem::path const& directory, std::string const& name, std::string const& what,
                               Communicator const& comm)
    : path_(directory / fmt::format(".{}.lock", name)) {
    run_together(comm, [&] {
        if (comm.is_root()) {
            take(what);
        }
    });
}

void DirectoryClaim::take(std::string const& what) {
    if (is_there(path_)) {
        take_over(what);
        return;
    }
    file_.emplace(make_new_file(path_));
    auto const host = this_host();
    if (is_held(file_->get()) || ::write(file_->get(), host.data(), host.size()) < 0) {
        throw taken(path_, what, "Name another directory with dir.");
    }
}

void DirectoryClaim::take_over(std::string const& what) {
    auto left = open_own_file(path_, O_RDWR);
    if (is_held(left.get())) {
        throw taken(path_, what, "Wait until it ends, or name another directory with dir.");
    }
    // Locks may be those of one host only, and then only the same host's tell anything.
    if (read_short_file(path_, longest) != this_host() || left.identity() != open_own_file(path_).identity()) {
        throw taken(path_, what + " on another host",
                    fmt::format("If it is no longer there, remove '{}'; else name another directory with dir.",
                                path_.string()));
    }
    file_.emplace(std::move(left));
}

DirectoryClaim::~DirectoryClaim() {
    if (file_) {
        static_cast<void>(::unlink(path_.c_str()));  // before the lock goes with the descriptor
    }
}

}  // namespace weir
