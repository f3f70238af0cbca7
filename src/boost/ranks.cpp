#include "boost/ranks.hpp"

namespace weir::boost {

bool true_on_all(MPI_Comm comm, bool here) {
    int all = here ? 1 : 0;
    PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
    return all != 0;
}

Ranks::Ranks(MPI_Comm comm) {
    PMPI_Comm_split(comm, 0, 0, &comm_);  // a duplicate would call back for attributes of the program
    PMPI_Comm_rank(comm_, &rank_);
    PMPI_Comm_size(comm_, &size_);
    aggregators_ = size_;
    PMPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node_);
    PMPI_Comm_set_errhandler(node_, MPI_ERRORS_RETURN);
    int here = 0;
    PMPI_Comm_size(node_, &here);
    on_one_node_ = true_on_all(comm_, here == size_);
}

Ranks::~Ranks() {
    int finalized = 0;
    PMPI_Finalized(&finalized);
    if (finalized == 0) {
        PMPI_Comm_free(&node_);
        PMPI_Comm_free(&comm_);
    }
}

int Ranks::rank_of(int aggregator) const {
    return static_cast<int>(static_cast<std::int64_t>(aggregator) * size_ / aggregators_);
}

int Ranks::own_aggregator() const {
    auto const candidate = static_cast<int>((static_cast<std::int64_t>(rank_) * aggregators_ + size_ - 1) / size_);
    return candidate < aggregators_ && rank_of(candidate) == rank_ ? candidate : -1;
}

}  // namespace weir::boost
