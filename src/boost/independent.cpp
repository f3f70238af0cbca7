// Independent data access is MPI's; how much there is of it is told at the end.

#include "boost/interposing.hpp"

namespace weir::boost {
namespace {

template <class Mpi>
int counted(MPI_File file, MPI_Count items, MPI_Datatype type, Mpi mpi) {
    if (known(file) == nullptr) {
        return mpi();
    }
    auto const began = PMPI_Wtime();
    auto const code = mpi();
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    auto& all = tally();
    count(all.independent_s, PMPI_Wtime() - began);
    count(all.independent_bytes, static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(items));
    count(all.independent, std::uint64_t{1});
    return code;
}

}  // namespace
}  // namespace weir::boost

using namespace weir::boost;

#define WEIR_COUNTED(name, parameters, arguments)                                       \
    WEIR_TAKEN_OVER int name parameters {                                               \
        return counted(file, count, type, [&] { return WEIR_BEHIND(name) arguments; }); \
    }                                                                                   \
    WEIR_ALSO(name)
// Of one direction; at offsets, at the file pointer, at the shared one; blocking ones tell a status, others a request.
#define WEIR_INDEPENDENT(prefix, constant, Told)                                                                     \
    WEIR_COUNTED(MPI_File_##prefix##_at,                                                                             \
                 (MPI_File file, MPI_Offset offset, void constant* buffer, int count, MPI_Datatype type, Told told), \
                 (file, offset, buffer, count, type, told));                                                         \
    WEIR_COUNTED(MPI_File_##prefix, (MPI_File file, void constant* buffer, int count, MPI_Datatype type, Told told), \
                 (file, buffer, count, type, told));                                                                 \
    WEIR_COUNTED(MPI_File_##prefix##_shared,                                                                         \
                 (MPI_File file, void constant* buffer, int count, MPI_Datatype type, Told told),                    \
                 (file, buffer, count, type, told))
#define WEIR_NOT_CONST

WEIR_INDEPENDENT(write, const, MPI_Status*);
WEIR_INDEPENDENT(iwrite, const, MPI_Request*);
WEIR_INDEPENDENT(read, WEIR_NOT_CONST, MPI_Status*);
WEIR_INDEPENDENT(iread, WEIR_NOT_CONST, MPI_Request*);
