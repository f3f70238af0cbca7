#include "typemap/contents.hpp"

#include <array>

namespace weir {
namespace {

/// Of a datatype: the numbers of its arguments of each kind, and how it was constructed.
struct Envelope {
#if MPI_VERSION >= 4
    using Number = MPI_Count;
#else
    using Number = int;
#endif
    Number integers = 0;
    Number addresses = 0;
    Number large = 0;
    Number types = 0;
    int how = MPI_COMBINER_NAMED;

    bool read(MPI_Datatype type) {
#if MPI_VERSION >= 4
        return PMPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &how) == MPI_SUCCESS;
#else
        return PMPI_Type_get_envelope(type, &integers, &addresses, &types, &how) == MPI_SUCCESS;
#endif
    }
};

std::size_t room(Envelope::Number count) { return static_cast<std::size_t>(count) + 1; }

}  // namespace

bool is_predefined(int how) {
    return how == MPI_COMBINER_NAMED || how == MPI_COMBINER_F90_REAL || how == MPI_COMBINER_F90_COMPLEX ||
           how == MPI_COMBINER_F90_INTEGER;
}

Contents::Contents(MPI_Datatype type) { read(type); }

Contents::~Contents() {
    for (auto& part : types) {
        Envelope made;
        if (part != MPI_DATATYPE_NULL && made.read(part) && !is_predefined(made.how)) {
            PMPI_Type_free(&part);
        }
    }
}

void Contents::read(MPI_Datatype type) {
    Envelope lengths;
    known = lengths.read(type);
    how = lengths.how;
    if (!known || is_predefined(how)) {
        return;
    }
    std::vector<int> small(room(lengths.integers));
    std::vector<MPI_Aint> places(room(lengths.addresses));
    std::vector<MPI_Count> large(room(lengths.large));
    types.assign(room(lengths.types), MPI_DATATYPE_NULL);
#if MPI_VERSION >= 4
    known = PMPI_Type_get_contents_c(type, lengths.integers, lengths.addresses, lengths.large, lengths.types,
                                     small.data(), places.data(), large.data(), types.data()) == MPI_SUCCESS;
#else
    known = PMPI_Type_get_contents(type, lengths.integers, lengths.addresses, lengths.types, small.data(),
                                   places.data(), types.data()) == MPI_SUCCESS;
#endif
    types.pop_back();
    small.pop_back();
    integers.assign(small.begin(), small.end());
    addresses.assign(places.begin(), places.end() - 1);
    if (lengths.large > 0) {
        put_in_order({large.begin(), large.end() - 1});
    }
}

/// Arguments that are large counts, at the places that they have in the forms without.
void Contents::put_in_order(std::vector<std::int64_t> const& large) {
    auto const split = [&](std::size_t before) {
        auto const middle = large.begin() + static_cast<std::ptrdiff_t>(before);
        integers.assign(large.begin(), middle);
        addresses.assign(middle, large.end());
    };
    switch (how) {
        case MPI_COMBINER_HVECTOR:
        case MPI_COMBINER_HINDEXED_BLOCK:
            return split(2);
        case MPI_COMBINER_HINDEXED:
        case MPI_COMBINER_STRUCT:
            return split(1 + static_cast<std::size_t>(large.front()));
        case MPI_COMBINER_RESIZED:
            return split(0);
        case MPI_COMBINER_SUBARRAY:  // behind the number of dimensions
            integers.insert(integers.begin() + 1, large.begin(), large.end());
            return;
        case MPI_COMBINER_DARRAY:  // behind those of processes, this one's, and of dimensions
            integers.insert(integers.begin() + 3, large.begin(), large.end());
            return;
        default:
            return split(large.size());
    }
}

}  // namespace weir
