// Calls of which the boost library must take over some, and leave the others to MPI. Over ROMIO, in 2 ranks; fails
// where a call does not do what MPI says. The line that the library prints at the end says how many were taken over.
//
//   what_is_left FILE

#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int blocks = 200;  ///< of a rank
constexpr int block = 16;    ///< ints

int rank = 0;
int wrong = 0;

void expect(bool right, char const* what) {
    if (!right) {
        std::fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
        ++wrong;
    }
}

class File {
  public:
    explicit File(std::string const& path, char const* hint = nullptr) {
        MPI_Info hints = MPI_INFO_NULL;
        MPI_Info_create(&hints);
        if (hint != nullptr) {
            MPI_Info_set(hints, "weir_boost", hint);
        }
        auto const mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
        expect(MPI_File_open(MPI_COMM_WORLD, path.c_str(), mode, hints, &handle) == MPI_SUCCESS, "open");
        MPI_Info_free(&hints);
    }
    File(File const&) = delete;
    File& operator=(File const&) = delete;
    ~File() { MPI_File_close(&handle); }

    /// Blocks in turns with those of the other rank.
    void view_in_turns(char const* representation = "native") {
        MPI_Datatype turns = MPI_DATATYPE_NULL;
        MPI_Type_vector(blocks, block, 2 * block, MPI_INT, &turns);
        MPI_Type_commit(&turns);
        auto const at = MPI_Offset{rank} * block * MPI_Offset{sizeof(int)};
        MPI_File_set_view(handle, at, MPI_INT, turns, representation, MPI_INFO_NULL);
        MPI_Type_free(&turns);
    }

    int write(int count = blocks * block) {
        return MPI_File_write_at_all(handle, 0, ints.data(), count, MPI_INT, MPI_STATUS_IGNORE);
    }

    /// The same blocks; a second filetype begins at the second block of the first, and only MPI understands it.
    void view_folded() {
        MPI_Datatype turns = MPI_DATATYPE_NULL;
        MPI_Datatype folded = MPI_DATATYPE_NULL;
        MPI_Type_vector(blocks, block, 2 * block, MPI_INT, &turns);
        MPI_Type_create_resized(turns, 0, MPI_Aint{2 * block} * MPI_Aint{sizeof(int)}, &folded);
        MPI_Type_commit(&folded);
        MPI_File_set_view(handle, 0, MPI_INT, folded, "native", MPI_INFO_NULL);
        MPI_Type_free(&turns);
        MPI_Type_free(&folded);
    }

    int read(int count = blocks * block) {
        return MPI_File_read_at_all(handle, 0, ints.data(), count, MPI_INT, MPI_STATUS_IGNORE);
    }

    /// One part of each rank, behind each other: as quick by ROMIO.
    void write_apart() {
        auto const at = MPI_Offset{rank} * MPI_Offset{sizeof(int)} * blocks * block;
        MPI_File_set_view(handle, at, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
        expect(write() == MPI_SUCCESS, "apart");
    }

    MPI_File handle = MPI_FILE_NULL;
    std::vector<int> ints = std::vector<int>(std::size_t{blocks} * block + 1, 0x01020304);
};

void hints(std::string const& path) {
    File(path).write_apart();            // left
    File(path, "always").write_apart();  // taken over
    File never(path, "never");           // of which nothing is counted
    never.view_in_turns();
    expect(never.write() == MPI_SUCCESS, "never");
}

void names(std::string const& path) {
    File file("ufs:" + path);  // as ROMIO understands it
    file.view_in_turns();
    expect(file.write() == MPI_SUCCESS, "a file system before the name");  // taken over
}

void atomic_mode(std::string const& path) {
    File file(path);
    file.view_in_turns();
    MPI_File_set_atomicity(file.handle, 1);
    expect(file.write() == MPI_SUCCESS, "atomic");  // left
    MPI_File_set_atomicity(file.handle, 0);
    expect(file.write() == MPI_SUCCESS, "no longer atomic");  // taken over
}

/// MPI refuses them.
void parts_of_elements(std::string const& path) {
    File file(path);
    file.view_in_turns();
    expect(MPI_File_write_at_all(file.handle, 0, file.ints.data(), 6, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS,
           "one and a half elements");  // left
}

void negative_arguments(std::string const& path) {
    File file(path);
    file.view_in_turns();
    expect(file.write(-1) != MPI_SUCCESS, "a negative count");  // left
    expect(MPI_File_write_at_all(file.handle, -1, file.ints.data(), 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS,
           "a negative offset");  // left
}

void representations(std::string const& path) {
    File file(path);
    file.view_in_turns("external32");
    expect(file.write(1) == MPI_SUCCESS, "external32");  // left
    MPI_File_sync(file.handle);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_view(file.handle, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    std::array<char, sizeof(int)> bytes{};
    MPI_File_read_at(file.handle, 0, bytes.data(), sizeof(int), MPI_BYTE, MPI_STATUS_IGNORE);
    expect(bytes == std::array<char, sizeof(int)>{1, 2, 3, 4}, "the greatest byte is first");
}

/// The view stays as it was.
void refused_views(std::string const& path) {
    File file(path);
    file.view_in_turns();
    expect(MPI_File_set_view(file.handle, 0, MPI_INT, MPI_INT, "nonsense", MPI_INFO_NULL) != MPI_SUCCESS, "nonsense");
    expect(file.write() == MPI_SUCCESS, "after a view that was refused");  // taken over
}

/// After some calls in a row that were left, the next are without asking the other ranks: all must count alike.
void calls_in_a_row(std::string const& path) {
    File file(path);
    file.write_apart();  // left
    file.view_folded();
    for (int i = 0; i < 6; ++i) {
        expect(file.read(rank == 0 ? 0 : blocks * block + 1) == MPI_SUCCESS, "more than one filetype");  // left
    }
    file.view_in_turns();
    expect(file.read() == MPI_SUCCESS, "after calls that were left");  // taken over
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string const path = argv[1];
    hints(path);
    names(path);
    atomic_mode(path);
    parts_of_elements(path);
    negative_arguments(path);
    representations(path);
    refused_views(path);
    calls_in_a_row(path);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong != 0 ? 1 : 0;
}
