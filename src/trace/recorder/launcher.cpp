// The recorder is loaded into the launchers that start ranks, too. Open MPI's passes variables on to other nodes by a
// list of names in the environment, which `weir trace` has made for the recorder's; but it refuses that list beside -x.
// A launcher that a script starts with -x is therefore started again, with the names by -x, before anything is
// recorded.

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "trace/recorder/system.hpp"

namespace weir::trace {
namespace {

constexpr auto list_of_names = "OMPI_MCA_mca_base_env_list";
constexpr size_t most_bytes = 128 << 10;
constexpr size_t most_words = 4096;

/// In memory of the library: the launcher is not running yet.
char command_line[most_bytes];
char passed[4096];
char* launch_words[most_words];

/// Also by a name with an ending: mpirun.openmpi.
bool is_launcher() {
    char name[32] = {};
    if (system::read_file("/proc/self/comm", name, sizeof name - 1) <= 0) {
        return false;
    }
    name[strcspn(name, ".\n")] = 0;
    return strcmp(name, "mpirun") == 0 || strcmp(name, "mpiexec") == 0 || strcmp(name, "orterun") == 0;
}

/// The words of the command line, in `launch_words` from this place on; their number, 0 if there is no room for them.
size_t own_words(size_t from, ssize_t bytes) {
    size_t count = from;
    for (char const* at = command_line; at < command_line + bytes; at += strlen(at) + 1) {
        if (count + 1 >= most_words) {
            return 0;
        }
        launch_words[count++] = const_cast<char*>(at);
    }
    launch_words[count] = nullptr;
    return count - from;
}

/// Has the launcher an option -x of its own? Those behind the program's name may be the program's: then it has one too
/// many, which does no harm.
bool passes_by_option(size_t from) {
    for (auto* const* word = launch_words + from; *word != nullptr; ++word) {
        if (strcmp(*word, "-x") == 0) {
            return true;
        }
    }
    return false;
}

/// Puts -x and a name, in turns, behind the first place; the number of places with it.
size_t names_by_option(size_t room) {
    size_t count = 1;
    for (char* at = passed; *at != 0 && count + 2 < room;) {
        auto const length = strcspn(at, ";");
        bool const last = at[length] == 0;
        at[length] = 0;
        launch_words[count++] = const_cast<char*>("-x");
        launch_words[count++] = at;
        at += length + (last ? 0 : 1);
    }
    return count;
}

__attribute__((constructor(101))) void start_again() {
    auto const* const list = getenv(list_of_names);
    if (list == nullptr || strlen(list) >= sizeof passed || !is_launcher()) {
        return;
    }
    auto const bytes = system::read_file("/proc/self/cmdline", command_line, sizeof command_line - 1);
    constexpr size_t room = 64;  // for names
    if (bytes <= 0 || bytes == sizeof command_line - 1 || own_words(room, bytes) == 0 || !passes_by_option(room)) {
        return;
    }
    strcpy(passed, list);
    launch_words[0] = launch_words[room];
    auto const count = names_by_option(room);
    memmove(launch_words + count, launch_words + room + 1, (most_words - room - 1) * sizeof *launch_words);
    unsetenv(list_of_names);
    system::call(SYS_execve, "/proc/self/exe", launch_words, environ);
}

}  // namespace
}  // namespace weir::trace
