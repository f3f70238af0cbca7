// Arrays of irregular pieces: what describing and planning them costs, and dumps of many of them by everything that
// there is. The driver is tests/performance/array_lists.py.

#include <CLI/CLI.hpp>
#include <iostream>

#include "core/error.hpp"
#include "lists/dumps.hpp"
#include "lists/e3sm.hpp"
#include "lists/planning.hpp"

using namespace weir;

int main(int argc, char** argv) {
    CLI::App app("Arrays of irregular pieces, for scripts/bench array_lists");
    std::int64_t levels = 72;
    std::int64_t columns = 866;
    int arrays = 50;
    int repetitions = 9;
    int which = 3;
    std::string file;
    std::string directory;
    app.add_option("--levels", levels, "levels of a generated atmosphere");
    app.add_option("--columns", columns, "columns of each level");
    app.add_option("--decomposition", file, "a decomposition file of E3SM-IO instead of a generated one");
    app.add_option("--which", which, "which of its decompositions");
    app.add_option("--arrays", arrays, "arrays with one list");
    app.add_option("--repetitions", repetitions, "an interval needs 6 at least");
    app.add_option("--directory", directory, "measure dumps into files there; without it, planning");
    CLI11_PARSE(app, argc, argv);
    MpiSession const session(argc, argv);
    try {
        auto const comm = Communicator::world();
        auto const list = file.empty() ? performance::columns_at_random(comm, levels, columns)
                                       : performance::e3sm_decomposition(comm, file, which);
        if (directory.empty()) {
            performance::measure_planning(comm, list, arrays, repetitions);
        } else {
            performance::measure_dumps({comm, list, arrays}, directory, repetitions);
        }
    } catch (Error const& error) {
        std::cerr << "error: " << error.what() << '\n';
        return static_cast<int>(error.diagnosis().exit_code);
    }
    return 0;
}
