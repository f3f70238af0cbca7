#pragma once

#include <filesystem>

#include "comm/communicator.hpp"

namespace weir::cloud {

/// A new directory `weir-cloud-XXXXXX`, for files that are not to stay.
class OwnDirectory {
  public:
    /// Error (cannot_run), on all ranks, if it cannot be made. Collective.
    OwnDirectory(std::filesystem::path const& parent, Communicator);

    [[nodiscard]] std::filesystem::path const& path() const { return path_; }

    /// With all that is in it. Error (cannot_run) if it cannot be removed. Collective.
    void remove();

  private:
    std::filesystem::path path_;
    Communicator comm_;
};

}  // namespace weir::cloud
