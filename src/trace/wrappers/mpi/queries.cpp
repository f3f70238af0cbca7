// Queries to MPI about the arguments and the result of a call.

#include "trace/wrappers/mpi/mpi.hpp"

namespace weir::trace::mpi {
namespace {

constinit LibrarySymbol open_mpi_world{"ompi_mpi_comm_world", LibrarySymbol::object};
constinit LibrarySymbol open_mpi_no_communicator{"ompi_mpi_comm_null", LibrarySymbol::object};
constinit LibrarySymbol open_mpi_no_type{"ompi_mpi_datatype_null", LibrarySymbol::object};
constinit LibrarySymbol type_size{"PMPI_Type_size_x"};
constinit LibrarySymbol get_elements{"PMPI_Get_elements_x"};
constinit LibrarySymbol error_class{"PMPI_Error_class"};
constinit LibrarySymbol comm_size{"PMPI_Comm_size"};
constinit LibrarySymbol remote_size{"PMPI_Comm_remote_size"};
constinit LibrarySymbol is_intercommunicator{"PMPI_Comm_test_inter"};
constinit LibrarySymbol topology{"PMPI_Topo_test"};
constinit LibrarySymbol dimensions{"PMPI_Cartdim_get"};
constinit LibrarySymbol comm_rank{"PMPI_Comm_rank"};
constinit LibrarySymbol comm_get_parent{"PMPI_Comm_get_parent"};
constinit LibrarySymbol graph_neighbours{"PMPI_Graph_neighbors_count"};
constinit LibrarySymbol distributed_neighbours{"PMPI_Dist_graph_neighbors_count"};

constexpr Word mpich_world = 0x44000000;
constexpr Word mpich_no_communicator = 0x04000000;
constexpr Word mpich_byte = 0x4C00010D;
constexpr Word mpich_no_type = 0x0C000000;

/// MPI_Status of Open MPI, since 2010.
struct OpenMpiStatus {
    int source;
    int tag;
    int error;
    int cancelled;
    size_t bytes;
};

uint32_t types_freed = 0;

/// The size of the type of the thread's last call: most calls have the same one.
struct LastType {
    Library const* library = nullptr;
    Word type = 0;
    uint32_t freed = 0;
    int64_t size = 0;
};
constinit thread_local __attribute__((tls_model("initial-exec"))) LastType last_type;

/// 0: unknown.
int64_t size_of(Library const* library, Word type) {
    auto& last = last_type;
    auto const freed = __atomic_load_n(&types_freed, __ATOMIC_ACQUIRE);
    if (last.type != type || last.library != library || last.freed != freed) [[unlikely]] {
        int64_t size = 0;
        bool const known = type_size.call(library, type, &size) == 0 && size > 0;
        last = {library, type, freed, known ? size : 0};
    }
    return last.size;
}

int64_t count_at(Context const& context, int place, bool wide) {
    return wide ? static_cast<int64_t>(context.at(place)) : context.number(place);
}

int64_t sum_of_list(Context const& context, MpiPlaces const& places, int count_place) {
    auto const entries = entries_of(places, context.library, context.at(places.communicator));
    int64_t sum = 0;
    for (int i = 0; i < entries; ++i) {
        sum += places.wide ? context.pointer<int64_t>(count_place)[i] : context.pointer<int>(count_place)[i];
    }
    return sum;
}

int ask_int(LibrarySymbol& helper, Library const* library, Word communicator, int otherwise = 0) {
    int answer = 0;
    return helper.call(library, communicator, &answer) == 0 ? answer : otherwise;
}

int neighbours_in_graph(Library const* library, Word communicator) {
    int const rank = rank_in(library, communicator);
    int count = 0;
    return rank >= 0 && graph_neighbours.call(library, communicator, rank, &count) == 0 ? count : 0;
}

int neighbours_of(Library const* library, Word communicator, MessageSide side) {
    constexpr int distributed_graph = 3;
    auto const kind = ask_int(topology, library, communicator);
    if (kind == distributed_graph) {
        int received = 0;
        int sent = 0;
        int weighted = 0;
        bool const known = distributed_neighbours.call(library, communicator, &received, &sent, &weighted) == 0;
        return !known ? 0 : side == MessageSide::sends ? sent : received;
    }
    bool const grid = kind == (is_open_mpi(library) ? 1 : 2);  // MPI_CART; the other of the two is MPI_GRAPH
    return grid ? 2 * ask_int(dimensions, library, communicator) : neighbours_in_graph(library, communicator);
}

}  // namespace

void forget_sizes_of_types() { __atomic_fetch_add(&types_freed, 1, __ATOMIC_RELEASE); }

bool in_place(Word buffer) { return buffer == 1 || buffer == ~Word{0}; }

bool has_two_groups(Library const* library, Word communicator) {
    return ask_int(is_intercommunicator, library, communicator) != 0;
}

int rank_in(Library const* library, Word communicator) { return ask_int(comm_rank, library, communicator, -1); }

int ranks_of(Library const* library, Word communicator) { return ask_int(comm_size, library, communicator); }

int entries_of(MpiPlaces const& places, Library const* library, Word communicator, MessageSide side) {
    if (places.neighbours) {
        return neighbours_of(library, communicator, side);
    }
    bool const other_group = !places.own_group && has_two_groups(library, communicator);
    return other_group ? ask_int(remote_size, library, communicator) : ranks_of(library, communicator);
}

bool is_open_mpi(Library const* library) { return open_mpi_world.in<void*>(library) != nullptr; }

Word world(Library const* library) {
    auto* const open_mpi = open_mpi_world.in<void*>(library);
    return open_mpi != nullptr ? reinterpret_cast<Word>(open_mpi) : mpich_world;
}

bool was_spawned(Library const* library) {
    Word parent = 0;
    bool const known = comm_get_parent.call(library, &parent) == 0;
    auto* const open_mpi = open_mpi_no_communicator.in<void*>(library);
    return known && parent != (open_mpi != nullptr ? reinterpret_cast<Word>(open_mpi) : mpich_no_communicator);
}

bool is_no_type(Context const& context, Word type) {
    auto* const open_mpi = open_mpi_no_type.in<void*>(context.library);
    return open_mpi != nullptr ? type == reinterpret_cast<Word>(open_mpi) || type == 0
                               : static_cast<uint32_t>(type) == mpich_no_type;
}

int64_t peer_of(Context const& context, MpiPlaces const& places) {
    auto const peer = places.peer == none ? -1 : context.number(places.peer);
    return peer < 0 ? -1 : peer;
}

Word handle_at(Context const& context, int place, int index) {
    return is_open_mpi(context.library) ? context.pointer<Word>(place)[index] : context.pointer<uint32_t>(place)[index];
}

Word type_at(Context const& context, int place, int index) {
    return context.at(place) != 0 ? handle_at(context, place, index) : is_open_mpi(context.library) ? 0 : mpich_no_type;
}

uint64_t bytes_of(Context const& context, int64_t count, Word type) {
    // With zero elements any type is allowed, even none, which must not be queried.
    return count > 0 ? static_cast<uint64_t>(count * size_of(context.library, type)) : 0;
}

uint64_t bytes_of(Context const& context, MpiPlaces const& places) {
    bool const other = places.buffer != none && in_place(context.at(places.buffer));
    auto const count_place = other ? places.other_count : places.count;
    if (count_place == none) {
        return 0;
    }
    auto const type = context.at(other ? places.other_type : places.type);
    auto const count =
        places.each == list ? sum_of_list(context, places, count_place) : count_at(context, count_place, places.wide);
    auto const times =
        places.each == every_rank ? entries_of(places, context.library, context.at(places.communicator)) : 1;
    return bytes_of(context, count * times, type);
}

uint64_t bytes_moved(Context const& context, Word status) {
    if (is_open_mpi(context.library)) {
        return reinterpret_cast<OpenMpiStatus const*>(status)->bytes;
    }
    int64_t bytes = 0;
    return get_elements.call(context.library, status, mpich_byte, &bytes) == 0 && bytes > 0
               ? static_cast<uint64_t>(bytes)
               : 0;
}

void want_status(MpiPlaces const& places, Context& context) {
    constexpr Word no_address = 4096;
    if (places.status != none && context.at(places.status) < no_address) {
        constexpr size_t longest_status = 64;  // of the known libraries; others may fill in more
        memset(context.buffer, 0, longest_status);
        context.arguments[places.status] = reinterpret_cast<Word>(context.buffer);
    }
}

int64_t failure(Context const& context) {
    if (context.code() == 0) {
        return 0;
    }
    int found = context.code();
    return error_class.call(context.library, context.code(), &found) == 0 ? -int64_t{found} : -int64_t{context.code()};
}

}  // namespace weir::trace::mpi
