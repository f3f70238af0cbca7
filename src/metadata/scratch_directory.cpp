#include "metadata/scratch_directory.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "comm/agreement.hpp"
#include "metadata/file_calls.hpp"

namespace weir {
namespace {

std::string make_directory(std::filesystem::path const& parent) {
    auto name = (parent / "weir-metadata-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw file_error("make a directory in", parent.c_str(), errno);
    }
    return name;
}

void remove_directory(std::filesystem::path const& path) {
    // Most are empty by now, and this takes no descriptor, of which there may be none left.
    if (::rmdir(path.c_str()) == 0) {
        return;
    }
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) {
        throw file_error("remove", path.c_str(), error.value());
    }
}

}  // namespace

ScratchDirectory::ScratchDirectory(std::filesystem::path const& parent, bool private_ones, Communicator comm)
    : private_ones_(private_ones), comm_(std::move(comm)) {
    std::string name;
    run_together(comm_, [&] { name = comm_.is_root() ? make_directory(parent) : ""; });
    path_ = comm_.broadcast(name);
    try {
        run_together(comm_, [&] {
            auto const own = of_rank(comm_.rank());
            if (private_ones_ && ::mkdir(own.c_str(), 0777) != 0) {
                throw file_error("make the directory", own.c_str(), errno);
            }
        });
    } catch (Error const&) {
        remove();
        throw;
    }
}

std::filesystem::path ScratchDirectory::of_rank(std::uint64_t rank) const {
    return private_ones_ ? path_ / fmt::format("weir-rank-{}", rank) : path_;
}

void ScratchDirectory::remove() {
    run_together(comm_, [&] {
        if (private_ones_) {
            remove_directory(of_rank(comm_.rank()));
        }
    });
    run_together(comm_, [&] {
        if (comm_.is_root()) {
            remove_directory(path_);
        }
    });
}

}  // namespace weir
