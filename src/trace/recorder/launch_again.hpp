#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

namespace weir::trace {

// A library that is put before programs is loaded into the launchers that start ranks, too. Open MPI's passes variables
// on to other nodes by a list of names in the environment, which Weir has made for the library's; but it refuses that
// list beside -x. A launcher that a script starts with -x is therefore started again, with the names by -x.

/// Of a launcher that is not running yet. In memory of the library: nothing but the C library is there.
struct LaunchWords {
    static constexpr auto list_of_names = "OMPI_MCA_mca_base_env_list";
    static constexpr size_t most = 4096;
    static constexpr size_t room = 64;  ///< places before the launcher's own words, for names

    char command_line[128 << 10];
    char names[4096];
    char* words[most];

    /// Puts the words of the command line behind that room. False: there are too many.
    bool take_own(size_t bytes) {
        size_t count = room;
        for (char* at = command_line; at < command_line + bytes; at += strlen(at) + 1) {
            if (count + 1 >= most) {
                return false;
            }
            words[count++] = at;
        }
        words[count] = nullptr;
        return count > room;
    }

    /// Has the launcher an option -x of its own? Those behind the program's name may be the program's: then it has one
    /// too many, which does no harm.
    [[nodiscard]] bool pass_by_option() const {
        for (auto* const* word = words + room; *word != nullptr; ++word) {
            if (strcmp(*word, "-x") == 0) {
                return true;
            }
        }
        return false;
    }

    /// Puts -x and a name, in turns, behind the launcher's own name, and its other words after them.
    void add_names() {
        size_t count = 1;
        words[0] = words[room];
        for (char* at = names; *at != 0 && count + 2 < room;) {
            auto const length = strcspn(at, ";");
            bool const last = at[length] == 0;
            at[length] = 0;
            words[count++] = const_cast<char*>("-x");
            words[count++] = at;
            at += length + (last ? 0 : 1);
        }
        memmove(words + count, words + room + 1, (most - room - 1) * sizeof *words);
    }
};

/// Also by a name with an ending: mpirun.openmpi. `read_file(path, text, room)`: the bytes that it has read.
template <class ReadFile>
bool is_launcher(ReadFile read_file) {
    char name[32] = {};
    if (read_file("/proc/self/comm", name, sizeof name - 1) <= 0) {
        return false;
    }
    name[strcspn(name, ".\n")] = 0;
    return strcmp(name, "mpirun") == 0 || strcmp(name, "mpiexec") == 0 || strcmp(name, "orterun") == 0;
}

/// Starts this process again if it is a launcher with -x, by `start(words)`. Local, before anything else runs.
template <class ReadFile, class Start>
void launch_again(ReadFile read_file, Start start) {
    static LaunchWords launch;
    auto const* const list = getenv(LaunchWords::list_of_names);
    if (list == nullptr || strlen(list) >= sizeof launch.names || !is_launcher(read_file)) {
        return;
    }
    constexpr size_t most = sizeof launch.command_line - 1;
    ssize_t const bytes = read_file("/proc/self/cmdline", launch.command_line, most);
    bool const whole = bytes > 0 && static_cast<size_t>(bytes) < most;
    if (!whole || !launch.take_own(static_cast<size_t>(bytes)) || !launch.pass_by_option()) {
        return;
    }
    strcpy(launch.names, list);
    launch.add_names();
    unsetenv(LaunchWords::list_of_names);
    start(launch.words);
}

}  // namespace weir::trace
