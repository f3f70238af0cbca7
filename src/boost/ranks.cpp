#include "boost/ranks.hpp"

namespace weir::boost {

Ranks::Ranks(MPI_Comm comm) {
    PMPI_Comm_dup(comm, &comm_);
    PMPI_Comm_rank(comm_, &rank_);
    PMPI_Comm_size(comm_, &size_);
    aggregators_ = size_;
}

Ranks::~Ranks() {
    int finalized = 0;
    PMPI_Finalized(&finalized);
    if (finalized == 0) {
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
