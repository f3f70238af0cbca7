#include "boost/facts.hpp"

#include <algorithm>

namespace weir::boost {

void Facts::add(Facts const& other) {
    strange = std::max(strange, other.strange);
    before = std::max(before, other.before);
    end = std::max(end, other.end);
    most_pieces = std::max(most_pieces, other.most_pieces);
    file_end = std::max(file_end, other.file_end);
    quickest = std::max(quickest, other.quickest);
    bytes += other.bytes;
    hulls += other.hulls;
    pieces += other.pieces;
}

Facts Facts::of_all(MPI_Comm comm) const {
    static MPI_Datatype const type = [] {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        PMPI_Type_contiguous(sizeof(Facts), MPI_BYTE, &made);
        PMPI_Type_commit(&made);
        return made;
    }();
    static MPI_Op const combine = [] {
        MPI_Op made = MPI_OP_NULL;
        PMPI_Op_create(
            [](void* in, void* in_out, int* count, MPI_Datatype*) {
                for (int i = 0; i < *count; ++i) {
                    static_cast<Facts*>(in_out)[i].add(static_cast<Facts const*>(in)[i]);
                }
            },
            1, &made);
        return made;
    }();
    Facts all;
    PMPI_Allreduce(this, &all, 1, type, combine, comm);
    return all;
}

}  // namespace weir::boost
