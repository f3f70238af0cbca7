// The library is loaded into the launchers that start ranks, too. Open MPI's passes variables on to other nodes by a
// list of names in the environment, which `weir boost` has made for this library's; but it refuses that list beside -x.
// A launcher that a script starts with -x is therefore started again, with the names by -x.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace weir::boost {
namespace {

constexpr auto list_of_names = "OMPI_MCA_mca_base_env_list";

std::string content_of(char const* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> own_words() {
    std::istringstream text(content_of("/proc/self/cmdline"));
    std::vector<std::string> words;
    for (std::string word; std::getline(text, word, '\0');) {
        words.push_back(word);
    }
    return words;
}

/// Also by a name with an ending: mpirun.openmpi.
bool is_launcher() {
    auto name = content_of("/proc/self/comm");
    name.erase(std::min(name.size(), name.find_first_of(".\n")));
    return name == "mpirun" || name == "mpiexec" || name == "orterun";
}

/// Has the launcher an option -x of its own? Those behind the program's name may be the program's: then it has one too
/// many, which does no harm.
bool passes_by_option(std::vector<std::string> const& words) { return std::ranges::find(words, "-x") != words.end(); }

__attribute__((constructor)) void start_again() {
    auto const* const names = std::getenv(list_of_names);
    if (names == nullptr || !is_launcher()) {
        return;
    }
    auto const words = own_words();
    if (words.empty() || !passes_by_option(words)) {
        return;
    }
    std::vector<std::string> again{words.front()};
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ';');) {
        again.insert(again.end(), {"-x", name});
    }
    again.insert(again.end(), words.begin() + 1, words.end());
    std::vector<char*> arguments;
    for (auto& word : again) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    ::unsetenv(list_of_names);
    ::execv("/proc/self/exe", arguments.data());
}

}  // namespace
}  // namespace weir::boost
