// Names of communicators (their ranks), and the calls that create and free them.

#include <stdio.h>

#include "trace/wrappers/mpi/mpi.hpp"

namespace weir::trace::mpi {
namespace {

constinit HandleTable communicators;
constinit LibrarySymbol comm_group{"PMPI_Comm_group"};
constinit LibrarySymbol group_size{"PMPI_Group_size"};
constinit LibrarySymbol group_free{"PMPI_Group_free"};
constinit LibrarySymbol initialized{"PMPI_Initialized"};
constinit LibrarySymbol translate_ranks{"PMPI_Group_translate_ranks"};

/// Text of bounded length; an ellipsis marks truncation.
struct BoundedText {
    char text[4096] = {};
    size_t length = 0;

    void add_run(int first, int last, int step) {
        constexpr size_t longest = 48;
        if (length + longest > sizeof text) {
            memcpy(text + sizeof text - 5, "...", 4);
            return;
        }
        auto* const to = text + length;
        auto const room = sizeof text - length;
        char const* const comma = length == 0 ? "" : ",";
        auto const added = first == last ? snprintf(to, room, "%s%d", comma, first)
                           : step == 1   ? snprintf(to, room, "%s%d-%d", comma, first, last)
                                         : snprintf(to, room, "%s%d-%d:%d", comma, first, last, step);
        length += static_cast<size_t>(added);
    }
};

/// Ranks as runs of equal steps, in their order.
void write_ranks(int const* ranks, int count, BoundedText& text) {
    for (int i = 0; i < count;) {
        int last = i;
        auto const step = i + 1 < count ? ranks[i + 1] - ranks[i] : 1;
        while (step > 0 && last + 1 < count && ranks[last + 1] - ranks[last] == step) {
            ++last;
        }
        bool const pair = last == i + 1 && step != 1;  // two ranks are not a run, unless adjacent
        text.add_run(ranks[i], ranks[pair ? i : last], step);
        i = pair ? last : last + 1;
    }
}

void write_ranks_of(Library const* library, Word communicator, BoundedText& text) {
    int has_world = 0;
    if (initialized.call(library, &has_world) != 0 || has_world == 0) {
        return;  // a program of sessions (MPI 4)
    }
    Word group = 0;
    Word all = 0;
    int size = 0;
    if (comm_group.call(library, communicator, &group) != 0 || comm_group.call(library, world(library), &all) != 0 ||
        group_size.call(library, group, &size) != 0) {
        return;
    }
    auto const bytes = static_cast<size_t>(size) * 2 * sizeof(int);
    if (auto* const own = static_cast<int*>(system::map_memory(bytes)); own != nullptr) {
        for (int i = 0; i < size; ++i) {
            own[i] = i;
        }
        if (translate_ranks.call(library, group, size, own, all, own + size) == 0) {
            write_ranks(own + size, size, text);
        }
        system::unmap(own, bytes);
    }
    group_free.call(library, &group);
    group_free.call(library, &all);
}

}  // namespace

namespace {

/// That of the thread's last call: most calls are on the same one.
struct LastCommunicator {
    Library const* library = nullptr;
    Word handle = 0;
    uint32_t removals = 0;
    uint32_t name = 0;
};
constinit thread_local __attribute__((tls_model("initial-exec"))) LastCommunicator last;

}  // namespace

uint32_t number_of_communicator(Context const& context, Word communicator) {
    auto const removals = communicators.removals();
    if (last.handle == communicator && last.library == context.library && last.removals == removals) [[likely]] {
        return last.name;
    }
    auto const handle = is_open_mpi(context.library) ? communicator : static_cast<uint32_t>(communicator);
    auto known = communicators.get(context.library, handle);
    if (!known.found) {
        BoundedText text;
        write_ranks_of(context.library, handle, text);
        known.name = text.length == 0 ? 0 : name_number(NameKind::communicator_name, text.text);
        communicators.put(context.library, handle, known);
    }
    last = {context.library, communicator, removals, known.name};
    return known.name;
}

void forget_communicator(Context const& context, Word communicator) {
    auto const handle = is_open_mpi(context.library) ? communicator : static_cast<uint32_t>(communicator);
    communicators.take(context.library, handle);
}

}  // namespace weir::trace::mpi

using namespace weir::trace;
using namespace weir::trace::mpi;

namespace {

void made(MpiPlaces const& places, Context& context) {
    if (succeeded(places, context)) {
        context.file = number_of_communicator(context, context.at(places.communicator));
    }
}

/// The handle is invalid afterwards, and may be reused.
void about_to_be_freed(MpiPlaces const& places, Context& context) {
    auto const handle = handle_at(context, places.communicator);
    context.file = number_of_communicator(context, handle);
    forget_communicator(context, handle);
}

void freed(MpiPlaces const& places, Context& context) {
    context.outcome = failure(context);
    context.flags = places.flags;
}

constexpr Description makes{nullptr, made, {.communicator = 0, .flags = collective}};
constexpr Description frees{about_to_be_freed, freed, {.communicator = 0, .flags = collective}};

}  // namespace

WEIR_MPI(MPI_Comm_dup, communicate, 2, makes)
WEIR_MPI(MPI_Comm_dup_with_info, communicate, 3, makes)
WEIR_MPI(MPI_Comm_idup, communicate, 3, makes)
WEIR_MPI(MPI_Comm_split, communicate, 4, makes)
WEIR_MPI(MPI_Comm_split_type, communicate, 5, makes)
WEIR_MPI(MPI_Comm_create, communicate, 3, makes)
WEIR_MPI(MPI_Comm_create_group, communicate, 4, makes)
WEIR_MPI(MPI_Cart_create, communicate, 6, makes)
WEIR_MPI(MPI_Cart_sub, communicate, 3, makes)
WEIR_MPI(MPI_Graph_create, communicate, 6, makes)
WEIR_MPI(MPI_Dist_graph_create, communicate, 9, makes)
WEIR_MPI(MPI_Dist_graph_create_adjacent, communicate, 10, makes)
WEIR_MPI(MPI_Intercomm_create, communicate, 6, makes)
WEIR_MPI(MPI_Intercomm_merge, communicate, 3, makes)
WEIR_MPI(MPI_Comm_free, communicate, 1, frees)
WEIR_MPI(MPI_Comm_disconnect, communicate, 1, frees)
