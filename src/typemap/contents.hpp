#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir {

/// Which is not to be freed, and of which there are no contents to read. `how` is a combiner.
bool is_predefined(int how);

/// The arguments with which a type was constructed, in the order of MPI 3.1, section 4.1.13, also of one that was made
/// with large counts (MPI 4.0, section 5.1.13). Frees the types among them that MPI has made for that. Local.
class Contents {
  public:
    explicit Contents(MPI_Datatype type);
    ~Contents();
    Contents(Contents const&) = delete;
    Contents& operator=(Contents const&) = delete;

    [[nodiscard]] std::uint64_t count(std::size_t i) const { return static_cast<std::uint64_t>(integers[i]); }

    bool known = false;  ///< MPI told them
    int how = MPI_COMBINER_NAMED;
    std::vector<std::int64_t> integers{};
    std::vector<std::int64_t> addresses{};
    std::vector<MPI_Datatype> types{};

  private:
    void read(MPI_Datatype type);
    void put_in_order(std::vector<std::int64_t> const& large);
};

}  // namespace weir
