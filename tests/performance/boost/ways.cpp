// Collective calls of all shapes, left to MPI and boosted in turns: a line for each pair of calls,
//
//   write|read interleaved|holes|apart|sieved|lattice PIECE_BYTES BYTES_A_RANK SECONDS SECONDS
//
// the first seconds left to MPI, those of the slowest rank. The boost library must be loaded.
//
//   boost_ways DIRECTORY PAIRS SHAPE

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

int rank = 0;
int ranks = 1;

/// A file twice: one of which MPI has the calls, and one that is boosted.
struct Side {
    MPI_File file = MPI_FILE_NULL;

    Side(std::string const& path, char const* hint) {
        MPI_Info info = MPI_INFO_NULL;
        MPI_Info_create(&info);
        MPI_Info_set(info, "weir_boost", hint);
        MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info,
                      &file);
        MPI_Info_free(&info);
    }
    ~Side() { MPI_File_close(&file); }
    Side(Side const&) = delete;
    Side& operator=(Side const&) = delete;
};

constexpr int site_bytes = 24 * sizeof(double);  ///< a spinor of three colours

/// Each rank's part of a lattice in four dimensions, of `along` sites in each.
void set_lattice(MPI_File file, int along) {
    std::array<int, 4> grid{};
    MPI_Dims_create(ranks, 4, grid.data());
    std::array<int, 4> sizes{};
    std::array<int, 4> starts{};
    std::array<int, 4> const parts{along, along, along, along};
    int left = rank;
    for (std::size_t d = 4; d-- > 0;) {
        sizes[d] = grid[d] * along;
        starts[d] = left % grid[d] * along;
        left /= grid[d];
    }
    MPI_Datatype site = MPI_DATATYPE_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(site_bytes, MPI_BYTE, &site);
    MPI_Type_create_subarray(4, sizes.data(), parts.data(), starts.data(), MPI_ORDER_C, site, &type);
    MPI_Type_commit(&site);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 0, site, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_Type_free(&site);
}

/// Pieces of all ranks in turn; the same with holes as long; or of each rank together: as one, or with holes.
void set_view(MPI_File file, std::string const& shape, int piece, int bytes) {
    if (shape == "lattice") {
        return set_lattice(file, piece / site_bytes);
    }
    auto const count = bytes / piece;
    auto const apart = shape == "apart" || shape == "sieved";
    auto const stride = (apart ? 1 : ranks) * piece * (shape == "apart" || shape == "interleaved" ? 1 : 2);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(count, piece, stride, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    auto const first = apart ? MPI_Offset{rank} * count * stride : MPI_Offset{rank} * piece;
    MPI_File_set_view(file, first, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
}

double seconds(MPI_File file, bool writes, std::vector<char>& memory) {
    auto const bytes = static_cast<int>(memory.size());
    MPI_Barrier(MPI_COMM_WORLD);
    auto const began = MPI_Wtime();
    if (writes) {
        MPI_File_write_at_all(file, 0, memory.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    } else {
        MPI_File_read_at_all(file, 0, memory.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    auto took = MPI_Wtime() - began;
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return took;
}

void play(std::string const& directory, int pairs, std::string const& shape, int piece, int bytes) {
    Side const left(directory + "/left", "never");
    Side const boosted(directory + "/boosted", "automatic");
    std::vector<char> memory(static_cast<std::size_t>(bytes), static_cast<char>(rank));
    set_view(left.file, shape, piece, bytes);
    set_view(boosted.file, shape, piece, bytes);
    for (int pair = -1; pair < pairs; ++pair) {  // the first is not counted: the files grow
        for (bool const writes : {true, false}) {
            std::array<double, 2> took{};
            for (int const turn : {0, 1}) {
                auto const side = (turn + pair) & 1;
                took.at(static_cast<std::size_t>(side)) = seconds(side == 0 ? left.file : boosted.file, writes, memory);
            }
            if (rank == 0 && pair >= 0) {
                std::printf("%s %s %d %d %.9g %.9g\n", writes ? "write" : "read", shape.c_str(), piece, bytes, took[0],
                            took[1]);
            }
        }
    }
    std::fflush(stdout);
}

void play_pieces(std::string const& directory, int pairs, std::string const& shape) {
    constexpr int most_pieces = 65536;
    for (int const bytes : {64, 4096, 1 << 16, 1 << 20, 8 << 20}) {
        for (int const piece : {8, 64, 512, 4096, 1 << 16, 1 << 20, 8 << 20}) {
            bool const one = shape == "apart" && piece == bytes;
            if (one || (shape != "apart" && piece < bytes && bytes / piece <= most_pieces)) {
                play(directory, pairs, shape, piece, bytes);
            }
        }
    }
}

void play_lattices(std::string const& directory, int pairs) {
    for (int const along : {4, 8, 16}) {
        play(directory, pairs, "lattice", along * site_bytes, along * along * along * along * site_bytes);
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 4) {
        std::fprintf(stderr, "boost_ways DIRECTORY PAIRS SHAPE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::string const shape = argv[3];
    auto const pairs = std::atoi(argv[2]);
    shape == "lattice" ? play_lattices(argv[1], pairs) : play_pieces(argv[1], pairs, shape);
    MPI_Finalize();
    return 0;
}
