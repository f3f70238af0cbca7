#include "apps/cloud/program/own_directory.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

#include "comm/agreement.hpp"

namespace weir::cloud {

OwnDirectory::OwnDirectory(std::filesystem::path const& parent, Communicator comm) : comm_(std::move(comm)) {
    auto name = (parent / "weir-cloud-XXXXXX").string();
    run_together(comm_, [&] {
        if (comm_.is_root() && ::mkdtemp(name.data()) == nullptr) {
            throw system_error(fmt::format("cannot make a directory in '{}'", parent.string()), errno,
                               "Name another directory with dir.");
        }
    });
    path_ = comm_.broadcast(name);
}

void OwnDirectory::remove() {
    comm_.barrier();
    run_together(comm_, [&] {
        std::error_code error;
        if (comm_.is_root()) {
            std::filesystem::remove_all(path_, error);
        }
        if (error) {
            throw system_error(fmt::format("cannot remove '{}'", path_.string()), error.value(), "Remove it by hand.");
        }
    });
}

}  // namespace weir::cloud
