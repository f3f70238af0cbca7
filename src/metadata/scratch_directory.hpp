#pragma once

#include <filesystem>

#include "comm/communicator.hpp"

namespace weir {

/// A new directory `weir-metadata-XXXXXX` for one repetition, so that no file of the user's can be in the way.
class ScratchDirectory {
  public:
    /// Collective; throws the same Error on all ranks where it cannot be made. With `private_ones`, each rank gets a
    /// directory of its own in it.
    ScratchDirectory(std::filesystem::path const& parent, bool private_ones, Communicator);

    /// Where a rank's files are.
    [[nodiscard]] std::filesystem::path of_rank(std::uint64_t rank) const;

    /// Removes it with all that is in it. Collective; throws the same Error on all ranks.
    void remove();

  private:
    std::filesystem::path path_;
    bool private_ones_;
    Communicator comm_;
};

}  // namespace weir
