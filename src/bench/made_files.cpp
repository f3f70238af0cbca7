#include "bench/made_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <utility>

#include "bench/own_list.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
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

/// Sets errno if it fails.
bool write_whole(int fd, std::string const& text) {
    errno = ENOSPC;  // a file system that takes a part of so few bytes is full
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
    if (is_held(file_->get())) {
        throw taken(path_, what, {}, "Name another directory with dir.");
    }
    if (!write_whole(file_->get(), text_of_this_run())) {
        auto const why = errno;
        static_cast<void>(::unlink(path_.c_str()));
        throw Error({fmt::format("nothing can be written into '{}'", path_.parent_path().string()), std::strerror(why),
                     "Free space there, or name another directory with dir.", ExitCode::usage});
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

namespace {

constexpr char const* version_key = "weir_made";
constexpr std::uint64_t record_schema = 1;

}  // namespace

MadeFiles::MadeFiles(std::filesystem::path const& directory, std::string const& name, Communicator comm)
    : directory_(directory), path_(directory / fmt::format(".{}.made", name)), comm_(std::move(comm)) {
    take(comm_.is_root() && is_there(path_) ? read_own_list(path_) : "");
    auto const changed = [&](auto const& known) { return identity_of(directory_ / known.first) != known.second; };
    is_stale_ = std::erase_if(files_, changed) > 0;
    take(comm_.broadcast(text()));
}

bool MadeFiles::has_left(std::filesystem::path const& path) const {
    auto const known = files_.find(path.filename().string());
    return known != files_.end() && is_there(path) && open_own_file(path).identity() == known->second;
}

void MadeFiles::add(std::vector<std::filesystem::path> const& of_this_rank) {
    auto const before = std::exchange(files_, {});
    run_together(comm_, [&] {
        for (auto const& path : of_this_rank) {
            if (auto const left = identity_of(path)) {
                files_[path.filename().string()] = *left;
            }
        }
    });
    auto const texts = comm_.all_gather(text());
    files_ = before;
    for (auto const& one : texts) {
        take(one);
    }
    run_together(comm_, [&] {
        if (comm_.is_root() && (is_stale_ || files_ != before)) {
            replace_own_list(path_, text());
            is_stale_ = false;
        }
    });
}

std::string MadeFiles::text() const {
    auto files = Json::object();
    for (auto const& [name, left] : files_) {
        files[name] = {left.inode, left.bytes, left.modified_ns};
    }
    return json_text({{version_key, record_schema}, {"files", std::move(files)}});
}

void MadeFiles::take(std::string const& text) {
    auto const json = parse_json(text);
    try {
        if (json.is_object() && json.at(version_key) == record_schema) {
            for (auto const& [name, left] : json.at("files").items()) {
                files_[name] = {left.at(0).get<std::uint64_t>(), left.at(1).get<std::uint64_t>(),
                                left.at(2).get<std::int64_t>()};
            }
        }
    } catch (Json::exception const&) {
        files_.clear();  // not written by this format's writer
    }
}

}  // namespace weir
