#pragma once

// MPI without mpi.h. Handles are passed on unchanged, and what depends on the MPI library is found out at run time:
//
//   MPI_COMM_WORLD, MPI_BYTE   addresses of ompi_mpi_comm_world and ompi_mpi_byte in Open MPI; the numbers 0x44000000
//                              and 0x4c00010d in MPICH and its family (Intel, Cray, MVAPICH: their common ABI)
//   a request                  a pointer in Open MPI, an int in the others
//   MPI_STATUS_IGNORE          a pointer with a small value (0 or 1), where no status can lie: it is replaced by a
//                              status of the recorder's
//   MPI_IN_PLACE               the pointer 1 or -1
//   MPI_ANY_SOURCE, MPI_ROOT   negative ranks
//
// Bytes requested are the count times MPI_Type_size of the call's own datatype; bytes moved are those of its status.
//
// Each function is wrapped under MPI_X and PMPI_X: bindings of Fortran call one or the other, and so do libraries
// inside MPI (ROMIO). A function that calls its other name is recorded once.

#include "trace/recorder/handle_table.hpp"
#include "trace/recorder/names.hpp"
#include "trace/wrappers/library_call.hpp"

namespace weir::trace::mpi {

constexpr int8_t none = -1;

/// What a count applies to.
enum Each : uint8_t {
    once,        ///< this many elements
    every_rank,  ///< this many for each rank of the communicator
    list,        ///< a count for each rank of the communicator
};

/// Indices of the arguments that a record needs; none: the call lacks that argument.
struct MpiPlaces {
    int8_t count = none;  ///< of elements that this rank sends; receives, if it only receives
    int8_t type = none;
    int8_t buffer = none;  ///< if it is MPI_IN_PLACE, the next two are used instead
    int8_t other_count = none;
    int8_t other_type = none;
    int8_t peer = none;  ///< the other rank, or the root
    int8_t communicator = none;
    int8_t status = none;  ///< source of the number of bytes moved
    int8_t file = none;
    int8_t offset = none;    ///< in the file; of elements of its view
    int8_t found = none;     ///< an int: 0 if the call had nothing to do
    int8_t requests = none;  ///< one request, or a list
    int8_t request_count = none;
    Each each = once;
    uint8_t flags = 0;
    int8_t further_count = none;  ///< not recorded, but it must fit if the others must
    bool wide = false;            ///< counts are MPI_Count, not int
    bool own_group =
        false;  ///< of an intercommunicator, lists and `every_rank` mean the local group, not the remote one
    bool neighbours = false;     ///< lists and `every_rank` mean the neighbours in the communicator's topology
    bool lists_at_root = false;  ///< lists are significant only at the root
    int8_t lists[4] = {};        ///< of MPI_Count or MPI_Aint if `wide`, else of int; 0: none
};

using Description = CallDescription<MpiPlaces>;

/// The same with large counts.
constexpr Description wide(Description description) {
    description.spec.wide = true;
    return description;
}

/// Calls a function with ints instead of one with large counts: those must fit, and lists are copied to ints.
Word call_substitute(MpiPlaces const&, Substitute const&);

bool in_place(Word buffer);
bool has_two_groups(Library const*, Word communicator);
int rank_in(Library const*, Word communicator);   ///< this process's; -1: unknown
int ranks_of(Library const*, Word communicator);  ///< of its local group; 0: unknown

/// The number of entries of a list, or of `every_rank`; of neighbours: destinations, or sources.
enum class MessageSide : bool { sends, receives };
int entries_of(MpiPlaces const&, Library const*, Word communicator, MessageSide = MessageSide::sends);

/// The bytes of this many elements of a type; 0 if there are none, or the type is unknown.
uint64_t bytes_of(Context const&, int64_t count, Word type);

/// A type is about to be freed: its handle may be given to another one.
void forget_sizes_of_types();

/// MPI_DATATYPE_NULL, which must not be queried: errors may be fatal.
bool is_no_type(Context const&, Word type);

/// The other rank of a call, or its root; -1: none.
int64_t peer_of(Context const&, MpiPlaces const&);

/// The handle in a list (or behind a pointer) that is an argument: an int in the MPICH family.
Word handle_at(Context const&, int place, int index = 0);

/// The type at an index of a list of types, which is an argument; none if there is no list.
Word type_at(Context const&, int place, int index);

/// The same, for a call, from its `count`, `type`, `buffer` and `each`.
uint64_t bytes_of(Context const&, MpiPlaces const&);

/// The number of a datatype's name, which describes its construction; its parts have their own numbers. MPI must just
/// have accepted the type. If its construction cannot be determined, the name gives the reason.
uint32_t number_of_type(Context const&, Word type);
uint32_t number_of_unknown_type(char const* why);

/// The number of bytes moved, from a status.
uint64_t bytes_moved(Context const&, Word status);

/// Gives the call one of our own statuses if the program ignores it.
void want_status(MpiPlaces const&, Context&);

/// 0, or minus the class of the error that the call returned.
int64_t failure(Context const&);

/// Sets the flags and the outcome of a call that has returned. False if it failed.
inline bool succeeded(MpiPlaces const& places, Context& context) {
    context.flags = places.flags;
    context.outcome = failure(context);
    return context.outcome == 0;
}

/// The number of a communicator's name: the ranks of its processes in MPI_COMM_WORLD. Of an intercommunicator: of the
/// local group.
uint32_t number_of_communicator(Context const&, Word communicator);
void forget_communicator(Context const&, Word communicator);

Word world(Library const*);
bool was_spawned(Library const*);  ///< by MPI_Comm_spawn
bool is_open_mpi(Library const*);

extern HandleTable files;     ///< open ones; as `bytes` their access mode
extern HandleTable requests;  ///< of transfers in flight

/// A request with the length and file of the context begins.
void begin_request(Context const&, Word request_place);

/// Memory that a call needs until its request completes; freed then.
void keep_for_request(Library const*, Word request_place, void* memory, size_t bytes);

constexpr int error_missing = 16;  ///< MPI_ERR_OTHER; 15 in the MPICH family, where it is MPI_ERR_UNKNOWN here

}  // namespace weir::trace::mpi

/// An MPI function under both of its names.
#define WEIR_MPI_CALL(declared, name, count, substitute, description) \
    WEIR_LIBRARY_CALL(declared, name, count, weir::trace::mpi::error_missing, substitute, description)
#define WEIR_MPI_OF(interface, name, kind, count, ...)       \
    WEIR_CALL_OF(interface, name, kind);                     \
    WEIR_MPI_CALL(name, name, count, nullptr, (__VA_ARGS__)) \
    WEIR_MPI_CALL(name, P##name, count, nullptr, (__VA_ARGS__))
#define WEIR_MPI(name, kind, count, ...) WEIR_MPI_OF("MPI", name, kind, count, __VA_ARGS__)
#define WEIR_MPI_IO(name, kind, count, ...) WEIR_MPI_OF("MPI-IO", name, kind, count, __VA_ARGS__)

/// A function with int counts, and its large-count form of MPI 4. mpi4py checks for the latter's symbol, which the
/// recorder defines: so in an older MPI it must work too, through the former.
#define WEIR_MPI_BOTH_OF(interface, name, kind, count, description)                         \
    WEIR_MPI_OF(interface, name, kind, count, description)                                  \
    WEIR_MPI_CALL(name, name##_c, count, &real_##name, weir::trace::mpi::wide(description)) \
    WEIR_MPI_CALL(name, P##name##_c, count, &real_P##name, weir::trace::mpi::wide(description))
#define WEIR_MPI_BOTH(name, kind, count, ...) WEIR_MPI_BOTH_OF("MPI", name, kind, count, (__VA_ARGS__))
#define WEIR_MPI_IO_BOTH(name, kind, count, ...) WEIR_MPI_BOTH_OF("MPI-IO", name, kind, count, (__VA_ARGS__))
