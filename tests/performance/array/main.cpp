// Writes and reads one distributed array in every way that there is, on request. The driver is
// tests/performance/array_against_collectives.py.

#include <CLI/CLI.hpp>
#include <array>
#include <iostream>

#include "array/serve.hpp"
#include "comm/communicator.hpp"
#include "core/error.hpp"

using namespace weir;

int main(int argc, char** argv) {
    CLI::App app("Ways to write a block-distributed array, for scripts/bench array");
    std::uint64_t edge = 0;
    std::array<std::uint64_t, 3> grid{1, 1, 1};
    bool list = false;
    app.add_flag("--list", list, "print the contenders as JSON and end");
    app.add_option("--edge", edge, "elements along each side of the cube");
    app.add_option("--grid", grid, "ranks along each dimension, the fastest-varying first");
    CLI11_PARSE(app, argc, argv);
    if (list) {
        std::cout << performance::describe_contenders().dump() << '\n';
        return 0;
    }
    MpiSession const session(argc, argv);
    try {
        performance::serve(performance::Block(Communicator::world(), edge, grid));
    } catch (Error const& error) {
        std::cerr << "error: " << error.what() << '\n';
        return static_cast<int>(error.diagnosis().exit_code);
    }
    return 0;
}
