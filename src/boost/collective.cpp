// Collective data access (MPI 3.1, sections 13.4.2, 13.4.3 and 13.4.5), by an exchange of this library or by MPI's own.

#include <algorithm>
#include <cstdio>
#include <new>

#include "boost/interposing.hpp"

namespace weir::boost {
namespace {

/// Without memory there is no way back that all ranks would take; MPI's own exchange ends the program, too.
bool carried_out(OpenFile& open, Call const& call) {
    try {
        return open.carry_out(call);
    } catch (std::bad_alloc const&) {
        std::fputs("weir boost: no memory for an exchange\n", stderr);
        PMPI_Abort(MPI_COMM_WORLD, 1);
        return false;
    }
}

/// By MPI, which may begin a split call.
template <class Mpi>
int left(OpenFile* open, Call const& call, Mpi mpi) {
    auto const code = by_mpi(open, mpi);
    if (open != nullptr && call.splits && code == MPI_SUCCESS) {
        open->mpi_splits();
    }
    return code;
}

/// A file has one split call at a time (MPI 3.1, section 13.4.5): another is an error of the program.
bool is_one_too_many(OpenFile const* open, Call const& call) {
    return open != nullptr && call.splits && open->is_split();
}
int refuse(MPI_File file) {
    PMPI_File_call_errhandler(file, MPI_ERR_IO);
    return MPI_ERR_IO;
}

template <class Mpi>
int at_offset(MPI_File file, Call const& call, Mpi mpi) {
    auto* const open = known(file);
    if (is_one_too_many(open, call)) {
        return refuse(file);
    }
    if (open != nullptr && carried_out(*open, call)) {
        return MPI_SUCCESS;
    }
    return left(open, call, mpi);
}

/// At MPI's own file pointer, which moves on.
template <class Mpi>
int at_pointer(MPI_File file, Call call, Mpi mpi) {
    auto* const open = known(file);
    if (is_one_too_many(open, call)) {
        return refuse(file);
    }
    if (open != nullptr && PMPI_File_get_position(file, &call.offset) == MPI_SUCCESS) {
        call.offset = std::max<MPI_Offset>(call.offset, 0);  // ROMIO's is less by a view without bytes
        if (carried_out(*open, call)) {
            auto const next = open->behind(call);
            return next == call.offset ? MPI_SUCCESS : PMPI_File_seek(file, next, MPI_SEEK_SET);
        }
    }
    return left(open, call, mpi);
}

/// The end of a split call: it was carried out where it began, as MPI allows, or MPI has begun it. Of none, it is
/// refused here: OMPIO 4.1 crashes.
template <class Mpi>
int end_of_split(MPI_File file, MPI_Status* status, Mpi mpi) {
    auto* const open = known(file);
    if (open == nullptr || open->take_mpi_split()) {
        return by_mpi(open, mpi);
    }
    return open->end_split(status) ? MPI_SUCCESS : refuse(file);
}

}  // namespace
}  // namespace weir::boost

using namespace weir::boost;

// All forms for one direction and one type of counts. Of buffers to read into, `constant` is empty.
#define WEIR_FORM(name, parameters, arguments, where, offset, direction, status, splits)                           \
    WEIR_TAKEN_OVER int name parameters {                                                                          \
        return where(file, {Direction::direction, offset, const_cast<void*>(buffer), count, type, status, splits}, \
                     [&] { return WEIR_BEHIND(name) arguments; });                                                 \
    }                                                                                                              \
    WEIR_ALSO(name)
#define WEIR_FORMS(direction, constant, suffix, Count)                                                                 \
    WEIR_FORM(                                                                                                         \
        MPI_File_##direction##_at_all##suffix,                                                                         \
        (MPI_File file, MPI_Offset offset, void constant* buffer, Count count, MPI_Datatype type, MPI_Status* status), \
        (file, offset, buffer, count, type, status), at_offset, offset, direction, status, false);                     \
    WEIR_FORM(MPI_File_##direction##_all##suffix,                                                                      \
              (MPI_File file, void constant* buffer, Count count, MPI_Datatype type, MPI_Status* status),              \
              (file, buffer, count, type, status), at_pointer, 0, direction, status, false);                           \
    WEIR_FORM(MPI_File_##direction##_at_all_begin##suffix,                                                             \
              (MPI_File file, MPI_Offset offset, void constant* buffer, Count count, MPI_Datatype type),               \
              (file, offset, buffer, count, type), at_offset, offset, direction, MPI_STATUS_IGNORE, true);             \
    WEIR_FORM(MPI_File_##direction##_all_begin##suffix,                                                                \
              (MPI_File file, void constant* buffer, Count count, MPI_Datatype type), (file, buffer, count, type),     \
              at_pointer, 0, direction, MPI_STATUS_IGNORE, true)
#define WEIR_END(name, constant)                                                                    \
    WEIR_TAKEN_OVER int name(MPI_File file, void constant* buffer, MPI_Status* status) {            \
        return end_of_split(file, status, [&] { return WEIR_BEHIND(name)(file, buffer, status); }); \
    }                                                                                               \
    WEIR_ALSO(name)
#define WEIR_NOT_CONST

WEIR_FORMS(write, const, , int);
WEIR_FORMS(read, WEIR_NOT_CONST, , int);
#if MPI_VERSION >= 4
WEIR_FORMS(write, const, _c, MPI_Count);
WEIR_FORMS(read, WEIR_NOT_CONST, _c, MPI_Count);
#endif
WEIR_END(MPI_File_write_all_end, const);
WEIR_END(MPI_File_write_at_all_end, const);
WEIR_END(MPI_File_read_all_end, WEIR_NOT_CONST);
WEIR_END(MPI_File_read_at_all_end, WEIR_NOT_CONST);

// Collective calls of other kinds are MPI's, and counted where they begin.
#define WEIR_LEFT(name, parameters, arguments)                            \
    WEIR_TAKEN_OVER int name parameters {                                 \
        auto* const open = known(file);                                   \
        if (open != nullptr) {                                            \
            count_call(Left::other_call, open->rank());                   \
        }                                                                 \
        return by_mpi(open, [&] { return WEIR_BEHIND(name) arguments; }); \
    }                                                                     \
    WEIR_ALSO(name)
#define WEIR_LEFT_KINDS(direction, constant)                                                                           \
    WEIR_LEFT(MPI_File_i##direction##_all,                                                                             \
              (MPI_File file, void constant* buffer, int count, MPI_Datatype type, MPI_Request* request),              \
              (file, buffer, count, type, request));                                                                   \
    WEIR_LEFT(                                                                                                         \
        MPI_File_i##direction##_at_all,                                                                                \
        (MPI_File file, MPI_Offset offset, void constant* buffer, int count, MPI_Datatype type, MPI_Request* request), \
        (file, offset, buffer, count, type, request));                                                                 \
    WEIR_LEFT(MPI_File_##direction##_ordered,                                                                          \
              (MPI_File file, void constant* buffer, int count, MPI_Datatype type, MPI_Status* status),                \
              (file, buffer, count, type, status));                                                                    \
    WEIR_LEFT(MPI_File_##direction##_ordered_begin,                                                                    \
              (MPI_File file, void constant* buffer, int count, MPI_Datatype type), (file, buffer, count, type))
WEIR_LEFT_KINDS(write, const);
WEIR_LEFT_KINDS(read, WEIR_NOT_CONST);
