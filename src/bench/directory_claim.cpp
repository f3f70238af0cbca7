#include "bench/directory_claim.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>
#include <utility>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/proc.hpp"
#include "core/terminal_text.hpp"

namespace weir {
namespace {

constexpr std::size_t longest_claim = 1024;

std::string this_host() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "";
}

/// The holder of a directory, from the lock file: host, process, and since when.
struct Holder {
    std::string host;
    std::string process;
    std::string since;
};

std::string text_of_this_run() { return fmt::format("{} {} {}\n", this_host(), ::getpid(), utc_time()); }

Holder holder_in(std::string const& text) {
    Holder holder;
    std::istringstream words(text);
    words >> holder.host >> holder.process >> holder.since;
    return holder;
}

std::string in_words(Holder const& holder) {
    if (holder.host.empty()) {
        return "it does not say whose it is";
    }
    return printable(fmt::format("process {} on '{}' holds it{}", holder.process.empty() ? "?" : holder.process,
                                 holder.host, holder.since.empty() ? "" : " since " + holder.since));
}

Error taken(std::filesystem::path const& path, std::string const& what, Holder const& holder, std::string advice) {
    return Error({fmt::format("another run, {}, writes into '{}'", what, path.parent_path().string()),
                  fmt::format("two would replace each other's files, and {}", in_words(holder)), std::move(advice),
                  ExitCode::cannot_run});
}

/// Only if the kernel reports a holder. NFS, and Lustre mounted with flock, keep such locks for all nodes; some file
/// systems have no locks.
bool is_held(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

bool write_whole(int fd, std::string const& text) {
    return ::ftruncate(fd, 0) == 0 && ::pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

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
    if (is_held(file_->get()) || !write_whole(file_->get(), text_of_this_run())) {
        throw taken(path_, what, {}, "Name another directory with dir.");
    }
}

void DirectoryClaim::take_over(std::string const& what) {
    auto left = open_own_file(path_, O_RDWR);
    auto const holder = holder_in(read_short_file(path_, longest_claim).value_or(""));
    if (is_held(left.get())) {
        throw taken(path_, what, holder, "Wait until it ends, or name another directory with dir.");
    }
    // Locks may be local to a host, so only a lock of the same host is conclusive.
    if (holder.host != this_host() || left.identity() != open_own_file(path_).identity()) {
        auto const look = holder.process.empty()
                              ? std::string("make sure that no such run is left on any node")
                              : fmt::format("see that it is gone (ssh {} ps -p {})", holder.host, holder.process);
        throw taken(path_, what + " on another host", holder,
                    printable(fmt::format("Wait until it ends. If it was killed, {}, then remove its lock: rm '{}'. Or "
                                          "name another directory with dir.",
                                          look, std::filesystem::absolute(path_).string())));
    }
    if (!write_whole(left.get(), text_of_this_run())) {
        throw file_error("write", path_, errno);
    }
    file_.emplace(std::move(left));
}

DirectoryClaim::~DirectoryClaim() {
    if (file_) {
        static_cast<void>(::unlink(path_.c_str()));  // before close releases the lock
    }
}

}  // namespace weir
