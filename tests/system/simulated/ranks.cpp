// Arrays of every distribution through every method on as many ranks as the launch has, without shared memory: the file
// is compared with the serial one byte for byte, and half of the ranks read it in other distributions.
// tests/system/simulated-ranks.sh builds it with SimGrid's SMPI. Prints a line a method; exit code 1: some was wrong.

#include <cstdio>
#include <filesystem>

#include "support/arrays/array_case.hpp"
#include "support/file_program.hpp"

namespace weir::testing {
namespace {

std::vector<Layout> layouts(std::uint64_t ranks) {
    std::mt19937_64 random{ranks};
    Layout blocks;
    blocks.ranks = ranks;
    blocks.shape = {31, 26, 17};
    blocks.element_bytes = 8;
    blocks.before = {1, 0, 2};
    blocks.after = {0, 1, 1};

    Layout cyclic;
    cyclic.ranks = ranks;
    cyclic.shape = {120, 90};
    cyclic.element_bytes = 4;
    cyclic.block = {3, 2};
    cyclic.grid = random_grid(random, 2, ranks);
    cyclic.memory_order = WEIR_FORTRAN_ORDER;

    Layout boxes;
    boxes.ranks = ranks;
    boxes.distribution = Distribution::boxes;
    boxes.shape = {40, 50};
    boxes.element_bytes = 3;
    boxes.order = WEIR_FORTRAN_ORDER;
    boxes.starts.resize(ranks);
    boxes.counts.resize(ranks);
    deal_boxes(random, boxes, {0, 0}, boxes.shape);

    Layout pieces;
    pieces.ranks = ranks;
    pieces.distribution = Distribution::pieces;
    pieces.shape = {9000};
    pieces.element_bytes = 8;
    pieces.offsets.resize(ranks);
    pieces.lengths.resize(ranks);
    deal_pieces(random, pieces);
    return {blocks, cyclic, boxes, pieces};
}

/// The same arrays, dealt out again.
std::vector<Layout> redistributed(std::vector<Layout> all, std::uint64_t ranks) {
    std::mt19937_64 random{ranks + 1};
    for (auto& layout : all) {
        layout = distributed(random, layout, ranks);
    }
    return all;
}

/// What went wrong on this rank, in words.
std::string round_trip(Communicator const& comm, Communicator const& half, std::string const& options,
                       std::string const& path) {
    auto const all = layouts(comm.size());
    weir_error error{};
    Arrays arrays(all, comm.rank());
    auto const plan = arrays.plan(comm.handle(), options, &error);
    if (!plan || weir_write(plan.get(), path.c_str(), 0, arrays.filled(1), &error) != WEIR_OK) {
        return error.message;
    }
    std::string problem;
    if (comm.is_root()) {
        std::vector<std::byte> expected;
        arrays.put_into(expected, 0, 1);
        problem = difference(bytes_of_file(path), expected);
    }
    if (weir_read(plan.get(), path.c_str(), 0, arrays.cleared(), &error) != WEIR_OK) {
        return error.message;
    }
    problem += arrays.wrong(1);

    Arrays others(redistributed(all, half.size()), half.rank());
    auto const other = others.plan(half.handle(), options, &error);
    if (!other || weir_read(other.get(), path.c_str(), 0, others.cleared(), &error) != WEIR_OK) {
        return problem + error.message;
    }
    return problem + others.wrong(1);
}

bool all_methods(Communicator const& comm, std::string const& path) {
    auto const half = comm.split(comm.rank() % 2);
    bool good = true;
    for (auto const* method :
         {"method=two_phase writers=7 readers=5 window=4kB align=1B", "method=grouped group=8 window=4kB align=1B",
          "method=gather window=16kB align=1B", "method=independent"}) {
        auto const options = std::string(method) + " exchange=messages sync=no";
        bool right = true;
        for (auto const& problem : comm.all_gather(round_trip(comm, half, options, path))) {
            if (!problem.empty() && comm.is_root()) {
                std::printf("%s: %s\n", options.c_str(), problem.c_str());
            }
            right = right && problem.empty();
        }
        if (comm.is_root()) {
            std::printf("%3d ranks, %s: %s\n", static_cast<int>(comm.size()), options.c_str(),
                        right ? "right" : "WRONG");
            std::fflush(stdout);
        }
        good = good && right;
    }
    return good;
}

}  // namespace
}  // namespace weir::testing

int main(int argc, char** argv) { return weir::testing::file_program(argc, argv, weir::testing::all_methods); }
