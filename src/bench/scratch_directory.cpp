#include "bench/scratch_directory.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/foreign_link.hpp"

namespace weir {

void check_directory(std::filesystem::path const& directory, ForeignFolder others) {
    if (others == ForeignFolder::refused) {
        refuse_foreign_links(directory);
    }
    auto const refuse = [&](char const* reason, char const* suggestion, ExitCode code) {
        throw Error({fmt::format("cannot measure '{}'", directory.string()), reason, suggestion, code});
    };
    std::error_code error;
    if (!std::filesystem::exists(directory, error)) {
        refuse("there is no such directory", "Make it, or name another with dir.", ExitCode::usage);
    }
    if (!std::filesystem::is_directory(directory, error)) {
        refuse("it is a file", "Name a directory with dir.", ExitCode::usage);
    }
    if (::access(directory.c_str(), W_OK | X_OK) != 0) {
        refuse(errno == EROFS ? "its file system is mounted read-only" : "you may not write to it",
               "Name another directory with dir.", ExitCode::cannot_run);
    }
}

void check_directory(std::filesystem::path const& directory, ForeignFolder others, Communicator const& comm) {
    std::error_code unknown;
    if (comm.is_root() || std::filesystem::exists(std::filesystem::symlink_status(directory, unknown))) {
        check_directory(directory, others);
    }
}

void check_whose(std::filesystem::path const& directory, ForeignFolder others) {
    struct stat facts {};
    if (::geteuid() != 0 || others == ForeignFolder::permitted || ::stat(directory.c_str(), &facts) != 0 ||
        facts.st_uid == 0) {
        return;
    }
    auto const shared = (facts.st_mode & S_ISVTX) != 0 && (facts.st_mode & S_IWOTH) != 0;
    if (!shared) {
        throw Error({fmt::format("root puts no files into '{}'", directory.string()),
                     fmt::format("it belongs to user {}, who could neither change nor trust them", facts.st_uid),
                     "Run it as that user, name another directory with dir, or give foreign_folder.",
                     ExitCode::cannot_run});
    }
}

namespace {

std::string make_new(std::filesystem::path const& like) {
    auto name = like.string() + "-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
        throw file_error("make a directory in", like.parent_path(), errno);
    }
    return name;
}

/// With node-local storage under this name, the first rank has created it on its own node only.
void make_on_this_node(std::filesystem::path const& path) {
    struct stat facts {};
    if (::mkdir(path.c_str(), 0700) != 0 && (errno != EEXIST || ::lstat(path.c_str(), &facts) != 0)) {
        throw file_error("make the directory", path, errno);
    }
    if (facts.st_mode != 0 && (!S_ISDIR(facts.st_mode) || facts.st_uid != ::geteuid())) {
        throw file_error("make the directory", path, EEXIST);
    }
}

/// The first rank may have made it, on its own node only. Whether it was not there.
bool make_parent_on_this_node(std::filesystem::path const& parent) {
    if (::mkdir(parent.c_str(), 0700) == 0) {
        return true;
    }
    if (errno != EEXIST) {
        throw file_error("make the directory", parent, errno);
    }
    return false;
}

void remove_tree(std::filesystem::path const& path) {
    // Most are empty by now, and rmdir needs no descriptor, of which there may be none left.
    if (::rmdir(path.c_str()) == 0 || errno == ENOENT) {
        return;
    }
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) {
        throw system_error(fmt::format("cannot remove '{}'", path.string()), error.value(), "Remove it by hand.");
    }
}

}  // namespace

ScratchDirectory::ScratchDirectory(std::filesystem::path const& parent, std::string const& name, Communicator comm,
                                   DirectoryUse use, WhenStopped when_stopped, Sharing sharing)
    : use_(use), comm_(std::move(comm)), node_(comm_.node()) {
    std::string made;
    run_together(comm_, [&] {
        if (comm_.is_root()) {
            made = make_new(parent / name);
            watch(made, when_stopped);
        }
    });
    path_ = comm_.broadcast(made);
    try {
        using std::chrono::milliseconds;
        // Where nodes may be apart, many cases on disks of their own would wait each time.
        apart_ = find_apart_nodes(path_, comm_, node_, milliseconds(sharing == Sharing::needed ? 2'000 : 300));
        if (apart_ && sharing == Sharing::needed) {
            throw not_shared(parent, *apart_);
        }
        run_together(comm_, [&] {
            if (node_.is_root() && !comm_.is_root()) {
                made_parent_ = apart_ && make_parent_on_this_node(parent) ? parent : std::filesystem::path();
                make_on_this_node(path_);
                watch(made_parent_.empty() ? path_ : made_parent_, when_stopped);
            }
        });
        run_together(comm_, [&] {
            auto const own = of_rank(comm_.rank());
            if (one_a_rank() && ::mkdir(own.c_str(), 0777) != 0) {
                throw file_error("make the directory", own, errno);
            }
        });
    } catch (Error const&) {
        remove();
        throw;
    }
}

void ScratchDirectory::watch(std::filesystem::path const& path, WhenStopped when_stopped) {
    if (when_stopped == WhenStopped::removed) {
        when_stopped_ = std::make_unique<StopRemoval>(path, comm_.is_root() ? Speaks::yes : Speaks::no);
    }
}

std::filesystem::path ScratchDirectory::of_rank(std::uint64_t rank) const {
    return one_a_rank() ? path_ / fmt::format("weir-rank-{}", rank) : path_;
}

void ScratchDirectory::remove() {
    // Each rank removes its own: one rank would take long for those of thousands; not before all have closed their
    // files.
    comm_.barrier();
    run_together(comm_, [&] {
        if (one_a_rank()) {
            remove_tree(of_rank(comm_.rank()));
        }
    });
    when_stopped_.reset();
    run_together(comm_, [&] {
        if (comm_.is_root()) {
            remove_tree(path_);
        }
    });
    run_together(comm_, [&] {
        if (node_.is_root()) {
            remove_tree(path_);  // node-local storage; on shared storage the other ranks find nothing
        }
        if (!made_parent_.empty()) {
            ::rmdir(made_parent_.c_str());  // it stays where files in it were to be kept
        }
    });
}

}  // namespace weir
