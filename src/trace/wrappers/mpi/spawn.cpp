// MPI_Comm_spawn: the processes that it starts load the recorder, too. Launchers start them with the environment that
// they had themselves, not with the caller's: where the recorder was loaded behind the launcher, `env` adds it.

#include "trace/recorder/next_program.hpp"
#include "trace/recorder/process_facts.hpp"
#include "trace/wrappers/mpi/mpi.hpp"

namespace weir::trace::mpi {
namespace {

constexpr char const* env = "/usr/bin/env";

int64_t spawned = 0;  ///< processes that this one has started

/// From a call's beginning to its end, in its buffer.
struct Starting {
    void* memory;  ///< of the words that replace the program's; null: none do
    size_t bytes;
    int64_t processes;
};
static_assert(sizeof(Starting) <= sizeof Context::buffer);

Starting& starting(Context& context) { return *reinterpret_cast<Starting*>(context.buffer); }

/// The arguments of MPI_Comm_spawn, or one program's of MPI_Comm_spawn_multiple, which has their number first.
struct Programs {
    Context& context;
    int first;  ///< argument
    int count;

    Programs(MpiPlaces const& places, Context& of)
        : context(of), first(places.count + 1), count(places.count == none ? 1 : of.number(0)) {}

    [[nodiscard]] char* command(int i) const { return first == 0 ? context.pointer<char>(0) : at<char*>(1, i); }
    [[nodiscard]] char** words(int i) const {
        return first == 0 ? context.pointer<char*>(1) : context.at(2) == 0 ? nullptr : at<char**>(2, i);
    }
    [[nodiscard]] int processes(int i) const { return first == 0 ? context.number(2) : at<int>(3, i); }

    void replace(char** commands, char*** words) const {
        context.arguments[first] = reinterpret_cast<Word>(first == 0 ? *commands : static_cast<void*>(commands));
        context.arguments[first + 1] = reinterpret_cast<Word>(first == 0 ? *words : static_cast<void*>(words));
    }

  private:
    template <class Type>
    [[nodiscard]] Type at(int argument, int i) const {
        return context.pointer<Type>(argument)[i];
    }
};

/// Only the root's arguments count.
void about_to_spawn(MpiPlaces const& places, Context& context) {
    starting(context) = {};
    if (rank_in(context.library, context.at(places.communicator)) != peer_of(context, places)) {
        return;
    }
    Programs const programs(places, context);
    auto const count = static_cast<size_t>(programs.count);
    size_t words = 2 * count;
    for (int i = 0; i < programs.count; ++i) {
        starting(context).processes += programs.processes(i);
        look_at_program(programs.command(i), true);
        words += words_to_start(programs.command(i), programs.words(i));
    }
    auto** const all = static_cast<char**>(system::map_memory(words * sizeof(char*)));
    if (all == nullptr) {
        return;
    }
    starting(context).memory = all;
    starting(context).bytes = words * sizeof(char*);
    auto*** const lists = reinterpret_cast<char***>(all + count);
    auto** next = all + 2 * count;
    for (int i = 0; i < programs.count; ++i) {
        auto const added = words_to_start(programs.command(i), programs.words(i));
        all[i] = added == 0 ? programs.command(i) : const_cast<char*>(env);
        lists[i] = added == 0 ? programs.words(i) : next;
        added == 0 ? void() : write_words_to_start(programs.command(i), programs.words(i), next);
        next += added;
    }
    programs.replace(all, lists);
}

void has_spawned(MpiPlaces const& places, Context& context) {
    auto const& begun = starting(context);
    if (succeeded(places, context)) {
        context.file = number_of_communicator(context, context.at(places.communicator));
        if (begun.processes > 0) {
            spawned += begun.processes;
            add_fact("spawned", spawned);
        }
    }
    if (begun.memory != nullptr) {
        system::unmap(begun.memory, begun.bytes);
    }
}

}  // namespace
}  // namespace weir::trace::mpi

using namespace weir::trace;
using namespace weir::trace::mpi;

WEIR_MPI(MPI_Comm_spawn, communicate, 8,
         Description{about_to_spawn, has_spawned, {.peer = 4, .communicator = 5, .flags = collective}})
WEIR_MPI(MPI_Comm_spawn_multiple, communicate, 9,
         Description{about_to_spawn, has_spawned, {.count = 0, .peer = 5, .communicator = 6, .flags = collective}})
