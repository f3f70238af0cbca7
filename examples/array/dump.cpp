// Writes a distributed array with ghost cells to a file and reads it back: describe, plan, write, read, compare.
//
//     mpicxx -std=c++17 dump.cpp $(pkg-config --cflags --libs weir-array) -o dump && mpirun -n 4 ./dump density.raw
//
// tests/python/end_to_end/array/test_install.py builds it against an installed Weir, runs it, and checks the file.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
#include <weir/array.hpp>

namespace {

weir::io::Indices const shape = {64, 48, 32};

// Calls `visit(element, place)` with each of this rank's elements and its place in the file; ghosts are left out.
template <class Visit>
void for_each_element(std::vector<double>& rho, weir::io::Local const& held, Visit visit) {
    auto const& start = held.start;
    auto const& count = held.count;
    for (std::int64_t i = 0; i < count[0]; ++i) {
        for (std::int64_t j = 0; j < count[1]; ++j) {
            auto* row = &rho[((i + 1) * (count[1] + 2) + j + 1) * (count[2] + 2) + 1];
            for (std::int64_t k = 0; k < count[2]; ++k) {
                visit(row[k], double(((start[0] + i) * shape[1] + start[1] + j) * shape[2] + start[2] + k));
            }
        }
    }
}

// The number of elements, over all ranks, that differ after reading.
std::int64_t dump(std::string const& path, MPI_Comm comm, std::string& explanation) {
    auto density = weir::io::Array::block(shape, sizeof(double)).ghosts({1, 1, 1}, {1, 1, 1});
    weir::io::Plan plan(comm, {density});
    auto const held = density.local(comm);
    std::vector<double> rho(held.bytes / sizeof(double));

    for_each_element(rho, held, [](double& element, double place) { element = place; });
    plan.write(path, rho);
    std::fill(rho.begin(), rho.end(), -1);
    plan.read(path, rho);

    std::int64_t wrong = 0;
    for_each_element(rho, held, [&](double const& element, double place) { wrong += element != place; });
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, comm);
    explanation = plan.explain();
    return wrong;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool failed = true;
    try {
        std::string explanation;
        auto const wrong = dump(argc > 1 ? argv[1] : "density.raw", MPI_COMM_WORLD, explanation);
        if (rank == 0) {
            std::cout << wrong << " elements are wrong; " << explanation << '\n';
        }
        failed = wrong != 0;
    } catch (weir::io::Error const& error) {
        if (rank == 0) {
            std::cerr << "dump: " << error.what() << '\n';
        }
    }
    MPI_Finalize();
    return failed ? 1 : 0;
}
