#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "comm/communicator.hpp"

namespace weir::testing {

/// A directory that all ranks share and that is removed at the end. Collective.
class TemporaryDirectory {
  public:
    explicit TemporaryDirectory(Communicator comm = {}) : comm_(std::move(comm)) {
        std::string name = (std::filesystem::temp_directory_path() / "weir-test-XXXXXX").string();
        if (comm_.is_root()) {
            name = ::mkdtemp(name.data());
        }
        path_ = comm_.broadcast(name);
    }
    ~TemporaryDirectory() {
        comm_.barrier();
        if (comm_.is_root()) {
            std::error_code ignored;
            std::filesystem::remove_all(path_, ignored);
        }
    }
    TemporaryDirectory(TemporaryDirectory const&) = delete;
    TemporaryDirectory& operator=(TemporaryDirectory const&) = delete;

    [[nodiscard]] std::filesystem::path const& path() const { return path_; }

    /// How many files are in it.
    [[nodiscard]] std::ptrdiff_t entries() const {
        return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
    }

    /// The same, when all ranks have come here and before any goes on. Collective.
    [[nodiscard]] std::ptrdiff_t entries_of_all() const {
        comm_.barrier();
        auto const there = entries();
        comm_.barrier();
        return there;
    }

  private:
    Communicator comm_;
    std::filesystem::path path_;
};

}  // namespace weir::testing
