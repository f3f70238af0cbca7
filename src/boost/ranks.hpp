#pragma once

#include <mpi.h>

#include <cstdint>

namespace weir::boost {

/// Is it true on all ranks? Collective.
bool true_on_all(MPI_Comm comm, bool here);

/// The ranks that share a file, with messages apart from the program's; some of them, the aggregators, move its bytes.
class Ranks {
  public:
    /// Collective over the program's communicator.
    explicit Ranks(MPI_Comm comm);
    ~Ranks();
    Ranks(Ranks const&) = delete;
    Ranks& operator=(Ranks const&) = delete;

    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] MPI_Comm node() const { return node_; }  ///< those of this rank's node
    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] bool on_one_node() const { return on_one_node_; }

    [[nodiscard]] int aggregators() const { return aggregators_; }
    [[nodiscard]] int rank_of(int aggregator) const;
    [[nodiscard]] int own_aggregator() const;  ///< -1: none

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    MPI_Comm node_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
    int aggregators_ = 1;
    bool on_one_node_ = true;
};

}  // namespace weir::boost
